import { byteLength } from '../../../gostd/bytes.ts';
import { type FieldPath, index } from '../../field.ts';
import { type GoValue, goString } from '../../goValue.ts';
import { dns1123Subdomain } from '../../names.ts';
import type { Fields } from './check.ts';
import { goStructOf, pointedText } from './goTexts.ts';
import type { PodContext } from './podContext.ts';
import { idNumber, relativePath } from './texts.ts';

const profiles = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const changePolicies = ['Always', 'OnRootMismatch'];
const groupPolicies = ['Merge', 'Strict'];
const procMounts = ['Default', 'Unmasked'];

export function validatePodSecurityContext(context: Fields, spec: Fields): void {
  for (const key of ['fsGroup', 'runAsUser', 'runAsGroup']) id(context, key);
  for (const [i, group] of context.integers('supplementalGroups').entries()) {
    context.wrong(index(context.at('supplementalGroups'), i), group, idNumber(group));
  }
  sysctls(context, spec);
  oneOf(context, 'fsGroupChangePolicy', changePolicies);
  shared(context);
  const { builtin } = context.version;
  if (builtin.supplementalGroupsPolicy) oneOf(context, 'supplementalGroupsPolicy', groupPolicies);
  if (builtin.linuxChangePolicies.length > 0) oneOf(context, 'seLinuxChangePolicy', builtin.linuxChangePolicies);
}

export function validateSecurityContext(context: Fields, { hostUsers }: PodContext, whole: GoValue): void {
  const { check } = context;
  for (const key of ['runAsUser', 'runAsGroup']) id(context, key);
  const mount = context.pointed('procMount');
  if (mount !== undefined && check.version.builtin.procMount) {
    if (!procMounts.includes(mount)) check.unsupported(context.at('procMount'), goString(mount), procMounts);
    const why = '`hostUsers` must be false to use `Unmasked`';
    if (hostUsers && mount === 'Unmasked') check.invalid(context.at('procMount'), goString(mount), why);
  }
  shared(context);
  if (context.value('allowPrivilegeEscalation') !== false) return;
  if (context.isTrue('privileged')) {
    check.invalid(context.spot, whole, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  }
  for (const capability of context.object('capabilities').texts('add')) {
    if (capability !== 'CAP_SYS_ADMIN') continue;
    const why = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
    check.invalid(context.spot, whole, why);
  }
}

/** What pods and containers have alike. */
function shared(context: Fields): void {
  context.within('seccompProfile', seccomp);
  context.within('windowsOptions', windowsOptions);
  context.within('appArmorProfile', appArmor);
}

function id(context: Fields, key: string): void {
  const number = context.integer(key);
  if (number !== undefined) context.wrong(context.at(key), number, idNumber(number));
}

function oneOf(context: Fields, key: string, supported: readonly string[]): void {
  const value = context.pointed(key);
  if (value === undefined || supported.includes(value)) return;
  context.check.unsupported(context.at(key), goString(value), supported);
}

function profileType(profile: Fields, what: string): string {
  const type = profile.text('type');
  if (type === '') profile.required('type', `type is required when ${what} is set`);
  else if (!profiles.includes(type)) profile.check.unsupported(profile.at('type'), goString(type), profiles);
  return type;
}

function seccomp(profile: Fields): void {
  const [type, local] = [profileType(profile, 'seccompProfile'), profile.pointed('localhostProfile')];
  if (type === 'Localhost') {
    if (local === undefined) profile.required('localhostProfile', 'must be set when seccomp type is Localhost');
    else profile.wrong(profile.at('localhostProfile'), local, relativePath(local));
  } else if (local !== undefined) {
    const fields = { Type: goString(type), LocalhostProfile: pointedText(local) };
    const shown: GoValue = {
      go: 'pointer',
      type: '*core.SeccompProfile',
      to: goStructOf('core.SeccompProfile', fields),
    };
    profile.check.invalid(profile.at('localhostProfile'), shown, 'can only be set when seccomp type is Localhost');
  }
}

export const longestProfile = 4095;

function appArmor(profile: Fields): void {
  const { check } = profile;
  const [type, local] = [profileType(profile, 'appArmorProfile'), profile.pointed('localhostProfile')];
  const spot = profile.at('localhostProfile');
  if (type === 'RuntimeDefault' || type === 'Unconfined') {
    if (local === undefined) return;
    check.invalid(spot, pointedText(local), 'can only be set when AppArmor type is Localhost');
    return;
  }
  if (type !== 'Localhost') return;
  if (local === undefined) {
    profile.required('localhostProfile', 'must be set when AppArmor type is Localhost');
    return;
  }
  if (local.trim() !== local) check.invalid(spot, local, 'must not be padded with whitespace');
  else if (local === '') profile.required('localhostProfile', 'must be set when AppArmor type is Localhost');
  if (byteLength(local) > longestProfile) check.tooLong(spot, longestProfile);
}

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlForm = `^(${segment}[\\./])*${segment}$`;
const longestSysctl = 253;

function isSysctl(name: string): boolean {
  if (byteLength(name) > longestSysctl) return false;
  return name.split(/[./]/).every((part) => /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/.test(part));
}

/** Namespaces of the kernel by the names of settings. */
const ofIpc = ['kernel.sem', 'kernel.shm', 'kernel.msg', 'fs.mqueue.'];

function sysctls(context: Fields, spec: Fields): void {
  const { check } = context;
  const seen = new Set<string>();
  for (const sysctl of context.items('sysctls')) {
    const name = sysctl.text('name');
    const spot = sysctl.at('name');
    if (name === '') check.required(spot);
    else if (!isSysctl(name)) {
      check.invalid(spot, name, `must have at most ${longestSysctl} characters and match regex ${sysctlForm}`);
    } else if (seen.has(name)) check.duplicate(spot, name);
    seen.add(name);
    ofHost(sysctl, name, spec, spot);
  }
}

function ofHost(sysctl: Fields, name: string, spec: Fields, spot: FieldPath): void {
  const dotted = dottedName(name);
  if (spec.isTrue('hostNetwork') && dotted.startsWith('net.')) {
    sysctl.check.invalid(spot, name, "may not be specified when 'hostNetwork' is true");
  } else if (spec.isTrue('hostIPC') && ofIpc.some((start) => dotted.startsWith(start))) {
    sysctl.check.invalid(spot, name, "may not be specified when 'hostIPC' is true");
  }
}

/** Settings may be written with slashes; then dots are slashes. */
function dottedName(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return Array.from(name, (letter) => (letter === '/' ? '.' : letter === '.' ? '/' : letter)).join('');
}

const longestSpec = 64 * 1024;
const longestDomain = 256;
const longestUser = 104;

function windowsOptions(options: Fields): void {
  const { check } = options;
  const [name, spec] = [options.pointed('gmsaCredentialSpecName'), options.pointed('gmsaCredentialSpec')];
  if (name !== undefined) {
    const spot = options.at('gmsaCredentialSpecName');
    for (const why of dns1123Subdomain(name)) check.invalid(spot, pointedText(name), why, 'builtin/name');
  }
  if (spec !== undefined) {
    const spot = options.at('gmsaCredentialSpec');
    if (spec === '') check.invalid(spot, pointedText(spec), 'gmsaCredentialSpec cannot be an empty string');
    else if (byteLength(spec) > longestSpec) {
      check.invalid(spot, pointedText(spec), 'gmsaCredentialSpec size must be under 64 KiB');
    }
  }
  const user = options.pointed('runAsUserName');
  if (user === undefined) return;
  for (const why of userFaults(user)) {
    check.invalid(options.at('runAsUserName'), pointedText(user), `runAsUserName${why}`);
  }
}

function isControl(text: string): boolean {
  return Array.from(text).some((letter) => letter < ' ' || letter === '\u007f');
}

function isDnsDomain(domain: string): boolean {
  return domain.split('.').every((part) => /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/.test(part));
}

function userFaults(name: string): string[] {
  if (name === '') return [' cannot be an empty string'];
  if (isControl(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [user, domain] = parts.reverse() as [string, string | undefined];
  const found: string[] = [];
  if (domain !== undefined) {
    if (byteLength(domain) >= longestDomain) {
      found.push(`'s Domain length must be under ${longestDomain} characters`);
    }
    const isNetBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/.test(domain);
    if (!isNetBios && !isDnsDomain(domain)) found.push("'s Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') found.push("'s User cannot be empty");
  else if (byteLength(user) > longestUser) {
    found.push(`'s User length must not be longer than ${longestUser} characters`);
  }
  if (/^[. ]+$/.test(user)) found.push("'s User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    found.push('\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return found;
}

/** Containers that run as processes of a Windows host: all of a pod or none. */
export function validateHostProcesses(spec: Fields, containers: readonly Fields[]): void {
  const { check } = spec;
  const ofPod = hostProcess(spec);
  let hosted = 0;
  for (const container of containers) {
    const own = hostProcess(container);
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const spot = container.object('securityContext').object('windowsOptions').at('hostProcess');
      check.invalid(spot, own, `pod hostProcess value must be identical if both are specified, was ${ofPod}`);
    }
    if (own ?? ofPod) hosted++;
  }
  if (hosted === 0) return;
  if (hosted !== containers.length) {
    const why = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    check.invalid(spec.spot, '', why);
  }
  if (!spec.isTrue('hostNetwork')) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers';
    check.invalid(spec.at('hostNetwork'), false, why);
  }
}

function hostProcess(holder: Fields): boolean | undefined {
  const value = holder.object('securityContext').object('windowsOptions').value('hostProcess');
  return typeof value === 'boolean' ? value : undefined;
}
