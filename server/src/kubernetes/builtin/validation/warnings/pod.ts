import { quote } from '../../../../gostd/quote.ts';
import { type FieldPath, fieldOf, key as keyed } from '../../../field.ts';
import type { Fields } from '../check.ts';
import { appArmorField } from '../podAnnotations.ts';
import { quantitiesOf } from '../resources.ts';
import { warnOfAddress, warnOfAddresses } from './addresses.ts';
import { deprecatedLabel, warnOfNodeSelector, warnOfNodeTerm } from './nodes.ts';
import { warnOfFractions } from './quantities.ts';
import { warnOfVolumes } from './volumes.ts';

// What the API server warns of in pods and in templates of pods that it accepts.

type Warn = (spec: Fields, annotations: Annotations, isPod: boolean) => void;

interface Annotations {
  readonly map: ReadonlyMap<string, string>;
  readonly spot: FieldPath;
}

/** The metadata and the spec are those of `pod`, which may be the template of one. */
export function warnOfPod(pod: Fields, isPod: boolean): void {
  const { check } = pod;
  const [meta, spec] = [pod.object('metadata'), pod.object('spec')];
  const map = check.known(() => meta.textMap('annotations')) ?? new Map<string, string>();
  for (const warn of warnings) spec.part(() => warn(spec, { map, spot: meta.at('annotations') }, isPod));
}

const warnings: readonly Warn[] = [
  warnOfNodeSelector,
  nodeAffinity,
  spreads,
  annotations,
  warnOfVolumes,
  repeatedItems,
  (spec) => warnOfFractions(spec, 'overhead', bytes),
  seccomp,
  (spec, map, isPod) => !isPod && appArmor(spec, map, false),
  (spec, _, isPod) => eachContainer(spec, (container) => fractions(container, isPod)),
  (spec) => eachContainer(spec, hiddenVariables),
  ports,
  portNames,
  (spec, _, isPod) => {
    if (isPod || (spec.integer('terminationGracePeriodSeconds') ?? 0n) >= 0n) return;
    const detail = 'must be >= 0; negative values are invalid and will be treated as 1';
    spec.check.warn(spec.at('terminationGracePeriodSeconds'), detail);
  },
  podAffinity,
  (spec) => {
    if (spec.version.builtin.warnings.addresses === 'early') return;
    warnOfAddresses(spec.object('dnsConfig'), 'nameservers');
    spec.each('hostAliases', (alias) => warnOfAddress(spec.check, alias.at('ip'), alias.text('ip')));
  },
];

const bytes = ['memory', 'ephemeral-storage'];
/** Those that are put into a pod later are in none that is created. */
const containerLists = ['initContainers', 'containers'];

/** Each container is a part of its own. */
function eachContainer(spec: Fields, warn: (container: Fields) => void): void {
  for (const list of containerLists) spec.each(list, warn);
}

function containersOf(spec: Fields): Fields[] {
  return containerLists.flatMap((list) => spec.items(list));
}

function nodeAffinity(spec: Fields): void {
  const affinity = spec.object('affinity').object('nodeAffinity');
  const required = affinity.object('requiredDuringSchedulingIgnoredDuringExecution');
  required.each('nodeSelectorTerms', (term) => warnOfNodeTerm(term, false));
  affinity.each('preferredDuringSchedulingIgnoredDuringExecution', (term) =>
    warnOfNodeTerm(term.object('preference'), true),
  );
}

const matchesNothing = 'a null labelSelector results in matching no pod';

function spreads(spec: Fields): void {
  spec.each('topologySpreadConstraints', (spread) => {
    const label = spread.text('topologyKey');
    const detail = deprecatedLabel(label);
    const aside = { outOfUse: { name: label, isSelector: false } };
    if (detail !== undefined) spec.check.warn(spread.at('topologyKey'), `${label} is ${detail}`, aside);
    if (!spread.has('labelSelector')) warnOfNoSelector(spread, spread);
  });
}

/** It is told at the item: the selector is not there. */
function warnOfNoSelector(item: Fields, term: Fields): void {
  item.check.warn({ ...term.at('labelSelector'), steps: [] }, matchesNothing);
}

function podAffinity(spec: Fields): void {
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const affinity = spec.object('affinity').object(kind);
    affinity.each('requiredDuringSchedulingIgnoredDuringExecution', (term) => {
      if (!term.has('labelSelector')) warnOfNoSelector(term, term);
    });
    affinity.each('preferredDuringSchedulingIgnoredDuringExecution', (weighted) => {
      const term = weighted.object('podAffinityTerm');
      if (!term.has('labelSelector')) warnOfNoSelector(weighted, term);
    });
  }
}

const deprecatedAnnotations: readonly (readonly [name: string, detail: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

function annotations(spec: Fields, { map, spot }: Annotations): void {
  for (const [name, detail] of deprecatedAnnotations) if (map.has(name)) spec.check.warn(keyed(spot, name), detail);
}

function repeatedItems(spec: Fields): void {
  repeated(spec, 'hostAliases', 'ip');
  repeated(spec, 'imagePullSecrets', 'name');
  for (const secret of spec.items('imagePullSecrets')) {
    if (secret.text('name') === '') spec.check.warn(secret.at('name'), 'invalid empty name ""');
  }
}

function repeated(spec: Fields, list: string, key: string): void {
  const seen = new Set<string>();
  for (const item of spec.items(list)) {
    const text = item.text(key);
    if (seen.has(text)) spec.check.warn(item.at(key), `duplicate ${key} ${quote(text)}`);
    seen.add(text);
  }
}

const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const seccompDetail = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function seccomp(spec: Fields, { map, spot }: Annotations): void {
  if (map.has(podSeccomp) && !spec.object('securityContext').has('seccompProfile')) {
    spec.check.warn(keyed(spot, podSeccomp), seccompDetail);
  }
  eachContainer(spec, (container) => {
    const name = containerSeccomp + container.text('name');
    if (!map.has(name) || container.object('securityContext').has('seccompProfile')) return;
    spec.check.warn(keyed(spot, name), seccompDetail);
  });
}

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** What is said of a pod before it is validated, and so also where it is refused. */
export function warnOfNewPod(pod: Fields): void {
  const meta = pod.object('metadata');
  const map = pod.check.known(() => meta.textMap('annotations')) ?? new Map<string, string>();
  const spec = pod.object('spec');
  spec.part(() => appArmor(spec, { map, spot: meta.at('annotations') }, true));
}

/** Annotations of which a pod's own profile says nothing else, are left as they are. */
function appArmor(spec: Fields, { map, spot }: Annotations, isPod: boolean): void {
  if (map.size === 0 || (isPod && spec.object('os').text('name') === 'windows')) return;
  const profile = spec.object('securityContext').pointer('appArmorProfile');
  const comparesValues = isPod || spec.version.builtin.warnings.comparesAppArmor;
  eachContainer(spec, (container) => {
    const name = appArmorPrefix + container.text('name');
    const written = map.get(name);
    if (written === undefined || container.object('securityContext').has('appArmorProfile')) return;
    if (profile && (!comparesValues || profileText(profile) === appArmorField(written))) return;
    spec.check.warn(keyed(spot, name), 'deprecated since v1.30; use the "appArmorProfile" field instead');
  });
}

/** A profile as an annotation has it. */
function profileText(profile: Fields): string {
  const [type, local] = [profile.text('type'), profile.pointed('localhostProfile')];
  if (type === 'Localhost') return `localhost/${local ?? ''}`;
  return local === undefined ? type : `${type} ${local}`;
}

/** Of a pod a limit is the request where there is none. */
function fractions(container: Fields, isPod: boolean): void {
  const resources = container.object('resources');
  warnOfFractions(resources, 'limits', ['memory']);
  const implied = isPod ? quantitiesOf(resources, 'limits') : undefined;
  warnOfFractions(resources, 'requests', ['memory'], implied);
  warnOfFractions(resources, 'limits', ['ephemeral-storage']);
  warnOfFractions(resources, 'requests', ['ephemeral-storage'], implied);
}

/** A variable that is set again without what it was before. */
function hiddenVariables(container: Fields): void {
  const seen = new Set<string>();
  for (const variable of container.items('env')) {
    const name = variable.text('name');
    const [value, reference] = [variable.text('value'), `$(${name})`];
    const hides = variable.has('valueFrom') || value === reference || !value.includes(reference);
    if (seen.has(name) && hides) {
      const detail = `hides previous definition of ${quote(name)}, which may be dropped when using apply`;
      container.check.warn(variable.spot, detail);
    }
    seen.add(name);
  }
}

interface Port {
  readonly spot: FieldPath;
  readonly hostIP: string;
  readonly hostPort: bigint;
}

function ports(spec: Fields, _: Annotations, isPod: boolean): void {
  const sharesPorts = isPod && spec.isTrue('hostNetwork');
  const all = new Map<string, Port[]>();
  for (const port of containersOf(spec).flatMap((container) => container.items('ports'))) {
    const [own, protocol] = [port.integer('containerPort') ?? 0n, port.text('protocol') || 'TCP'];
    const given = port.integer('hostPort') ?? 0n;
    const hostPort = given === 0n && sharesPorts ? own : given;
    const one: Port = { spot: port.spot, hostIP: port.text('hostIP'), hostPort };
    if (one.hostIP !== '' && hostPort === 0n) {
      const shown = `{Name:${port.text('name')} HostPort:0 ContainerPort:${own} Protocol:${protocol} HostIP:${one.hostIP}}`;
      spec.check.warn(port.spot, `hostIP set without hostPort: ${shown}`);
    }
    const same = all.get(`${own}/${protocol}`) ?? [];
    for (const other of same) if (!spec.check.isFull) conflict(spec, one, other);
    same.push(one);
    all.set(`${own}/${protocol}`, same);
  }
}

function conflict({ check }: Fields, one: Port, other: Port): void {
  const say = (how: string) => check.warn(one.spot, `${how} port definition with ${fieldOf(other.spot)}`);
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) say('duplicate');
  else if (one.hostPort === 0n || other.hostPort === 0n) say('overlapping');
  else if (one.hostPort === other.hostPort && (one.hostIP === '') !== (other.hostIP === '')) {
    say('dangerously ambiguous');
  }
}

function portNames(spec: Fields): void {
  if (!spec.version.builtin.warnings.portNames) return;
  const all = new Map<string, string>();
  for (const port of containersOf(spec).flatMap((container) => container.items('ports'))) {
    const [name, field] = [port.text('name'), fieldOf(port.spot)];
    if (name === '') continue;
    const other = all.get(name);
    if (other === undefined) all.set(name, field);
    else {
      const detail = `duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`;
      spec.check.warn(port.spot, detail);
    }
  }
}
