import type { Range } from '../../base/text.ts';
import { collectMarkers } from '../../controllergen/markers/collect.ts';
import { fitsKind, jsonName, kindOf, type TypesByName, typesOf, underlying } from '../../controllergen/markers/fits.ts';
import type { MarkerArgument, MarkerDefinition } from '../../controllergen/markers/model.ts';
import { markerAt, type PlacedMarker } from '../../controllergen/markers/place.ts';
import { isAnonymous } from '../../controllergen/markers/read.ts';
import { allMarkers, markerNamed } from '../../controllergen/markers/table.ts';
import type { Field, GoFile, TypeExpression } from '../../controllergen/syntax/model.ts';
import type { Completion } from '../complete/completion.ts';
import { escapeSnippet } from '../complete/skeleton.ts';
import { explainArgument, explainMarker } from './hoverMarker.ts';

/** How many paths and constants are offered, how deep paths go, and how many fields are looked at for them. */
const most = { paths: 200, constants: 1_000, steps: 4, fields: 20_000 };

/** What can be written at an offset of a `// +…` comment. */
export function completeMarker(file: GoFile, offset: number): Completion[] {
  const placed = markerAt(file, offset);
  if (!placed) return [];
  const { start, end } = placed.marker.range;
  const before = file.text.slice(start + 1, offset);
  const behind = file.text.slice(offset, end);
  const at: At = { file, types: typesOf(file), placed, offset, before, behind };
  const known = definitionBefore(at);
  return known ? inArguments(at, known.definition, known.rest) : names(at);
}

interface At {
  readonly file: GoFile;
  readonly types: TypesByName;
  readonly placed: PlacedMarker;
  readonly offset: number;
  /** The marker's text around the cursor, without `+`. */
  readonly before: string;
  readonly behind: string;
}

/** The marker whose arguments the cursor is in, with what is written of them. */
function definitionBefore({ before, placed }: At): { definition: MarkerDefinition; rest: string } | undefined {
  const { target } = placed.marker;
  const equals = before.indexOf('=');
  const whole = equals === -1 ? before : before.slice(0, equals);
  const single = equals === -1 ? undefined : markerNamed(whole, target);
  if (single && isAnonymous(single)) return { definition: single, rest: before.slice(equals + 1) };
  const colon = whole.lastIndexOf(':');
  const several = colon === -1 ? undefined : markerNamed(whole.slice(0, colon), target);
  if (!several || several.arguments.length === 0 || isAnonymous(several)) return undefined;
  return { definition: several, rest: before.slice(colon + 1) };
}

function names(at: At): Completion[] {
  const { placed, before, behind, offset } = at;
  if (/[\s=]/.test(before)) return [];
  const kind = kindHere(at);
  const written = /^[\w:.-]*/.exec(behind)![0];
  const hasArguments = /^[:=]/.test(behind.slice(written.length)) || written.includes(':');
  const range = { start: offset - before.length, end: offset + (hasArguments ? 0 : written.length) };
  const fitting = allMarkers.filter(
    (row) => !row.isRefused && row.targets.includes(placed.marker.target) && fitsKind(row, kind),
  );
  const colon = before.lastIndexOf(':') + 1;
  const open = fitting.filter(({ name }) => name.startsWith(before.slice(0, colon)));
  return open.map((row) => ({
    label: row.name,
    kind: 'keyword',
    detail: row.becomes.replaceAll('`', ''),
    documentation: explainMarker(row),
    range,
    text: hasArguments ? row.name : snippetOf(row),
    snippet: !hasArguments,
    order: orderOf(row),
    ...(row.instead !== undefined && { deprecated: true }),
  }));
}

/** What gets into CRDs comes first, then by name; those for items and for old code last. */
function orderOf({ name, reader, instead }: MarkerDefinition): string {
  const group = instead !== undefined ? 3 : reader !== 'crd' ? 2 : name.includes(':items:') ? 1 : 0;
  return `${group}${name}`;
}

function kindHere({ placed: { field, type, marker }, types }: At) {
  if (marker.target === 'field') return field && kindOf(field.type, types);
  return marker.target === 'type' && type ? kindOf(type.type, types) : undefined;
}

function snippetOf(row: MarkerDefinition): string {
  const name = escapeSnippet(row.name);
  if (row.arguments.length === 0) return name;
  if (isAnonymous(row)) return `${name}=${placeholder(row.arguments[0]!, 1)}`;
  const needed = row.arguments.filter(({ optional }) => !optional);
  const shown = needed.length === 0 ? row.arguments.slice(0, 1) : needed;
  const also = row.arguments.filter((argument) => argument.name === 'message');
  return `${name}:${[...shown, ...also].map((argument, i) => `${argument.name}=${placeholder(argument, i + 1)}`).join(',')}`;
}

function placeholder({ type, values, name, offers }: MarkerArgument, index: number): string {
  const isList = type.kind === 'list';
  if (values && !isList) return `\${${index}|${values.map(escapeSnippet).join(',')}|}`;
  const isText =
    offers === 'cel' || name === 'message' || name === 'warning' || name === 'url' || name === 'description';
  return isText ? `"\${${index}}"` : `\${${index}}`;
}

/** The argument that the cursor is in: its name, once there is a `=`, and what is written of it. */
function inArguments(at: At, definition: MarkerDefinition, rest: string): Completion[] {
  if (isAnonymous(definition)) return valuesOf(at, definition, definition.arguments[0]!, rest);
  const parts = split(rest, ',');
  const part = parts.at(-1)!;
  const equals = part.indexOf('=');
  if (equals === -1) return argumentNames(at, definition, parts);
  const argument = definition.arguments.find(({ name }) => name === part.slice(0, equals).trim());
  return argument ? valuesOf(at, definition, argument, part.slice(equals + 1)) : [];
}

/** The parts between separators that are not in quotes or braces. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  const closers: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    const closer = closers.at(-1);
    if (character === '\\' && closer === '"') {
      parts[parts.length - 1] += character + (text[++i] ?? '');
      continue;
    }
    if (character === closer) closers.pop();
    else if (closer !== '"' && closer !== '`') {
      if (character === separator && closers.length === 0) {
        parts.push('');
        continue;
      }
      const opens = { '"': '"', '`': '`', '{': '}' }[character];
      if (opens !== undefined) closers.push(opens);
    }
    parts[parts.length - 1] += character;
  }
  return parts;
}

function argumentNames({ offset, behind }: At, definition: MarkerDefinition, parts: readonly string[]): Completion[] {
  const prefix = parts.at(-1)!.trimStart();
  const used = parts.slice(0, -1).map((part) => part.split('=')[0]!.trim());
  const isFollowed = /^\w*=/.test(behind);
  const range = { start: offset - prefix.length, end: offset + (isFollowed ? /^\w*/.exec(behind)![0].length : 0) };
  return definition.arguments
    .filter(({ name }) => !used.includes(name))
    .map((argument, i) => ({
      label: argument.name,
      kind: 'field',
      detail: argument.optional ? 'optional' : 'required',
      documentation: explainArgument(argument),
      range,
      text: isFollowed ? argument.name : `${argument.name}=${placeholder(argument, 1)}`,
      snippet: !isFollowed,
      order: `${argument.optional ? 1 : 0}${String(i).padStart(2, '0')}`,
    }));
}

function valuesOf(at: At, definition: MarkerDefinition, argument: MarkerArgument, written: string): Completion[] {
  const isList = argument.type.kind === 'list';
  const braced = isList && /^\s*\{/.test(written);
  const parts = isList ? split(braced ? written.replace(/^\s*\{/, '') : written, braced ? ',' : ';') : [written];
  const part = parts.at(-1)!.trimStart();
  const quote = /^["`]/.exec(part)?.[0] ?? '';
  const used = new Set(parts.slice(0, -1).map((one) => one.trim().replace(/^["`]|["`]$/g, '')));
  const more = /^[^,;}"`\s]*/.exec(at.behind)![0];
  const range: Range = { start: at.offset - part.length + quote.length, end: at.offset + more.length };
  return offered(at, definition, argument)
    .filter(({ label }) => !used.has(label))
    .map(({ label, detail }, i) => ({
      label,
      kind: 'value',
      ...(detail !== undefined && { detail }),
      range,
      text: label,
      snippet: false,
      order: String(i).padStart(3, '0'),
    }));
}

interface Offered {
  readonly label: string;
  readonly detail?: string;
}

function offered(at: At, definition: MarkerDefinition, argument: MarkerArgument): readonly Offered[] {
  if (argument.values) return argument.values.map((label) => ({ label }));
  if (argument.offers === 'itemKey') return itemKeys(at);
  if (argument.offers === 'field') return fieldNames(at);
  if (argument.offers === 'path') return paths(at);
  return argument.type.kind === 'any' || definition.name.endsWith(':Enum') ? constants(at) : [];
}

function typeHere({ placed: { field, type, marker } }: At): TypeExpression | undefined {
  return marker.target === 'field' ? field?.type : type?.type;
}

/** The scalar fields of a list's items that are not keys yet. */
function itemKeys(at: At): Offered[] {
  const { file, types, placed } = at;
  const list = typeHere(at);
  const under = list && underlying(list, types);
  const item = under?.kind === 'list' ? underlying(under.of, types) : undefined;
  const beside = placed.field ? collectMarkers(file).ofField.get(placed.field) : undefined;
  const used = (beside ?? [])
    .filter(({ definition }) => definition?.arguments[0]?.offers === 'itemKey')
    .map(({ value }) => value);
  return fieldsOf(item, types)
    .filter(({ field }) => !['list', 'map', 'struct'].includes(kindOf(field.type, types) ?? ''))
    .filter(({ label }) => !used.includes(label));
}

function fieldNames(at: At): Offered[] {
  const type = typeHere(at);
  return fieldsOf(type && underlying(type, at.types), at.types);
}

interface NamedField extends Offered {
  readonly field: Field;
}

/** The fields of a struct by their names in JSON. */
function fieldsOf(struct: TypeExpression | undefined, types: TypesByName): NamedField[] {
  if (struct?.kind !== 'struct') return [];
  return struct.fields.flatMap((field) => {
    const label = jsonName(field);
    return label === undefined ? [] : [{ label, detail: kindOf(field.type, types) ?? '', field }];
  });
}

/** The paths of scalars in the objects of a kind. */
function paths(at: At): Offered[] {
  const type = typeHere(at);
  const found: Offered[] = [];
  let looked = 0;
  const walk = (struct: TypeExpression | undefined, path: string, steps: number): void => {
    for (const { label, field } of fieldsOf(struct, at.types)) {
      if (found.length >= most.paths || looked++ >= most.fields) return;
      const kind = kindOf(field.type, at.types);
      if (kind === 'struct' && steps < most.steps)
        walk(underlying(field.type, at.types), `${path}.${label}`, steps + 1);
      else if (kind !== 'struct' && label !== 'metadata') found.push({ label: `${path}.${label}`, detail: kind ?? '' });
    }
  };
  walk(type && underlying(type, at.types), '', 0);
  return [
    ...found,
    { label: '.metadata.creationTimestamp', detail: 'date' },
    { label: '.metadata.name', detail: 'string' },
  ];
}

/** The constants of the type, and what else its values can be. */
function constants(at: At): Offered[] {
  const type = typeHere(at);
  if (!type) return [];
  if (kindOf(type, at.types) === 'bool') return [{ label: 'true' }, { label: 'false' }];
  const bare = type.kind === 'pointer' ? type.to : type;
  const name = at.placed.marker.target === 'type' ? at.placed.type?.name : bare.kind === 'name' ? bare.name : undefined;
  const ofType = at.file.constants.filter(({ type: of }) => of?.kind === 'name' && of.name === name);
  const values = ofType.slice(0, most.constants).flatMap((constant) => constant.values);
  return values.slice(0, most.constants).map((value) => ({ label: value.replace(/^["`]|["`]$/g, '') }));
}
