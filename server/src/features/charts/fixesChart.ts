/** Fixes of what is found in what a chart renders, made where that is written: each is tried there before it is offered. */
import { lineStartBefore, type Range, type TextEdit } from '../../base/text.ts';
import { withCallers } from '../../helm/deciders.ts';
import { editedText } from '../../rules/fixing/fixes.ts';
import type { Diagnostic, Fix } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { type MadeFile, madeFile } from '../../workspace/charts/madeFile.ts';
import type { ChartPlace } from '../../workspace/projections/chart.ts';
import { type Snapshot, withChartFolder, withOpen } from '../../workspace/snapshot.ts';
import { fixesFor } from '../mend/fixes.ts';
import { diagnose } from '../problems/diagnose.ts';
import { type ChartFinding, findingsOfTemplate, placesToBlame } from './diagnoseChart.ts';
import { type EditOf, editInValues } from './editsInValues.ts';
import { fixesOfIndent } from './fixIndent.ts';
import { partsOf, type Seen } from './seen.ts';

/** A finding, by its code and where it begins. */
interface Told {
  readonly code: string;
  readonly offset: number;
  readonly among: number;
}

/** Fixes of one file of a chart. */
export interface FixesOfFile {
  readonly uri: string;
  readonly fixes: readonly Fix[];
}

/** How many templates are rendered again to try a fix. */
const mostTemplates = 20;
/** How many fixes of one finding are tried. */
const mostFixes = 8;

/** What can be done about a finding, by the file that it changes: what takes it away and adds nothing. */
export function fixesInChart(seen: Seen, told: Told): readonly FixesOfFile[] {
  const found = findIn(seen, told);
  if (!found) return [];
  const byFile = new Map<string, Fix[]>();
  const most = Math.max(1, Math.floor(mostFixes / told.among));
  for (const { uri, fix } of [...ledBack(seen, found), ...ofTemplate(seen, found)].slice(0, most)) {
    if (isMending(seen, found, uri, fix)) byFile.set(uri, [...(byFile.get(uri) ?? []), fix]);
  }
  return Array.from(byFile, ([uri, fixes]) => ({ uri, fixes }));
}

/** Renders with the fix, by all values, and judges that again. */
function isMending(seen: Seen, { finding, having }: Found, uri: string, { edits }: Fix): boolean {
  const { snapshot, folder } = seen;
  const names = [...new Set([...having, ...touchedBy(seen, uri)])].slice(0, mostTemplates);
  const text = folder.fileAt(uri)?.text ?? '';
  const after = folder.withText(uri, editedText(text, edits));
  const changed = withChartFolder(snapshot, after);
  const before = names.flatMap((name) => findingsOfTemplate(snapshot, folder, name));
  const left = names.flatMap((name) => findingsOfTemplate(changed, after, name));
  const known = new Set(before.map(kindOf));
  const count = (all: readonly ChartFinding[]) => all.filter((one) => kindOf(one) === kindOf(finding)).length;
  return count(left) < count(before) && left.every((one) => known.has(kindOf(one)));
}

/** The templates that may come to something else once a file is another one. */
function touchedBy({ folder, renderings }: Seen, uri: string): readonly string[] {
  const isOfTemplate = partsOf(folder).some(({ chart }) => chart.templates.some(({ id }) => id === uri));
  const { names } = renderings;
  if (!isOfTemplate) return names;
  const callers = renderings.all.map(([, { trees }]) => {
    const inFile = [...trees.values()].filter(({ id }) => id === uri);
    return withCallers(
      trees,
      inFile.map(({ name }) => name),
    );
  });
  return names.filter((name) => callers.some((all) => all.has(name)));
}

/** What a finding is wherever it is, and whatever numbers it says. */
function kindOf({ uri, diagnostic: { code, message } }: ChartFinding): string {
  return [uri, code, message.replace('Once the other errors are fixed: ', '').replace(/\d+/g, '#')].join(' ');
}

interface Found {
  /** As it is found in the file of the chart. */
  readonly finding: ChartFinding;
  /** The templates that have it. */
  readonly having: readonly string[];
  /** Where it is found in what was made. */
  readonly snapshot: Snapshot;
  readonly made: MadeFile;
  readonly diagnostic: Diagnostic;
}

function findIn(seen: Seen, { code, offset }: Told): Found | undefined {
  const { snapshot, folder, file, renderings } = seen;
  const own = renderings.nameOf(file.id);
  const names = own === undefined ? renderings.names : [own];
  const having = names.flatMap((name) => {
    const finding = findingsOfTemplate(snapshot, folder, name).find((one) => {
      return one.uri === file.id && one.diagnostic.code === code && one.diagnostic.range.start === offset;
    });
    return finding ? [{ name, finding }] : [];
  });
  const [first] = having;
  if (!first) return undefined;
  for (const one of renderings.madeOf(first.name).made) {
    const made = madeFile(folder, one);
    const inMade = withOpen(snapshot, made.source);
    const diagnostic = diagnose(inMade, made.source.uri).find((each) => {
      const [place] = each.code === code ? placesToBlame(made, each) : [];
      return place?.place.uri === file.id && place.place.range.start === offset;
    });
    if (!diagnostic) continue;
    return {
      ...{ finding: first.finding, having: having.map(({ name }) => name) },
      ...{ snapshot: inMade, made, diagnostic },
    };
  }
  return undefined;
}

/** What is done in the template alone, since what was made does not show it. */
function ofTemplate(
  { file }: Seen,
  { finding: { uri, diagnostic } }: Found,
): { readonly uri: string; readonly fix: Fix }[] {
  const isUnread = uri === file.id && ruleOf(diagnostic.code)?.followed === true;
  return isUnread ? fixesOfIndent(file.text, diagnostic.range).map((fix) => ({ uri, fix })) : [];
}

/** Fixes of what was made, at the places that their edits come from; without those of which an edit has none. */
function ledBack(seen: Seen, { snapshot, made, diagnostic }: Found): { readonly uri: string; readonly fix: Fix }[] {
  return fixesFor(snapshot, made.source.uri, diagnostic).flatMap((fix) => {
    const edits = fix.edits.flatMap((edit) => editAtSource(seen, made, edit) ?? []);
    const [first] = edits;
    const isWhole = edits.length === fix.edits.length && edits.every(({ uri }) => uri === first?.uri);
    // What takes several changes may be meant otherwise than one rendering shows.
    const safe = fix.safe && edits.length === 1;
    return first && isWhole ? [{ uri: first.uri, fix: { ...fix, safe, edits: edits.map(({ edit }) => edit) } }] : [];
  });
}

function editAtSource(seen: Seen, made: MadeFile, edit: TextEdit): EditOf | undefined {
  const { range, text } = withoutBlanks(made.source.text, edit);
  const place = range.start === range.end ? placeOfPoint(made, range.start) : placeOfText(seen, made, range);
  const file = place && seen.folder.fileAt(place.uri);
  if (!place || !file) return editInValues(seen, made, { range, text });
  if (file.id.includes('!/')) return undefined;
  const shift = indentAt(made.source.text, range.start) - indentAt(file.text, place.range.start);
  return { uri: place.uri, edit: { range: place.range, text: indented(text, shift) } };
}

/** Without the blanks that stay: those before a value are of the template, whatever the value is of. */
function withoutBlanks(text: string, { range, text: put }: TextEdit): TextEdit {
  let { start, end } = range;
  let from = 0;
  while (start < end && text[start] === ' ' && put[from] === ' ') [start, from] = [start + 1, from + 1];
  let to = put.length;
  while (start < end && from < to && /\s/.test(text[end - 1]!) && text[end - 1] === put[to - 1])
    [end, to] = [end - 1, to - 1];
  return { range: { start, end }, text: put.slice(from, to) };
}

/** A text of several lines in a place that is indented by so much less. */
function indented(text: string, shift: number): string {
  if (shift <= 0) return text.replaceAll('\n', `\n${' '.repeat(-shift)}`);
  return text.replaceAll(`\n${' '.repeat(shift)}`, '\n');
}

function indentAt(text: string, offset: number): number {
  const start = lineStartBefore(text, offset);
  return /^ */.exec(text.slice(start, start + 1_000))![0].length;
}

/** Text of the template, or a value of a file, that is there to the letter. */
function placeOfText({ folder }: Seen, { source, places }: MadeFile, range: Range): ChartPlace | undefined {
  const [first] = places.written(range);
  const file = first?.how === 'written' ? folder.fileAt(first.place.uri) : undefined;
  const isLines = !file && source.text.slice(range.start, range.end).trimEnd().includes('\n');
  if (isLines) return places.ofLines(range);
  if (!first || !file) return undefined;
  const written = file.text.slice(first.place.range.start, first.place.range.end);
  const printed = source.text.slice(range.start, range.end);
  const isSame = first.place.value ? unquoted(written) === unquoted(printed) : written === printed;
  return isSame ? first.place : undefined;
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '');
}

/** Behind the character before it, or else before the one behind it. */
function placeOfPoint({ places }: MadeFile, at: number): ChartPlace | undefined {
  for (const [range, end] of [
    [{ start: at - 1, end: at }, 'end'],
    [{ start: at, end: at + 1 }, 'start'],
  ] as const) {
    const [first] = range.start < 0 ? [] : places.written(range);
    const isText = first?.how === 'written' && !first.place.value;
    if (isText) return { uri: first.place.uri, range: { start: first.place.range[end], end: first.place.range[end] } };
  }
  return undefined;
}
