import type { Diagnostic, Related } from '../../rules/model/diagnostic.ts';
import type { RuleCode } from '../../rules/model/registry.ts';
import { fileOfText, isInObject, realPlace } from '../../workspace/delivery/texts.ts';
import type { ChartPlace } from '../../workspace/projections/chart.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { codeShownAs } from '../problems/diagnose.ts';

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
): ChartFinding[] {
  const severity = codeShownAs(code, settingsFor(snapshot, fileOfText(uri)));
  if (severity === 'off') return [];
  return [{ uri, diagnostic: { code, severity, message, range, related, unnecessary: false, key: { of: 'file' } } }];
}
