import { incomplete } from '../../rules/yaml/notJudged.ts';
import { type Report, said } from '../report.ts';
import type { Format, FormatOptions } from './format.ts';

/** A test suite for each file, and a test case for each finding: a failure is what makes the run fail. */
export function junitFormat({ maxWarnings }: FormatOptions): Format {
  let left = maxWarnings;
  const fails = ({ severity, code }: Report) =>
    severity === 'error' || incomplete.has(code) || (severity === 'warning' && left-- <= 0);
  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kube-crd">\n',
    file: (name, reports) => {
      const failed = reports.map(fails);
      const cases = reports.map((report, i) => testCase(report, failed[i]!));
      const count = failed.filter(Boolean).length;
      return suite(name, count, 0, cases.length > 0 ? cases : [`${caseHead(name, 'judged')}/>\n`]);
    },
    end: (_, { faults }) => {
      const cases = faults.map(
        (fault) => `${caseHead('kube-crd', fault)}>\n      <error message="${escaped(fault)}"/>\n    </testcase>\n`,
      );
      return `${cases.length > 0 ? suite('kube-crd', 0, cases.length, cases) : ''}</testsuites>\n`;
    },
  };
}

function suite(name: string, failures: number, errors: number, cases: readonly string[]): string {
  const counts = `tests="${cases.length}" failures="${failures}"${errors > 0 ? ` errors="${errors}"` : ''}`;
  return `  <testsuite name="${escaped(name)}" ${counts}>\n${cases.join('')}  </testsuite>\n`;
}

function caseHead(classname: string, name: string): string {
  return `    <testcase classname="${escaped(classname)}" name="${escaped(name)}"`;
}

function testCase(report: Report, fails: boolean): string {
  const { file, line, column, severity, code, source } = report;
  const message = said(report);
  const head = caseHead(file, `${line}:${column} ${code}`);
  if (!fails) return `${head}/>\n`;
  const text = escaped(`${file}:${line}:${column}: ${severity}: ${message}\n${source}`);
  return `${head}>\n      <failure type="${severity}" message="${escaped(message)}">${text}</failure>\n    </testcase>\n`;
}

/** What XML may hold, and a terminal obeys. */
const obeyed = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text for XML 1.0, which cannot hold most control characters at all. */
export function escaped(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;')
    .replace(obeyed, (char) => `&#${char.charCodeAt(0)};`);
}
