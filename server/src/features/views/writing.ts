import { grouped } from '../../base/text.ts';
import { equalValues, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { annotationBytes, patchResource, sharedLists } from '../../kubernetes/apply/clientSide.ts';
import { applyResource, type LastApplied } from '../../kubernetes/apply/serverSide.ts';
import { annotationBytesLimit } from '../../kubernetes/bounds.ts';
import { createResource, storedResource } from '../../kubernetes/cr/create.ts';
import type { ServedCrd } from '../../kubernetes/cr/served.ts';
import { kept, readBack } from '../../kubernetes/cr/storage.ts';
import { updateResource } from '../../kubernetes/cr/update.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import { pathText } from '../../kubernetes/schema/prune.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { committedObject, type Snapshot } from '../../workspace/snapshot.ts';

/** How objects are written: as new ones, or over what is committed. */
export const writings = ['create', 'replace', 'apply'] as const;
export type Writing = (typeof writings)[number];

export interface WritingOf {
  readonly snapshot: Snapshot;
  readonly manifest: Manifest;
  readonly uri: string;
  readonly kubernetes: KubernetesVersion;
  readonly writing: Writing;
}

/** What comes of writing an object, whether or not it is accepted. */
interface WrittenResource {
  readonly stored: Value | undefined;
  readonly managed?: ValueMap | undefined;
  readonly notes: readonly string[];
  /** Those of the notes that say why it is not accepted; why it cannot be read is not a note. */
  readonly refused: readonly string[];
}

export function writtenResource(asked: WritingOf, crd: ServedCrd): WrittenResource {
  const { result, unmatched } = boundedMatching(() => written(asked, crd));
  return unmatched.length === 0 ? result : { ...result, notes: [...result.notes, notMatched] };
}

const notMatched = 'Not all values were matched against their patterns: that would take too many steps.';

function written(asked: WritingOf, crd: ServedCrd): WrittenResource {
  const { manifest, kubernetes, writing } = asked;
  const { version } = splitApiVersion(manifest.apiVersion);
  if (crd.lowered.versions.some(({ name, served }) => name === version && !served))
    return refusedResource(`The API server does not serve ${manifest.kind} in version ${version}.`);
  const last = writing === 'create' ? undefined : lastApplied(asked, crd);
  if (writing === 'apply') return appliedResource(manifest.value, last, crd, kubernetes);
  const { stored, errors, decode } = last
    ? updateResource(last.live, manifest.value, crd, { kubernetes })
    : createResource(manifest.value, crd, { kubernetes });
  const refused = refusals(errors);
  const notes = [...(last || writing === 'create' ? [] : [isNew]), ...refused];
  return { stored, notes, refused: decode ? [refusal(decode.message)] : refused };
}

function refusedResource(why: string): WrittenResource {
  return { stored: undefined, notes: [why], refused: [why] };
}

const isNew = 'No earlier state of it is known: this is a new object.';

/** The committed object as a cluster would hold it, read in the version of the new one. */
function lastApplied(
  { snapshot, manifest, uri, kubernetes }: Omit<WritingOf, 'writing'>,
  crd: ServedCrd,
): LastApplied | undefined {
  const committed = committedObject(snapshot, uri, manifest);
  const served = crd.versions.get(splitApiVersion(manifest.apiVersion).version);
  if (!committed || !served) return undefined;
  const config = committed.manifest.value;
  const stored = storedResource(config, crd, { kubernetes });
  const inStore = stored === undefined ? undefined : kept(stored, crd);
  const live = inStore && readBack(inStore, served, crd);
  return live && { live, config };
}

/** The committed object as a cluster would hold it, where there is one. */
export function liveBefore(asked: Omit<WritingOf, 'writing'>, crd: ServedCrd): ValueMap | undefined {
  return lastApplied(asked, crd)?.live;
}

function appliedResource(
  config: ValueMap,
  last: LastApplied | undefined,
  crd: ServedCrd,
  kubernetes: KubernetesVersion,
): WrittenResource {
  const { refused, verdict, managed } = applyResource(config, last, crd, { kubernetes });
  if (refused !== undefined) return refusedResource(`The API server refuses to apply it: ${refused}`);
  const { stored, errors, decode } = verdict;
  const notes = [...(last ? [] : [isNew]), ...refusals(errors), ...otherApply(config, last, crd, stored, kubernetes)];
  return { stored, managed, notes, refused: decode ? [refusal(decode.message)] : refusals(errors) };
}

const most = 5;

/** Where kubectl apply without --server-side comes to something else. */
function otherApply(
  config: ValueMap,
  last: LastApplied | undefined,
  crd: ServedCrd,
  stored: Value | undefined,
  kubernetes: KubernetesVersion,
): string[] {
  const notes: string[] = [];
  const bytes = annotationBytes(config);
  if (bytes > annotationBytesLimit) {
    const counts = `${grouped(bytes)} bytes of annotations, ${grouped(annotationBytesLimit)} are allowed`;
    notes.push(`Client-side apply would be refused: it keeps the whole object in an annotation (${counts}).`);
  }
  const patched = last && patchResource(config, last, crd, { kubernetes });
  if (patched?.stored !== undefined && stored !== undefined && !equalValues(patched.stored, stored)) {
    const places = differing(stored, patched.stored, '').slice(0, most);
    notes.push(`Client-side apply would store something else at ${places.join(', ')}.`);
  }
  const served = crd.versions.get(splitApiVersion(String(config.get('apiVersion'))).version);
  const shared = served ? sharedLists(config, served).map(pathText) : [];
  if (shared.length > 0) {
    const which = shared.length > most ? `${shared.slice(0, most).join(', ')} and others` : shared.join(', ');
    notes.push(`Items that others have added to ${which} stay; client-side apply would replace the list.`);
  }
  return notes;
}

function differing(a: Value, b: Value, path: string): string[] {
  if (equalValues(a, b)) return [];
  if (!isMap(a) || !isMap(b)) return [path];
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  return keys.flatMap((key) => {
    const at = path === '' ? key : `${path}.${key}`;
    const [left, right] = [a.get(key), b.get(key)];
    return left === undefined || right === undefined ? [at] : differing(left, right, at);
  });
}

export function refusal(why: string): string {
  return `The API server refuses it: ${why}`;
}

export function refusals(errors: readonly { readonly field: string; readonly message: string }[]): string[] {
  const shown = errors
    .slice(0, most)
    .map(({ field, message }) => refusal(field === '<nil>' ? message : `${field}: ${message}`));
  return errors.length > most ? [...shown, `… and ${errors.length - most} more errors.`] : shown;
}
