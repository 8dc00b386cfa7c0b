import { isMap, type Value } from '../../../base/value.ts';
import { child, type FieldPath } from '../../field.ts';
import { goString } from '../../goValue.ts';
import { dns1123Label } from '../../names.ts';
import type { Check, Fields } from './check.ts';
import { validateEnvironment } from './env.ts';
import { wholeStruct } from './goTexts.ts';
import type { PodContext } from './podContext.ts';
import { validateContainerPorts } from './ports.ts';
import { validateLifecycle, validateProbes } from './probes.ts';
import { validateResizePolicy, validateResources } from './resources.ts';
import { validateRestartRules } from './restartRules.ts';
import { validateSecurityContext } from './securityContext.ts';
import { validateMounts } from './volumeMounts.ts';

export function validateContainers(spec: Fields, context: PodContext): void {
  if (spec.list('containers').length === 0) {
    spec.required('containers');
    return;
  }
  spec.part(() => reportTwice(spec.items('containers'), new Set()));
  spec.each('containers', (container) => {
    validateContainer(container, context);
    container.within('lifecycle', (lifecycle) => validateLifecycle(lifecycle, context));
    validateProbes(container, context);
    container.part(() => {
      const { restartRules } = container.version.builtin;
      if (restartRules === 'validated') validateRestartRules(container);
      else if (restartRules === 'refused' && container.pointed('restartPolicy') !== undefined) {
        spec.check.forbidden(container.at('restartPolicy'), 'may not be set for non-init containers');
      }
    });
  });
  spec.part(() => validateHostPorts(spec.items('containers'), context));
}

/** Names that stand further up already. */
function reportTwice(containers: readonly Fields[], seen: Set<string>): void {
  for (const container of containers) {
    const name = container.text('name');
    if (seen.has(name)) container.check.duplicate(container.at('name'), name);
    seen.add(name);
  }
}

export function validateInitContainers(spec: Fields, context: PodContext): void {
  spec.part(() => {
    const seen = new Set(spec.items('containers').map((container) => container.text('name')));
    for (const container of spec.items('initContainers')) {
      const name = container.text('name');
      if (seen.has(name)) spec.check.duplicate(container.at('name'), name);
      else if (name !== '') seen.add(name);
    }
  });
  spec.each('initContainers', (container) => {
    validateContainer(container, context);
    container.part(() => initRestartPolicy(container));
    container.part(() => validateHostPorts([container], context, spec.at('initContainers')));
    const isSidecar = container.check.known(() => container.pointed('restartPolicy') === 'Always');
    if (isSidecar === undefined) return;
    if (isSidecar) {
      container.within('lifecycle', (lifecycle) => validateLifecycle(lifecycle, context));
      validateProbes(container, context);
    } else refuseProbes(container);
    container.part(() => initResizePolicy(container, isSidecar));
  });
}

const ofSidecars = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

function refuseProbes(container: Fields): void {
  for (const key of ofSidecars) {
    const why = 'may not be set for init containers without restartPolicy=Always';
    container.part(() => {
      if (container.has(key) && !isDropped(container, key)) container.check.forbidden(container.at(key), why);
    });
  }
}

/** A lifecycle that says how to stop and nothing else is dropped as a whole: the feature is off. */
function isDropped(container: Fields, key: string): boolean {
  const lifecycle = key === 'lifecycle' ? container.pointer(key)?.map : undefined;
  const { restartRules, resizePolicy, stopSignals } = container.version.builtin;
  if (key.startsWith('restartPolicy') && restartRules === 'dropped') return true;
  if (key === 'restartPolicyRules' && restartRules === 'refused') return true;
  if (key === 'resizePolicy' && resizePolicy === 'dropped') return true;
  return (
    stopSignals &&
    lifecycle?.get('stopSignal') != null &&
    [...lifecycle].every(([name, value]) => name === 'stopSignal' || value === null)
  );
}

function initRestartPolicy(container: Fields): void {
  const { builtin } = container.version;
  const [policy, rules] = [container.pointed('restartPolicy'), container.list('restartPolicyRules')];
  if (builtin.restartRules === 'dropped') return;
  if (builtin.restartRules === 'refused') {
    if (policy === undefined || policy === 'Always') return;
    container.check.unsupported(container.at('restartPolicy'), goString(policy), ['Always']);
    return;
  }
  if (policy === undefined) {
    if (rules.length > 0) container.required('restartPolicy', 'must specify restartPolicy when restart rules are used');
  } else if (policy !== 'Always' || builtin.restartsAllContainers) validateRestartRules(container);
  else if (rules.length > 0) {
    const why = 'restartPolicyRules are not allowed for init containers with restart policy Always';
    container.check.forbidden(container.at('restartPolicyRules'), why);
  }
}

function initResizePolicy(container: Fields, isSidecar: boolean): void {
  const { builtin } = container.version;
  if (builtin.resizePolicy === 'sidecars') {
    if (isSidecar) return;
    container.each('resizePolicy', (policy) => {
      if (policy.text('restartPolicy') !== 'RestartContainer') return;
      const why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      policy.check.invalid(policy.at('restartPolicy'), goString('RestartContainer'), why);
    });
  }
}

const terminationPolicies = ['File', 'FallbackToLogsOnError'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

/** What is asked of every container. */
function validateContainer(container: Fields, context: PodContext): void {
  container.part(() => {
    const name = container.text('name');
    if (name === '') container.required('name');
    else container.wrong(container.at('name'), name, dns1123Label(name), 'builtin/name');
  });
  container.part(() => image(container, context));
  container.part(() => oneOf(container, 'terminationMessagePolicy', terminationPolicies));
  container.part(() => validateContainerPorts(container, context.sharesPorts));
  container.part(() => validateEnvironment(container));
  container.part(() => validateMounts(container, context));
  container.part(() => oneOf(container, 'imagePullPolicy', [...pullPolicies].sort()));
  container.within('resources', (resources) => validateResources(resources, context));
  container.part(() => validateResizePolicy(container, context));
  container.within('securityContext', (security) => validateSecurityContext(security, context, wholeStruct));
}

function image(container: Fields, { isPod }: PodContext): void {
  const name = container.text('image');
  if (name === '') container.required('image');
  if (isPod) paddedImage(container);
}

function paddedImage(container: Fields): void {
  const name = container.text('image');
  if (name === name.trim()) return;
  container.check.invalid(container.at('image'), name, 'must not have leading or trailing whitespace');
}

function oneOf(fields: Fields, key: string, supported: readonly string[]): void {
  const value = fields.text(key);
  if (value !== '' && !supported.includes(value)) fields.check.unsupported(fields.at(key), goString(value), supported);
}

/** Ports of the host that two containers want, or one wants twice. */
function validateHostPorts(containers: readonly Fields[], { sharesPorts }: PodContext, list?: FieldPath): void {
  const seen = new Set<string>();
  for (const container of containers) {
    // Init containers are asked one by one, each as the first of their list.
    const spot = list ? { parent: list, field: '[0]', steps: container.spot.steps } : container.spot;
    for (const port of container.items('ports')) {
      const given = port.integer('hostPort') ?? 0n;
      const host = given === 0n && sharesPorts ? (port.integer('containerPort') ?? 0n) : given;
      if (host === 0n) continue;
      const text = `${port.text('protocol') || 'TCP'}/${port.text('hostIP')}/${host}`;
      const at = child({ ...port.spot, parent: child(spot, 'ports') }, 'hostPort', [
        given === 0n ? 'containerPort' : 'hostPort',
      ]);
      if (seen.has(text)) reportHostPort(container.check, at, text);
      seen.add(text);
    }
  }
}

function reportHostPort(check: Check, spot: FieldPath, text: string): void {
  check.duplicate(spot, text);
}

const ofEphemeral: ReadonlySet<string> = new Set([
  ...['name', 'image', 'command', 'args', 'workingDir', 'envFrom', 'env', 'volumeMounts', 'volumeDevices'],
  ...['terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy', 'securityContext', 'stdin', 'stdinOnce'],
  ...['tty', 'targetContainerName'],
]);

/** They are refused in new pods anyway: what else is wrong with them is said as far as it is certain. */
export function validateEphemeralContainers(spec: Fields, context: PodContext): void {
  spec.each('ephemeralContainers', (container) => {
    validateContainer(container, { ...context, isPod: false, sharesPorts: false });
    container.part(() => paddedImage(container));
    for (const [key, value] of container.map) {
      const read = container.check.read(value);
      if (
        ofEphemeral.has(key) ||
        read === undefined ||
        (key === 'resources' && isWithout(read, container.version.builtin.resourceClaims ? [] : ['claims'])) ||
        isDropped(container, key)
      )
        continue;
      container.check.forbidden(container.at(key), 'cannot be set for an Ephemeral Container');
    }
  });
  spec.part(() => {
    const others = ['containers', 'initContainers'].flatMap((key) => spec.items(key).map((one) => one.text('name')));
    reportTwice(spec.items('ephemeralContainers'), new Set(others));
    for (const container of spec.items('ephemeralContainers')) {
      const target = container.text('targetContainerName');
      if (target !== '' && !others.includes(target)) {
        spec.check.notFound(container.at('targetContainerName'), target, others);
      }
      for (const mount of context.dropsMounts ? [] : container.items('volumeMounts')) {
        for (const key of ['subPath', 'subPathExpr']) {
          const why = 'cannot be set for an Ephemeral Container';
          if (mount.text(key) !== '') spec.check.forbidden(mount.at(key), why);
        }
      }
    }
  });
}

/** Whether a map has nothing but what the server drops. */
function isWithout(value: Value, dropped: readonly string[]): boolean {
  return isMap(value) && [...value.keys()].every((key) => dropped.includes(key));
}
