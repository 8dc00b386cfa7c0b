import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';

/** What a run of the editor's bench has found. */
export interface Page {
  readonly sections: Section[];
  readonly figures: Map<string, number>;
}

interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Of one key, and after all of them. */
  costs?: { readonly cpu: ReadonlyMap<string, number>; readonly megabytes: ReadonlyMap<string, number | undefined> };
}

interface Row {
  readonly what: string;
  /** Milliseconds, where diagnostics are asked for, where they are sent, and of yaml-language-server. */
  readonly asked: readonly number[] | undefined;
  readonly sent: readonly number[] | undefined;
  readonly theirs: readonly number[] | undefined;
}

interface Target {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly reached: boolean;
  /** What limits it, for one that was not reached. */
  readonly limit?: string;
}

/** What other benches measured is written by hand: it stays. */
function keptOf(file: string): string {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const at = before.indexOf('\n## Measured apart\n');
  return at < 0 ? '' : before.slice(at);
}

/** Prints a run as Markdown; also into a file where one is named. */
export function writePage(page: Page, file: string | undefined): string {
  const targets = targetsOf(page);
  const missed = targets.filter(({ reached }) => !reached);
  const text = [
    '# How fast the editor answers',
    '',
    'For whoever asks what the extension costs while typing, and how that was measured.',
    '',
    '`npm run bench -- editor --write` made this page: our server beside yaml-language-server 2, over standard input and',
    'output, on the same files and with the same edits, in turns. Times are milliseconds (median / 95th / 99th percentile)',
    'and hold the pauses that a server makes: yaml-language-server waits 200 ms after a key; ours answers at once where it is',
    'asked, and where it has to send it waits as long as the last round took, at most 150 ms. yaml-language-server reads a',
    'CRD without judging it, and judges resources by the JSON schema that `kube-crd schema` makes of their CRD, without rules.',
    `Measured with Node.js ${process.version} on ${os.cpus().length} cores.`,
    '',
    '## Targets',
    '',
    '| what | target | measured | |',
    '|---|---|---|---|',
    ...targets.map(
      (one) => `| ${one.what} | ${one.target} | ${one.measured} | ${one.reached ? 'reached' : 'missed'} |`,
    ),
    ...missed.flatMap(({ what, limit }) => (limit === undefined ? [] : ['', `**${capital(what)}.** ${limit}`])),
    ...page.sections.flatMap(sectionText),
    '',
  ].join('\n');
  if (file !== undefined) writeFileSync(file, text + keptOf(file));
  return text;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sectionText({ title, rows, costs }: Section): string[] {
  const cells = ({ what, asked, sent, theirs }: Row) => [
    ...[what, shares(asked), shares(sent), shares(theirs)],
    asked && theirs ? `${(share(theirs, 0.5) / share(asked, 0.5)).toFixed(1)} ×` : '',
  ];
  const more = costs
    ? ([
        ['processor for a key', costs.cpu, 'ms'],
        ['memory at the end', costs.megabytes, 'MB'],
      ] as const)
    : [];
  const lines = [
    ...rows.map(cells),
    ...more.map(([what, by, unit]) => [
      what,
      ...['asked', 'sent', 'theirs'].map((one) => amount(by.get(one), unit)),
      '',
    ]),
  ];
  return [
    ...['', `## ${capital(title)}`, ''],
    '| | ours, asked for | ours, sent | yaml-language-server | ratio of the medians |',
    '|---|---|---|---|---|',
    ...lines.map((line) => `| ${line.join(' | ')} |`),
  ];
}

function amount(value: number | undefined, unit: string): string {
  return value === undefined ? '' : `${Math.round(value)} ${unit}`;
}

function shares(times: readonly number[] | undefined): string {
  return times ? [0.5, 0.95, 0.99].map((part) => shown(share(times, part))).join(' / ') : '';
}

function shown(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
}

function share(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))]!;
}

const key = 'key → diagnostics';
const opened = 'open → first diagnostics';
const started = 'start → initialized';

function targetsOf({ sections, figures }: Page): Target[] {
  const times = (title: string, what: string, who: 'asked' | 'sent' | 'theirs' = 'asked') =>
    sections.find((one) => one.title.startsWith(title))?.rows.find((row) => row.what === what)?.[who] ?? [];
  const atMost = (what: string, value: number, most: number, unit: string, limit?: string): Target => ({
    ...{ what, target: `≤ ${most} ${unit}`, measured: `${shown(value)} ${unit}`, reached: value <= most },
    ...(limit !== undefined && { limit }),
  });
  const crd = times('a CRD of 1.4 MB', key);
  const theirs = times('a CRD of 1.4 MB', key, 'theirs');
  const [ourOpening, theirOpening] = (['asked', 'theirs'] as const).map((who) => times('a CRD of 1.4 MB', opened, who));
  const fromStart = (who: 'asked' | 'theirs') =>
    share(times('Start', started, who), 0.5) + share(times('a CRD of 1.4 MB', opened, who), 0.5);
  const figure = (name: string) => figures.get(name) ?? Number.NaN;
  const alone = share(times('one of them alone', key), 0.5);
  return [
    atMost(`${key} in a CRD of 1.4 MB, median`, share(crd, 0.5), 15, 'ms'),
    atMost(`${key} in a CRD of 1.4 MB, 95th percentile`, share(crd, 0.95), 40, 'ms'),
    ratio(`${key} in a CRD of 1.4 MB beside yaml-language-server`, share(theirs, 0.5) / share(crd, 0.5), 10),
    atMost(`${key} where they are sent, median`, share(times('a CRD of 1.4 MB', key, 'sent'), 0.5), 15, 'ms'),
    atMost(
      `${key} in 200 lines under a CRD of 1.4 MB, 95th percentile`,
      share(times('200 lines under a CRD', key), 0.95),
      8,
      'ms',
    ),
    ratio(
      `${opened} of a CRD of 1.4 MB beside yaml-language-server, which judges nothing there`,
      share(theirOpening ?? [], 0.5) / share(ourOpening ?? [], 0.5),
      1,
      'The first judgement of a CRD makes everything that later keys rest on: schemas, compiled rules, their costs, the lints.',
    ),
    ratio(
      'start and opening together, since the program is loaded after the answer to `initialize`',
      fromStart('theirs') / fromStart('asked'),
      2,
    ),
    atMost(
      'a key in one of 60 CRDs of a file, beyond one in that CRD alone',
      share(times('60 CRDs', key), 0.5) - alone,
      5,
      'ms',
      'What all documents define is put together anew for each key, and each of them is compared with what it was judged by.',
    ),
    atMost('2,000 CRDs and 20,000 manifests: first answer', figure('large workspace: first answer'), 1_000, 'ms'),
    atMost('the same: all known', figure('large workspace: all known') / 1_000, 10, 's'),
    atMost(
      'the same: the slowest key meanwhile',
      figure('large workspace: slowest key meanwhile'),
      100,
      'ms',
      'A key waits for the file that is being read, and for the collector while thousands of them are.',
    ),
    atMost('the same: memory at most', figure('large workspace: memory'), 400, 'MB'),
    atMost(
      started,
      share(times('Start', started), 0.5),
      150,
      'ms',
      'Node.js alone takes a third of it. The rest is loading the program, with the code that an earlier run has compiled; the first start of a version has to compile it.',
    ),
    atMost('idle, nothing of ours open: processor in 3 s', figure('idle: CPU'), 0, 'ms'),
    atMost(
      'idle, nothing of ours open: memory',
      figure('idle: memory'),
      60,
      'MB',
      'Node.js alone takes 40 MB. After a collection 11 MB are in use; the rest is the program text, its code, and room that Node.js does not give back.',
    ),
  ];
}

function ratio(what: string, value: number, least: number, limit?: string): Target {
  return {
    ...{ what, target: `≥ ${least} × as fast`, measured: `${value.toFixed(1)} ×`, reached: value >= least },
    ...(limit !== undefined && { limit }),
  };
}
