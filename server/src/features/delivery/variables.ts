/** The variables that Flux fills in: what they come to, where they are set, and where they are used. */
import { movedRange, type Range } from '../../base/text.ts';
import { isMap, type Path, valueAt } from '../../base/value.ts';
import type { Call } from '../../flux/parse.ts';
import { callsIn, substituted } from '../../flux/substitute.ts';
import { appliedFolders, fillingsFor, isElsewhere } from '../../workspace/delivery/filled.ts';
import type { Filling } from '../../workspace/delivery/filling.ts';
import { deliveryOf } from '../../workspace/delivery/index.ts';
import { isAppliedWith } from '../../workspace/delivery/kustomizations.ts';
import { nameOfDelivered } from '../../workspace/delivery/objects.ts';
import { realPlace, textPlaceOf } from '../../workspace/delivery/texts.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { documentAt, type PlacedDocument } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import type { Hover } from '../at/hover.ts';
import type { Search } from '../navigate/references.ts';
import { type Location, locationsOnce } from '../place/location.ts';
import { blocks, code, list, type Markdown, md } from '../words/markdown.ts';

interface CallAt {
  readonly call: Call;
  /** As it is written. */
  readonly written: string;
  readonly range: Range;
}

/** The variable at a place, the innermost. */
function callAt(file: SourceFile | undefined, offset: number): CallAt | undefined {
  const placed = documentAt(file?.stream, offset);
  if (!file || !placed || !file.text.includes('${')) return undefined;
  const { path, where } = pathAt(placed.document, offset - placed.start);
  const map = where === 'value' ? scalarMap(placed.document, path) : undefined;
  const at = map?.toValue(offset - placed.start);
  if (!map || at === undefined) return undefined;
  const call = callsIn(map.value).findLast(({ start, end }) => start <= at && at <= end);
  if (!call) return undefined;
  return { call, written: map.value.slice(call.start, call.end), range: rangeOfCall(placed, path, call)! };
}

function rangeOfCall({ document, start }: PlacedDocument, path: Path, call: Call): Range | undefined {
  const map = scalarMap(document, path);
  return map && movedRange({ start: map.toText(call.start), end: map.toTextEnd(call.end - 1) }, start);
}

export function hoverVariable(snapshot: Snapshot, uri: string, offset: number): Hover | undefined {
  const found = callAt(fileAt(snapshot, uri), offset);
  const fillings = found ? fillingsFor(snapshot, uri) : [];
  if (!found || fillings.length === 0) return undefined;
  const rows = fillings.map((filling) => cardOf(snapshot, filling, found));
  return { markdown: blocks(code(found.written), list(rows)), range: found.range };
}

function cardOf(snapshot: Snapshot, filling: Filling, { call, written }: CallAt): Markdown {
  const by = nameOfDelivered(filling.by);
  const set = filling.variables.get(call.name);
  const names = callsIn(written).map(({ name }) => name);
  const open = names.some((name) => isElsewhere(filling, name));
  if (open) return md`not known: ${filling.elsewhere.join(', ')} may set it (${by})`;
  const values = new Map(Array.from(filling.variables, ([name, { value }]) => [name, value]));
  const made = substituted(written, values);
  const text = 'error' in made ? made.error : made.text;
  const place = set && textPlaceOf(set.of, set.path);
  const real = place && realPlace(snapshot, place);
  const where = set && real ? `, set in ${nameOfDelivered(set.of)}` : ', which nobody sets';
  return md`${code(text === '' ? '""' : text)}${where} (${by})`;
}

export function definitionVariable(snapshot: Snapshot, uri: string, offset: number): Location[] {
  const found = callAt(fileAt(snapshot, uri), offset);
  const fillings = found ? fillingsFor(snapshot, uri) : [];
  const places = fillings.flatMap((filling) => placesOf(snapshot, filling, found!.call.name));
  return locationsOnce(places);
}

function placesOf(snapshot: Snapshot, { variables }: Filling, name: string): Location[] {
  const set = variables.get(name);
  const place = set && textPlaceOf(set.of, set.path);
  return place ? [realPlace(snapshot, place)] : [];
}

/** From where a variable is set, or from one that uses it, to all that use it in files that are known. */
export function searchVariable(snapshot: Snapshot, uri: string, offset: number): Search | undefined {
  const used = callAt(fileAt(snapshot, uri), offset);
  const fillings = used ? fillingsFor(snapshot, uri) : fillingsSetAt(snapshot, uri, offset);
  const name = used?.call.name ?? nameSetAt(snapshot, uri, offset);
  if (name === undefined || fillings.length === 0) return undefined;
  const declarations = locationsOnce(fillings.flatMap((filling) => placesOf(snapshot, filling, name)));
  const uses = locationsOnce(fillings.flatMap((filling) => usesOf(snapshot, filling, name)));
  return { declarations, uses, elsewhere: [] };
}

interface SetHere {
  readonly name: string;
  readonly path: Path;
  readonly document: PlacedDocument['document'];
}

/** A key of a map from which variables are taken. */
function setHere(snapshot: Snapshot, uri: string, offset: number): SetHere | undefined {
  const placed = documentAt(fileAt(snapshot, uri)?.stream, offset);
  const path = placed && pathAt(placed.document, offset - placed.start).path;
  const name = path?.at(-1);
  return placed && path && typeof name === 'string' ? { name, path, document: placed.document } : undefined;
}

function nameSetAt(snapshot: Snapshot, uri: string, offset: number): string | undefined {
  return setHere(snapshot, uri, offset)?.name;
}

function fillingsSetAt(snapshot: Snapshot, uri: string, offset: number): readonly Filling[] {
  const here = setHere(snapshot, uri, offset);
  if (!here) return [];
  const isHere = ({ variables }: Filling) => {
    const set = variables.get(here.name);
    const at = set ? [...set.of.manifest.at, ...set.path] : [];
    const isSame = at.length === here.path.length && at.every((step, i) => step === here.path[i]);
    return isSame && set?.of.uri === uri && set.of.manifest.document.text === here.document.text;
  };
  return appliedFolders(deliveryOf(snapshot)).flatMap(({ filling }) => (filling && isHere(filling) ? [filling] : []));
}

function usesOf(snapshot: Snapshot, filling: Filling, name: string): Location[] {
  const delivery = deliveryOf(snapshot);
  const applied = appliedFolders(delivery).find((one) => one.filling === filling);
  if (!applied) return [];
  const files = new Map([...delivery.files, ...snapshot.open.values()].map((file) => [file.uri, file]));
  return [...files.values()]
    .filter(({ uri, text }) => text.includes(name) && isAppliedWith(snapshot.resources, applied.folder, uri))
    .flatMap((file) => usesInFile(file, name));
}

function usesInFile(file: SourceFile, name: string): Location[] {
  const found: Location[] = [];
  for (const manifest of file.manifests) {
    const placed = file.stream.documents.find(({ document }) => document === manifest.document);
    const walk = (path: Path): void => {
      const value = valueAt(manifest.value, path);
      if (typeof value === 'string' && placed) {
        for (const call of value.includes('${') ? callsIn(value) : []) {
          const range = call.name === name ? rangeOfCall(placed, [...manifest.at, ...path], call) : undefined;
          if (range) found.push({ uri: file.uri, range });
        }
      } else if (isMap(value)) for (const key of value.keys()) walk([...path, key]);
      else if (Array.isArray(value)) for (const i of value.keys()) walk([...path, i]);
    };
    walk([]);
  }
  return found;
}
