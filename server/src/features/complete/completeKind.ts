import type { Range } from '../../base/text.ts';
import { isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import { builtinKindsFor, isOnByDefault, rootOfBuiltin, usualNames } from '../../workspace/builtin.ts';
import type { Definition } from '../../workspace/definitions.ts';
import {
  firstSentence,
  propertyNames,
  requiredNames,
  rootSchema,
  type SchemaNode,
  schemaAt,
  stepInto,
  textOf,
} from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { tolerantValueOf } from '../../yaml/tolerantValue.ts';
import type { Cursor } from '../place/cursor.ts';
import { keysBeside } from '../place/marked.ts';
import { words } from '../words/markdown.ts';
import type { Completion } from './completion.ts';
import { fieldSnippet, newStops, valueSnippet } from './skeleton.ts';

/** A version of a kind that some CRD defines, or that Kubernetes has built in. */
interface Served {
  readonly kind: string;
  readonly apiVersion: string;
  /** The version that kubectl takes where none is named. */
  readonly preferred: boolean;
  root(): SchemaNode | undefined;
}

/** Every version of every kind; of one kind in Kubernetes' order of priority. */
function allVersions(snapshot: Snapshot, uri: string): Served[] {
  return [...ofCrds(snapshot), ...ofKubernetes(snapshot, uri)];
}

function ofKubernetes(snapshot: Snapshot, uri: string): Served[] {
  const kinds = builtinKindsFor(snapshot, uri);
  const all = [...(kinds?.kinds.values() ?? [])].filter(({ isGone }) => !isGone);
  const seen = new Set<string>();
  return all
    .sort((a, b) => compareNames(a.kind, b.kind) || compareVersions(a.version, b.version))
    .map((kind) => {
      const name = `${kind.group}/${kind.kind}`;
      const preferred = !seen.has(name) && isOnByDefault(kind.version);
      seen.add(name);
      const { apiVersion } = kind;
      return { kind: kind.kind, apiVersion, preferred, root: () => kinds && rootOfBuiltin(kinds, kind) };
    });
}

const compareNames = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function ofCrds(snapshot: Snapshot): Served[] {
  const definitions = [...snapshot.definitions.values()].map(([first]) => first!);
  return definitions
    .sort((a, b) => (a.kind < b.kind ? -1 : 1))
    .flatMap((definition) => {
      const versions = [...definition.versions].sort(compareVersions);
      return versions.map((version, i) => {
        const apiVersion = `${definition.group}/${version}`;
        const root = () => rootSchema(definition, apiVersion);
        return { kind: definition.kind, apiVersion, preferred: i === 0, root };
      });
    });
}

const crdVersion = 'apiextensions.k8s.io/v1';
const crdKind = 'CustomResourceDefinition';

/** Values of `apiVersion` and `kind`, each narrowed by what the other says already. */
export function completeTypeMeta(snapshot: Snapshot, cursor: Cursor, range: Range): Completion[] {
  const [key] = cursor.path;
  const root = tolerantValueOf(cursor.placed.document);
  const other = isMap(root) ? root.get(key === 'kind' ? 'apiVersion' : 'kind') : undefined;
  const versions = allVersions(snapshot, cursor.file.uri);
  if (key === 'apiVersion') return apiVersions(versions, other, range);
  const fitting = versions.filter(({ apiVersion }) => typeof other !== 'string' || apiVersion === other);
  const kinds = [...new Set(fitting.map(({ kind }) => kind))];
  if (other === undefined || other === null || other === crdVersion) kinds.push(crdKind);
  return kinds.map((kind, i) => plain(kind, 'kind', '', range, i));
}

function apiVersions(versions: readonly Served[], kind: unknown, range: Range): Completion[] {
  const fitting = versions.filter((one) => typeof kind !== 'string' || one.kind === kind);
  const seen = new Set<string>();
  const rows = fitting.filter(({ apiVersion }) => !seen.has(apiVersion) && seen.add(apiVersion));
  const found = rows.map(({ apiVersion, kind: named, preferred }, i) =>
    plain(
      apiVersion,
      'value',
      typeof kind === 'string' && preferred ? 'what kubectl uses by default' : named,
      range,
      i,
    ),
  );
  return typeof kind === 'string' && kind !== crdKind
    ? found
    : [...found, plain(crdVersion, 'value', crdKind, range, rows.length)];
}

function plain(text: string, kind: Completion['kind'], detail: string, range: Range, i: number): Completion {
  return {
    label: text,
    kind,
    ...(detail === '' ? {} : { detail }),
    range,
    text,
    snippet: false,
    order: String(i).padStart(4, '0'),
  };
}

/** What a document must hold for its other keys to be those of an object. */
const telling = ['apiVersion', 'kind', 'metadata', 'spec'];

/** The keys of a document that does not say yet what it is; of one that says half of it also those of the likely kind. */
export function completeTypeMetaKeys(
  snapshot: Snapshot,
  uri: string,
  cursor: Cursor | undefined,
  range: Range,
): Completion[] {
  const root = cursor && tolerantValueOf(cursor.placed.document);
  const present = isMap(root) ? root : new Map<string, Value>();
  if (keysBeside(present).size > 0 && !telling.some((key) => present.has(key))) return [];
  const fitting = allVersions(snapshot, uri).filter((one) => fits(one, present));
  const keys = [
    typeMetaKey(
      'apiVersion',
      fitting.map(({ apiVersion }) => apiVersion),
      present,
      range,
    ),
    typeMetaKey(
      'kind',
      fitting.map(({ kind }) => kind),
      present,
      range,
    ),
  ];
  return [...keys.filter(({ label }) => !present.has(label)), ...keysOfLikelyKind(fitting, present, range)];
}

function fits({ apiVersion, kind: named }: Served, present: ValueMap): boolean {
  const [version, kind] = [present.get('apiVersion'), present.get('kind')];
  return (!isString(version) || apiVersion === version) && (!isString(kind) || named === kind);
}

const mostChoices = 100;

/** The key with the values to choose from, where the other one says which they are. */
function typeMetaKey(key: string, fitting: readonly string[], present: ValueMap, range: Range): Completion {
  const other = present.get(key === 'kind' ? 'apiVersion' : 'kind');
  const ofCrds = other === crdVersion ? [crdKind] : other === crdKind ? [crdVersion] : [];
  const choices = isString(other) ? [...new Set([...ofCrds, ...fitting])].slice(0, mostChoices) : [];
  const value = choices.length > 1 ? `\${1|${choices.join(',')}|}` : (choices[0] ?? '${1}');
  const order = key === 'kind' ? '00001' : '00000';
  return {
    label: key,
    kind: 'field',
    detail: 'string, required',
    range,
    text: `${key}: ${value}`,
    snippet: true,
    order,
  };
}

function keysOfLikelyKind([likely]: readonly Served[], present: ValueMap, range: Range): Completion[] {
  const says = isString(present.get('apiVersion')) || isString(present.get('kind'));
  const root = says ? likely?.root() : undefined;
  if (!root || !likely) return [];
  return propertyNames(root, true)
    .filter((name) => !present.has(name) && name !== 'apiVersion' && name !== 'kind')
    .map((name, i) => ({
      label: name,
      kind: 'field',
      detail: likely.kind,
      range,
      text: `${name}:${valueSnippet(stepInto(root, name, true), newStops(), '')}`,
      snippet: true,
      order: `1${String(i).padStart(4, '0')}`,
    }));
}

/** The same for a key that has its colon already. */
export function completeTypeMetaNames({ placed, path }: Cursor, range: Range): Completion[] {
  const root = tolerantValueOf(placed.document);
  if (!isMap(root) || !telling.some((key) => root.has(key) && key !== path[0])) return [];
  return ['apiVersion', 'kind']
    .filter((key) => !root.has(key))
    .map((key, i) => plain(key, 'field', 'string', range, i));
}

/** Whole resources, for an empty document: each kind with the fields it cannot do without. */
export function completeResource(snapshot: Snapshot, uri: string, range: Range): Completion[] {
  return [
    ...allVersions(snapshot, uri).flatMap((served, i): Completion[] => {
      const { kind, apiVersion } = served;
      const root = served.root();
      if (!root) return [];
      const description = words(firstSentence(textOf(root, 'description')));
      return [
        {
          label: `${kind} (${apiVersion})`,
          kind: 'snippet',
          detail: 'a whole resource',
          ...(description.isEmpty ? {} : { documentation: description }),
          range,
          text: resourceSnippet(served, root),
          snippet: true,
          order: `${served.preferred ? 1 : 2}${String(i).padStart(4, '0')}`,
        },
      ];
    }),
    {
      label: 'CustomResourceDefinition',
      kind: 'snippet',
      typed: 'crd CustomResourceDefinition',
      detail: 'a new kind',
      range,
      text: crdSnippet,
      snippet: true,
      order: '3',
    },
  ];
}

/** An object of a kind in a version, as a snippet; undefined where the version has no schema. */
export function objectSnippet(definition: Definition, version: string): string | undefined {
  const apiVersion = `${definition.group}/${version}`;
  const root = rootSchema(definition, apiVersion);
  return root && resourceSnippet({ kind: definition.kind, apiVersion }, root);
}

function resourceSnippet({ kind, apiVersion }: Pick<Served, 'kind' | 'apiVersion'>, root: SchemaNode): string {
  const stops = newStops();
  const head = [`apiVersion: ${apiVersion}`, `kind: ${kind}`, 'metadata:', `  name: \${${stops.next++}:name}`];
  const rest = [...requiredNames(root), ...usualNames(root)].filter(
    (name) => !['apiVersion', 'kind', 'metadata'].includes(name),
  );
  // Nearly every kind has a spec, whether or not its schema demands one.
  const names = rest.includes('spec') || !schemaAt(root, ['spec']) ? rest : ['spec', ...rest];
  return [...head, ...names.map((name) => fieldSnippet(root, name, stops, ''))].join('\n');
}

const crdSnippet = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: \${1:widgets}.\${2:example.com}
spec:
  group: \${2:example.com}
  scope: \${3|Namespaced,Cluster|}
  names:
    plural: \${1:widgets}
    singular: \${4:widget}
    kind: \${5:Widget}
  versions:
    - name: \${6:v1alpha1}
      served: true
      storage: true
      subresources:
        status: {}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                \${7:size}:
                  type: \${8|string,integer,boolean,object,array|}
            status:
              type: object
              x-kubernetes-preserve-unknown-fields: true`;
