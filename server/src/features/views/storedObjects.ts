import { counted } from '../../base/text.ts';
import type { Effect } from '../../rules/changes/change.ts';
import type { RefusedWrite, Writer } from '../../rules/changes/stored.ts';
import type { Counted, FaultTotal, FieldTotal, StoredTotals } from '../../rules/changes/storedTotals.ts';

import { type Markdown, md, table, words } from '../words/markdown.ts';

// What becomes of stored objects, in words: lines for a terminal, and tables for a page.

/** What is refused of an object, in a sentence about how many there are. */
const refusedTitles: Readonly<Record<RefusedWrite, string>> = {
  every: 'every write is refused, even one that changes nothing',
  other: 'a write that changes anything else beside what is wrong is refused',
  own: 'a write that changes what is wrong is refused, and others pass',
};

/** One thing to say about some of the objects. */
export interface StoredLine {
  readonly title: string;
  readonly objects: Counted;
  /** What is the cause, one line each, with how many it is about. */
  readonly causes: readonly { readonly text: string; readonly objects: Counted }[];
}

/** All that is to be said about the stored objects of a kind, the worst first. */
export function storedLines(totals: StoredTotals, showValues: boolean): StoredLine[] {
  const refused = (['every', 'other', 'own'] as const).map((write) => ({
    title: refusedTitles[write],
    objects: totals.refused[write],
    causes: totals.faults
      .filter((one) => one.write === write)
      .map((one) => ({ text: faultText(one, showValues), objects: one })),
  }));
  const lost = [
    ...totals.lost.map((one) => ({ text: fieldText(one), objects: one })),
    ...totals.lostInStorage.map((one) => ({ text: `${one.field}, as it is stored from now on`, objects: one })),
  ];
  const fields = (some: readonly FieldTotal[]) => some.map((one) => ({ text: one.field, objects: one }));
  return [
    ...refused.filter(({ objects, causes }) => objects.count + causes.length > 0),
    ...(lost.length > 0 ? [{ title: 'fields are dropped', objects: totals.losing, causes: lost }] : []),
    ...(totals.added.length > 0
      ? [{ title: 'defaults are added', objects: widest(totals.added), causes: fields(totals.added) }]
      : []),
    ...(totals.wrongBefore.count > 0
      ? [{ title: 'refused before as well, so not counted above', objects: totals.wrongBefore, causes: [] }]
      : []),
    ...totals.notJudged.map((one) => ({ title: `not judged: ${one.why}`, objects: one, causes: [] })),
  ];
}

/** Of several counts the largest: how many objects there are in all of them is not known. */
const widest = (some: readonly Counted[]) => some.reduce((a, b) => (b.count > a.count ? b : a));

function faultText({ endpoint, field, said, inFull }: FaultTotal, showValues: boolean): string {
  const text = showValues ? inFull : `${field === '' ? 'the object' : field}: ${said}`;
  return endpoint === 'status' ? `in writes of the status, ${text}` : text;
}

function fieldText({ field, writers }: FieldTotal): string {
  return writers.length === 0 ? field : `${field}, written by ${writers.map(writerText).join(', ')}`;
}

const writerText = ({ manager, time }: Writer) => (time === '' ? manager : `${manager} (last ${time})`);

/** The names of some objects, and how many there are beside them. */
export function namesText({ count, first }: Counted, most = first.length): string {
  const shown = first.slice(0, most);
  return count > shown.length ? `${shown.join(', ')} and ${count - shown.length} more` : shown.join(', ');
}

/** What there is of them, before what becomes of them. */
export function storedTitle({ kind, version, objects, cut }: StoredTotals): string {
  return `${counted(objects, 'stored object')} of ${kind} (${version})${cut === undefined ? '' : `, ${cut}`}`;
}

/** The worst that happens to them; undefined where nothing does. */
export function storedEffect({ refused, losing, added, notJudged }: StoredTotals): Effect | undefined {
  if (refused.every.count + refused.other.count + losing.count > 0) return 'breaks';
  // Of what is not judged nobody knows.
  if (refused.own.count > 0 || notJudged.length > 0) return 'may-break';
  return added.length > 0 ? 'changes' : undefined;
}

/** What is said where nothing is to be said of any. */
export const unharmed = ({ objects }: StoredTotals) =>
  objects === 0 ? 'There are none.' : 'Every write that passes today passes, and none loses a field.';

/** How many objects of each kind are concerned, with the first of them. */
export function storedOverview(all: readonly StoredTotals[]): Markdown {
  const some = (counted: Counted) =>
    counted.count === 0 ? md`0` : md`**${counted.count}**: ${words(namesText(counted))}`;
  const rows = all.map(({ kind, objects, refusedNext, losing, cut }) => [
    words(kind),
    md`${objects}${cut === undefined ? '' : ' looked at'}`,
    some(refusedNext),
    some(losing),
  ]);
  return table(['Kind', 'Stored objects', 'Refused on the next write', 'Lose fields'], rows);
}

export function storedSection(totals: StoredTotals, showValues: boolean): Markdown[] {
  const lines = storedLines(totals, showValues);
  const rows = lines.flatMap(({ title, objects, causes }) => [
    [md`**${words(title)}**`, md`${objects.count}`, words(namesText(objects))],
    ...causes.map((one) => [words(one.text), md`${one.objects.count}`, words(namesText(one.objects))]),
  ]);
  const body = rows.length > 0 ? table(['What becomes of them', 'Objects', 'Which'], rows) : words(unharmed(totals));
  const more = totals.leftOut > 0 ? [words(leftOutText(totals))] : [];
  return [md`### ${words(storedTitle(totals))}`, body, ...more];
}

export const leftOutText = ({ leftOut }: StoredTotals) =>
  `${counted(leftOut, 'more finding')} of other sorts are counted, but not listed.`;
