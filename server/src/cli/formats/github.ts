import { printable } from '../../base/printable.ts';
import { type Report, said } from '../report.ts';
import type { Format } from './format.ts';

const commands: Readonly<Record<Report['severity'], string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/** Workflow commands, which GitHub shows beside the lines of a pull request. */
export const githubFormat: Format = {
  file: (_, reports) => reports.map(annotation).join(''),
  end: (_, { faults }) => faults.map((fault) => `::error title=kube-crd::${data(fault)}\n`).join(''),
};

function annotation(report: Report): string {
  const { file, line, column, endLine, endColumn, severity, code } = report;
  // A column belongs to its line: for a place over several lines GitHub takes none.
  const columns = endLine === line ? `,col=${column},endColumn=${endColumn}` : '';
  const place = `file=${property(file)},line=${line},endLine=${endLine}${columns},title=${property(code)}`;
  return `::${commands[severity]} ${place}::${data(said(report))}\n`;
}

function data(text: string): string {
  const lines = text.split(/\r?\n|\r/).map((line) => printable(line).replaceAll('%', '%25'));
  return lines.join('%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
