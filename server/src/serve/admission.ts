import { isMap, textAt, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { receivedResource } from '../kubernetes/cr/create.ts';
import { type Admitted, fieldNames, nameOf, namespaceLabels } from '../kubernetes/policy/admit.ts';
import {
  denialText,
  mutateRequest,
  type Policies,
  policiesAmong,
  type RequestVerdict,
  validateRequest,
} from '../kubernetes/policy/dispatch.ts';
import { labelsOf, type Operation, type ResourceAs } from '../kubernetes/policy/matching.ts';
import { typedBuiltin } from '../kubernetes/policy/objectTypes.ts';
import { type Webhook, webhooksAmong } from '../kubernetes/policy/webhookCalls.ts';
import { applyDefaults } from '../kubernetes/schema/default.ts';
import { type Resource, resourcesOf } from './discovery.ts';
import { type JsonMap, mapOf } from './json.ts';
import { servedBy } from './judging.ts';
import { mergeTypeFor } from './managing.ts';
import type { Asked, Place } from './places.ts';
import type { Registry } from './registry.ts';
import { called, type Reply, status } from './replies.ts';
import type { Judged } from './serving.ts';
import { askMutating, askValidating, type Heard } from './webhooks.ts';

// What comes between a request and its object: policies and webhooks, in the order of the API server.

/** A request that changes something. */
export interface Changing {
  readonly asked: Asked;
  readonly place: Place;
  readonly operation: Operation;
  readonly old: JsonMap | undefined;
}

/** What the engine says of a body; a body that admission has made has no unknown fields to be told of. */
export type Judge = (body: string, isSent: boolean) => Judged;

/** What comes of a request that is to be admitted. */
export type Admittance = { readonly answer: Judged } | { readonly refused: Reply };

const hostGroup = 'admissionregistration.k8s.io';
const hostKinds = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
];

interface Hosts {
  readonly policies: Policies;
  readonly mutating: readonly Webhook[];
  readonly validating: readonly Webhook[];
}

export class Admission {
  private readonly registry: Registry;
  /** Undefined since something changed that they are made of. */
  private hosts: Hosts | undefined;
  /** What the objects are that policies name as their parameters. */
  private paramPrefixes: readonly string[] = [];

  constructor(registry: Registry) {
    this.registry = registry;
    registry.store.listen(({ key }) => {
      const isMade = key.startsWith(`${hostGroup}/`) || key.startsWith('/namespaces/');
      if (isMade || this.paramPrefixes.some((prefix) => key.startsWith(prefix))) this.hosts = undefined;
    });
  }

  /** The answer of the engine to what admission makes of a body, or why admission refuses it. */
  async admitted(changing: Changing, body: string, judge: Judge, complete: Complete): Promise<Admittance> {
    const hosts = this.hostsFor(changing.place.resource);
    const first = judge(body, true);
    if (!hosts || first.code === 0 || first.code === 400) return { answer: first };
    const one = this.admittedAs(changing, this.received(changing, body));
    const mutated = await this.mutated(hosts, changing, one);
    if ('refused' in mutated) return mutated;
    const isSame = printJson(mutated.object) === printJson(one.value());
    const answer = isSame ? first : judge(printJson(mutated.object), false);
    const warnings = [...(first.warnings ?? []), ...(isSame ? [] : (answer.warnings ?? [])), ...mutated.warnings];
    if (!answer.body) return { answer: { ...answer, warnings, name: namedIn(mutated.object) } };
    const validated = await this.validated(hosts, changing, this.admittedAs(changing, mapOf(complete(answer.body))));
    if ('refused' in validated) return { refused: withWarnings(validated.refused, warnings) };
    return { answer: { ...answer, warnings: [...warnings, ...validated.warnings] } };
  }

  /** The same for an object that a merge has made, which is judged once more. */
  async admittedMerged(changing: Changing, merged: Judged, judge: Judge, complete: Complete): Promise<Admittance> {
    if (!merged.body || !this.hostsFor(changing.place.resource)) return { answer: merged };
    const came = await this.admitted(changing, JSON.stringify(merged.body), judge, complete);
    if ('refused' in came || !came.answer.body) return came;
    const warnings = [...(merged.warnings ?? []), ...(came.answer.warnings ?? [])];
    return { answer: { ...merged, body: came.answer.body, warnings } };
  }

  /** Why an object may not be deleted, and what clients are warned of. */
  async deleted(changing: Changing): Promise<{ refused?: Reply; warnings: readonly string[] }> {
    const hosts = this.hostsFor(changing.place.resource);
    if (!hosts) return { warnings: [] };
    const one = this.admittedAs(changing, null);
    const mutated = await askMutating(hosts.mutating, this.told(changing, one));
    if ('refused' in mutated) return { refused: mutated.refused, warnings: [] };
    const validated = await this.validated(hosts, changing, one);
    return 'refused' in validated ? { refused: validated.refused, warnings: [] } : { warnings: validated.warnings };
  }

  /** Undefined where nothing is asked: nobody asks about what says who is asked. */
  private hostsFor({ group }: Resource): Hosts | undefined {
    if (group === hostGroup) return undefined;
    this.hosts ??= this.readHosts();
    const { policies, mutating, validating } = this.hosts;
    const all = [policies.mutating, policies.validating, mutating, validating];
    return all.some((some) => some.length > 0) ? this.hosts : undefined;
  }

  private readHosts(): Hosts {
    const own = hostKinds.flatMap((plural) => this.values(`${hostGroup}/${plural}/`));
    if (own.length === 0) return { policies: { mutating: [], validating: [] }, mutating: [], validating: [] };
    const { kubernetes } = this.registry.serving;
    const bound = own.filter((one) => isBound(one, own));
    this.paramPrefixes = bound.flatMap((policy) => this.paramPrefix(valueAt(policy, ['spec', 'paramKind'])));
    const params = this.paramPrefixes.flatMap((prefix) => this.values(prefix));
    const hooks = (kind: string) =>
      webhooksAmong(
        own.filter((one) => one.get('kind') === kind),
        kubernetes,
      );
    return {
      policies: policiesAmong([...bound, ...this.values('/namespaces/'), ...params], kubernetes),
      mutating: hooks('MutatingWebhookConfiguration'),
      validating: hooks('ValidatingWebhookConfiguration'),
    };
  }

  private values(prefix: string): ValueMap[] {
    return this.registry.store.list(prefix).map(({ object }) => mapOf(object));
  }

  private paramPrefix(kind: Value | undefined): string[] {
    const [apiVersion, name] = [textAt(kind ?? null, ['apiVersion']), textAt(kind ?? null, ['kind'])];
    const [version, group = ''] = apiVersion.split('/').reverse();
    const found = this.registry.resources().find((one) => {
      return one.group === group && one.version === version && one.kind === name;
    });
    return found ? [`${group}/${found.plural}/`] : [];
  }

  private async mutated(hosts: Hosts, changing: Changing, one: Admitted): Promise<Heard> {
    const { object, verdict } = mutateRequest(hosts.policies, one, (as) =>
      mergeTypeFor(changing.place.resource, this.registry.serving, as?.version),
    );
    const refused = refusedBy(verdict, changing.place, true);
    if (refused) return { refused };
    const heard = await askMutating(hosts.mutating, this.told(changing, { ...one, value: () => object }));
    return 'refused' in heard ? heard : { ...heard, warnings: [...warningsOf(verdict), ...heard.warnings] };
  }

  private async validated(hosts: Hosts, changing: Changing, one: Admitted): Promise<Heard> {
    const verdict = validateRequest(hosts.policies, one);
    const refused = refusedBy(verdict, changing.place, false);
    if (refused) return { refused };
    const heard = await askValidating(hosts.validating, this.told(changing, one));
    return 'refused' in heard ? heard : { ...heard, warnings: [...warningsOf(verdict), ...heard.warnings] };
  }

  private told({ asked }: Changing, one: Admitted) {
    return { one, user: asked.user, uid: () => this.registry.serving.uid(), call: this.registry.serving.call };
  }

  /** The object of a body as admission sees it first: with its defaults. */
  private received({ place: { resource } }: Changing, body: string): Value {
    const sent = mapOf(JSON.parse(body) as JsonMap);
    const { kubernetes } = this.registry.serving;
    return (resource.crd && receivedResource(sent, servedBy(resource.crd, kubernetes), { kubernetes })) ?? sent;
  }

  private admittedAs({ asked, place, operation, old }: Changing, object: Value): Admitted {
    const { resource, namespace, subresource } = place;
    const { group, version, plural, kind, crd, builtin } = resource;
    const before = old ? mapOf(old) : null;
    const isNamespace = group === '' && plural === 'namespaces';
    const name = place.name ?? (isMap(object) ? nameOf(object) : '');
    const within = isNamespace ? name : resource.namespaced ? namespace : undefined;
    const known = within === undefined ? undefined : this.registry.store.get(`/namespaces/${within}`);
    const others = crd ? resourcesOf(crd).filter((other) => other.version !== version) : [];
    const labels = (value: Value) => (isMap(value) ? labelsOf(value) : undefined);
    return {
      kind,
      defaulted: builtin ? this.defaultedOf(resource) : new Set(),
      converted: inVersion,
      filledIn: (value, as) => {
        const served = crd && servedBy(crd, this.registry.serving.kubernetes).versions.get(as?.version ?? version);
        return applyDefaults(value, served?.structural);
      },
      value: () => object,
      old: () => before,
      asked: this.optionsOf(asked, operation),
      request: {
        ...{ group, version, resource: plural, operation, subresource: subresource ?? '', name, namespace: within },
        equivalents: others.map((other) => ({ group, version: other.version, resource: plural, kind })),
        labels: labels(object),
        oldLabels: labels(before),
        namespaceLabels: namespaceLabels(known && mapOf(known.object), within),
      },
    };
  }

  private defaultedOf({ builtin }: Resource): ReadonlySet<string> {
    return fieldNames(
      typedBuiltin(this.registry.serving.builtin, builtin!, this.registry.serving.kubernetes).structural,
    );
  }

  private optionsOf({ user, query }: Asked, operation: Operation): NonNullable<Admitted['asked']> {
    const dryRun = query.get('dryRun') === 'All';
    const given = ['fieldManager', 'fieldValidation'].flatMap((name): [string, Value][] => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    });
    const options = new Map<string, Value>([
      ['kind', optionKinds[operation]],
      ['apiVersion', 'meta.k8s.io/v1'],
      ...(dryRun ? [['dryRun', ['All']] as const] : []),
      ...(operation === 'DELETE' ? [] : given),
    ]);
    return { user, dryRun, options, authorizer: () => ({ decision: 'allow', reason: '' }) };
  }
}

const namedIn = (object: Value) => (isMap(object) ? nameOf(object) : '');

/** What the server sets in an object before it is validated. */
type Complete = (object: JsonMap) => JsonMap;

const optionKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: '' };

/** A policy does nothing until something binds it. */
function isBound(one: ValueMap, all: readonly ValueMap[]): boolean {
  const kind = String(one.get('kind'));
  if (!kind.endsWith('AdmissionPolicy')) return true;
  return all.some((other) => {
    return other.get('kind') === `${kind}Binding` && valueAt(other, ['spec', 'policyName']) === nameOf(one);
  });
}

/** Versions that are converted by nobody differ in their name alone. */
function inVersion(value: Value, { group, version }: ResourceAs): Value {
  return isMap(value) ? new Map(value).set('apiVersion', group === '' ? version : `${group}/${version}`) : value;
}

function withWarnings(reply: Reply, warnings: readonly string[]): Reply {
  return { ...reply, warnings: [...warnings, ...(reply.warnings ?? [])] };
}

const codes = new Map([
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['RequestEntityTooLarge', 413],
]);

function refusedBy({ denials, warnings }: RequestVerdict, place: Place, isMutating: boolean): Reply | undefined {
  const [first] = denials;
  if (!first) return undefined;
  const text = denialText(first, isMutating);
  const { name, resource } = place;
  const details = { name: name ?? '', group: resource.group, kind: resource.plural, causes: [{ message: text }] };
  const message = `${called(place)} is forbidden: ${text}`;
  return { ...status(codes.get(first.reason) ?? 422, first.reason, message, details), warnings };
}

/** What a policy depends on that is not known here is said, and does not stand in the way. */
function warningsOf({ warnings, unknown }: RequestVerdict): string[] {
  return [...warnings, ...unknown.map((why) => `kube-crd serve cannot tell what an admission policy says: ${why}`)];
}
