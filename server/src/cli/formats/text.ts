import { printable } from '../../base/printable.ts';
import { type Report, said } from '../report.ts';
import type { Format } from './format.ts';

const colors: Readonly<Record<Report['severity'], string>> = {
  error: '31',
  warning: '33',
  information: '36',
  hint: '2',
};

/** For people: the message, the line, and a mark under the place. */
export function textFormat(colored: boolean): Format {
  const paint = (code: string, text: string) => (colored ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { file: (_, reports) => reports.map((report) => asText(report, paint)).join('') };
}

function asText(report: Report, paint: (code: string, text: string) => string): string {
  const { file, line, column, endLine, endColumn, severity, code, source } = report;
  const length = Math.max(1, (endLine === line ? endColumn : source.length + 1) - column);
  const gutter = String(line);
  const pad = ' '.repeat(gutter.length);
  const indent = printable(source.slice(0, column - 1)).replace(/[^\t]/g, ' ');
  const place = paint('1', `${printable(file)}:${line}:${column}:`);
  const head = `${place} ${paint(colors[severity], `${severity}:`)} ${printable(said(report))} [${code}]`;
  const mark =
    column > source.length + 1
      ? ''
      : `${pad} | ${indent}${paint(colors[severity], '^'.repeat(Math.min(length, 300)))}\n`;
  return `${head}\n${gutter} | ${printable(source)}\n${mark}`;
}
