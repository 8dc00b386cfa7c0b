import { byteLength } from '../../../gostd/bytes.ts';
import { quote } from '../../../gostd/quote.ts';
import { annotationBytesLimit } from '../../bounds.ts';
import { child, type FieldPath, key as keyed } from '../../field.ts';
import { qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { relativePath } from './texts.ts';

const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/** The annotations of a pod template, as such and as what pods read of them. */
export function validatePodAnnotations(meta: Fields, spot: FieldPath, spec: Fields): void {
  const annotations = meta.textMap('annotations');
  if (!annotations) return;
  let size = 0;
  for (const [name, value] of annotations) {
    size += byteLength(name) + byteLength(value);
    meta.wrong(entry(spot, name), name, qualifiedName(name.toLowerCase(), meta.version), 'builtin/name');
  }
  if (size > annotationBytesLimit) meta.check.tooLong(spot, annotationBytesLimit);
  validateOwnAnnotations(meta, spot, spec);
}

function entry(spot: FieldPath, name: string): FieldPath {
  return { parent: spot, field: '', steps: [name] };
}

/** Those that Kubernetes gives a meaning. */
export function validateOwnAnnotations(meta: Fields, spot: FieldPath, spec: Fields): void {
  const { check } = meta;
  for (const [name, value] of meta.textMap('annotations') ?? []) {
    if (name === mirror && spec.text('nodeName') === '') {
      check.invalid(keyed(spot, name), value, 'must set spec.nodeName if mirror pod annotation is set');
    }
    if (name === deletionCost && !isCost(value)) check.invalid(keyed(spot, name), value, 'must be a 32bit integer');
    if (name === seccompOfPod || name.startsWith(seccomp)) {
      meta.wrong(child(spot, name), shownProfile(value), seccompFaults(value));
    }
    if (name.startsWith(appArmor)) appArmorProfile(meta, keyed(spot, name), name.slice(appArmor.length), value, spec);
  }
}

function isCost(text: string): boolean {
  return /^(?:0|-?[1-9]\d*|-0\d*)$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}

const local = 'localhost/';

function shownProfile(profile: string): string {
  return profile.startsWith(local) ? profile.slice(local.length) : profile;
}

function seccompFaults(profile: string): string[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  return profile.startsWith(local) ? relativePath(profile.slice(local.length)) : ['must be a valid seccomp profile'];
}

function appArmorProfile(meta: Fields, spot: FieldPath, container: string, profile: string, spec: Fields): void {
  const all = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => spec.items(list));
  if (!all.some((one) => one.text('name') === container)) {
    meta.check.invalid(spot, container, 'container not found');
  }
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(local)) return;
  meta.check.invalid(spot, profile, `invalid AppArmor profile name: ${quote(profile)}`);
}
