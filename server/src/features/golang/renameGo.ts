import { append } from '../../base/append.ts';
import { applyEdits, type TextEdit } from '../../base/text.ts';
import { equalValues, isList, isMap, type Value } from '../../base/value.ts';
import type { GoPlace } from '../../controllergen/crd/model.ts';
import { withMade } from '../../workspace/languages/go.ts';
import {
  crdsOf,
  escaped,
  type GoCrds,
  type GoView,
  ruleStringAt,
  toMade,
} from '../../workspace/projections/goTypes.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../../workspace/sourceFile.ts';
import { baseName, folderOf } from '../../workspace/uri.ts';
import { valueOf } from '../../yaml/value.ts';
import { type FileEdits, type GroupedEdit, isRefusal, type Refusal, written } from '../navigate/rename/places.ts';
import { isProperty, type PropertyWanted } from '../navigate/rename/property.ts';
import { type Renameable, type Renaming, renameAt, renamedProperty } from '../navigate/rename/rename.ts';
import { partsNaming, wantedInGo } from './usesGo.ts';

// A property by another name, from the Go types that its CRDs are made of: tags, rules and markers change, and with them
// whatever a rename from the CRD changes.

/** What would be renamed at a place in Go: the name in a tag, or what a rule reads or declares. */
export function renameInGo(snapshot: Snapshot, view: GoView, offset: number): Renameable | Refusal | undefined {
  const { types, uri, file } = view;
  const wanted = wantedInGo(snapshot, view, offset).filter(isProperty);
  const string = ruleStringAt(file, offset);
  if (wanted.length === 0) return string && variableAt(snapshot, view, offset);
  const places = writtenNames(snapshot, types, wanted).map(({ place }) => place);
  const here = places.find((one) => one.uri === uri && one.range.start <= offset && offset <= one.range.end);
  if (!here) return undefined;
  return {
    range: here.range,
    name: wanted[0]!.field.at(-1)!,
    to: (name) => renamedFields(snapshot, types, wanted, name),
  };
}

/** A variable is known in its rule alone. */
function variableAt(snapshot: Snapshot, view: GoView, offset: number): Renameable | Refusal | undefined {
  const { types, uri, made } = view;
  const at = toMade(view, offset);
  const found = at === undefined ? undefined : renameAt(withMade(snapshot, view), made, at);
  if (!found || isRefusal(found)) return found;
  const place = types.writtenAt(found.range);
  if (place?.uri !== uri) return undefined;
  const to = (name: string): Renaming | Refusal => {
    const renaming = found.to(name);
    if (isRefusal(renaming)) return renaming;
    const edits = renaming.edits
      .flatMap((one) => one.edits)
      .flatMap(({ edit, group }): GroupedEdit[] => {
        const inGo = types.writtenAt(edit.range);
        return inGo ? [{ edit: { range: inGo.range, text: edit.text }, group }] : [];
      });
    return { edits: [{ file: { uri, text: view.file.go.text }, edits }], elsewhere: [] };
  };
  return { range: place.range, name: found.name, to };
}

interface WrittenName {
  readonly place: GoPlace;
  readonly edit: GroupedEdit;
}

/** Where Go writes the name of properties, and what is put there for another one. */
function writtenNames(
  snapshot: Snapshot,
  types: GoCrds,
  all: readonly PropertyWanted[],
  name = all[0]?.field.at(-1) ?? '',
): WrittenName[] {
  const kubernetes = kubernetesFor(snapshot, types.source.uri);
  const found = all
    .flatMap((wanted) => partsNaming(types, wanted, kubernetes))
    .flatMap(({ part, use }): WrittenName[] => {
      const [origin] = types.written(part);
      const put = written(use.form, name);
      if (origin?.how !== 'written' || put === undefined) return [];
      const { place } = origin;
      return [{ place, edit: { edit: { range: place.range, text: inQuotes(types, place, put) }, group: use.in } }];
    });
  return [...new Map(found.map((one) => [`${one.place.uri} ${one.place.range.start}`, one])).values()];
}

/** A name as the Go string around it wants it. */
function inQuotes(types: GoCrds, { uri, range }: GoPlace, text: string): string {
  const file = types.fileAt(uri);
  const map = file && ruleStringAt(file, range.start)?.map;
  return map && file.go.text[map.toText(0) - 1] === '"' ? escaped(text) : text;
}

/** Other names of properties: in Go, in the CRDs that are written to files, and wherever those are used. */
export function renamedFields(
  snapshot: Snapshot,
  types: GoCrds,
  all: readonly PropertyWanted[],
  name: string,
): Renaming | Refusal {
  if (!/^[\w.-]+$/.test(name)) return { refused: `\`${name}\` is not a name that a JSON tag can give a property.` };
  const inMade: TextEdit[] = [];
  const edits: FileEdits[] = [];
  const elsewhere: Renaming['elsewhere'][number][] = [];
  for (const wanted of all) {
    const found = renamedProperty(withMade(snapshot, types), wanted, name);
    if (isRefusal(found)) return { refused: inGoWords(types, found.refused) };
    for (const one of found.edits) {
      if (one.file.uri !== types.source.uri) edits.push(one);
      else
        append(
          inMade,
          one.edits.map(({ edit }) => edit),
        );
    }
    append(elsewhere, found.elsewhere);
  }
  const inGo = editsByFile(types, writtenNames(snapshot, types, all, name));
  return gives(types, inGo, inMade) ?? { edits: [...inGo, ...edits], elsewhere };
}

function editsByFile(types: GoCrds, names: readonly WrittenName[]): FileEdits[] {
  const uris = [...new Set(names.map(({ place }) => place.uri))];
  return uris.flatMap((uri) => {
    const text = types.fileAt(uri)?.go.text;
    const edits = names.filter(({ place }) => place.uri === uri).map(({ edit }) => edit);
    return text === undefined ? [] : [{ file: { uri, text }, edits }];
  });
}

/** Whether edited types give the CRDs that are wanted: something in Go can name a property in a way that nobody sees. */
function gives(types: GoCrds, inGo: readonly FileEdits[], inMade: readonly TextEdit[]): Refusal | undefined {
  const wanted = sourceFile(types.source.uri, applyEdits(types.source.text, once(inMade)));
  const result = inGo.reduce(
    (before, { file, edits }) =>
      before.remade(
        file.uri,
        applyEdits(
          file.text,
          edits.map(({ edit }) => edit),
        ),
      ),
    types.result,
  );
  const { source } = crdsOf(result, folderOf(types.source.uri));
  return areSame(source, wanted) && inGo.length > 0
    ? undefined
    : { refused: 'Something else in the Go types or their markers depends on the name: rename it by hand.' };
}

/** Several properties can be named by one place of the YAML; nothing is put there twice. */
function once(edits: readonly TextEdit[]): TextEdit[] {
  const found = new Map(edits.map((edit) => [`${edit.range.start} ${edit.range.end}`, edit]));
  return [...found.values()].sort((a, b) => a.range.start - b.range.start);
}

function areSame(a: SourceFile, b: SourceFile): boolean {
  const values = ({ stream }: SourceFile) => stream.documents.map(({ document }) => sorted(valueOf(document) ?? null));
  return equalValues(values(a), values(b));
}

/** With the names of required properties in one order: controller-gen sorts them. */
function sorted(value: Value): Value {
  if (isList(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  return new Map(
    [...value].map(([key, item]) => {
      const isNames = key === 'required' && isList(item);
      return [key, isNames ? [...item].map(String).sort() : sorted(item)];
    }),
  );
}

/** A line of the YAML, which nobody sees, as the one in Go that it comes from. */
function inGoWords(types: GoCrds, refused: string): string {
  const { source } = types;
  const name = `${baseName(source.uri)}:`;
  const number = /^\d+/.exec(refused.slice(refused.indexOf(name) + name.length))?.[0];
  if (!refused.includes(name) || number === undefined) return refused;
  const start =
    source.text
      .split('\n')
      .slice(0, Number(number) - 1)
      .join('\n').length + 1;
  const indent = /^[ -]*/.exec(source.text.slice(start))![0].length;
  const place = types.writtenAt({ start: start + indent, end: start + indent });
  const text = place && types.fileAt(place.uri)?.go.text;
  if (!place || text === undefined) return refused;
  const line = text.slice(0, place.range.start).split('\n').length;
  return refused.replace(name + number, `${baseName(place.uri)}:${line}`);
}
