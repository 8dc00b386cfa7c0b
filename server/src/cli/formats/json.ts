import type { Report } from '../report.ts';
import { json } from '../terminal.ts';
import type { Format } from './format.ts';
import { jsonItems } from './jsonItems.ts';

/** For programs: `docs/check-output.schema.json` says what is in it. */
export function jsonFormat(): Format {
  return {
    begin: () => '{"version":1,"findings":[',
    file: jsonItems<Report>(({ says: _, firstLine: __, ...report }) => report),
    end: (totals, { exitCode, faults, notJudged }) =>
      `\n],"totals":${JSON.stringify(totals)},"notJudged":${JSON.stringify(Object.fromEntries(notJudged))},"faults":${json(faults)},"exitCode":${exitCode}}\n`,
  };
}
