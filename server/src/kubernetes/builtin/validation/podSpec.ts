import { byteLength } from '../../../gostd/bytes.ts';
import { child, index } from '../../field.ts';
import { goString, goStrings } from '../../goValue.ts';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './containers.ts';
import { goStructOf, pointedText } from './goTexts.ts';
import { validatePodAnnotations, validateProfiles } from './podAnnotations.ts';
import type { Volumes } from './podContext.ts';
import { ofTemplate, type PodContext, type PodOptions } from './podContext.ts';
import { validateOverhead, validatePodResources } from './resources.ts';
import { validateAffinity, validateSpread, validateTolerations } from './scheduling.ts';
import { validateHostProcesses, validatePodSecurityContext } from './securityContext.ts';
import { validateLabels } from './selectors.ts';
import { address, between, subdomainWithUnderscore } from './texts.ts';
import { dropsImages, validateVolumes } from './volumes.ts';

export function validatePodTemplate(template: Fields, options: PodOptions = ofTemplate): void {
  validateTemplateMetadata(template);
  const spec = template.object('spec');
  spec.part(() => validatePodSpec(spec, options));
  const meta = template.object('metadata', template.spot);
  spec.part(() => validateProfiles(meta, spec, false));
  spec.part(() => {
    const why = 'ephemeral containers not allowed in pod template';
    if (spec.list('ephemeralContainers').length > 0) spec.check.forbidden(spec.at('ephemeralContainers'), why);
  });
}

/** Errors leave out that there is metadata. */
export function validateTemplateMetadata(template: Fields): void {
  const meta = template.object('metadata', template.spot);
  const metaOf = (key: string) => child(template.spot, key, ['metadata', key]);
  meta.part(() => validateLabels(meta, 'labels', metaOf('labels')));
  meta.part(() => validatePodAnnotations(meta, metaOf('annotations'), template.object('spec')));
}

export function validatePodSpec(spec: Fields, options: PodOptions): void {
  const volumes = validateVolumes(spec, options);
  const context = contextOf(spec, options, volumes);
  if (spec.version.builtin.resourceClaims) spec.part(() => validateResourceClaims(spec));
  spec.part(() => validateContainers(spec, context));
  spec.part(() => validateInitContainers(spec, context));
  spec.part(() => validateEphemeralContainers(spec, context));
  if (spec.version.builtin.podLevelResources) spec.part(() => validatePodResources(spec, context));
  for (const validate of parts) spec.part(() => validate(spec, context));
}

function contextOf(spec: Fields, options: PodOptions, volumes: Volumes | undefined): PodContext {
  const { check } = spec;
  const claimsOf = () => spec.items('resourceClaims').map((claim) => claim.text('name'));
  return {
    ...options,
    volumes,
    dropsMounts: dropsImages(spec),
    claims: check.known(() => claimsOf().filter((name) => name !== '')),
    restartPolicy: check.known(() => spec.text('restartPolicy') || 'Always'),
    gracePeriod: check.known(() => gracePeriodOf(spec, options)),
    os: check.known(() => spec.pointer('os')?.text('name')),
    sharesPorts: options.isPod && (check.known(() => spec.isTrue('hostNetwork')) ?? false),
    hostUsers: check.known(() => spec.value('hostUsers') !== false) ?? false,
  };
}

function gracePeriodOf(spec: Fields, { isPod }: PodOptions): bigint {
  const period = spec.integer('terminationGracePeriodSeconds') ?? 30n;
  return isPod && period < 0n ? 1n : period;
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const preemptionPolicies = ['PreemptLowerPriority', 'Never'];
const systems = ['linux', 'windows'];

type Validate = (spec: Fields, context: PodContext) => void;

/** A text that has to be one of a table, if it is there. */
function oneOf(key: string, supported: readonly string[]): Validate {
  return (spec) => {
    const value = spec.pointed(key);
    if (value && !supported.includes(value)) spec.check.unsupported(spec.at(key), goString(value), supported);
  };
}

/** A text that has to be a name, if it is there. */
function named(key: string, check: (text: string) => readonly string[]): Validate {
  return (spec) => name(spec, key, check);
}

function name(spec: Fields, key: string, check: (text: string) => readonly string[]): void {
  const text = spec.text(key);
  if (text !== '') spec.wrong(spec.at(key), text, check(text), 'builtin/name');
}

const parts: readonly Validate[] = [
  hostNetworkPorts,
  oneOf('restartPolicy', restartPolicies),
  oneOf('dnsPolicy', dnsPolicies),
  (spec) => validateLabels(spec, 'nodeSelector'),
  (spec) => spec.within('securityContext', (context) => validatePodSecurityContext(context, spec)),
  sharedProcesses,
  (spec) => spec.within('affinity', validateAffinity),
  dnsConfig,
  readinessGates,
  schedulingGates,
  (spec) => validateSpread(spec),
  (spec) =>
    validateHostProcesses(
      spec,
      ['initContainers', 'containers', 'ephemeralContainers'].flatMap((key) => spec.items(key)),
    ),
  hostUsers,
  hostnameOverride,
  serviceAccount,
  named('nodeName', dns1123Subdomain),
  activeDeadline,
  hostnames,
  (spec) => validateTolerations(spec),
  hostAliases,
  named('priorityClassName', dns1123Subdomain),
  (spec) => {
    const name = spec.pointed('runtimeClassName');
    if (name !== undefined) spec.wrong(spec.at('runtimeClassName'), name, dns1123Subdomain(name), 'builtin/name');
  },
  preemption,
  validateOverhead,
  operatingSystem,
  filesOfEnvironment,
];

function hostNetworkPorts(spec: Fields): void {
  if (!spec.isTrue('hostNetwork')) return;
  spec.each('containers', (container) => {
    container.each('ports', (port) => {
      const [host, own] = [port.integer('hostPort') ?? 0n, port.integer('containerPort') ?? 0n];
      // What is not given for a pod is as the container's.
      if (host === 0n || host === own) return;
      port.check.invalid(
        port.at('hostPort'),
        host,
        'must match `containerPort` when `hostNetwork` is true',
        'builtin/port',
      );
    });
  });
}

/** The old name of the field stands for the new one. */
function serviceAccount(spec: Fields): void {
  const old = spec.text('serviceAccountName') === '' ? ['serviceAccount'] : ['serviceAccountName'];
  const text = spec.text(old[0]!);
  const spot = child(spec.spot, 'serviceAccountName', old);
  if (text !== '') spec.wrong(spot, text, dns1123Subdomain(text), 'builtin/name');
}

function sharedProcesses(spec: Fields): void {
  if (!spec.isTrue('hostPID') || !spec.isTrue('shareProcessNamespace')) return;
  const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
  const { sharedProcesses: where } = spec.version.builtin;
  const holder = where === 'spec' ? spec.spot : child(spec.spot, 'securityContext', []);
  spec.check.invalid(child(holder, 'shareProcessNamespace'), true, why);
}

function preemption(spec: Fields): void {
  const policy = spec.pointed('preemptionPolicy');
  if (policy === '') spec.required('preemptionPolicy');
  else if (policy !== undefined && !preemptionPolicies.includes(policy)) {
    spec.check.unsupported(spec.at('preemptionPolicy'), goString(policy), preemptionPolicies);
  }
}

const mostNameservers = 3;
const mostSearches = 32;
const mostSearchBytes = 2048;

function dnsConfig(spec: Fields): void {
  const { check } = spec;
  const config = spec.pointer('dnsConfig');
  const spot = spec.at('dnsConfig');
  if (spec.text('dnsPolicy') === 'None') {
    if (!config) {
      check.required(spot, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (config.list('nameservers').length === 0) {
      check.required(child(spot, 'nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None');
      return;
    }
  }
  if (!config) return;
  const servers = config.texts('nameservers');
  if (servers.length > mostNameservers) {
    check.invalid(
      config.at('nameservers'),
      goStrings(servers),
      `must not have more than ${mostNameservers} nameservers`,
    );
  }
  for (const [i, server] of servers.entries()) {
    config.wrong(index(config.at('nameservers'), i), server, address(server, spec.version));
  }
  searches(config);
  config.each('options', (option) => {
    if (option.text('name') === '') check.required(option.spot, 'must not be empty');
  });
}

function searches(config: Fields): void {
  const { check } = config;
  const [all, spot] = [config.texts('searches'), config.at('searches')];
  if (all.length > mostSearches) {
    check.invalid(spot, goStrings(all), `must not have more than ${mostSearches} search paths`);
  }
  if (byteLength(all.join(' ')) > mostSearchBytes) {
    const why = `must not have more than ${mostSearchBytes} characters (including spaces) in the search list`;
    check.invalid(spot, goStrings(all), why);
  }
  const { relaxedSearches } = check.version.builtin;
  for (const [i, search] of all.entries()) {
    if (relaxedSearches && search === '.') continue;
    const name = search.replace(/\.$/, '');
    config.wrong(
      index(spot, i),
      name,
      relaxedSearches ? subdomainWithUnderscore(name, check.version) : dns1123Subdomain(name),
    );
  }
}

function readinessGates(spec: Fields): void {
  spec.each('readinessGates', (gate) => {
    const type = gate.text('conditionType');
    gate.wrong(gate.at('conditionType'), type, qualifiedName(type, gate.version), 'builtin/name');
  });
}

function schedulingGates(spec: Fields): void {
  const seen = new Set<string>();
  for (const gate of spec.items('schedulingGates')) {
    const name = gate.text('name');
    spec.wrong(gate.spot, name, qualifiedName(name, spec.version), 'builtin/name');
    if (seen.has(name)) spec.check.duplicate(gate.spot, name);
    seen.add(name);
  }
}

function hostUsers(spec: Fields): void {
  if (spec.value('hostUsers') !== false || !spec.version.builtin.userNamespaces) return;
  const { omitsRepeatedField } = spec.version;
  const why = `when \`${omitsRepeatedField ? 'hostUsers' : 'pod.Spec.HostUsers'}\` is false`;
  const { check } = spec;
  if (spec.isTrue('hostNetwork')) check.forbidden(spec.at('hostNetwork'), why);
  if (spec.isTrue('hostPID')) check.forbidden(child(spec.spot, 'HostPID', ['hostPID']), why);
  if (spec.isTrue('hostIPC')) check.forbidden(child(spec.spot, 'HostIPC', ['hostIPC']), why);
  if (!check.version.builtin.refusesDevicesOfUsers) return;
  eachContainer(spec, (container) => {
    if (container.list('volumeDevices').length > 0) check.forbidden(container.at('volumeDevices'), why);
  });
}

/** Containers of all kinds, each as a part of its own. */
function eachContainer(spec: Fields, visit: (container: Fields) => void): void {
  for (const key of ['initContainers', 'containers', 'ephemeralContainers']) spec.each(key, visit);
}

function hostnameOverride(spec: Fields): void {
  const name = spec.pointed('hostnameOverride');
  if (name === undefined || !spec.version.builtin.hostnameOverride) return;
  const [spot, { check }] = [spec.at('hostnameOverride'), spec];
  if (spec.isTrue('setHostnameAsFQDN')) {
    check.forbidden(spot, 'may not be specified when setHostnameAsFQDN is true');
  }
  if (spec.isTrue('hostNetwork')) check.forbidden(spot, 'may not be specified when hostNetwork is true');
  if (byteLength(name) > 64) check.tooLong(spot, 64);
  spec.wrong(spot, name, dns1123Subdomain(name), 'builtin/name');
}

const highestDeadline = 2_147_483_647n;

function activeDeadline(spec: Fields): void {
  const seconds = spec.integer('activeDeadlineSeconds');
  if (seconds === undefined || (seconds >= 1n && seconds <= highestDeadline)) return;
  spec.check.invalid(spec.at('activeDeadlineSeconds'), seconds, between(1, highestDeadline));
}

function hostnames(spec: Fields, { namesHosts }: PodContext): void {
  if (namesHosts) return;
  for (const key of ['hostname', 'subdomain']) name(spec, key, dns1123Label);
}

function hostAliases(spec: Fields): void {
  spec.each('hostAliases', (alias) => {
    const ip = alias.text('ip');
    alias.wrong(alias.at('ip'), ip, address(ip, alias.version));
    for (const [i, name] of alias.texts('hostnames').entries()) {
      alias.wrong(index(alias.at('hostnames'), i), name, dns1123Subdomain(name), 'builtin/name');
    }
  });
}

function operatingSystem(spec: Fields): void {
  const os = spec.pointer('os');
  if (!os) return;
  const name = os.text('name');
  if (name === '') os.required('name', spec.version.omitsRepeatedField ? '' : 'cannot be empty');
  else if (!systems.includes(name)) os.check.unsupported(os.spot, goString(name), systems);
  else if (name === 'linux') ofLinux(spec);
  else ofWindows(spec);
}

function ofLinux(spec: Fields): void {
  const why = 'windows options cannot be set for a linux pod';
  const refuse = (context: Fields) => {
    if (context.has('windowsOptions')) context.check.forbidden(context.at('windowsOptions'), why);
  };
  spec.within('securityContext', refuse);
  eachContainer(spec, (container) => void container.within('securityContext', refuse));
}

const notForWindows: Readonly<Record<'pod' | 'context' | 'container', readonly string[]>> = {
  pod: ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'],
  context: [
    ...[
      'appArmorProfile',
      'seLinuxOptions',
      'seccompProfile',
      'fsGroup',
      'fsGroupChangePolicy',
      'sysctls',
      'runAsUser',
    ],
    ...['runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'],
  ],
  container: [
    ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem', 'privileged'],
    ...['allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
  ],
};

/** Fields that are as good as absent where they are empty. */
const countedWhole: ReadonlySet<string> = new Set(['hostPID', 'hostIPC']);

function ofWindows(spec: Fields): void {
  const refuse = (fields: Fields, keys: readonly string[]) => {
    for (const key of keys) {
      const value = fields.value(key);
      const isThere = countedWhole.has(key)
        ? value === true
        : key === 'sysctls'
          ? fields.list(key).length > 0
          : value !== undefined;
      if (isThere) fields.check.forbidden(fields.at(key), 'cannot be set for a windows pod');
    }
  };
  spec.within('securityContext', (context) => refuse(context, notForWindows.context));
  refuse(spec, notForWindows.pod);
  eachContainer(spec, (container) => {
    container.within('securityContext', (context) => refuse(context, notForWindows.container));
  });
}

/** Files in volumes that variables are read from. */
function filesOfEnvironment(spec: Fields): void {
  if (!spec.version.builtin.environmentFiles) return;
  const volumes = new Map(spec.items('volumes').map((volume) => [volume.text('name'), volume.has('emptyDir')]));
  eachContainer(spec, (container) => {
    container.each('env', (variable) => {
      const file = variable.pointer('valueFrom')?.pointer('fileKeyRef');
      if (!file) return;
      const name = file.text('volumeName');
      const volume = volumes.get(name);
      if (volume === undefined) file.check.notFound(file.at('volumeName'), name, [...volumes.keys()]);
      else if (!volume) {
        file.check.invalid(file.at('volumeName'), name, 'referenced volume must be of type emptyDir');
      }
    });
  });
}

function validateResourceClaims(spec: Fields): void {
  const { check } = spec;
  const seen = new Set<string>();
  for (const claim of spec.items('resourceClaims')) {
    const name = claim.text('name');
    if (name === '') claim.required('name');
    else if (seen.has(name)) check.duplicate(claim.at('name'), name);
    else claim.wrong(claim.at('name'), name, dns1123Label(name), 'builtin/name');
    seen.add(name);
    const given = ['resourceClaimName', 'resourceClaimTemplateName'].filter((key) => claim.pointed(key) !== undefined);
    if (given.length === 2) {
      const why = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      check.invalid(claim.spot, claimStruct(claim), why, 'builtin/one-of');
    }
    if (given.length === 0) {
      const why = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      check.invalid(claim.spot, claimStruct(claim), why, 'builtin/one-of');
    }
    for (const key of given) {
      const target = claim.text(key);
      claim.wrong(claim.at(key), target, dns1123Subdomain(target), 'builtin/name');
    }
  }
}

function claimStruct(claim: Fields) {
  return goStructOf('core.PodResourceClaim', {
    Name: goString(claim.text('name')),
    ResourceClaimName: pointedText(claim.pointed('resourceClaimName')),
    ResourceClaimTemplateName: pointedText(claim.pointed('resourceClaimTemplateName')),
  });
}
