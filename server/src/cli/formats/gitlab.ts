import { type Report, said } from '../report.ts';
import type { Format } from './format.ts';
import { jsonItems } from './jsonItems.ts';

const severities: Readonly<Record<Report['severity'], string>> = {
  error: 'major',
  warning: 'minor',
  information: 'info',
  hint: 'info',
};

/** GitLab's code quality report: a list of issues. */
export function gitlabFormat(): Format {
  const seen = new Map<string, number>();
  return {
    begin: () => '[',
    file: jsonItems((report) => issue(report, seen)),
    end: () => '\n]\n',
  };
}

function issue(report: Report, seen: Map<string, number>) {
  const { file, line, endLine, severity, code } = report;
  return {
    description: said(report),
    check_name: code,
    fingerprint: fingerprintIn(report, seen),
    severity: severities[severity],
    location: { path: file, lines: { begin: line, end: endLine } },
  };
}

/** Of several in one file that nothing else tells apart, each has its number. */
function fingerprintIn({ file, fingerprint }: Report, seen: Map<string, number>): string {
  const what = [file, fingerprint].join('\0');
  const nth = seen.get(what) ?? 0;
  seen.set(what, nth + 1);
  return nth === 0 ? fingerprint : `${fingerprint}-${nth}`;
}
