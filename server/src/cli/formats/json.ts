import type { Format } from './format.ts';

/** For programs: `docs/check-output.schema.json` says what is in it. */
export function jsonFormat(): Format {
  let first = true;
  return {
    begin: () => '{"version":1,"findings":[',
    file: (_, reports) =>
      reports
        .map((report) => {
          const comma = first ? '' : ',';
          first = false;
          return `${comma}\n${JSON.stringify(report)}`;
        })
        .join(''),
    end: (totals) => `\n],"totals":${JSON.stringify(totals)}}\n`,
  };
}
