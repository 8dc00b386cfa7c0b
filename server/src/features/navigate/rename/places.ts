import { escapedStep } from '../../../base/jsonPointer.ts';
import { applyEdits, movedRange, type Range, type TextEdit } from '../../../base/text.ts';
import { type DocumentPath, equalValues, isList, isMap, isString, type Value, valueAt } from '../../../base/value.ts';
import { escapeName } from '../../../kubernetes/cel/escape.ts';
import { inScalar } from '../../../workspace/projections/scalar.ts';
import { placedIn, type SourceFile } from '../../../workspace/sourceFile.ts';
import { renameKey, setValue, writeAt } from '../../../yaml/edit.ts';
import type { ScalarNode } from '../../../yaml/node.ts';
import { parseDocument, type YamlDocument } from '../../../yaml/parse.ts';
import { nodeAtPath, rangeOf } from '../../../yaml/place.ts';
import { doubleQuoted, quoteIfNeeded } from '../../../yaml/quoting.ts';
import { type ScalarMap, scalarMap } from '../../../yaml/scalarMap.ts';
import { valueOf } from '../../../yaml/value.ts';
import type { Form } from '../propertyUses.ts';

/** What is changed, in the words of the editor's preview. */
export type Group =
  | 'schema'
  | 'paths'
  | 'rules'
  | 'names'
  | 'resources'
  | 'tests'
  | 'patches'
  | 'values'
  | 'templates'
  | 'documents';

/** A place of a document that holds a name: a key or a text, or a part of one. */
export interface Place {
  readonly document: YamlDocument;
  readonly path: DocumentPath;
  readonly at: 'key' | 'value';
  readonly part?: Range;
  readonly form: Form;
  readonly group: Group;
  /** What stands there afterwards, where that is not the new name. */
  readonly text?: string;
  /** The document is the text of a scalar in this one. */
  readonly inside?: { readonly document: YamlDocument; readonly path: DocumentPath };
}

export interface GroupedEdit {
  readonly edit: TextEdit;
  readonly group: Group;
}

/** Edits of one file. */
export interface FileEdits {
  readonly file: Pick<SourceFile, 'uri' | 'text'>;
  readonly edits: readonly GroupedEdit[];
}

/** Why something is not renamed, as a sentence. */
export interface Refusal {
  readonly refused: string;
}

export const isRefusal = (one: object): one is Refusal => 'refused' in one;

/** A name as it is written at a place; undefined where it cannot be. */
export function written(form: Form, name: string): string | undefined {
  switch (form) {
    case 'name':
      return name;
    case 'cel':
      return escapeName(name);
    case 'jsonPath':
      return name.replace(/[ \t.,[\]$@{}\\]/g, '\\$&');
    case 'step':
      return /[\s.[\]'"\\]/.test(name) ? undefined : name;
    case 'pointer':
      return escapedStep(name);
  }
}

/** What is at a place now, whole. */
function textAt({ document, path, at }: Place): string | undefined {
  if (at === 'key') return String(path.at(-1));
  const value = valueAt(valueOf(document), path);
  if (isString(value)) return value;
  return scalarMap(document, path)?.value;
}

/** What a place holds, whole, once it has the new name. */
function textAfter(place: Place, name: string): string | undefined {
  const put = place.text ?? written(place.form, name);
  if (put === undefined || !place.part) return put;
  const text = textAt(place);
  return text === undefined ? undefined : text.slice(0, place.part.start) + put + text.slice(place.part.end);
}

/** Where the name is in the place's document; without the quotes around it. */
export function rangeIn(place: Place): Range | undefined {
  const { document, path, at, part } = place;
  const map = at === 'value' ? scalarMap(document, path) : undefined;
  if (map && part) return { start: map.toText(part.start), end: map.toTextEnd(part.end - 1) };
  const range = rangeOf(document, path, at);
  const quoted = range && /^["']/.test(document.text.slice(range.start, range.end));
  return quoted ? { start: range.start + 1, end: range.end - 1 } : range;
}

/** Puts the new name in a place; none where that cannot be. */
function editsIn(place: Place, name: string): TextEdit[] {
  const { document, path, at, part } = place;
  const whole = textAfter(place, name);
  if (whole === undefined) return [];
  if (at === 'key') return renameKey(document, path, whole);
  const map = part && scalarMap(document, path);
  const put = place.text ?? written(place.form, name) ?? '';
  // Letters and the like are written as they are, in whatever quotes.
  if (map && part && /^[\w./~-]+$/.test(put)) return [{ range: rangeWithin(map, part), text: put }];
  return wholeText(document, path, whole);
}

function rangeWithin(map: ScalarMap, { start, end }: Range): Range {
  return { start: map.toText(start), end: map.toTextEnd(end - 1) };
}

function wholeText(document: YamlDocument, path: DocumentPath, text: string): TextEdit[] {
  const node = nodeAtPath(document, path)?.node;
  if (node?.kind !== 'scalar') return setValue(document, path, text);
  const put = inStyle(text, node.style);
  return put === undefined ? setValue(document, path, text) : writeAt(document, path, put);
}

/** A text in the quotes that another one has; undefined for blocks. */
function inStyle(text: string, style: ScalarNode['style']): string | undefined {
  if (style === 'single' && !/[^\x20-\x7e]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  if (style === 'single' || style === 'double') return doubleQuoted(text);
  return style === 'plain' ? quoteIfNeeded(text) : undefined;
}

/** The edits that put a new name in all places of a file, or why that cannot be done. */
export function renamedIn(file: SourceFile, places: readonly Place[], name: string): FileEdits | Refusal {
  const edits: GroupedEdit[] = [];
  for (const [document, own] of byDocument(places)) {
    const refused = blockedIn(file, document, own, name);
    if (refused !== undefined) return { refused };
    const start = startOf(file, own[0]!);
    for (const place of own) {
      const found = editsIn(place, name);
      for (const edit of found) edits.push({ edit: shifted(toOuter(place, edit), start), group: place.group });
    }
  }
  return { file, edits };
}

function byDocument(places: readonly Place[]): Map<YamlDocument, Place[]> {
  const found = new Map<YamlDocument, Place[]>();
  for (const place of places) {
    const known = found.get(place.document);
    if (known) known.push(place);
    else found.set(place.document, [place]);
  }
  return found;
}

function startOf(file: SourceFile, { document, inside }: Place): number {
  return placedIn(file, inside?.document ?? document)?.start ?? 0;
}

function shifted({ range, text }: TextEdit, by: number): TextEdit {
  return { range: movedRange(range, by), text };
}

/** From a document that is the text of a scalar to the document that the scalar is in. */
function toOuter({ inside }: Place, edit: TextEdit): TextEdit {
  const [origin] = inside ? inScalar(inside.document, inside.path).written(edit.range) : [];
  return inside && origin ? { range: origin.place, text: withinQuotes(inside, edit.text) } : edit;
}

/** A part of a text as it is written in the quotes around the whole. */
function withinQuotes({ document, path }: NonNullable<Place['inside']>, text: string): string {
  const node = nodeAtPath(document, path)?.node;
  const style = node?.kind === 'scalar' ? node.style : undefined;
  if (style === 'double') return doubleQuoted(text).slice(1, -1);
  return style === 'single' ? text.replaceAll("'", "''") : text;
}

/** Where in its file a place is. */
export function rangeInFile(file: SourceFile, place: Place): Range | undefined {
  const range = rangeIn(place);
  return range && shifted(toOuter(place, { range, text: '' }), startOf(file, place)).range;
}

/** Why the places of a document cannot have the new name. */
function blockedIn(
  file: SourceFile,
  document: YamlDocument,
  places: readonly Place[],
  name: string,
): string | undefined {
  const odd = places.find((place) => textAfter(place, name) === undefined);
  if (odd) return `${lineOf(file, odd)} names it in a way in which \`${name}\` cannot be written.`;
  const before = valueOf(document);
  if (before === undefined) {
    // What is filled into a template is YAML only then.
    return file.template ? undefined : `${fileName(file)} has syntax errors.`;
  }
  const taken = places.find(({ path, at, part }) => {
    const around = at === 'key' && !part ? valueAt(before, path.slice(0, -1)) : undefined;
    return isMap(around) && around.has(name);
  });
  if (taken) return `\`${name}\` is there already, beside ${lineOf(file, taken)}.`;
  const after = valueOf(
    parseDocument(
      applyEdits(
        document.text,
        places.flatMap((place) => editsIn(place, name)),
      ),
    ),
  );
  return equalValues(after, withNames(before, places, name))
    ? undefined
    : `${lineOf(file, places[0]!)} is written so that its name cannot be changed alone, as with a YAML alias.`;
}

/** A value with the new names in it. */
function withNames(value: Value, places: readonly Place[], name: string): Value {
  const byPath = new Map(places.map((place) => [keyOf(place.at, place.path), place]));
  // Several parts of one text: the later ones first, so that the earlier ones stay where they are.
  const texts = new Map<string, string>();
  for (const place of [...places].sort((a, b) => (b.part?.start ?? 0) - (a.part?.start ?? 0))) {
    const key = keyOf(place.at, place.path);
    const put = place.text ?? written(place.form, name) ?? '';
    const now = texts.get(key) ?? textAt(place) ?? '';
    texts.set(key, place.part ? now.slice(0, place.part.start) + put + now.slice(place.part.end) : put);
  }
  const walk = (one: Value, path: DocumentPath): Value => {
    if (isList(one)) return one.map((item, i) => walk(item, [...path, i]));
    if (isMap(one)) {
      return new Map(
        [...one].map(([key, item]) => {
          const at = [...path, key];
          return [texts.get(keyOf('key', at)) ?? key, walk(item, at)];
        }),
      );
    }
    return byPath.has(keyOf('value', path)) ? texts.get(keyOf('value', path))! : one;
  };
  return walk(value, []);
}

const keyOf = (at: 'key' | 'value', path: DocumentPath) => JSON.stringify([at, ...path]);

export function fileName({ uri }: SourceFile): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
}

/** `crd.yaml:12`: the line of a place, or of what is around it where it is behind an alias. */
export function lineOf(file: SourceFile, place: Place): string {
  const range = rangeInFile(file, place) ?? rangeInFile(file, { ...place, path: place.path.slice(0, -1), at: 'value' });
  const line = file.text.slice(0, range?.start ?? startOf(file, place)).split(/\r\n|\r|\n/).length;
  return `${fileName(file)}:${line}`;
}
