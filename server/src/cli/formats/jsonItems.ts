import { json } from '../terminal.ts';
/** Writes the items of a JSON list as they come, one a line: nothing but the first goes without a comma. */
export function jsonItems<Report>(
  itemOf: (report: Report) => unknown,
): (name: string, reports: readonly Report[]) => string {
  let lead = '\n';
  return (_, reports) =>
    reports
      .map((report) => {
        const text = `${lead}${json(itemOf(report))}`;
        lead = ',\n';
        return text;
      })
      .join('');
}
