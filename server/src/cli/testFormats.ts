import { jsonItems } from './formats/jsonItems.ts';
import { escaped as escapedXml } from './formats/junit.ts';
import { linesText } from './terminal.ts';

/** What came of a case in all versions. */
export interface TestReport {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly failures: readonly string[];
  /** It is not a case: something is wrong with the file. */
  readonly isFault?: true | undefined;
  readonly milliseconds: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many a cluster answers otherwise; undefined where none was asked. */
  readonly otherwise?: number;
}

/** An output format: pieces of text, written as soon as they are known. */
interface TestFormat {
  begin?(): string;
  file(name: string, reports: readonly TestReport[]): string;
  end?(counts: TestCounts): string;
}

const summary = ({ passed, failed, skipped, otherwise }: TestCounts) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped${otherwise === undefined ? '' : `, ${otherwise} answered otherwise by the cluster`}\n`;

/** For people: what fails, and a line with the counts. */
function textFormat(): TestFormat {
  return {
    file: (_, reports) =>
      reports
        .filter(({ failures }) => failures.length > 0)
        .map(asText)
        .join(''),
    end: summary,
  };
}

function asText({ file, line, name, failures, isFault }: TestReport): string {
  if (isFault) return linesText(failures.map((failure) => `${file}:${line}: ${failure}`));
  return linesText([`${file}:${line}: ${name}`, ...failures.map((failure) => `    ${failure}`)]);
}

/** The Test Anything Protocol, version 13. */
function tapFormat(): TestFormat {
  let count = 0;
  return {
    begin: () => 'TAP version 13\n',
    file: (_, reports) => reports.map((report) => tapLine(report, ++count)).join(''),
    end: (counts) => `1..${count}\n# ${summary(counts)}`,
  };
}

function tapLine({ file, name, failures }: TestReport, nth: number): string {
  const ok = failures.length === 0;
  // A number sign that is not escaped would begin a directive, such as one to skip the case.
  const title = `${file}: ${name}`.replace(/[\\#]/g, '\\$&');
  const line = `${ok ? 'ok' : 'not ok'} ${nth} - ${title}`;
  return linesText([line, ...failures.map((failure) => `  # ${failure}`)]);
}

function junitFormat(): TestFormat {
  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kube-crd test">\n',
    file: (name, reports) => {
      const faults = reports.filter(({ isFault }) => isFault).length;
      const failed = reports.filter(({ failures }) => failures.length > 0).length - faults;
      const errors = faults > 0 ? ` errors="${faults}"` : '';
      const head = `  <testsuite name="${escapedXml(name)}" tests="${reports.length}" failures="${failed}"${errors}>\n`;
      return `${head}${reports.map(junitCase).join('')}  </testsuite>\n`;
    },
    end: () => '</testsuites>\n',
  };
}

function junitCase({ file, line, name, failures, milliseconds, isFault }: TestReport): string {
  const time = (milliseconds / 1000).toFixed(3);
  const head = `    <testcase classname="${escapedXml(file)}" name="${escapedXml(name)}" time="${time}"`;
  const [first] = failures;
  if (first === undefined) return `${head}/>\n`;
  const text = escapedXml([`${file}:${line}`, ...failures].join('\n'));
  const what = isFault ? 'error' : 'failure';
  return `${head}>\n      <${what} message="${escapedXml(first)}">${text}</${what}>\n    </testcase>\n`;
}

/** For programs. */
function jsonFormat(): TestFormat {
  return {
    begin: () => '{"version":1,"cases":[',
    file: jsonItems(({ milliseconds: _, ...report }) => ({ ...report, passed: report.failures.length === 0 })),
    end: ({ passed, failed, skipped, otherwise }) =>
      `\n],"totals":${JSON.stringify({ passed, failed, skipped, otherwise })}}\n`,
  };
}

export const testFormats = { text: textFormat, junit: junitFormat, tap: tapFormat, json: jsonFormat };

export type TestFormatName = keyof typeof testFormats;

export const testFormatNames = Object.keys(testFormats) as readonly TestFormatName[];
