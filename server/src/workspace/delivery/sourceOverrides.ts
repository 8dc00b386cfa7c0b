/** What Argo CD lays over a source of an Application: files in its folder, one for all Applications and one for each. */
import { memo } from '../../base/memo.ts';
import { isList, isMap, type Path, unknownMark, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { isSourceOverride } from '../fileNames.ts';
import { folderOf } from '../uri.ts';
import type { AppAt, Source } from './appAt.ts';
import type { Delivery } from './index.ts';
import { type Delivered, deliveredIn } from './objects.ts';

const forAll = '.argocd-source.yaml';

/** What no file changes of a source. */
const kept = ['chart', 'path', 'repoURL', 'targetRevision'];

/** A source with the files in its folder over it; undefined where Argo CD cannot read one, or it is not known which of them count. */
export function withOverrides(delivery: Delivery, app: AppAt, source: Source, folder: string): Source | undefined {
  const all = overridesIn(delivery).get(folder);
  if (!all) return source;
  const isOpen = app.name.includes(unknownMark);
  if (isOpen && [...all.keys()].some((name) => name !== forAll)) return undefined;
  const over = [forAll, ownName(app, all)].filter((name) => all.has(name)).map((name) => all.get(name));
  if (!over.every((one) => one !== undefined)) return undefined;
  const laid = over.reduce((below, { manifest }) => laidOver(below, manifest.value), source.value);
  return { ...source, value: withKept(laid, source.value), over };
}

/** By folder and name; undefined for a file that Argo CD cannot read. */
const overridesIn = memo(({ files }: Delivery) => {
  const all = new Map<string, Map<string, Delivered | undefined>>();
  for (const file of files) {
    if (!isSourceOverride(file.uri)) continue;
    const folder = folderOf(file.uri);
    const known = all.get(folder) ?? new Map<string, Delivered | undefined>();
    all.set(folder, known.set(decodeURIComponent(file.uri.slice(folder.length + 1)), deliveredIn(file)[0]));
  }
  return all;
});

/** Outside of Argo CD's own namespace, which nobody knows here, an Application is known by its namespace as well. */
function ownName({ of, name }: AppAt, all: ReadonlyMap<string, unknown>): string {
  const inNamespace = `.argocd-source-${of.namespace}_${name}.yaml`;
  return all.has(inNamespace) ? inNamespace : `.argocd-source-${name}.yaml`;
}

function withKept(laid: ValueMap, own: ValueMap): ValueMap {
  const all = new Map(laid);
  for (const key of kept) {
    all.delete(key);
    const value = own.get(key);
    if (value !== undefined) all.set(key, value);
  }
  return all;
}

/** As Argo CD reads a merge patch into what is there: that stays where the patch has null, and so do fields of items. */
function laidOver(own: ValueMap, patch: ValueMap): ValueMap {
  const all = new Map(own);
  for (const [key, value] of patch) {
    const before = own.get(key) ?? null;
    if (value !== null) all.set(key, key === 'valuesObject' ? merged(before, value) : over(before, value));
  }
  return all;
}

function over(own: Value, value: Value): Value {
  if (isMap(value)) return laidOver(isMap(own) ? own : new Map(), value);
  if (!isList(value)) return value;
  return value.map((item, i) => over(isList(own) ? (own[i] ?? null) : null, item));
}

/** A merge patch of JSON. */
function merged(own: Value, patch: Value): Value {
  if (!isMap(patch)) return patch;
  const all = new Map(isMap(own) ? own : []);
  for (const [key, value] of patch) {
    if (value === null) all.delete(key);
    else all.set(key, merged(all.get(key) ?? null, value));
  }
  return all;
}

/** Where a part of a source is written. */
export function writtenAt({ path, over = [] }: Source, of: Delivered, part: Path): { of: Delivered; path: Path } {
  const file = over.findLast(({ manifest }) => (valueAt(manifest.value, part) ?? null) !== null);
  return file ? { of: file, path: part } : { of, path: [...path, ...part] };
}
