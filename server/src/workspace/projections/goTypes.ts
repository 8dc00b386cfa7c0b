import { memo } from '../../base/memo.ts';
import { lastNotAbove, movedRange, type Range } from '../../base/text.ts';
import {
  type DocumentPath,
  isList,
  isMap,
  isString,
  type Path,
  type Value,
  type ValueMap,
  valueAt,
} from '../../base/value.ts';
import { whyNotMade } from '../../controllergen/crd/missing.ts';
import type { GeneratedCrd, GoMistake, GoPlace } from '../../controllergen/crd/model.ts';
import type { Marker, TextMap, WrittenArgument, WrittenValue } from '../../controllergen/markers/model.ts';
import { markersIn, type PackageFile } from '../../controllergen/packages.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { nodeAtPath, pathAt, rangeOf } from '../../yaml/place.ts';
import { type ScalarMap, scalarMap } from '../../yaml/scalarMap.ts';
import type { GoResult } from '../goPackages.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import { folderOf } from '../uri.ts';
import { plainText } from './crdText.ts';
import { fieldNamedAt, nameInTag, nameOfField } from './goFields.ts';
import type { Origin, Projection } from './projection.ts';

/**
 * A Go file as the other features can work on it: the CRDs that controller-gen makes of its package, as a YAML file that
 * is nowhere but in memory, and the ways between the places of both.
 */
export interface GoView {
  readonly uri: string;
  readonly file: PackageFile;
  readonly types: GoCrds;
  /** The address of the YAML, where a snapshot has it. */
  readonly made: string;
  readonly source: SourceFile;
  readonly crds: readonly GeneratedCrd[];
  readonly mistakes: readonly GoMistake[];
  /** The same if the file had another text. */
  remade(text: string): GoView | undefined;
}

/** A part of the CRDs that are made of Go types. */
export interface CrdPart {
  /** Which of the documents. */
  readonly document: number;
  readonly path: DocumentPath;
  /** It is the key, not what is behind it. */
  readonly isKey?: true;
  /** Of a text, by the offsets of what it decodes to. */
  readonly within?: Range | undefined;
}

/** A document of the YAML, with the CRD that it is. */
export interface MadeDocument {
  readonly index: number;
  readonly crd: GeneratedCrd;
  readonly document: YamlDocument;
  readonly start: number;
}

/** The CRDs of all files of some packages, as a YAML file, with what leads from its parts to places in Go, and back. */
export class GoCrds implements Projection<CrdPart, GoPlace> {
  readonly result: GoResult;
  readonly source: SourceFile;
  private readonly files: ReadonlyMap<string, PackageFile>;
  private last: StringInYaml | undefined;
  private lastArgument: { readonly path: Path; readonly found: FoundArgument | undefined } | undefined;
  private byRule: PartsByPlace | undefined;
  private byField: PartsByPlace | undefined;

  constructor(result: GoResult, source: SourceFile) {
    this.result = result;
    this.source = source;
    this.files = new Map(result.roots.flatMap(({ files }) => files.map((file) => [file.uri, file])));
  }

  /** One of the files that the CRDs are made of. */
  fileAt(uri: string): PackageFile | undefined {
    return this.files.get(uri);
  }

  written(part: CrdPart): readonly Origin<GoPlace>[] {
    const crd = this.result.crds[part.document];
    if (!crd) return [];
    if (part.isKey) return this.writtenKey(crd, part);
    const argument = part.within || isRuleString(part.path) ? this.argumentAt(part) : undefined;
    if (argument) return [this.inArgument(part, argument)];
    const place = crd.originOf(part.path);
    return place ? [{ place, how: whyNotMade(crd) === undefined ? 'computed' : 'unknown' }] : [];
  }

  /** A property is called what the tag of its field says; all other keys follow from something else. */
  private writtenKey(crd: GeneratedCrd, { path }: CrdPart): readonly Origin<GoPlace>[] {
    const place = crd.originOf(path);
    const file = place && this.files.get(place.uri);
    const field = path.at(-2) === 'properties' && file ? fieldNamedAt(file.go, place.range.start) : undefined;
    const name = field && nameInTag(field);
    if (file && name && file.go.text.slice(name.start, name.end) === path.at(-1)) {
      return [{ place: { uri: file.uri, range: name }, how: 'written' }];
    }
    return place ? [{ place, how: 'computed' }] : [];
  }

  private inArgument({ within }: CrdPart, { uri, argument, isSame }: FoundArgument): Origin<GoPlace> {
    const { map, valueRange } = argument;
    if (!map || !isSame) return { place: { uri, range: valueRange }, how: 'computed' };
    return { place: { uri, range: within ? inText(map, within) : valueRange }, how: 'written' };
  }

  made({ uri, range }: GoPlace): readonly CrdPart[] {
    const file = this.files.get(uri);
    if (!file) return [];
    const rules = this.rules.get(keyOf(uri, range));
    if (rules) return rules;
    const string = ruleStringAt(file, range.start);
    if (string) return this.madeOfString(uri, string, range);
    const field = fieldNamedAt(file.go, range.start);
    return (field && this.fields.get(keyOf(uri, nameOfField(field)))) ?? [];
  }

  private madeOfString(uri: string, { marker, argument, map }: RuleString, range: Range): CrdPart[] {
    const [start, end] = [offsetIn(map, range.start), offsetIn(map, range.end)];
    const parts = this.rules.get(keyOf(uri, marker.range)) ?? [];
    return parts.map(({ document, path }) => ({ document, path: [...path, argument], within: { start, end } }));
  }

  /** Rules by the markers that they are written in. */
  private get rules(): PartsByPlace {
    this.byRule ??= this.partsBy((crd, visit) => eachRule(crd.value, [], visit));
    return this.byRule;
  }

  /** The properties of each field, as keys. */
  private get fields(): PartsByPlace {
    this.byField ??= this.partsBy((crd, visit) => eachProperty(crd.value, visit), true);
    return this.byField;
  }

  private partsBy(each: (crd: GeneratedCrd, visit: (path: Path) => void) => void, isKey = false): PartsByPlace {
    const found = new Map<string, CrdPart[]>();
    for (const [document, crd] of this.result.crds.entries()) {
      each(crd, (path) => {
        const place = crd.originOf(path);
        if (!place) return;
        const key = keyOf(place.uri, place.range);
        const part = { document, path, ...(isKey && { isKey: true as const }) };
        const known = found.get(key);
        if (known) known.push(part);
        else found.set(key, [part]);
      });
    }
    return found;
  }

  /** The string in Go that a text of the CRD is. */
  argumentAt({ document, path }: CrdPart): FoundArgument | undefined {
    if (this.lastArgument?.path === path) return this.lastArgument.found;
    const found = this.argumentOf(document, path);
    this.lastArgument = { path, found };
    return found;
  }

  private argumentOf(document: number, path: DocumentPath): FoundArgument | undefined {
    const crd = this.result.crds[document];
    const place = crd?.originOf(isRuleString(path) ? path.slice(0, -1) : path);
    const file = place && this.files.get(place.uri);
    const marker = file && markersByStart(file).get(place.range.start);
    const value = marker && valueAt(crd?.value, path);
    const argument = isRuleString(path)
      ? marker?.arguments.find(({ name }) => name === path.at(-1))
      : isString(value) && onlyOne(marker?.arguments.flatMap(valuesOf).filter((one) => one.map?.value === value));
    return file && argument ? { uri: file.uri, argument, isSame: argument.map?.value === value } : undefined;
  }

  /** The part of the CRDs that a range of the YAML is. */
  partAt(range: Range): CrdPart | undefined {
    // The parts of a rule come one after the other, and a rule can be very long.
    const { last } = this;
    if (last && last.start <= range.start && range.end <= last.end) return partIn(last, range);
    const made = this.documentAt(range.start);
    if (!made) return undefined;
    const { path } = pathAt(made.document, range.start - made.start);
    return this.partOf(made, path, range);
  }

  /** The same where the path is known. */
  partOf({ index, document, start }: MadeDocument, path: DocumentPath, range: Range): CrdPart {
    const found = isRuleString(path) ? nodeAtPath(document, path) : undefined;
    if (!found) return { document: index, path };
    const place = { start: found.start + start, end: found.start + found.node.length + start };
    this.last = { ...place, index, path, map: scalarMap(document, path), offset: start };
    return partIn(this.last, range);
  }

  /** Where in the YAML a part is; of a text the beginning of what is asked for. */
  rangeOf({ document, path, within, isKey }: CrdPart): Range | undefined {
    const placed = this.source.stream.documents[document];
    const map = placed && within && scalarMap(placed.document, path);
    if (placed && map) {
      const at = (offset: number) => map.toText(Math.min(offset, map.value.length));
      return movedRange({ start: at(within.start), end: at(within.end) }, placed.start);
    }
    const found = placed && rangeOf(placed.document, path, isKey ? 'key' : 'value');
    return found && movedRange(found, placed.start);
  }

  /** Where in Go a range of the YAML comes from. */
  writtenAt(range: Range): GoPlace | undefined {
    const part = this.partAt(range);
    return part && this.written(part)[0]?.place;
  }

  documentAt(offset: number): MadeDocument | undefined {
    const index = lastNotAbove(startsIn(this.source), offset);
    const [placed, crd] = [this.source.stream.documents[index], this.result.crds[index]];
    return placed && crd && { index, crd, document: placed.document, start: placed.start };
  }
}

type PartsByPlace = ReadonlyMap<string, readonly CrdPart[]>;

interface FoundArgument {
  readonly uri: string;
  readonly argument: WrittenValue;
  /** The CRD has the very text. */
  readonly isSame: boolean;
}

/** A string of a rule in the YAML, from its start to its end there. */
interface StringInYaml extends Range {
  readonly index: number;
  readonly path: DocumentPath;
  readonly map: ScalarMap | undefined;
  /** Where its document starts. */
  readonly offset: number;
}

function partIn({ index, path, start, map, offset }: StringInYaml, range: Range): CrdPart {
  const part = { document: index, path };
  if (!map) return part;
  const within = movedRange(range, -offset);
  // The whole string: with its quotes.
  const isWhole = range.start < start || (range.start === start && within.end >= map.toText(map.value.length));
  if (isWhole) return part;
  const first = map.toValue(within.start) ?? map.value.length;
  const last = map.toValue(Math.max(within.start, within.end - 1));
  const end = last === undefined ? map.value.length : last + (within.end > within.start ? 1 : 0);
  return { ...part, within: { start: first, end } };
}

function inText(map: TextMap, { start, end }: Range): Range {
  return { start: map.toText(start), end: end > start ? map.toTextEnd(end - 1) : map.toText(start) };
}

/** The values of an argument, those of a list each for itself. */
function valuesOf(argument: WrittenArgument): readonly WrittenValue[] {
  return argument.items ?? [argument];
}

function onlyOne<T>(all: readonly T[] | undefined): T | undefined {
  return all?.length === 1 ? all[0] : undefined;
}

const keyOf = (uri: string, { start }: Range) => `${uri}#${start}`;

/** Puts what was made into a YAML file; `previous` is the one that was made before a change. */
export function crdsOf(result: GoResult, folder: string, previous?: SourceFile): GoCrds {
  const text = result.crds.map((crd) => plainText(unsigned(crd.value))).join('---\n');
  return new GoCrds(result, sourceFile(`${folder}/go-types.crd.yaml`, text, { previous, languageId: 'yaml' }));
}

/** Without the version of controller-gen: what it generated is better mended at its source, and this is the source. */
function unsigned(value: ValueMap): ValueMap {
  const metadata = new Map(isMap(value.get('metadata')) ? (value.get('metadata') as ValueMap) : []);
  const annotations = new Map(isMap(metadata.get('annotations')) ? (metadata.get('annotations') as ValueMap) : []);
  annotations.delete('controller-gen.kubebuilder.io/version');
  if (annotations.size > 0) metadata.set('annotations', annotations);
  else metadata.delete('annotations');
  return new Map(value).set('metadata', metadata);
}

export function viewOf(types: GoCrds, uri: string): GoView | undefined {
  const { result, source } = types;
  const file = types.fileAt(uri);
  if (!file) return undefined;
  const { crds, mistakes } = result;
  const remade = (text: string) => viewOf(crdsOf(result.remade(uri, text), folderOf(source.uri), source), uri);
  return { uri, file, types, made: source.uri, source, crds, mistakes, remade };
}

/** Most parts have none, and are the same as before the last key. */
const hasRules = memo((part: ValueMap | readonly Value[]): boolean => {
  if (isMap(part) && part.has('x-kubernetes-validations')) return true;
  return [...part.values()].some((inner) => (isMap(inner) || isList(inner)) && hasRules(inner));
});

function eachRule(value: Value, path: Path, visit: (path: Path) => void): void {
  if (!(isMap(value) || isList(value)) || !hasRules(value)) return;
  if (isList(value)) {
    value.forEach((item, i) => {
      eachRule(item, [...path, i], visit);
    });
  } else if (isMap(value)) {
    for (const [key, inner] of value) {
      if (key !== 'x-kubernetes-validations' || !isList(inner)) eachRule(inner, [...path, key], visit);
      else
        inner.forEach((rule, i) => {
          if (isMap(rule)) visit([...path, key, i]);
        });
    }
  }
}

/** The properties of all schemas of a CRD. */
function eachProperty(crd: ValueMap, visit: (path: Path) => void): void {
  const versions = valueAt(crd, ['spec', 'versions']);
  for (const [i, version] of (isList(versions) ? versions : []).entries()) {
    const path = ['schema', 'openAPIV3Schema'];
    inSchema(valueAt(version, path), ['spec', 'versions', i, ...path], visit);
  }
}

function inSchema(schema: Value | undefined, path: Path, visit: (path: Path) => void): void {
  if (isList(schema)) for (const [i, one] of schema.entries()) inSchema(one, [...path, i], visit);
  if (!isMap(schema)) return;
  const properties = schema.get('properties');
  for (const [name, property] of isMap(properties) ? properties : []) {
    const at = [...path, 'properties', name];
    visit(at);
    inSchema(property, at, visit);
  }
  for (const key of ['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not']) {
    inSchema(schema.get(key), [...path, key], visit);
  }
}

/** Offsets of the YAML, from those of the Go file: only strings of rules have them. */
export function toMade({ types, uri, file }: GoView, offset: number): number | undefined {
  if (!ruleStringAt(file, offset)) return undefined;
  const [part] = types.made({ uri, range: { start: offset, end: offset } });
  return part && types.rangeOf(part)?.start;
}

/** The rules that come of the marker around an offset of a Go file. */
export function rulesAt({ file, uri, types }: GoView, offset: number): readonly CrdPart[] {
  const marker = ruleMarkers(file).find(({ range }) => range.start <= offset && offset <= range.end);
  return marker ? types.made({ uri, range: marker.range }) : [];
}

/** Where the YAML has the rules of the markers in a part of the Go file. */
export function rulesMade({ file, uri, types }: GoView, within: Range): Range[] {
  const inside = ruleMarkers(file).filter(({ range }) => range.end >= within.start && range.start <= within.end);
  return inside.flatMap(({ range }) => {
    const [part] = types.made({ uri, range });
    return (part && types.rangeOf(part)) ?? [];
  });
}

interface RuleString {
  readonly marker: Marker;
  /** Its name, `rule` or `messageExpression`. */
  readonly argument: string;
  readonly map: TextMap;
}

/** The rule or message expression that an offset of a Go file is in. */
export function ruleStringAt(file: PackageFile, offset: number): RuleString | undefined {
  const marker = ruleMarkers(file).find(({ range }) => range.start <= offset && offset <= range.end);
  for (const { name, map, value } of marker?.arguments ?? []) {
    if (!map || !isString(value) || (name !== 'rule' && name !== 'messageExpression')) continue;
    const isIn = map.toValue(offset) !== undefined || offset === map.toText(map.value.length);
    if (marker && isIn) return { marker, argument: name, map };
  }
  return undefined;
}

/** What offset of a string an offset of the file is; its end for what is behind it. */
function offsetIn(map: TextMap, offset: number): number {
  return map.toValue(offset) ?? map.value.length;
}

const ruleMarkers = memo(({ go }: PackageFile): readonly Marker[] =>
  markersIn(go).filter(({ definition }) => definition?.name.endsWith('XValidation')),
);

/** The markers of a file that belong to something, by where their `+` is. */
export const markersByStart = memo(
  ({ go }: PackageFile): ReadonlyMap<number, Marker> =>
    new Map(markersIn(go).map((marker) => [marker.range.start, marker])),
);

const startsIn = memo(({ stream }: SourceFile): readonly number[] => stream.documents.map(({ start }) => start));

const ruleParts: ReadonlySet<unknown> = new Set(['rule', 'message', 'messageExpression', 'fieldPath', 'reason']);

function isRuleString(path: Path): boolean {
  const [list, index, part] = path.slice(-3);
  return list === 'x-kubernetes-validations' && typeof index === 'number' && ruleParts.has(part);
}

/** A text as it stands within double quotes. */
export function escaped(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
}
