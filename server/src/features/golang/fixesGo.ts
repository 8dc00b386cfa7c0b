import { difference, lineStartBefore, movedRange } from '../../base/text.ts';
import { equalValues, isList, isMap, type Path, type Value, valueAt } from '../../base/value.ts';
import type { GeneratedCrd, GoPlace } from '../../golang/crd/model.ts';
import { editedText } from '../../rules/fixing/fixes.ts';
import { markersBetween, type PlacedMarker } from '../../rules/fixing/markers.ts';
import type { Fix, TextEdit } from '../../rules/model/diagnostic.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixesFor } from '../fixes.ts';
import { markerProblemOf } from './diagnoseGo.ts';
import { argumentOf, documentAt, escaped, type GoView, withMade } from './view.ts';

/** What can be done in the Go file about something that was found in its CRDs. */
export function fixesGo(snapshot: Snapshot, view: GoView, code: string, key: string): Fix[] {
  const own = markerProblemOf(view, key);
  if (own) return own.code === code ? [...own.fixes] : [];
  return fixesFor(withMade(snapshot, view), view.made, code, key).flatMap((fix) => {
    const change = changeOf(view, fix.edits);
    const edits = change && (inStrings(view, change) ?? asMarkers(view, change));
    return edits && edits.length > 0 ? [{ ...fix, edits }] : [];
  });
}

/** Edits within rules, in the Go strings; undefined where one of them is somewhere else. */
function inStrings(view: GoView, change: Change): TextEdit[] | undefined {
  const paths = new Map(change.paths.map((path) => [path.join('/'), path]));
  const found = Array.from(paths.values(), (path) => stringEdit(view, change, path));
  return found.every((edit) => edit !== undefined) ? found : undefined;
}

/** What a string of a rule is made into, where it differs. */
function stringEdit(view: GoView, { crd, before, after }: Change, path: Path): TextEdit | undefined {
  const [list, , part] = path.slice(-3);
  if (list !== 'x-kubernetes-validations' || (part !== 'rule' && part !== 'messageExpression')) return undefined;
  const [old, now] = [valueAt(before, path), valueAt(after, path)];
  const map = argumentOf(view, crd, path)?.map;
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
  readonly crd: GeneratedCrd;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** Where each of the edits is. */
  readonly paths: readonly Path[];
}

function changeOf(view: GoView, edits: readonly TextEdit[]): Change | undefined {
  const first = edits[0] && documentAt(view, edits[0].range.start);
  if (!first) return undefined;
  const { crd, document, start } = first;
  const within = edits.map(({ range, text }) => ({ range: movedRange(range, -start), text }));
  return {
    crd,
    before: valueOf(document),
    after: valueOf(parseDocument(editedText(document.text, within))),
    paths: within.map(({ range }) => pathAt(document, range.start).path),
  };
}

/** Edits of schemas, as markers above the fields and types they are about. */
function asMarkers(view: GoView, change: Change): TextEdit[] | undefined {
  const { crd, before, after } = change;
  const found = markersBetween(before, after).map((marker) => {
    if (marker.text.includes(':XValidation:')) return ruleEdit(view, change, marker);
    const instead = keywordPlace(view, crd, marker.path, marker.text);
    return markerEdit(view, crd.originOf(marker.path), instead, marker.text);
  });
  return found.length > 0 && found.every((edit) => edit !== undefined) ? found : undefined;
}

/** What a rule has more than before, behind the arguments that its marker has. */
function ruleEdit(view: GoView, { crd, before, after }: Change, marker: PlacedMarker): TextEdit | undefined {
  const list = [...marker.path, 'x-kubernetes-validations'];
  const rules = valueAt(after, list);
  if (!isList(rules)) return undefined;
  for (const [i, rule] of rules.entries()) {
    const old = valueAt(before, [...list, i]);
    if (!isMap(rule) || !isMap(old) || equalValues(rule, old)) continue;
    const added = [...rule].filter(([key]) => !old.has(key));
    const place = crd.originOf([...list, i]);
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

/** The marker that says the same with another argument, if there is one. */
function keywordPlace(view: GoView, crd: GeneratedCrd, path: Path, text: string): GoPlace | undefined {
  const name = /^\+([^=]+)=/.exec(text)?.[1];
  const place = name === undefined ? undefined : crd.originOf([...path, keywordOf(name)]);
  return place && view.file.go.text.startsWith(`+${name}=`, place.range.start) ? place : undefined;
}

function keywordOf(name: string): string {
  const last = name.split(':').at(-1)!;
  return last.slice(0, 1).toLowerCase() + last.slice(1);
}

function markerEdit(
  view: GoView,
  place: GoPlace | undefined,
  instead: GoPlace | undefined,
  text: string,
): TextEdit | undefined {
  if (instead?.uri === view.uri) return { range: instead.range, text };
  if (place?.uri !== view.uri) return undefined;
  const { text: go } = view.file.go;
  const line = lineStartBefore(go, place.range.start);
  const indent = /^[ \t]*/.exec(go.slice(line))![0];
  const eol = go.includes('\r\n') ? '\r\n' : '\n';
  return { range: { start: line, end: line }, text: `${indent}// ${text}${eol}` };
}
