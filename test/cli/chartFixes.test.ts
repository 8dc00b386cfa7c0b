import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { boxCrd } from '../support/boxCrd.ts';
import { runProgram } from '../support/program.ts';

// `check --fix` mends what a chart renders where that is written: in its templates, and in its values.

const base = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-chart-fixes-'));
after(() => rmSync(base, { recursive: true, force: true }));

const crd = boxCrd(
  '{type: object, properties: {color: {enum: [Red, Blue], type: string}, label: {enum: [red], type: string}}}',
);
const box = (name: string, more: string) =>
  `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: ${name}}\n${more}\n`;
const chart = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
let nth = 0;

/** What of the files of a chart is another one after a run. */
function mended(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = path.join(base, String(nth++));
  const all = { 'Chart.yaml': chart, ...files };
  writeFiles(folder, { 'crd.yaml': crd });
  writeFiles(path.join(folder, 'shop'), all);
  const ran = runProgram(folder, ['check', '--crds', 'crd.yaml', '--fix', ...args, 'shop']);
  const now = Object.keys(all).map((name) => [name, readFileSync(path.join(folder, 'shop', name), 'utf8')] as const);
  return { ...ran, changed: Object.fromEntries(now.filter(([name, text]) => text !== (all as typeof files)[name])) };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

test('a value that is wrong wherever it is read is mended where it is written', () => {
  const { changed, status } = mended({
    'values.yaml': '# the color\ncolor: red\n',
    'templates/a.yaml': box('a', 'color: {{ .Values.color }}'),
    'templates/b.yaml': box('b', 'color: {{ .Values.color }}'),
  });
  assert.deepEqual([changed, status], [{ 'values.yaml': '# the color\ncolor: Red\n' }, 0]);
});

test('a value that is right elsewhere stays', () => {
  const { changed, status } = mended({
    'values.yaml': 'color: red\n',
    'templates/a.yaml': box('a', 'color: {{ .Values.color }}'),
    'templates/b.yaml': box('b', 'label: {{ .Values.color }}'),
  });
  assert.deepEqual([changed, status], [{}, 1]);
});

test('the text of a helper is mended, unless it is right in another template', () => {
  const helper = { 'templates/_a.tpl': '{{ define "color" }}\ncolor: red\n{{- end }}\n' };
  const uses = (name: string, how = '') =>
    `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: ${name}}{{ include "color" .${how} }}\n`;
  const fixed = { 'templates/_a.tpl': '{{ define "color" }}\ncolor: Red\n{{- end }}\n' };
  const twice = { ...helper, 'templates/a.yaml': uses('a') };
  assert.deepEqual(mended({ ...twice, 'templates/b.yaml': uses('b') }).changed, fixed);
  const renamed = uses('b', ' | replace "color" "label"');
  assert.deepEqual(mended({ ...twice, 'templates/b.yaml': renamed }).changed, {});
});

test('what other values render counts as well', () => {
  const files = {
    'values.yaml': 'strict: false\n',
    'ci/strict-values.yaml': 'strict: true\n',
    'templates/a.yaml': box('a', '{{ if .Values.strict }}label{{ else }}color{{ end }}: red'),
  };
  assert.deepEqual(mended(files).changed, {});
});

test('what would change is shown without being written', () => {
  const { changed, stdout } = mended(
    { 'values.yaml': 'color: red\n', 'templates/a.yaml': box('a', 'color: {{ .Values.color }}') },
    '--dry-run',
  );
  assert.deepEqual(changed, {});
  assert.match(stdout, /--- .*values\.yaml\n.*\n@@ .*\n-color: red\n\+color: Red\n/);
});
