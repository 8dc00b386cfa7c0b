import { difference, lineStartBefore, movedRange } from '../../base/text.ts';
import { equalValues, isList, isMap, type Path, type Value, valueAt } from '../../base/value.ts';
import type { GeneratedCrd, GoPlace } from '../../controllergen/crd/model.ts';
import { collectMarkers } from '../../controllergen/markers/collect.ts';
import type { Marker } from '../../controllergen/markers/model.ts';
import { namesOf } from '../../controllergen/markers/read.ts';
import { markerNamed } from '../../controllergen/markers/table.ts';
import { editedText } from '../../rules/fixing/fixes.ts';
import { markersBetween, type PlacedMarker } from '../../rules/fixing/markers.ts';
import {
  type Diagnostic,
  type Fix,
  isSameProblem,
  type ProblemId,
  type TextEdit,
} from '../../rules/model/diagnostic.ts';
import { withMade } from '../../workspace/languages/go.ts';
import { declarationAt } from '../../workspace/projections/goFields.ts';
import { escaped, type GoView, markersByStart } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixesFor } from '../mend/fixes.ts';
import { tested } from '../mend/tryFixes.ts';
import { diagnoseGo, markerProblemOf } from './diagnoseGo.ts';
import { trialOnGo } from './tryGoFixes.ts';

/** What can be done in the Go file about something that was found in it: each fix was tried there. */
export function fixesGo(snapshot: Snapshot, view: GoView, id: ProblemId): readonly Fix[] {
  const fixes = untried(snapshot, view, id);
  if (fixes.length === 0) return [];
  const found = diagnoseGo(snapshot, view).find((one) => isSameProblem(one, id));
  if (!found) return [];
  const own = fixes.filter(({ edits }) => edits.every(({ range }) => isAbout(view, found, range.start)));
  return own.length > 0 ? tested(trialOnGo(snapshot, view), found, own) : [];
}

/** Whether an offset is in the field or type that a finding is in, or in a field that has the type. */
function isAbout({ file: { go } }: GoView, { code, range }: Diagnostic, offset: number): boolean {
  // A rule costs less where the lists and texts are bounded that it goes through.
  if (/rule-cost/.test(code)) return true;
  const [found, edited] = [declarationAt(go, range.start), declarationAt(go, offset)];
  if (found.type === edited.type && found.field === edited.field) return true;
  const used = edited.field && go.text.slice(edited.field.type.range.start, edited.field.type.range.end);
  return found.field === undefined && found.type !== undefined && wordIn(used ?? '', found.type.name);
}

function wordIn(text: string, word: string): boolean {
  return text.match(/[\p{L}_][\p{L}\p{Nd}_]*/gu)?.includes(word) ?? false;
}

function untried(snapshot: Snapshot, view: GoView, id: ProblemId): readonly Fix[] {
  const own = markerProblemOf(view, id.key);
  if (own) return own.code === id.code ? own.fixes : [];
  return fixesFor(withMade(snapshot, view), view.made, id).flatMap((fix) => {
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
function stringEdit(view: GoView, { document, before, after }: Change, path: Path): TextEdit | undefined {
  const [list, , part] = path.slice(-3);
  if (list !== 'x-kubernetes-validations' || (part !== 'rule' && part !== 'messageExpression')) return undefined;
  const [old, now] = [valueAt(before, path), valueAt(after, path)];
  const found = view.types.argumentAt({ document, path });
  const map = found?.uri === view.uri ? found.argument.map : undefined;
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
  /** Which of the documents. */
  readonly document: number;
  readonly crd: GeneratedCrd;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** Where each of the edits is. */
  readonly paths: readonly Path[];
}

function changeOf(view: GoView, edits: readonly TextEdit[]): Change | undefined {
  const first = edits[0] && view.types.documentAt(edits[0].range.start);
  if (!first) return undefined;
  const { index, crd, document, start } = first;
  const within = edits.map(({ range, text }) => ({ range: movedRange(range, -start), text }));
  return {
    document: index,
    crd,
    before: valueOf(document),
    after: valueOf(parseDocument(editedText(document.text, within))),
    paths: within.map(({ range }) => pathAt(document, range.start).path),
  };
}

/** Edits of schemas, as markers above the fields and types they are about. */
function asMarkers(view: GoView, change: Change): TextEdit[] | undefined {
  const { crd, before, after } = change;
  const put = markersBetween(before, after).map((marker) => {
    if (marker.text.includes(':XValidation:')) return ruleEdit(view, change, marker);
    return markerEdit(view, crd.originOf(marker.path), markerLike(view, crd, marker), marker.text);
  });
  const gone = goneFrom(before, after, []).flatMap((path) => markersOf(view, crd, path));
  const found = [...put, ...gone.map((marker) => lineOf(view, marker))];
  return found.length > 0 && found.every((edit) => edit !== undefined) ? found : undefined;
}

/** The marker that says the same with another argument, if there is one. */
function markerLike(view: GoView, crd: GeneratedCrd, { path, text }: PlacedMarker): Marker | undefined {
  const names = namesOf(text);
  const definition = (['field', 'type'] as const).flatMap((target) =>
    names.flatMap((name) => markerNamed(name, target) ?? []),
  )[0];
  if (definition?.sets?.of !== 'schema' || definition.repeats) return undefined;
  return markerFor(view, crd, [...path, ...definition.sets.path]);
}

/** The marker that a keyword of a schema comes from. */
function markerFor(view: GoView, crd: GeneratedCrd, path: Path): Marker | undefined {
  const place = crd.originOf(path);
  const marker = place?.uri === view.uri ? markersByStart(view.file).get(place.range.start) : undefined;
  return marker && setsEndOf(marker, path) ? marker : undefined;
}

function setsEndOf({ definition }: Marker, path: Path): boolean {
  if (definition?.sets?.of !== 'schema') return false;
  const end = path.slice(path.length - definition.sets.path.length);
  return definition.sets.path.every((step, i) => step === end[i]);
}

/** All markers beside that one which set the same. */
function markersOf(view: GoView, crd: GeneratedCrd, path: Path): readonly Marker[] {
  const marker = markerFor(view, crd, path);
  if (!marker) return [];
  const { ofField, ofType } = collectMarkers(view.file.go);
  const together = [...ofField.values(), ...ofType.values()].find((all) => all.includes(marker)) ?? [];
  return together.filter((one) => setsEndOf(one, path));
}

/** The keywords that a value does not have any more. */
function goneFrom(before: Value | undefined, after: Value | undefined, path: Path): Path[] {
  if (isMap(before) && isMap(after)) {
    return [...before].flatMap(([key, inner]) => {
      const own = [...path, key];
      return after.has(key) ? goneFrom(inner, after.get(key), own) : [own];
    });
  }
  if (!isList(before) || !isList(after) || before.length !== after.length) return [];
  return before.flatMap((inner, i) => goneFrom(inner, after[i], [...path, i]));
}

/** Takes out the line of a marker, unless something else is on it. */
function lineOf(view: GoView, { range }: Marker): TextEdit | undefined {
  const { text } = view.file.go;
  const start = lineStartBefore(text, range.start);
  if (!/^[ \t]*\/\/[ \t]*$/.test(text.slice(start, range.start))) return undefined;
  const end = /^[ \t]*(?:\r?\n)?/.exec(text.slice(range.end))![0].length;
  return { range: { start, end: range.end + end }, text: '' };
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

function markerEdit(
  view: GoView,
  place: GoPlace | undefined,
  instead: Marker | undefined,
  text: string,
): TextEdit | undefined {
  if (instead) return { range: instead.range, text };
  if (place?.uri !== view.uri) return undefined;
  const { text: go } = view.file.go;
  const line = lineStartBefore(go, place.range.start);
  const indent = /^[ \t]*/.exec(go.slice(line))![0];
  const eol = go.includes('\r\n') ? '\r\n' : '\n';
  return { range: { start: line, end: line }, text: `${indent}// ${text}${eol}` };
}
