import { equalValues, isList, isMap, type Path, type Value, valueAt } from '../../base/value.ts';
import { markersBetween, type PlacedMarker } from '../../rules/fixing/markers.ts';
import type { Fix, TextEdit } from '../../rules/model/diagnostic.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixesFor } from '../fixes.ts';
import { markerProblemOf } from './diagnoseGo.ts';
import { written } from './inRules.ts';
import { type GoView, toGo, withMade } from './view.ts';

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
  const placed = edits.map((edit): TextEdit | undefined => {
    const at = documentAt(view, edit.range.start);
    if (!at) return undefined;
    const { path } = pathAt(at.placed.document, edit.range.start - at.placed.start);
    const [list, , part] = path.slice(-3);
    if (list !== 'x-kubernetes-validations' || (part !== 'rule' && part !== 'messageExpression')) return undefined;
    const place = toGo(view, edit.range);
    if (place?.uri !== view.uri) return undefined;
    return { range: place.range, text: written(view, place.range.start, edit.text) };
  });
  return placed.every((edit) => edit !== undefined) ? placed : undefined;
}

/** Edits of schemas, as markers above the fields and types they are about. */
function asMarkers(view: GoView, edits: readonly TextEdit[]): TextEdit[] | undefined {
  const first = edits[0] && documentAt(view, edits[0].range.start);
  if (!first) return undefined;
  const { placed, index } = first;
  const crd = view.crds[index]!;
  const within = edits.map(({ range, text }) => ({
    range: { start: range.start - placed.start, end: range.end - placed.start },
    text,
  }));
  const before = valueOf(placed.document);
  const after = valueOf(parseDocument(applied(placed.document.text, within)));
  const found = markersBetween(before, after).map((marker) => {
    if (marker.text.includes(':XValidation:')) return ruleEdit(view, index, { marker, before, after });
    const instead = keywordPlace(view, index, marker.path, marker.text);
    return markerEdit(view, crd.originOf(marker.path), instead, marker.text);
  });
  return found.length > 0 && found.every((edit) => edit !== undefined) ? found : undefined;
}

/** What a rule has more than before, behind the arguments that its marker has. */
function ruleEdit(
  view: GoView,
  index: number,
  { marker, before, after }: { marker: PlacedMarker; before: Value | undefined; after: Value | undefined },
): TextEdit | undefined {
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
