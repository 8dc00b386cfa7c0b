import { said } from '../report.ts';
import { linesText } from '../terminal.ts';
import type { Format } from './format.ts';

/** One line for each finding, as compilers print them and editors read them. */
export const conciseFormat: Format = {
  file: (_, reports) =>
    linesText(
      reports.map((report) => {
        const { file, line, column, severity, code } = report;
        return `${file}:${line}:${column}: ${severity}: ${said(report)} [${code}]`;
      }),
    ),
};
