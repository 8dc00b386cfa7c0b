import type { Diagnostic, Related } from '../../rules/model/diagnostic.ts';
import type { RuleCode } from '../../rules/model/registry.ts';
import type { ChartPlace } from '../../workspace/projections/chart.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { codeShownAs } from '../problems/diagnose.ts';

/** A finding with the file that it is in. */
export interface ChartFinding {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
}

/** What is found before there is anything to judge; nothing where that is turned off. */
export function ofCode(
  snapshot: Snapshot,
  code: RuleCode,
  { uri, range }: ChartPlace,
  message: string,
  related: readonly Related[] = [],
): ChartFinding[] {
  const severity = codeShownAs(code, settingsFor(snapshot, uri));
  if (severity === 'off') return [];
  return [{ uri, diagnostic: { code, severity, message, range, related, unnecessary: false, key: { of: 'file' } } }];
}
