import { byteLength } from '../../../gostd/bytes.ts';
import { quote } from '../../../gostd/quote.ts';
import { annotationBytesLimit } from '../../bounds.ts';
import { child, type FieldPath, key as keyed } from '../../field.ts';
import { qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { longestProfile } from './securityContext.ts';
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

/** Annotations say the same as the fields that came after them. */
export function validateProfiles(meta: Fields, spec: Fields, isPod: boolean): void {
  const annotations = meta.textMap('annotations');
  if (!annotations || annotations.size === 0) return;
  const ofPod = spec.object('securityContext').pointer('seccompProfile');
  if (ofPod) sameProfile(ofPod, annotations.get(seccompOfPod), seccompWords);
  for (const container of allContainers(spec)) {
    const own = container.object('securityContext').pointer('seccompProfile');
    if (own) sameProfile(own, annotations.get(seccomp + container.text('name')), seccompWords);
  }
  if (spec.pointer('os')?.text('name') !== 'windows') sameAppArmor(annotations, spec, isPod);
}

function sameAppArmor(annotations: ReadonlyMap<string, string>, spec: Fields, isPod: boolean): void {
  const ofPod = spec.object('securityContext').pointer('appArmorProfile');
  for (const container of allContainers(spec)) {
    const context = container.object('securityContext');
    const written = annotations.get(appArmor + container.text('name'));
    const own = context.pointer('appArmorProfile');
    // A pod's containers get what the annotation says before that is looked at.
    if (!own && isPod && written !== undefined && appArmorField(written) !== undefined) continue;
    const profile = own ?? ofPod;
    if (profile) sameProfile(profile, written, appArmorWords, context.object('appArmorProfile'));
  }
}

interface ProfileWords {
  readonly name: string;
  /** What annotations say for `RuntimeDefault`. */
  readonly byDefault: readonly string[];
}

const seccompWords: ProfileWords = { name: 'seccomp', byDefault: ['runtime/default', 'docker/default'] };
const appArmorWords: ProfileWords = { name: 'apparmor', byDefault: ['runtime/default'] };

/** `at` is where it is said: a container may have the profile of its pod. */
function sameProfile(profile: Fields, written: string | undefined, words: ProfileWords, at = profile): void {
  if (written === undefined) return;
  const type = profile.text('type');
  const fits: Readonly<Record<string, boolean>> = {
    Unconfined: written === 'unconfined',
    RuntimeDefault: words.byDefault.includes(written),
    Localhost: written.startsWith(local),
  };
  const differs = (what: string) => `${words.name} ${what} in annotation and field must match`;
  if (!Object.hasOwn(fits, type)) return;
  if (!fits[type]) profile.check.forbidden(at.at('type'), differs('type'));
  else if (type === 'Localhost' && profile.pointed('localhostProfile') !== written.slice(local.length)) {
    profile.check.forbidden(at.at('localhostProfile'), differs('profile'));
  }
}

/** The profile that a pod's container gets for an annotation, as `type` or `localhost/…`; undefined for none. */
export function appArmorField(written: string): string | undefined {
  if (written === 'unconfined') return 'Unconfined';
  if (written === 'runtime/default') return 'RuntimeDefault';
  const name = written.startsWith(local) ? written.slice(local.length) : '';
  return name !== '' && name.trim() === name && byteLength(name) <= longestProfile ? written : undefined;
}

/** Annotations that a pod gets for the profiles of its containers have to have names that are some. */
export function validateNotedAppArmor(meta: Fields, spec: Fields): void {
  for (const name of notedAppArmor(meta, spec)) {
    meta.wrong(meta.at('annotations'), name, qualifiedName(name.toLowerCase(), meta.version), 'builtin/name');
  }
}

/** The annotations that a new pod gets for containers that have none of their own. */
export function notedAppArmor(meta: Fields, spec: Fields): ReadonlySet<string> {
  const added = new Set<string>();
  if (!meta.version.builtin.notesAppArmor || spec.pointer('os')?.text('name') === 'windows') return added;
  const ofPod = spec.object('securityContext').pointer('appArmorProfile');
  const written = meta.textMap('annotations');
  for (const container of allContainers(spec)) {
    const name = appArmor + container.text('name');
    const own = container.object('securityContext').pointer('appArmorProfile') ?? ofPod;
    if (own && isNoted(own) && written?.get(name) === undefined) added.add(name);
  }
  return added;
}

function isNoted(profile: Fields): boolean {
  const type = profile.text('type');
  return ['RuntimeDefault', 'Unconfined'].includes(type) || (type === 'Localhost' && profile.has('localhostProfile'));
}

function allContainers(spec: Fields): Fields[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => spec.items(list));
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
  if (!allContainers(spec).some((one) => one.text('name') === container)) {
    meta.check.invalid(spot, container, 'container not found');
  }
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(local)) return;
  meta.check.invalid(spot, profile, `invalid AppArmor profile name: ${quote(profile)}`);
}
