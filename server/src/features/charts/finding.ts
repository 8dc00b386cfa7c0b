import type { Diagnostic, Related } from '../../rules/model/diagnostic.ts';
import type { RuleCode } from '../../rules/model/registry.ts';
import { namesIn, type Says, type Under } from '../../rules/model/says.ts';
import type { ValueSet } from '../../workspace/charts/valueSets.ts';
import { fileOfText, isInObject, realPlace } from '../../workspace/delivery/texts.ts';
import { type ChartPlace, placeInFile } from '../../workspace/projections/chart.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { codeShownAs } from '../problems/diagnose.ts';
import { rangeInValues } from './seen.ts';

/** A finding with the file that it is in. */
export interface ChartFinding {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
}

/** With its places in the files that the texts of objects are in. */
export function inRealFile(snapshot: Snapshot, { uri, diagnostic }: ChartFinding): ChartFinding {
  const related = diagnostic.related.some((one) => isInObject(one.uri))
    ? diagnostic.related.map((one) => ({ ...one, ...realPlace(snapshot, one) }))
    : diagnostic.related;
  if (!isInObject(uri))
    return related === diagnostic.related ? { uri, diagnostic } : { uri, diagnostic: { ...diagnostic, related } };
  const place = realPlace(snapshot, { uri, range: diagnostic.range });
  return { uri: place.uri, diagnostic: { ...diagnostic, related, range: place.range } };
}

/** What is found before there is anything to judge; nothing where that is turned off. */
export function ofCode(
  snapshot: Snapshot,
  code: RuleCode,
  { uri, range }: ChartPlace,
  message: string,
  related: readonly Related[] = [],
  says: Says = {},
): ChartFinding[] {
  const severity = codeShownAs(code, settingsFor(snapshot, fileOfText(uri)));
  if (severity === 'off') return [];
  const key = { of: 'file' } as const;
  const all = { ...namesIn(message), ...says };
  return [{ uri, diagnostic: { code, severity, message, range, related, unnecessary: false, key, says: all } }];
}

/** Whether values may be others than those that are known. */
export function isPartlyKnown({ use, isMadeLater }: ValueSet): boolean {
  return isMadeLater === true || (use !== undefined && use.unknown.length > 0);
}

/** What is said with a set of values: the words for that behind the others, if there are any. */
export function withSet(set: ValueSet): string {
  return `With ${nameOf(set)}`;
}

/** The same for whoever decides something by it. */
export function underSet(words: string, { name, use }: ValueSet): { readonly under: Under } {
  const isAll = (use?.unknown ?? []).length === 0;
  return { under: { words, isMadeUp: false, isOfManyCharts: false, ...(isAll && { values: name }) } };
}

function nameOf({ name, use }: ValueSet): string {
  const unknown = use?.unknown ?? [];
  return unknown.length === 0 ? name : `${name}, as far as they are known: ${unknown.join(', ')} may give others`;
}

/** Where an object gives values to the chart: what the chart wants is wanted there. */
export function placeOfUse({ file, use }: ValueSet, beside?: string): ChartPlace | undefined {
  const path = use && (beside === undefined ? use.at : [...use.at.slice(0, -1), beside]);
  const range = file && path && rangeInValues({ file, path });
  return range ? { uri: file.id, range } : file && use && placeInFile(file, use.at);
}

/** What is for whoever installs the chart, as of a value that a template wants. */
export function asNote(diagnostic: Diagnostic, why: string): Diagnostic {
  return { ...diagnostic, severity: 'information', message: `${diagnostic.message}\n(${why})` };
}

export const ofCluster = 'what `lookup` finds in a cluster is not known';
