import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../server/src/base/text.ts';
import type { Report } from '../../server/src/cli/report.ts';
import { program } from '../support/program.ts';
import { seeded } from '../support/random.ts';

// What `kube-crd check` says of checkouts of other repositories, with a random sample for a person to judge.

/** A finding as a person is shown it. */
export type Shown = Pick<Report, 'file' | 'line' | 'severity' | 'code' | 'message'>;

/** What one run of `check` over a checkout gave. */
export interface Surveyed {
  readonly name: string;
  /** The commit that is checked out; empty outside of git. */
  readonly commit: string;
  /** What a person is shown: what an object has in each file that it was rendered to counts once. */
  readonly shown: readonly Shown[];
  readonly files: number;
  readonly seconds: number;
  readonly megabytes: number;
  /** What the run said beside its findings. */
  readonly remarks: readonly string[];
}

/** Says on a third pipe what the program took at most. */
const peak = `data:text/javascript,import { writeSync } from 'node:fs';
process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));`;

export function survey(folder: string): Surveyed {
  const began = performance.now();
  const args = ['--import', encodeURI(peak), program, 'check', '--no-cache', '--color', 'never', '.'];
  const { output, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout = '', stderr = '', kilobytes = ''] = output as string[];
  const seconds = (performance.now() - began) / 1000;
  const remarks = stderr.split('\n').filter((line) => line !== '');
  const files = /^kube-crd: ([\d,]+) files? for /.exec(remarks.at(-1) ?? '')?.[1];
  if (files === undefined) throw new Error(`check ended with ${status} in ${folder}: ${stderr}`);
  return {
    name: path.basename(folder),
    commit: commitOf(folder),
    shown: shownIn(stdout),
    files: Number(files.replaceAll(',', '')),
    seconds,
    megabytes: Math.round(Number(kilobytes) / 1000),
    remarks,
  };
}

function commitOf(folder: string): string {
  const { status, stdout } = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** The findings that the text format begins with their places; a message may have several lines, and its code ends the last. */
export function shownIn(text: string): Shown[] {
  const shown: Shown[] = [];
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const begun = open === undefined ? line : `${open}\n${line}`;
    const isBegun = open !== undefined || /^\S.*:\d+:\d+: (?:error|warning): /.test(line);
    open = isBegun && !/ \[[\w-]+\/[\w-]+\]$/.test(line) ? begun : undefined;
    const found = isBegun && open === undefined ? heading.exec(begun) : null;
    if (!found) continue;
    const [, file, at, severity, message, code] = found as unknown as string[];
    shown.push({
      ...{ file: file!, line: Number(at), message: message!, code: code! },
      severity: severity as Shown['severity'],
    });
  }
  return shown;
}

const heading = /^(.+?):(\d+):\d+: (error|warning): (.*) \[([\w-]+\/[\w-]+)\]$/s;

/** One finding with the checkout that it is of. */
interface Sampled extends Shown {
  readonly name: string;
}

/** So many findings of all checkouts, the same ones for the same seed. */
export function sampled(all: readonly Surveyed[], most: number, seed: number): Sampled[] {
  const random = seeded(seed);
  const left = all.flatMap(({ name, shown }) => shown.map((report) => ({ ...report, name })));
  const taken: Sampled[] = [];
  while (taken.length < most && left.length > 0) taken.push(...left.splice(random.below(left.length), 1));
  return taken;
}

/** The whole survey as a page; `linesOf` gives the text of a file of a checkout. */
export function surveyPage(
  all: readonly Surveyed[],
  sample: readonly Sampled[],
  textOf: (name: string, file: string) => string,
): string {
  return [
    '## Repositories\n',
    ...repositories(all),
    '\n## Findings by rule\n',
    ...byRule(all),
    '\n## Sample\n',
    ...verdicts(sample),
    ...sample.flatMap((report, i) => around(report, i + 1, textOf(report.name, report.file))),
    '',
  ].join('\n');
}

function repositories(all: readonly Surveyed[]): string[] {
  return [
    '| repository | commit | files | errors | warnings | seconds | memory at most |',
    '|---|---|---|---|---|---|---|',
    ...all.map(({ name, commit, files, shown, seconds, megabytes }) => {
      const [errors, warnings] = ['error', 'warning'].map((one) => shown.filter(({ severity }) => severity === one));
      const figures = [files, errors!.length, warnings!.length, seconds.toFixed(1), `${megabytes} MB`];
      return row([name, commit.slice(0, 12), ...figures]);
    }),
  ];
}

function byRule(all: readonly Surveyed[]): string[] {
  const shown = all.flatMap((one) => one.shown);
  const rules = new Map(shown.map(({ severity, code }) => [`${severity} \`${code}\``, code]));
  const count = (of: readonly Shown[], rule: string) =>
    of.filter(({ severity, code }) => `${severity} \`${code}\`` === rule).length;
  const often = [...rules.keys()].sort((a, b) => count(shown, b) - count(shown, a) || (a < b ? -1 : 1));
  return [
    row(['rule', 'all', ...all.map(({ name }) => name)]),
    `|---|${'---|'.repeat(all.length + 1)}`,
    ...often.map((rule) => row([rule, count(shown, rule), ...all.map((one) => count(one.shown, rule) || '')])),
  ];
}

function verdicts(sample: readonly Sampled[]): string[] {
  return [
    '| finding | rule | place | verdict |',
    '|---|---|---|---|',
    ...sample.map(({ name, file, line, code }, i) => row([i + 1, `\`${code}\``, `${name}: ${file}:${line}`, ''])),
  ];
}

const linesAround = 5;

function around({ name, file, line, severity, code, message }: Sampled, nth: number, text: string): string[] {
  const lines = text.split('\n');
  const first = Math.max(0, line - 1 - linesAround);
  const shown = lines.slice(first, line + linesAround).map((one, i) => {
    const at = first + i + 1;
    return `${at === line ? '>' : ' '} ${String(at).padStart(5)}  ${one.slice(0, 160)}`;
  });
  const heading = `\n### ${nth}. ${name}: ${file}:${line}\n`;
  return [heading, `${severity}: ${message} [${code}]\n`, '````text', ...shown, '````'];
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

export function fileText(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}

export function summaryLine(all: readonly Surveyed[]): string {
  const findings = all.reduce((sum, { shown }) => sum + shown.length, 0);
  return `${counted(findings, 'finding')} in ${counted(all.length, 'folder')}`;
}
