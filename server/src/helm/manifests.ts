/** What Helm makes of rendered templates: objects one by one, in the order in which it installs their kinds; hooks apart. */
import { isList, isMap, type Value, type ValueMap } from '../base/value.ts';
import { formatFloat } from '../gostd/float.ts';
import { trimSpace } from '../gostd/trim.ts';
import { compareGoStrings } from '../template/value.ts';
import { parseDocument } from '../yaml/parse.ts';
import { documentVerdict, valueOf } from '../yaml/value.ts';

export interface Manifest {
  /** The template's name, as Helm says it. */
  readonly name: string;
  readonly text: string;
  readonly kind: string;
}

export interface Hook extends Manifest {
  readonly isTest: boolean;
}

export interface Manifests {
  readonly objects: readonly Manifest[];
  readonly hooks: readonly Hook[];
}

interface Head {
  readonly kind: string;
  readonly annotations: ReadonlyMap<string, string>;
}

/** Sorts what templates came to; or what Helm says where it cannot read one. */
export function manifestsOf(texts: ReadonlyMap<string, string>): Manifests | { readonly error: string } {
  const objects: Manifest[] = [];
  const hooks: Hook[] = [];
  for (const name of [...texts.keys()].sort(compareGoStrings)) {
    for (const text of splitManifests(texts.get(name)!)) {
      const head = headOf(text);
      if ('error' in head) return { error: `YAML parse error on ${name}: ${head.error}` };
      const events = head.annotations
        .get(hookAnnotation)
        ?.split(',')
        .map((event) => trimSpace(event).toLowerCase());
      const one = { name, text, kind: head.kind };
      if (events === undefined) objects.push(one);
      // What waits for an event that Helm does not know is left out.
      else if (events.every((event) => hookEvents.has(event)))
        hooks.push({ ...one, isTest: events.some((event) => testEvents.has(event)) });
    }
  }
  return { objects: objects.sort(byKind), hooks: hooks.sort(byKind) };
}

const hookAnnotation = 'helm.sh/hook';
const testEvents: ReadonlySet<string> = new Set(['test', 'test-success']);
const hookEvents: ReadonlySet<string> = new Set([
  ...testEvents,
  ...['pre-install', 'post-install', 'pre-delete', 'post-delete', 'pre-upgrade', 'post-upgrade'],
  ...['pre-rollback', 'post-rollback'],
]);

const separator = /(?<=^|\n)---[ \t]*/g;

function splitManifests(text: string): string[] {
  return trimmedLeft(text)
    .split(separator)
    .filter((one) => trimSpace(one) !== '')
    .map(trimmedLeft);
}

function trimmedLeft(text: string): string {
  return text.slice(text.indexOf(trimSpace(text)));
}

/** What Helm reads of an object: it goes through JSON, into a struct. */
function headOf(text: string): Head | { readonly error: string } {
  const document = parseDocument(text);
  const { error } = documentVerdict(document);
  if (error !== undefined) return { error: `error converting YAML to JSON: ${error}` };
  return new HeadReader().head(valueOf(document) ?? null);
}

class HeadReader {
  /** The first value of another type; encoding/json goes on after it. */
  private wrong: string | undefined;

  head(value: Value): Head | { readonly error: string } {
    const root = this.map(value, 'Go value of type util.SimpleHead');
    this.text(root.get('apiVersion'), 'SimpleHead.apiVersion');
    const kind = this.text(root.get('kind'), 'SimpleHead.kind');
    const type = 'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }';
    const metadata = this.map(root.get('metadata'), `Go struct field SimpleHead.metadata of type ${type}`);
    this.text(metadata.get('name'), '.metadata.name');
    const field = '.metadata.annotations';
    const annotations = this.map(metadata.get('annotations'), `Go struct field ${field} of type map[string]string`);
    const texts = new Map([...annotations].map(([key, one]) => [key, this.text(one, field)]));
    return this.wrong === undefined ? { kind, annotations: texts } : { error: this.wrong };
  }

  private map(value: Value | undefined, where: string): ValueMap {
    if (isMap(value)) return value;
    if (value !== undefined && value !== null) this.refuse(value, where);
    return new Map();
  }

  /** Where a text is wanted, numbers and the like are written as one. */
  private text(value: Value | undefined, field: string): string {
    if (typeof value === 'number') return formatFloat(value);
    if (isMap(value) || isList(value)) this.refuse(value, `Go struct field ${field} of type string`);
    return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
  }

  private refuse(value: Value, where: string): void {
    const kind = isList(value) ? 'array' : isMap(value) ? 'object' : jsonKind(value);
    this.wrong ??= `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into ${where}`;
  }
}

function jsonKind(value: Value): string {
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
}

/** The order in which Helm installs kinds; all others come behind them, by their names. */
const installed = [
  ...['PriorityClass', 'Namespace', 'NetworkPolicy', 'ResourceQuota', 'LimitRange', 'PodSecurityPolicy'],
  ...['PodDisruptionBudget', 'ServiceAccount', 'Secret', 'SecretList', 'ConfigMap', 'StorageClass'],
  ...['PersistentVolume', 'PersistentVolumeClaim', 'CustomResourceDefinition', 'ClusterRole', 'ClusterRoleList'],
  ...['ClusterRoleBinding', 'ClusterRoleBindingList', 'Role', 'RoleList', 'RoleBinding', 'RoleBindingList'],
  ...['Service', 'DaemonSet', 'Pod', 'ReplicationController', 'ReplicaSet', 'Deployment', 'HorizontalPodAutoscaler'],
  ...['StatefulSet', 'Job', 'CronJob', 'IngressClass', 'Ingress', 'APIService', 'MutatingWebhookConfiguration'],
  'ValidatingWebhookConfiguration',
];
const orders: ReadonlyMap<string, number> = new Map(installed.map((kind, at) => [kind, at]));

function byKind({ kind: a }: Manifest, { kind: b }: Manifest): number {
  const order = (kind: string) => orders.get(kind) ?? installed.length;
  return order(a) - order(b) || (orders.has(a) ? 0 : compareGoStrings(a, b));
}
