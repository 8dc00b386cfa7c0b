import { type Report, said } from '../report.ts';
import type { Format } from './format.ts';

/** A test suite for each file with findings, and a test case for each of them: errors and warnings have failed. */
export const junitFormat: Format = {
  begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kube-crd">\n',
  file: (name, reports) => {
    const cases =
      reports.length === 0 ? [`    <testcase classname="${escaped(name)}" name="judged"/>\n`] : reports.map(testCase);
    const failures = reports.filter(({ severity }) => failed(severity)).length;
    const head = `  <testsuite name="${escaped(name)}" tests="${cases.length}" failures="${failures}">\n`;
    return `${head}${cases.join('')}  </testsuite>\n`;
  },
  end: () => '</testsuites>\n',
};

const failed = (severity: Report['severity']) => severity === 'error' || severity === 'warning';

function testCase(report: Report): string {
  const { file, line, column, severity, code, source } = report;
  const message = said(report);
  const name = `${line}:${column} ${code}`;
  const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`;
  if (!failed(severity)) return `${head}/>\n`;
  const text = escaped(`${file}:${line}:${column}: ${severity}: ${message}\n${source}`);
  return `${head}>\n      <failure type="${severity}" message="${escaped(message)}">${text}</failure>\n    </testcase>\n`;
}

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
    .replaceAll('\t', '&#9;');
}
