import { rulePage } from '../../rules/model/page.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { Report, ReportedFix } from '../report.ts';
import { json } from '../terminal.ts';
import type { Format } from './format.ts';
import { jsonItems } from './jsonItems.ts';

const levels: Readonly<Record<Report['severity'] | 'off', string>> = {
  off: 'none',
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

/** SARIF 2.1.0. The rules that were met come last, when they are known. */
export function sarifFormat(version: string): Format {
  const codes = new Map<string, number>();
  return {
    begin: () =>
      '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","results":[',
    file: jsonItems((report) => result(report, indexOf(codes, report.code))),
    end: (_, { exitCode, faults }) => {
      const rules = [...codes.keys()].map((code) => metadata(code));
      const driver = { name: 'kube-crd', version, rules };
      const invocation = {
        executionSuccessful: exitCode !== 2,
        exitCode,
        toolExecutionNotifications: faults.map((text) => ({ level: 'error', message: { text } })),
      };
      return `\n],"tool":{"driver":${json(driver)}},"invocations":[${json(invocation)}]}]}\n`;
    },
  };
}

function indexOf(codes: Map<string, number>, code: string): number {
  const known = codes.get(code);
  if (known !== undefined) return known;
  codes.set(code, codes.size);
  return codes.size - 1;
}

function metadata(code: string) {
  const rule = ruleOf(code);
  const page = rulePage(code);
  return {
    id: code,
    ...(rule && { shortDescription: { text: rule.title }, fullDescription: { text: rule.explanation } }),
    ...(page !== undefined && { help: { text: rule?.explanation ?? page, markdown: page } }),
    defaultConfiguration: { level: levels[rule?.severity ?? 'error'] },
  };
}

/** A name on Windows may have halves of characters, which no address can hold. */
const encoded = (step: string) => encodeURIComponent(step.replace(/[\ud800-\udfff]/gu, '\ufffd'));

function result(report: Report, ruleIndex: number) {
  const { file, severity, code, message, source, fingerprint, kubernetes, fixes = [] } = report;
  const artifactLocation = { uri: file.split('/').map(encoded).join('/') };
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, region: { ...region(report), snippet: { text: source } } } }],
    partialFingerprints: { 'kubeCrd/v1': fingerprint },
    ...(kubernetes && { properties: { kubernetes } }),
    ...(fixes.length > 0 && { fixes: fixes.map((fix) => reportedFix(fix, artifactLocation)) }),
  };
}

function region({ line, column, endLine, endColumn }: Pick<Report, 'line' | 'column' | 'endLine' | 'endColumn'>) {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

function reportedFix({ title, edits }: ReportedFix, artifactLocation: { readonly uri: string }) {
  const replacements = edits.map((edit) => ({ deletedRegion: region(edit), insertedContent: { text: edit.text } }));
  return { description: { text: title }, artifactChanges: [{ artifactLocation, replacements }] };
}
