import { createHash } from 'node:crypto';
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
    fingerprint: fingerprint(report, seen),
    severity: severities[severity],
    location: { path: file, lines: { begin: line, end: endLine } },
  };
}

/** Stays the same when lines are added elsewhere: the place is told by the text of its line. */
function fingerprint({ file, code, message, source }: Report, seen: Map<string, number>): string {
  const what = [file, code, message, source.trim()].join('\0');
  const nth = seen.get(what) ?? 0;
  seen.set(what, nth + 1);
  return createHash('sha256').update(`${what}\0${nth}`).digest('hex');
}
