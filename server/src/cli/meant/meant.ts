import type { Wordless } from '../../rules/model/diagnostic.ts';
import { ruleOf, severitiesInLogs } from '../../rules/model/registry.ts';
import type { Settings } from '../../workspace/settings.ts';
import type { Around } from './around.ts';
import { allReasons, type Meant, reasons } from './reasons.ts';

// What is true and yet nobody's to mend: a run over a repository notes it, and says how much of it there is.

/** Why a finding of a file is meant; undefined where it is not, or where its severity was chosen. */
export async function whyMeant(
  finding: Wordless,
  around: Around,
  { rules }: Pick<Settings, 'rules'>,
): Promise<Meant | undefined> {
  const { code, severity } = finding;
  const isChosen = rules.has(code) && rules.get(code) !== severitiesInLogs.get(code);
  if (isChosen || ruleOf(code)?.alwaysTold || severity === 'hint') return undefined;
  for (const [why, { isNote, holds }] of allReasons)
    if ((severity === 'information') === (isNote === true) && (await holds(finding, around))) return why;
  return undefined;
}

/** One line; none where nothing is meant. */
export function meantText(counts: ReadonlyMap<Meant, number>): string[] {
  const parts = [...counts].sort().map(([why, count]) => `${count} ${reasons[why].words[count === 1 ? 0 : 1]}`);
  return parts.length === 0 ? [] : [`only notes, which --severity information shows: ${parts.join(', ')}`];
}
