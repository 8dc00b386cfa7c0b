import { jsonItems } from './formats/jsonItems.ts';
import { escaped as escapedXml } from './formats/junit.ts';

/** What came of a case in all versions. */
export interface TestReport {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly failures: readonly string[];
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

function asText({ file, line, name, failures }: TestReport): string {
  return `${file}:${line}: ${name}\n${failures.map((failure) => `    ${failure}\n`).join('')}`;
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
  const title = `${file}: ${name}`.replaceAll('#', '\\#').replaceAll('\n', ' ');
  return `${ok ? 'ok' : 'not ok'} ${nth} - ${title}\n${failures.map((failure) => `  # ${failure}\n`).join('')}`;
}

function junitFormat(): TestFormat {
  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kube-crd test">\n',
    file: (name, reports) => {
      const failed = reports.filter(({ failures }) => failures.length > 0).length;
      const head = `  <testsuite name="${escapedXml(name)}" tests="${reports.length}" failures="${failed}">\n`;
      return `${head}${reports.map(junitCase).join('')}  </testsuite>\n`;
    },
    end: () => '</testsuites>\n',
  };
}

function junitCase({ file, line, name, failures, milliseconds }: TestReport): string {
  const time = (milliseconds / 1000).toFixed(3);
  const head = `    <testcase classname="${escapedXml(file)}" name="${escapedXml(name)}" time="${time}"`;
  const [first] = failures;
  if (first === undefined) return `${head}/>\n`;
  const text = escapedXml([`${file}:${line}`, ...failures].join('\n'));
  return `${head}>\n      <failure message="${escapedXml(first)}">${text}</failure>\n    </testcase>\n`;
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
