import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { append } from '../base/append.ts';
import { isList, isMap, textAt, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { bare, type Cluster, type ClusterAnswer, type Sending } from '../cluster/dryRun.ts';
import { type Admission, admitted, type PolicyServer } from '../crdtest/admission.ts';
import { differences } from '../crdtest/objects.ts';
import type { PolicyGround } from '../crdtest/policyGround.ts';
import type { AdmitRequest } from '../crdtest/policySuite.ts';
import { shown } from '../crdtest/run.ts';
import type { CaseRun } from '../crdtest/runFile.ts';
import { textOf } from '../crdtest/said.ts';
import { isAdmission, nameOf } from '../kubernetes/policy/admit.ts';
import { denialText, policiesAmong } from '../kubernetes/policy/dispatch.ts';
import { guessedResources } from '../kubernetes/policy/watchedKinds.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { splitApiVersion } from '../workspace/manifest.ts';

// Cases of policies beside a cluster: the policies are put into it under names of their own, and bound to namespaces that
// are made for that, so that they hold for nobody else.

/** What a cluster says of a case beside us: the same, something else, or nothing, with the reason. */
export type ClusterOutcome =
  | { readonly answers: 'the same' }
  | { readonly answers: 'otherwise'; readonly differences: readonly string[] }
  | { readonly answers: 'not asked'; readonly why: string };

/** What it takes to ask a cluster about policies. */
export interface PolicyAsker {
  ask(run: CaseRun, policies: PolicyGround): Promise<ClusterOutcome>;
}

interface Sent {
  readonly cluster: Cluster;
  readonly version: KubernetesVersion;
  /** Stores an object that is removed at the end. */
  readonly store: (object: ValueMap) => Promise<void>;
  /** Until a CRD is served there. */
  readonly ready: (crd: ValueMap) => Promise<void>;
}

const runLabel = 'kube-crd-test';
const policyKinds: ReadonlySet<string> = new Set(['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy']);
const bindingKinds: ReadonlySet<string> = new Set([...policyKinds].map((kind) => `${kind}Binding`));

const isPolicy = (one: ValueMap) => policyKinds.has(textAt(one, ['kind']));

export function policyAsker(sent: Sent): PolicyAsker {
  const grounds = new Map<PolicyGround, Promise<Scratch>>();
  return {
    ask: async (run, policies) => {
      const request = run.one.request as AdmitRequest;
      const [server] = policies.servers.values();
      const why = server ? notSent(request, run, policies, server) : 'the policies are refused';
      if (why !== undefined) return { answers: 'not asked', why };
      const ready = grounds.get(policies) ?? Scratch.made(sent, policies);
      grounds.set(policies, ready);
      return await (await ready).compared(request, run, server!);
    },
  };
}

/** Why a case cannot be put to a cluster. */
function notSent(
  request: AdmitRequest,
  { given }: CaseRun,
  { objects }: PolicyGround,
  server: PolicyServer,
): string | undefined {
  const { operation, subresource, access, options, user } = request;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return 'deletions and connections are not put to a cluster';
  if (subresource !== '' && subresource !== 'status') return `the subresource ${subresource} is not put to a cluster`;
  if (access !== undefined && objects.some(asksAuthorizer)) return 'what the authorizer answers is up to the cluster';
  if (options.size > 0) return 'options of requests are not put to a cluster';
  if (user && (user.uid !== '' || user.extra.size > 0)) return 'uid and extra of a user are not put to a cluster';
  if (!isNamespaced(given.object, server)) return 'policies are bound to a namespace, and the object is in none';
  const param = objects.find((one) => isParam(one) && !isNamespaced(one, server));
  return param && `${param.get('kind')} ${nameOf(param)} is in no namespace, and would be stored for everybody`;
}

/** What belongs to policies and is none of the kinds that tell who is asked about what. */
const isParam = (one: ValueMap) => !isAdmission(one) && !isCrd(one) && one.get('kind') !== 'Namespace';
const isCrd = (one: ValueMap) => one.get('kind') === 'CustomResourceDefinition';

/** Whether an expression of a policy may ask what somebody is allowed to do. */
function asksAuthorizer(value: Value): boolean {
  if (typeof value === 'string') return value.includes('authorizer');
  if (isList(value)) return value.some(asksAuthorizer);
  return isMap(value) && [...value.values()].some(asksAuthorizer);
}

function isNamespaced(object: Value | undefined, server: PolicyServer): boolean {
  const [apiVersion, kind] = [textAt(object ?? null, ['apiVersion']), textAt(object ?? null, ['kind'])];
  const crd = server.crdOf(apiVersion, kind);
  return crd ? crd.lowered.namespaced : server.builtin?.kinds.get(`${apiVersion}/${kind}`)?.namespaced === true;
}

const changed = (object: ValueMap, path: readonly string[], value: Value): ValueMap => {
  const [key, ...rest] = path;
  const inner = object.get(key!);
  return new Map(object).set(key!, rest.length === 0 ? value : changed(isMap(inner) ? inner : new Map(), rest, value));
};

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  more: readonly (readonly [string, Value])[],
): ValueMap =>
  new Map<string, Value>([
    ['apiVersion', apiVersion],
    ['kind', kind],
    ['metadata', new Map([['name', name]])],
    ...more,
  ]);

/** The policies of a file in a cluster, and the namespaces that they hold in. */
class Scratch {
  private readonly sent: Sent;
  private readonly policies: PolicyGround;
  private readonly id = randomBytes(4).toString('hex');
  /** By the namespace that the tests name. */
  private readonly namespaces = new Map<string, Promise<ValueMap>>();
  private readonly allowed = new Map<string, Promise<void>>();
  /** Compiled policies, as long as no namespace is added. */
  private here: { readonly size: number; readonly server: Promise<PolicyServer> } | undefined;
  /** How often an answer may still be waited for. */
  private waits = mostProbes;

  private constructor(sent: Sent, policies: PolicyGround) {
    this.sent = sent;
    this.policies = policies;
  }

  static async made(sent: Sent, policies: PolicyGround): Promise<Scratch> {
    const scratch = new Scratch(sent, policies);
    await scratch.putPolicies();
    return scratch;
  }

  private get prefix(): string {
    return `kube-crd-test-${this.id}-`;
  }

  private async putPolicies(): Promise<void> {
    const { objects } = this.policies;
    const ready = await this.namespaceFor('');
    for (const one of objects.filter(isCrd)) await this.sent.ready(one);
    for (const one of objects.filter(isParam)) await this.sent.store(await this.placed(one));
    const own = objects.filter(isPolicy);
    for (const policy of own) await this.sent.store(changed(policy, ['metadata', 'name'], this.named(policy)));
    for (const one of [
      ...objects.filter((one) => bindingKinds.has(textAt(one, ['kind']))),
      ...this.missingBindings(own),
    ])
      await this.sent.store(await this.bound(one));
    await this.inForce(nameOf(ready));
  }

  private named = (one: ValueMap) => `${this.prefix}${nameOf(one)}`;

  /** A policy that nothing binds is asked as if one binding took every request. */
  private missingBindings(policies: readonly ValueMap[]): ValueMap[] {
    const bound = new Set(this.policies.objects.map((one) => textAt(one, ['spec', 'policyName'])));
    return policies
      .filter((one) => !bound.has(nameOf(one)))
      .map((policy) => {
        const kind = textAt(policy, ['kind']);
        const spec = new Map<string, Value>([['policyName', nameOf(policy)]]);
        if (kind === 'ValidatingAdmissionPolicy') spec.set('validationActions', ['Deny']);
        return object(textAt(policy, ['apiVersion']), `${kind}Binding`, nameOf(policy), [['spec', spec]]);
      });
  }

  /** A binding that holds in the namespaces of this run alone. */
  private async bound(binding: ValueMap): Promise<ValueMap> {
    const path = ['spec', 'matchResources', 'namespaceSelector', 'matchExpressions'];
    const before = valueAt(binding, path);
    const own = new Map<string, Value>([
      ['key', runLabel],
      ['operator', 'In'],
      ['values', [this.id]],
    ]);
    let made = changed(await this.withParams(binding), path, [...(isList(before) ? before : []), own]);
    made = changed(made, ['metadata', 'name'], this.named(binding));
    return changed(made, ['spec', 'policyName'], `${this.prefix}${textAt(binding, ['spec', 'policyName'])}`);
  }

  /** A binding whose parameters are in a namespace of this run. */
  private async withParams(binding: ValueMap): Promise<ValueMap> {
    const params = textAt(binding, ['spec', 'paramRef', 'namespace']);
    if (params === '') return binding;
    return changed(binding, ['spec', 'paramRef', 'namespace'], nameOf(await this.namespaceFor(params)));
  }

  /** What our engine is asked about: the same objects under their own names, in the namespaces that are made by now. */
  private serverHere(server: PolicyServer): Promise<PolicyServer> {
    const { size } = this.namespaces;
    if (this.here?.size !== size) this.here = { size, server: this.serverNow(server) };
    return this.here.server;
  }

  private async serverNow(server: PolicyServer): Promise<PolicyServer> {
    const objects: ValueMap[] = [];
    for (const one of this.policies.objects) {
      if (isParam(one)) objects.push(await this.placed(one));
      else if (one.get('kind') !== 'Namespace') objects.push(await this.withParams(one));
    }
    append(objects, this.missingBindings(this.policies.objects.filter(isPolicy)));
    const made = await Promise.all(this.namespaces.values());
    const namespaces = new Map(made.map((one) => [nameOf(one), one]));
    const policies = policiesAmong([...objects, ...made], this.sent.version);
    return { ...server, policies, namespaces };
  }

  /** The namespace that stands for one of the tests, with its labels. */
  private namespaceFor(name: string): Promise<ValueMap> {
    const known = this.namespaces.get(name) ?? this.madeNamespace(name, this.namespaces.size);
    this.namespaces.set(name, known);
    return known;
  }

  private async madeNamespace(name: string, nth: number): Promise<ValueMap> {
    const written = this.policies.objects.find((one) => one.get('kind') === 'Namespace' && nameOf(one) === name);
    const own = valueAt(written ?? null, ['metadata', 'labels']);
    const labels = new Map([...(isMap(own) ? own : []), [runLabel, this.id]] as [string, Value][]);
    labels.delete('kubernetes.io/metadata.name');
    const made = object('v1', 'Namespace', `kube-crd-${this.id}-${nth}`, []);
    const namespace = changed(made, ['metadata', 'labels'], labels);
    await this.sent.store(namespace);
    return changed(namespace, ['metadata', 'labels', 'kubernetes.io/metadata.name'], nameOf(namespace));
  }

  private async placed(value: ValueMap): Promise<ValueMap> {
    const written = textAt(value, ['metadata', 'namespace']);
    return changed(value, ['metadata', 'namespace'], nameOf(await this.namespaceFor(written)));
  }

  /** Policies hold some moments after they are stored; one that was stored after all others says when. */
  private async inForce(namespace: string): Promise<void> {
    const { store, cluster } = this.sent;
    const name = `${this.prefix}ready`;
    const rule = new Map<string, Value>([
      ['apiGroups', ['']],
      ['apiVersions', ['v1']],
      ['operations', ['CREATE']],
      ['resources', ['configmaps']],
      ['resourceNames', [name]],
    ]);
    const spec: [string, Value][] = [
      ['matchConstraints', new Map([['resourceRules', [rule]]])],
      ['validations', [new Map([['expression', 'false']])]],
    ];
    const group = 'admissionregistration.k8s.io/v1';
    await store(object(group, 'ValidatingAdmissionPolicy', name, [['spec', new Map(spec)]]));
    const binding: [string, Value][] = [
      ['policyName', 'ready'],
      ['validationActions', ['Deny']],
    ];
    await store(
      await this.bound(object(group, 'ValidatingAdmissionPolicyBinding', 'ready', [['spec', new Map(binding)]])),
    );
    const probe = changed(object('v1', 'ConfigMap', name, []), ['metadata', 'namespace'], namespace);
    for (let i = 0; i < mostProbes; i++) {
      const answer = await cluster.send(probe, { verb: 'create', stores: false });
      if ('errors' in answer) return;
      await pause(betweenProbes);
    }
    throw new Error('the cluster does not evaluate admission policies: one that denies everything denied nothing');
  }

  async compared(request: AdmitRequest, { given }: CaseRun, server: PolicyServer): Promise<ClusterOutcome> {
    const written = isMap(given.object) ? given.object : new Map<string, Value>();
    const now = await this.placed(written);
    const from = isMap(given.from) ? await this.placed(given.from) : undefined;
    const namespace = await this.namespaceFor(textAt(written, ['metadata', 'namespace']));
    const here = await this.serverHere(server);
    const came = this.cameOf(request, now, from, here);
    if ('answers' in came) return came;
    const { user } = request;
    if (user) await this.allow(user.name, now, nameOf(namespace));
    if (from) return await this.updated(request, from, now, came, here);
    return this.outcome(came, await this.settled(came, now, { verb: 'create', stores: false, as: user }));
  }

  /** What our engine says, or why there is nothing to compare with. */
  private cameOf(
    request: AdmitRequest,
    object: ValueMap,
    from: Value | undefined,
    here: PolicyServer,
  ): Admission | ClusterOutcome {
    const came = admitted(request, { object, ...(from !== undefined && { from }) }, here, this.sent.version);
    if ('why' in came) return { answers: 'not asked', why: came.why };
    if (came.unknown.length > 0) return { answers: 'not asked', why: `it depends on ${came.unknown[0]}` };
    return came;
  }

  /** An answer that is none yet is asked for again: what was stored just before takes a server some time to see. */
  private async settled(came: Admission, object: ValueMap, sending: Sending): Promise<ClusterAnswer> {
    for (;;) {
      const answer = await this.sent.cluster.send(object, sending);
      if (!early.some((text) => isSaidAlone(answer, text, came)) || this.waits === 0) return answer;
      this.waits--;
      await pause(betweenProbes);
    }
  }

  /** A change is a dry run against an object that is stored for it, where the policies take it, and removed. */
  private async updated(
    request: AdmitRequest,
    from: ValueMap,
    now: ValueMap,
    came: Admission,
    here: PolicyServer,
  ): Promise<ClusterOutcome> {
    if (valueAt(from, ['metadata', 'finalizers']) !== undefined)
      return { answers: 'not asked', why: 'an object with finalizers could not be removed again' };
    const { cluster } = this.sent;
    const stored = await this.settled(came, from, { verb: 'create', stores: true });
    if ('errors' in stored) {
      const why = `the object to start from is refused: ${stored.errors.join('; ')}`;
      return { answers: 'not asked', why: this.plain(why) };
    }
    try {
      const subresource = request.subresource === 'status' ? 'status' : undefined;
      const answer = await this.settled(came, now, { verb: 'replace', subresource, stores: false, as: request.user });
      // Policies may have changed what is there; of built-in kinds the server has filled in what we do not.
      const isCustom = here.crdOf(textAt(from, ['apiVersion']), textAt(from, ['kind'])) !== undefined;
      const again = isCustom ? this.cameOf(request, now, bare(stored.stored), here) : came;
      return 'answers' in again ? again : this.outcome(again, answer);
    } finally {
      await cluster.remove(from);
    }
  }

  /** Lets a user create and change objects of the kind that a case is about: whether they may is not what it asks. */
  private allow(user: string, about: ValueMap, namespace: string): Promise<void> {
    const { group } = splitApiVersion(textAt(about, ['apiVersion']));
    const [server] = this.policies.servers.values();
    const crd = server?.crdOf(textAt(about, ['apiVersion']), textAt(about, ['kind']));
    const resource = crd?.lowered.names.plural ?? guessedResources(textAt(about, ['kind']))[0]!;
    const key = [user, namespace, group, resource].join('\n');
    const known = this.allowed.get(key) ?? this.allowNow(user, namespace, group, resource);
    this.allowed.set(key, known);
    return known;
  }

  private async allowNow(user: string, namespace: string, group: string, resource: string): Promise<void> {
    const name = `${this.prefix}${this.allowed.size}`;
    const rbac = 'rbac.authorization.k8s.io';
    const inPlace = (one: ValueMap) => changed(one, ['metadata', 'namespace'], namespace);
    const rule = new Map<string, Value>([
      ['apiGroups', [group]],
      ['resources', [resource, `${resource}/status`]],
      ['verbs', ['get', 'create', 'update']],
    ]);
    await this.sent.store(inPlace(object(`${rbac}/v1`, 'Role', name, [['rules', [rule]]])));
    const text = (...rows: [string, string][]) => new Map<string, Value>(rows);
    const subjects = [text(['apiGroup', rbac], ['kind', 'User'], ['name', user])];
    const roleRef = text(['apiGroup', rbac], ['kind', 'Role'], ['name', name]);
    await this.sent.store(
      inPlace(
        object(`${rbac}/v1`, 'RoleBinding', name, [
          ['subjects', subjects],
          ['roleRef', roleRef],
        ]),
      ),
    );
  }

  private plain = (text: string) => text.replaceAll(this.prefix, '');

  private outcome(came: Admission, answer: ClusterAnswer): ClusterOutcome {
    if (isSaidAlone(answer, noParams, came))
      return { answers: 'not asked', why: 'the cluster does not see the parameters that were stored for this' };
    const found = [...this.unlike(came, answer)];
    return found.length === 0 ? { answers: 'the same' } : { answers: 'otherwise', differences: found };
  }

  private *unlike(came: Admission, answer: ClusterAnswer): Generator<string> {
    const { denials, stored } = came;
    const ours = saidOf(came);
    if (!('errors' in answer)) {
      for (const one of ours) yield `it does not say: ${one}`;
      if (ours.length > 0) return;
      for (const { path, wanted, found } of differences(withoutNull(stored), answer.stored, true))
        yield `it stores ${path} as ${shown(found)}, not ${shown(wanted)}`;
      return;
    }
    const theirs = answer.errors.map(this.plain);
    // A server names the first of several denials.
    const isSaid = (one: string) => theirs.some((text) => text.includes(one));
    if (denials.length > 0 ? !ours.some(isSaid) : !ours.every(isSaid) || ours.length === 0) {
      for (const one of theirs) yield `it says: ${one}`;
      for (const one of ours.filter((one) => !isSaid(one))) yield `it does not say: ${one}`;
    }
  }
}

const saidOf = ({ errors, denials }: Admission): string[] => [
  ...errors.map(textOf),
  ...denials.map((denial) => denialText(denial, denial.isMutating)),
];

/** Whether a cluster says something that we do not. */
function isSaidAlone(answer: ClusterAnswer, text: string, came: Admission): boolean {
  const isSaid = (all: readonly string[]) => all.some((one) => one.includes(text));
  return 'errors' in answer && isSaid(answer.errors) && !isSaid(saidOf(came));
}

const noParams = 'no params found for policy binding';
/** What a server says as long as it has not seen what was stored. */
const early = [noParams, 'There can be a delay between when CustomResourceDefinitions are created'];

const mostProbes = 60;
const betweenProbes = 500;

/** What is null is not stored. */
function withoutNull(value: Value | undefined): Value | undefined {
  if (isList(value)) return value.map((item) => withoutNull(item)!);
  if (!isMap(value)) return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
  return new Map([...value].filter(([, item]) => item !== null).map(([key, item]) => [key, withoutNull(item)!]));
}
