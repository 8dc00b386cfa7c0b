// Charts that are there to take time and memory, to run in circles, or to have files read that are none of theirs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findingsIn } from '../../../server/src/features/charts/diagnoseChart.ts';
import { readChart } from '../../../server/src/workspace/charts/chartFiles.ts';
import { ChartFolder } from '../../../server/src/workspace/charts/chartFolder.ts';
import type { Snapshot } from '../../../server/src/workspace/snapshot.ts';
import { confined } from '../../../server/src/workspace/sources/confined.ts';
import { nodeFiles } from '../../../server/src/workspace/sources/nodeFiles.ts';
import { tgz } from '../../support/archives.ts';
import { chartOf } from '../../support/charts.ts';
import type { Random } from '../../support/random.ts';
import { builtinFile, snapshotOf } from '../../support/workspace.ts';
import { attackShapes, type Bounds, grow } from './bombs.ts';
import { chartFile, chartShapes, fixedShapes } from './chartShapes.ts';
import { edited, randomEdit } from './documents.ts';
import type { Attack } from './part.ts';

const chartPrefix = 'chart: ';
/** A template may take as much work as it is let, which is some seconds. */
const ofCharts: Bounds = { characters: 150_000, mb: 800, ms: 4000 };

export function isChartBomb(name: string): boolean {
  return name.startsWith(chartPrefix);
}

export function chartSnapshot(): Snapshot {
  return { ...snapshotOf([]), builtin: builtinFile() };
}

/** What is said of the template of a chart and of its values, before and after a key. */
export function* askedOf(
  snapshot: Snapshot,
  files: Readonly<Record<string, string>>,
): Generator<[string, () => unknown]> {
  const chart = chartOf(files);
  const template = `${chart.root}/templates/a.yaml`;
  yield ['template', () => findingsIn(snapshot, chart, template)];
  yield ['values', () => findingsIn(snapshot, chart, `${chart.root}/values.yaml`)];
  const changed = chart.withOpen(new Map([[template, `${files['templates/a.yaml'] ?? ''}\n# key`]]));
  yield ['key', () => findingsIn(snapshot, changed, template)];
}

export async function growChartBomb(named: string): Promise<void> {
  const name = named.slice(chartPrefix.length);
  const shape = chartShapes[name]!;
  const snapshot = chartSnapshot();
  const lengthOf = (size: number) => {
    if (fixedShapes.has(name) && size > 500) return Number.POSITIVE_INFINITY;
    return Object.values(shape(size)).reduce((sum, text) => sum + text.length, 0);
  };
  await grow(ofCharts, lengthOf, (size, timed) => {
    for (const [request, ask] of askedOf(snapshot, shape(size))) timed(request, ask);
  });
}

/** A case takes no longer, in milliseconds of CPU. */
const longestCase = 8000;

export const attackCharts: Attack = async (attacked) => {
  const { bombs } = attackShapes(attacked, Object.keys(chartShapes), chartPrefix, ofCharts);
  return { bombs, ...(await attackSmallCharts(attacked)) };
};

/** As many small charts as there are cases, and a folder with links for each ten of them. */
export const attackSmallCharts: Attack = async ({ cases, random, failed }) => {
  const snapshot = chartSnapshot();
  for (let i = 0; i < cases; i++) {
    const files = hostileChart(random);
    const start = process.cpuUsage();
    try {
      for (const [, ask] of askedOf(snapshot, files)) ask();
    } catch (error) {
      failed(`${String(error instanceof Error ? error.stack : error)}\n${JSON.stringify(files)}`);
    }
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > longestCase) failed(`${(user + system) / 1000} ms: ${JSON.stringify(files)}`);
  }
  const folders = Math.ceil(cases / 10);
  for (let i = 0; i < folders; i++) await attackFolder(random, failed);
  return { charts: cases, folders };
};

const pieces = [
  ...['{{', '}}', '{{-', '-}}', '(', ')', '|', '"', '`', '$', '.', '.Values', '.Values.a', '$x', ':=', '=', ',', '\n'],
  ...['{{ if .Values.a }}', '{{ else }}', '{{ end }}', '{{ range $k, $v := .Values }}', '{{ with .Values.m }}'],
  ...[
    '{{ define "t" }}',
    '{{ include "t" . }}',
    '{{ template "t" . }}',
    '{{ tpl .Values.a . }}',
    '{{ tpl "{{ . }}" . }}',
  ],
  ...[
    '{{ toYaml .Values | nindent 2 }}',
    '{{ toJson . }}',
    '{{ fromYaml "a: [1" }}',
    '{{ fromJson "{" }}',
    '{{ set .Values "a" . }}',
  ],
  ...[
    '{{ index .Values "l" 9 }}',
    '{{ slice .Values.l 1 9 }}',
    '{{ printf "%[9]*.[2]*d" 1 }}',
    '{{ repeat -1 "a" }}',
    '{{ until -9 }}',
  ],
  ...[
    '{{ .Files.Glob "[" }}',
    '{{ regexReplaceAll "(" "a" "b" }}',
    '{{ semverCompare ">" "x" }}',
    '{{ break }}',
    '{{/* x */}}',
  ],
  ...[
    '{{ merge .Values .Values }}',
    '{{ deepCopy . }}',
    '{{ .Values.a.b.c }}',
    '{{ lookup "v1" "a" "" "" }}',
    '{{ required "x" nil }}',
  ],
  ...[
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    '---\n',
    'data:\n',
    '  k: ',
    '{{ fail "x" }}',
    '\u0000',
    '\ud800',
  ],
];

const someValues = [
  '',
  'a: "{{ .Values.a }}"\nm: {b: 1}\nl: [1]\n',
  'a: &a [*a]\n',
  'null',
  '[1]',
  'a: 1\n---\na: {b: 2}\n',
  '__proto__: {a: 1}\nconstructor: 1\n',
];

function hostileChart(random: Random): Record<string, string> {
  const template = Array.from({ length: 1 + random.below(25) }, () => random.pick(pieces)).join(random.pick(['', ' ']));
  const files: Record<string, string> = {
    'Chart.yaml': random.chance(0.9) ? chartFile : 'dependencies: [{name: [], alias: {}, import-values: [1, {}]}]\n',
    'values.yaml': random.pick(someValues),
    'templates/a.yaml': template,
    'templates/_h.tpl': random.chance(0.5) ? '{{ define "t" }}{{ .Values.a }}{{ end }}' : random.pick(pieces),
  };
  if (random.chance(0.3))
    files['values.schema.json'] = random.pick(['{', 'false', '{"type": 1}', '{"$ref": "#"}', '{"required": ["x"]}']);
  for (let edits = random.below(3); edits > 0; edits--) {
    const name = random.pick(Object.keys(files));
    files[name] = edited(files[name]!, randomEdit(random, files[name]!));
  }
  return files;
}

const secret = 'nobody may read this';

const escaping = [
  '../../../escaped.yaml',
  '/etc/escaped',
  'a/../../b',
  '__proto__/Chart.yaml',
  'a/templates/\u0000',
].map((name) => ({ name, content: chartFile }));

type Put = (file: string, outside: string) => void;

const puts: readonly Put[] = [
  (file, outside) => symlinkSync(path.join(outside, 'secret.yaml'), file),
  (file, outside) => symlinkSync(outside, file),
  (file) => symlinkSync('..', file),
  (file) => symlinkSync(path.basename(file), file),
  (file) => symlinkSync('/dev/zero', file),
  (file) => execFileSync('mkfifo', ['--', file]),
  (file) => {
    writeFileSync(file, '');
    truncateSync(file, 20_000_000_000);
  },
  (file) => writeFileSync(file, tgz(escaping)),
];

const places = [
  'values.yaml',
  'Chart.yaml',
  'templates/a.yaml',
  'templates/b',
  '.helmignore',
  'charts/a.tgz',
  'charts/b',
  'files',
  'ci/a-values.yaml',
  'values.schema.json',
];

/** A chart in a folder, with things in it that lead elsewhere: what is outside is not read where the workspace is not trusted. */
async function attackFolder(random: Random, failed: (what: string) => void): Promise<void> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
  try {
    const [outside, root] = [path.join(home, 'outside'), path.join(home, 'work/chart')];
    for (const folder of [outside, `${root}/templates`, `${root}/charts`, `${root}/ci`])
      mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(outside, 'secret.yaml'), `a: ${secret}\n`);
    const hostile = new Map(Array.from({ length: 4 }, () => [random.pick(places), random.pick(puts)] as const));
    for (const [file, put] of hostile) put(path.join(root, file), outside);
    const texts = {
      'Chart.yaml': chartFile,
      'templates/a.yaml': '{{ .Files.Get "files" }}{{ toYaml .Values }}',
      '.helmignore': '**/*\n!x\n[\n',
    };
    for (const [file, text] of Object.entries(texts))
      if (!hostile.has(file)) writeFileSync(path.join(root, file), text);
    const files = confined(nodeFiles, () => [pathToFileURL(path.join(home, 'work')).href]);
    const read = await readChart(files, pathToFileURL(root).href, undefined);
    if (read.files.some(({ text }) => text.includes(secret))) failed(`read what is outside: ${[...hostile.keys()]}`);
    const chart = new ChartFolder(read);
    findingsIn(chartSnapshot(), chart, `${chart.root}/values.yaml`);
  } catch (error) {
    failed(String(error instanceof Error ? error.stack : error));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
