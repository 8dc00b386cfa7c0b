/** `replacements` that are written in files of their own. */
import { isList, isMap } from '../base/value.ts';
import { parseDocument } from '../yaml/document.ts';
import { readValue } from '../yaml/readValue.ts';
import { ConfigFile } from './configFile.ts';
import { decodeStruct } from './decode.ts';
import { attempt, Failure, fail } from './failure.ts';
import { type Replacement, replacementType } from './kustomization.ts';
import type { Loader } from './loader.ts';
import { type Place, placeIn } from './origin.ts';
import type { PlacedReplacement } from './transform/replacements.ts';

export function loadReplacements(
  given: readonly Replacement[],
  loader: Loader,
  placeOf: (index: number) => Place,
  pathPlace: (index: number, target: number, path: number) => Place,
): PlacedReplacement[] {
  return given.flatMap((one, i): PlacedReplacement[] => {
    if (!one.path)
      return [{ replacement: one, place: placeOf(i), pathPlace: (target, path) => pathPlace(i, target, path) }];
    if (one.source || (one.targets?.length ?? 0) > 0)
      fail('cannot specify both path and inline replacement', placeOf(i));
    return ofFile(one.path, loader, placeOf(i));
  });
}

function ofFile(path: string, loader: Loader, place: Place): PlacedReplacement[] {
  const loaded = attempt(() => loader.load(path));
  if (loaded.failure) throw new Failure(loaded.failure.message, place, loaded.failure.kind);
  const { file, path: found } = loaded.value;
  const whole = placeIn(found);
  const read = readValue(file.text);
  if (read.error !== undefined)
    fail(`error converting YAML to JSON: ${read.error}`, placeIn(found, read.start, read.end));
  const config = new ConfigFile(found, parseDocument(file.text), read.value);
  const type = isList(read.value) ? { list: replacementType } : replacementType;
  if (!isList(read.value) && !isMap(read.value))
    fail(`unsupported replacement type encountered within replacement path: ${kindName(read.value)}`, whole);
  const { value, complaint } = decodeStruct(read.value, type, false, true);
  if (complaint)
    fail(`error unmarshaling JSON: while decoding JSON: ${complaint.message}`, config.place(complaint.path));
  const all = (isList(read.value) ? value : [value]) as readonly Replacement[];
  return all.map((replacement, i) => {
    const at = isList(read.value) ? [i] : [];
    const pathPlace = (target: number, field: number) => config.place([...at, 'targets', target, 'fieldPaths', field]);
    return { replacement, place: at.length === 0 ? whole : config.place(at), pathPlace };
  });
}

function kindName(value: unknown): string {
  if (value === null) return 'invalid';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'float64';
}
