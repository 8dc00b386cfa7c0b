import type { Value } from '../../../../base/value.ts';
import { key as keyed } from '../../../field.ts';
import { goNil } from '../../../goValue.ts';
import type { Fields } from '../check.ts';
import { notedAppArmor } from '../podAnnotations.ts';
import { between } from '../texts.ts';
import { sameValues } from './same.ts';

// What of a pod that runs may change: its images, until when it may run, and little more.

const rest =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function updatePod(now: Fields, before: Fields): void {
  now.part(() => annotations(now.object('metadata'), before.object('metadata')));
  now.part(() => addedAnnotations(now, before));
  const [spec, old] = [now.object('spec'), before.object('spec')];
  for (const list of ['containers', 'initContainers']) if (!keepsContainers(spec, old, list)) return;
  if (!keepsDeadline(spec, old)) return;
  spec.part(() => tolerations(spec, old));
  spec.part(() => gates(spec, old));
  spec.part(() => keepsRest(spec, old));
}

const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
const mirror = 'kubernetes.io/config.mirror';

/** Those that were there, which have to stay as they were. */
function annotations(now: Fields, before: Fields): void {
  const is = now.textMap('annotations');
  const at = now.at('annotations');
  for (const [name, was] of before.textMap('annotations') ?? []) {
    const value = is?.get(name);
    const what = keptAnnotation(name);
    if (value === was || what === '') continue;
    const spot = value === undefined ? { ...keyed(at, name), steps: [] } : keyed(at, name);
    now.check.forbidden(spot, `may not remove or update ${what}`, 'builtin/immutable');
  }
}

/** Those that are new, unless the server has put them there when the pod was made. */
function addedAnnotations(now: Fields, before: Fields): void {
  const [meta, old] = [now.object('metadata'), before.object('metadata')];
  const was = old.textMap('annotations');
  const noted = notedAppArmor(old, before.object('spec'));
  for (const name of meta.textMap('annotations')?.keys() ?? []) {
    const what = keptAnnotation(name);
    if (what === '' || was?.has(name) || noted.has(name)) continue;
    meta.check.forbidden(keyed(meta.at('annotations'), name), `may not add ${what}`, 'builtin/immutable');
  }
}

function keptAnnotation(name: string): string {
  if (name.startsWith(appArmor)) return 'AppArmor annotations';
  return name === mirror ? 'mirror pod annotation' : '';
}

/** Nothing else is looked at where there are more or fewer of them. */
function keepsContainers(now: Fields, before: Fields, list: string): boolean {
  if (now.list(list).length === before.list(list).length) return true;
  const spot = now.has(list) ? now.at(list) : { ...now.at(list), steps: [] };
  now.check.forbidden(spot, 'pod updates may not add or remove containers', 'builtin/immutable');
  return false;
}

const highestDeadline = 2_147_483_647n;

/** It may be set, and then only come closer. */
function keepsDeadline(now: Fields, before: Fields): boolean {
  const [is, was] = [now.integer('activeDeadlineSeconds'), before.integer('activeDeadlineSeconds')];
  const spot = now.at('activeDeadlineSeconds');
  if (is !== undefined && (is < 0n || is > highestDeadline)) {
    now.check.invalid(spot, is, between(0, highestDeadline));
    return false;
  }
  if (was === undefined || is === was) return true;
  if (is === undefined) {
    const why = 'must not update from a positive integer to nil value';
    now.check.invalid({ ...spot, steps: [] }, goNil('*int64'), why, 'builtin/immutable');
    return true;
  }
  if (is < was) return true;
  now.check.invalid(spot, is, 'must be less than or equal to previous value', 'builtin/immutable');
  return false;
}

function tolerations(now: Fields, before: Fields): void {
  if (!now.has('tolerations')) return;
  const left = new Set(now.items('tolerations').map(tolerated));
  if (before.items('tolerations').every((one) => left.has(tolerated(one)))) return;
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  now.check.forbidden(now.at('tolerations'), why, 'builtin/immutable');
}

function tolerated(one: Fields): string {
  return JSON.stringify(['key', 'operator', 'value', 'effect'].map((name) => one.text(name)));
}

function gates(now: Fields, before: Fields): void {
  const known = new Set(before.items('schedulingGates').map((gate) => gate.text('name')));
  for (const gate of now.items('schedulingGates')) {
    const name = gate.text('name');
    if (known.has(name)) continue;
    known.add(name);
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    now.check.forbidden(gate.at('name'), why, 'builtin/immutable');
  }
}

/** What may change, and what has been looked at. */
const free: ReadonlySet<string> = new Set([
  ...['activeDeadlineSeconds', 'tolerations', 'schedulingGates', 'containers', 'initContainers', 'nodeName'],
  ...['serviceAccount', 'deprecatedServiceAccount', 'priority'],
]);

function keepsRest(now: Fields, before: Fields): void {
  const steps = changedSteps(now, before);
  if (steps) now.check.forbidden({ ...now.spot, steps: ['spec', ...steps] }, `${rest}\n{…}`, 'builtin/immutable');
}

function changedSteps(now: Fields, before: Fields): (string | number)[] | undefined {
  if (now.list('ephemeralContainers').length > 0 && !before.has('ephemeralContainers')) return ['ephemeralContainers'];
  // A pod that waits for its gates may still be told where to go.
  const waits = before.list('schedulingGates').length > 0;
  for (const [key, value] of now.map) {
    if (free.has(key) || (waits && (key === 'nodeSelector' || key === 'affinity'))) continue;
    if (before.has(key) && !sameValues(valueOf(key, value), valueOf(key, before.value(key)), false)) return [key];
  }
  for (const list of ['containers', 'initContainers']) {
    const old = before.items(list);
    for (const [i, container] of now.items(list).entries()) {
      const key = changedKey(container, old[i]!);
      if (key !== undefined) return [list, i, key];
    }
  }
  return undefined;
}

function changedKey(now: Fields, before: Fields): string | undefined {
  const found = [...now.map].find(
    ([key, value]) => key !== 'image' && before.has(key) && !sameValues(value, before.value(key), false),
  );
  return found?.[0];
}

/** Pods are given a second where they give less than none. */
function valueOf(key: string, value: Value | undefined): Value | undefined {
  return key === 'terminationGracePeriodSeconds' && typeof value === 'bigint' && value < 0n ? 1n : value;
}
