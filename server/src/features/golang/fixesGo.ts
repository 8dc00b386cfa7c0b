import { difference } from '../../base/text.ts';
import { equalValues, isList, isMap, type Path, type Value, valueAt } from '../../base/value.ts';
import { markersBetween, type PlacedMarker } from '../../rules/fixing/markers.ts';
import type { Fix, TextEdit } from '../../rules/model/diagnostic.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixesFor } from '../fixes.ts';
import { markerProblemOf } from './diagnoseGo.ts';
import { argumentOf, escaped, type GoView, withMade } from './view.ts';

/** What can be done in the Go file about something that was found in its CRDs. */
export function fixesGo(snapshot: Snapshot, view: GoView, code: string, key: string): Fix[] {
  const own = markerProblemOf(view, key);
  if (own) return own.code === code ? [...own.fixes] : [];
  return fixesFor(withMade(snapshot, view), view.made, code, key).flatMap((fix) => {
    const edits = inStrings(view, fix.edits) ?? asMarkers(view, fix.edits);
    return edits && edits.length > 0 ? [{ ...fix, edits }] : [];
  });
}

/** Edits within rules, in the Go strings; undefined where one of them is somewhere else. */
function inStrings(view: GoView, edits: readonly TextEdit[]): TextEdit[] | undefined {
  const change = changeOf(view, edits);
  if (!change) return undefined;
  const paths = new Map(change.paths.map((path) => [path.join('/'), path]));
  const found = Array.from(paths.values(), (path) => stringEdit(view, change, path));
  return found.every((edit) => edit !== undefined) ? found : undefined;
}

/** What a string of a rule is made into, where it differs. */
function stringEdit(view: GoView, { index, before, after }: Change, path: Path): TextEdit | undefined {
  const [list, , part] = path.slice(-3);
  if (list !== 'x-kubernetes-validations' || (part !== 'rule' && part !== 'messageExpression')) return undefined;
  const [old, now] = [valueAt(before, path), valueAt(after, path)];
  const map = argumentOf(view, view.crds[index]!, path)?.map;
  if (typeof old !== 'string' || typeof now !== 'string' || map?.value !== old) return undefined;
  const { start, end, endAfter } = difference(old, now);
  const quote = view.file.go.text[map.toText(0) - 1];
  const text = now.slice(start, endAfter);
  if (quote === '`' && text.includes('`')) return undefined;
  const range = { start: map.toText(start), end: end > start ? map.toTextEnd(end - 1) : map.toText(start) };
  return { range, text: quote === '"' ? escaped(text) : text };
}

/** What edits make of one of the CRDs. */
interface Change {
  readonly index: number;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** Where each of the edits is. */
  readonly paths: readonly Path[];
}

function changeOf(view: GoView, edits: readonly TextEdit[]): Change | undefined {
  const first = edits[0] && documentAt(view, edits[0].range.start);
  if (!first) return undefined;
  const { placed, index } = first;
  const within = edits.map(({ range, text }) => ({
    range: { start: range.start - placed.start, end: range.end - placed.start },
    text,
  }));
  return {
    index,
    before: valueOf(placed.document),
    after: valueOf(parseDocument(applied(placed.document.text, within))),
    paths: within.map(({ range }) => pathAt(placed.document, range.start).path),
  };
}

/** Edits of schemas, as markers above the fields and types they are about. */
function asMarkers(view: GoView, edits: readonly TextEdit[]): TextEdit[] | undefined {
  const change = changeOf(view, edits);
  if (!change) return undefined;
  const { index, before, after } = change;
  const crd = view.crds[index]!;
  const found = markersBetween(before, after).map((marker) => {
    if (marker.text.includes(':XValidation:')) return ruleEdit(view, change, marker);
    const instead = keywordPlace(view, index, marker.path, marker.text);
    return markerEdit(view, crd.originOf(marker.path), instead, marker.text);
  });
  return found.length > 0 && found.every((edit) => edit !== undefined) ? found : undefined;
}

/** What a rule has more than before, behind the arguments that its marker has. */
function ruleEdit(view: GoView, { index, before, after }: Change, marker: PlacedMarker): TextEdit | undefined {
  const list = [...marker.path, 'x-kubernetes-validations'];
  const rules = valueAt(after, list);
  if (!isList(rules)) return undefined;
  for (const [i, rule] of rules.entries()) {
    const old = valueAt(before, [...list, i]);
    if (!isMap(rule) || !isMap(old) || equalValues(rule, old)) continue;
    const added = [...rule].filter(([key]) => !old.has(key));
    const place = view.crds[index]!.originOf([...list, i]);
    const isMore = added.length > 0 && [...old].every(([key, value]) => equalValues(rule.get(key), value));
    if (!isMore || place?.uri !== view.uri) return undefined;
    const text = added.map(([key, value]) => `,${key}=${asArgument(value)}`).join('');
    return { range: { start: place.range.end, end: place.range.end }, text };
  }
  return undefined;
}

function asArgument(value: Value): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function applied(text: string, edits: readonly TextEdit[]): string {
  const lastFirst = [...edits].sort((a, b) => b.range.start - a.range.start);
  return lastFirst.reduce((now, { range, text: by }) => now.slice(0, range.start) + by + now.slice(range.end), text);
}

/** The marker that says the same with another argument, if there is one. */
function keywordPlace(view: GoView, index: number, path: Path, text: string) {
  const name = /^\+([^=]+)=/.exec(text)?.[1];
  const place = name === undefined ? undefined : view.crds[index]!.originOf([...path, keywordOf(name)]);
  return place && view.file.go.text.startsWith(`+${name}=`, place.range.start) ? place : undefined;
}

function keywordOf(name: string): string {
  const last = name.split(':').at(-1)!;
  return last.slice(0, 1).toLowerCase() + last.slice(1);
}

function markerEdit(
  view: GoView,
  place: ReturnType<GoView['crds'][number]['originOf']>,
  instead: typeof place,
  text: string,
): TextEdit | undefined {
  if (instead?.uri === view.uri) return { range: instead.range, text };
  if (place?.uri !== view.uri) return undefined;
  const { text: go } = view.file.go;
  const line = go.lastIndexOf('\n', place.range.start - 1) + 1;
  const indent = /^[ \t]*/.exec(go.slice(line))![0];
  const eol = go.includes('\r\n') ? '\r\n' : '\n';
  return { range: { start: line, end: line }, text: `${indent}// ${text}${eol}` };
}

function documentAt({ source }: GoView, offset: number) {
  const index = source.stream.documents.findLastIndex(({ start }) => start <= offset);
  const placed = source.stream.documents[index];
  return placed && { placed, index };
}
