// `check --fix` over charts of files, links and encodings that are all hostile: nothing outside of the folder that was named
// is another one afterwards, and of what is in it no byte but those of the mistake.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { boxCrd } from '../../support/boxCrd.ts';
import { runProgram } from '../../support/program.ts';
import type { Random } from '../../support/random.ts';
import type { Attack } from './part.ts';

const crd = boxCrd('{type: object, properties: {color: {enum: [Red, Blue], type: string}}}');
const box = (more: string) => `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\n${more}\n`;

/** The files of a chart with one mistake that has a safe fix: `red`. */
const written: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'values.yaml': 'color: red\nsub: {color: red}\n',
  'ci/more-values.yaml': 'color: red\n',
  'templates/_helpers.tpl': '{{ define "color" }}color: red{{ end }}\n',
  'templates/value.yaml': box('color: {{ .Values.color }}'),
  'templates/text.yaml': box('color: red'),
  'templates/helper.yaml': box('{{ include "color" . }}'),
  'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
  'charts/sub/templates/value.yaml': box('color: {{ .Values.color }}'),
};
const folders = ['templates', 'charts', 'charts/sub', 'charts/sub/templates', 'ci'];

const encodings: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(text.replaceAll('\n', '\r\n')),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`${text}# caf\u00e9`, 'latin1'),
  (text) => Buffer.from(`# \u{1f600}\n${text}`),
  (text) => Buffer.from(text.trimEnd()),
  (text) => Buffer.from(`${text}\0`),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x80])]),
];

export const attackChartFixes: Attack = ({ cases, random, failed }) => {
  let mended = 0;
  for (let i = 0; i < cases; i++) {
    const root = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
    try {
      fill(root, random);
      const before = everythingIn(root);
      const { stderr } = runProgram(path.join(root, 'in'), ['check', '--crds', 'crd.yaml', '--fix', 'shop']);
      const after = everythingIn(root);
      for (const what of wrongBetween(before, after)) failed(`case ${i}: ${what}`);
      if (/^\s+at .*:\d+:\d+\)?$/m.test(stderr)) failed(`case ${i}: ${stderr.slice(0, 500)}`);
      if ([...after].some(([name, bytes]) => before.get(name) !== bytes)) mended++;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return { charts: cases, mended };
};

/** A chart in `in/shop`, and the same outside, where links lead to. */
function fill(root: string, random: Random): void {
  const [chart, outside] = [path.join(root, 'in/shop'), path.join(root, 'outside')];
  for (const [name, text] of Object.entries(written)) {
    put(path.join(outside, name), Buffer.from(text));
    put(path.join(chart, name), random.chance(0.8) ? Buffer.from(text) : random.pick(encodings)(text));
  }
  writeFileSync(path.join(root, 'in/crd.yaml'), crd);
  for (let links = random.below(3); links > 0; links--) {
    const name = random.pick([...Object.keys(written), ...folders]);
    const to = random.pick([
      path.join(outside, name),
      path.relative(path.dirname(path.join(chart, name)), path.join(outside, name)),
      '/dev/zero',
      path.join(chart, name),
    ]);
    // What is in a folder that is a link already is outside.
    if (isBehindLink(chart, name)) continue;
    rmSync(path.join(chart, name), { recursive: true, force: true });
    symlinkSync(to, path.join(chart, name));
  }
}

function put(file: string, bytes: Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

function isBehindLink(chart: string, name: string): boolean {
  const steps = name.split('/').slice(0, -1);
  return steps.some((_, i) => isLink(path.join(chart, ...steps.slice(0, i + 1))));
}

function isLink(file: string): boolean {
  const entry = readdirSync(path.dirname(file), { withFileTypes: true }).find(
    ({ name }) => name === path.basename(file),
  );
  return entry?.isSymbolicLink() === true;
}

/** What lies in a folder, by its path: bytes of files, and where links lead to. */
function everythingIn(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(file);
      else
        found.set(
          path.relative(root, file),
          entry.isSymbolicLink() ? `-> ${readlinkSync(file)}` : readFileSync(file, 'latin1'),
        );
    }
  };
  walk(root);
  return found;
}

/** Words of the mistake, in one byte a letter or in two. */
const mistakes = /[Rr](\0?)e\1d/g;

function* wrongBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Iterable<string> {
  for (const name of after.keys()) if (!before.has(name)) yield `${name} is new`;
  for (const [name, bytes] of before) {
    const now = after.get(name);
    if (now === bytes) continue;
    if (now === undefined) yield `${name} is gone`;
    else if (!name.startsWith('in/shop/')) yield `${name} was changed`;
    else if (now.replace(mistakes, '') !== bytes.replace(mistakes, '')) yield `other bytes of ${name}: ${now}`;
  }
}
