/**
 * What Flux's Kustomizations add to the objects that they apply where that is not seen in what is built here: their patches come
 * from patches themselves, or the folder that they apply is called after a variable.
 */
import { pointerSteps } from '../../base/jsonPointer.ts';
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { matchesLabels } from '../../gostd/labelSelector.ts';
import { attempt } from '../../kustomize/failure.ts';
import type { Selector } from '../../kustomize/kustomization.ts';
import { parseLabelSelector } from '../../kustomize/labelSelector.ts';
import { compileSelector } from '../../kustomize/selector.ts';
import { parseStream } from '../../yaml/parse.ts';
import { readableValue } from '../../yaml/value.ts';
import { type Manifest, metadataOf, metadataText, splitApiVersion } from '../manifest.ts';
import { type Delivery, repositoryOf } from './index.ts';
import { type Delivered, textIn } from './objects.ts';

/** A patch for objects of one repository. */
interface LaterPatch {
  readonly repository: string | undefined;
  selects(manifest: Manifest): boolean;
  /** What it sets a field to; undefined where it leaves that alone. */
  valueAt(path: Path): Value | undefined;
}

/** Which fields are asked for: those that may be missing, or those whose values are replaced. */
export type Asked = 'missing' | 'replaced';

/** Whether a field of an object is set by such a patch before a server sees it. */
export function isSetLater(
  delivery: Delivery,
  patchFiles: ReadonlySet<string>,
  { uri, manifest }: Pick<Delivered, 'uri' | 'manifest'>,
  path: Path,
  asked: Asked,
): boolean {
  const all = laterPatches(delivery, patchFiles);
  if (all.length === 0 || !path.every(isString)) return false;
  const repository = repositoryOf(delivery, uri)?.folder;
  return all.some((one) => {
    if (one.repository !== repository || !one.selects(manifest)) return false;
    const value = one.valueAt(path) ?? null;
    // A map is merged into what is there.
    return value !== null && (asked === 'missing' || !isMap(value));
  });
}

const laterPatches = memo((delivery: Delivery, patchFiles: ReadonlySet<string>): readonly LaterPatch[] => {
  const ofObjects = delivery.objects
    .filter((one) => one.kind === 'Kustomization')
    .filter((one) => patchFiles.has(one.uri) || textIn(one, 'spec', 'path').includes('$'))
    .flatMap(({ uri, manifest }) => patchesOf(delivery, uri, manifest.value));
  const inPatches = delivery.files.flatMap(({ uri, stream }) =>
    stream.documents.flatMap(({ document }) => {
      const whole = readableValue(document);
      const texts = isMap(whole) ? [...itemsAt(whole, 'patches'), ...itemsAt(whole, 'spec', 'patches')] : [];
      return texts.flatMap((item) => valuesIn(item.get('patch'))).flatMap((value) => patchesOf(delivery, uri, value));
    }),
  );
  return [...ofObjects, ...inPatches];
});

function itemsAt(value: ValueMap, ...path: Path): readonly ValueMap[] {
  const list = valueAt(value, path);
  return isList(list) ? list.filter(isMap) : [];
}

/** The documents of a text that is written in a field. */
function valuesIn(text: Value | undefined): readonly Value[] {
  if (!isString(text)) return [];
  return parseStream(text)
    .documents.map(({ document }) => readableValue(document))
    .filter((value) => value !== undefined);
}

/** The patches of a Kustomization of Flux; none where the value is something else. */
function patchesOf(delivery: Delivery, uri: string, value: Value): readonly LaterPatch[] {
  if (!isMap(value) || groupOf(value) !== 'kustomize.toolkit.fluxcd.io') return [];
  const repository = repositoryOf(delivery, uri)?.folder;
  return itemsAt(value, 'spec', 'patches').flatMap((item) =>
    valuesIn(item.get('patch')).flatMap((patch) => {
      const selects = selectionOf(item.get('target'), patch);
      return selects ? [{ repository, selects, valueAt: (path: Path) => valueSet(patch, path) }] : [];
    }),
  );
}

function groupOf(value: ValueMap): string {
  const apiVersion = value.get('apiVersion');
  return isString(apiVersion) ? splitApiVersion(apiVersion).group : '';
}

/** The objects that a target selects, or the one that a patch names; undefined where kustomize would take neither. */
function selectionOf(target: Value | undefined, patch: Value): LaterPatch['selects'] | undefined {
  if (!isMap(target)) return isMap(patch) ? (manifest) => isNamedBy(patch, manifest) : undefined;
  const selector: Selector = Object.fromEntries([...target].filter(([, value]) => isString(value)));
  const { value: selects } = attempt(() => {
    const compiled = compileSelector(selector);
    const [labels, annotations] = [selector.labelSelector, selector.annotationSelector].map((text) =>
      parseLabelSelector(text ?? ''),
    );
    return (manifest: Manifest) =>
      compiled.matchesGvk({ ...splitApiVersion(manifest.apiVersion), kind: manifest.kind, isCluster: false }) &&
      compiled.matchesName(metadataText(manifest, 'name')) &&
      matchesLabels(labels!, textsIn(manifest, 'labels')) &&
      matchesLabels(annotations!, textsIn(manifest, 'annotations'));
  });
  return selects;
}

function isNamedBy(patch: ValueMap, manifest: Manifest): boolean {
  const isSameKind = patch.get('apiVersion') === manifest.apiVersion && patch.get('kind') === manifest.kind;
  return isSameKind && valueAt(patch, ['metadata', 'name']) === metadataText(manifest, 'name');
}

function textsIn(manifest: Manifest, key: 'labels' | 'annotations'): ReadonlyMap<string, string> {
  const map = metadataOf(manifest)?.get(key);
  return new Map([...(isMap(map) ? map : [])].filter((one): one is [string, string] => isString(one[1])));
}

/** A part of an object, or operations on it. */
function valueSet(patch: Value, path: Path): Value | undefined {
  if (!isList(patch)) return isMap(patch) ? valueAt(patch, path) : undefined;
  const sets = patch.filter(isMap).filter((one) => one.get('op') === 'add' || one.get('op') === 'replace');
  for (const one of sets) {
    const pointer = one.get('path');
    const steps = isString(pointer) ? pointerSteps(pointer) : [];
    const [value, rest] = [one.get('value') ?? null, path.slice(steps.length)];
    const isOnTheWay = steps.length > 0 && steps.every((step, i) => step === path[i]);
    const found = isOnTheWay ? (rest.length === 0 ? value : valueAt(value, rest)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
