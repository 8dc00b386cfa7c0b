import { memo } from '../../base/memo.ts';
import { movedRange, type Range } from '../../base/text.ts';
import { isList, isMap, type Path, type Value, type ValueMap } from '../../base/value.ts';
import type { GeneratedCrd, GoMistake, GoPlace } from '../../golang/crd/model.ts';
import type { Marker, TextMap, WrittenArgument } from '../../golang/markers/model.ts';
import { markersIn, type PackageFile } from '../../golang/packages.ts';
import type { GoResult } from '../../workspace/goPackages.ts';
import { type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../../workspace/sourceFile.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { nodeAtPath, pathAt, rangeOf } from '../../yaml/place.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { plainText } from './crdText.ts';

/**
 * A Go file as the other features can work on it: the CRDs that controller-gen makes of its package, as a YAML file that
 * is nowhere but in memory, and the ways between the places of both.
 */
export interface GoView {
  readonly uri: string;
  readonly file: PackageFile;
  /** The address of the YAML in `snapshot`. */
  readonly made: string;
  readonly source: SourceFile;
  readonly crds: readonly GeneratedCrd[];
  readonly mistakes: readonly GoMistake[];
  /** The strings of rules in the Go file, by the marker they are in: where the YAML has them. */
  readonly rules: ReadonlyMap<number, { readonly document: number; readonly path: Path }>;
}

/** The CRDs of all files of some packages. */
export interface GoCrds {
  readonly result: GoResult;
  readonly source: SourceFile;
}

/** Puts what was made into a YAML file; `previous` is the one that was made before a change. */
export function crdsOf(result: GoResult, folder: string, previous?: SourceFile): GoCrds {
  const text = result.crds.map((crd) => plainText(unsigned(crd.value))).join('---\n');
  return { result, source: sourceFile(`${folder}/go-types.crd.yaml`, text, { previous, languageId: 'yaml' }) };
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

export function viewOf({ result, source }: GoCrds, uri: string): GoView | undefined {
  const file = result.roots.flatMap(({ files }) => files).find((one) => one.uri === uri);
  if (!file) return undefined;
  const { crds, mistakes } = result;
  return { uri, file, made: source.uri, source, crds, mistakes, rules: rulesIn(crds, uri) };
}

/** A snapshot in which the YAML is open. */
export function withMade(snapshot: Snapshot, { source }: Pick<GoView, 'source'>): Snapshot {
  return withOpen(snapshot, source);
}

function rulesIn(crds: readonly GeneratedCrd[], uri: string): GoView['rules'] {
  const rules = new Map<number, { document: number; path: Path }>();
  crds.forEach((crd, document) => {
    eachRule(crd.value, [], (path) => {
      const place = crd.originOf(path);
      if (place?.uri === uri && !rules.has(place.range.start)) rules.set(place.range.start, { document, path });
    });
  });
  return rules;
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

/** Offsets of the YAML, from those of the Go file: only strings of rules have them. */
export function toMade(view: GoView, offset: number): number | undefined {
  const at = ruleStringAt(view, offset);
  if (!at) return undefined;
  const placed = view.source.stream.documents[at.document];
  const map = placed && scalarMap(placed.document, at.path);
  if (!placed || !map) return undefined;
  return map.toText(Math.min(at.within, map.value.length)) + placed.start;
}

/** Where the YAML has the rules of the markers in a part of the Go file. */
export function rulesMade({ file, rules, source }: GoView, within: Range): Range[] {
  const inside = ruleMarkers(file).filter(({ range }) => range.end >= within.start && range.start <= within.end);
  return inside.flatMap(({ range }) => {
    const rule = rules.get(range.start);
    const placed = rule && source.stream.documents[rule.document];
    const found = placed && rangeOf(placed.document, rule.path, 'value');
    return found ? [movedRange(found, placed.start)] : [];
  });
}

export interface RuleString {
  readonly document: number;
  /** The path of the string in the CRD's document. */
  readonly path: Path;
  readonly within: number;
  readonly map: TextMap;
  readonly marker: Marker;
}

/** The rule or message expression that an offset of the Go file is in. */
export function ruleStringAt({ file, rules }: GoView, offset: number): RuleString | undefined {
  const marker = ruleMarkers(file).find(({ range }) => range.start <= offset && offset <= range.end);
  const rule = marker && rules.get(marker.range.start);
  if (!marker || !rule) return undefined;
  for (const { name, map, value } of marker.arguments) {
    if (!map || (name !== 'rule' && name !== 'messageExpression')) continue;
    const within = map.toValue(offset) ?? (offset === map.toText(map.value.length) ? map.value.length : undefined);
    if (within !== undefined && typeof value === 'string') {
      return { document: rule.document, path: [...rule.path, name], within, map, marker };
    }
  }
  return undefined;
}

const ruleMarkers = memo(({ go }: PackageFile): readonly Marker[] =>
  markersIn(go).filter(({ definition }) => definition?.name.endsWith('XValidation')),
);

/** A document of the YAML, with the CRD that it is. */
export interface MadeDocument {
  readonly crd: GeneratedCrd;
  readonly document: YamlDocument;
  readonly start: number;
}

export function documentAt({ source: { stream }, crds }: GoView, offset: number): MadeDocument | undefined {
  const index = stream.documents.findLastIndex(({ start }) => start <= offset);
  const [placed, crd] = [stream.documents[index], crds[index]];
  return placed && crd && { crd, document: placed.document, start: placed.start };
}

/** Where in Go a range of the YAML comes from; in which file, too. */
export function toGo(view: GoView, range: Range): GoPlace | undefined {
  const made = documentAt(view, range.start);
  if (!made) return undefined;
  const { crd, document, start } = made;
  const within = movedRange(range, -start);
  const { path } = pathAt(document, within.start);
  return stringPlace(view, crd, path, within, document) ?? crd.originOf(path);
}

const ruleParts: ReadonlySet<unknown> = new Set(['rule', 'message', 'messageExpression', 'fieldPath', 'reason']);

/** A range within a string of a rule, in the Go string that it is written as. */
function stringPlace(
  view: GoView,
  crd: GeneratedCrd,
  path: Path,
  within: Range,
  document: YamlDocument,
): GoPlace | undefined {
  const [list, index, part] = path.slice(-3);
  if (list !== 'x-kubernetes-validations' || typeof index !== 'number' || !ruleParts.has(part)) return undefined;
  const argument = argumentOf(view, crd, path);
  const found = nodeAtPath(document, path);
  if (!argument || !found) return undefined;
  const from = scalarMap(document, path);
  if (!argument.map || !from || from.value !== argument.map.value) return { uri: view.uri, range: argument.valueRange };
  // The whole string: with its quotes.
  const isWhole =
    within.start < found.start || (within.start === found.start && within.end >= from.toText(from.value.length));
  if (isWhole) return { uri: view.uri, range: argument.valueRange };
  const start = from.toValue(within.start) ?? from.value.length;
  const last = from.toValue(Math.max(within.start, within.end - 1));
  const end = last === undefined ? from.value.length : last + (within.end > within.start ? 1 : 0);
  const { map } = argument;
  const range = { start: map.toText(start), end: end > start ? map.toTextEnd(end - 1) : map.toText(start) };
  return { uri: view.uri, range };
}

/** The argument of a marker in this file that a string of a rule is. */
export function argumentOf(view: GoView, crd: GeneratedCrd, path: Path): WrittenArgument | undefined {
  const place = crd.originOf(path.slice(0, -1));
  if (place?.uri !== view.uri) return undefined;
  const marker = ruleMarkers(view.file).find(({ range }) => range.start === place.range.start);
  return marker?.arguments.find(({ name }) => name === path[path.length - 1]);
}

/** A text as it stands within double quotes. */
export function escaped(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
}
