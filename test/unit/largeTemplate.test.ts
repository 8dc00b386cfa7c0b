import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOfTemplate } from '../../server/src/features/charts/diagnoseChart.ts';
import { ofWholeChart } from '../../server/src/features/charts/wholeChart.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { chartOf } from '../support/charts.ts';

// Some charts have CRDs of some megabytes among their templates.

function saidOf(template: string, files: Readonly<Record<string, string>> = {}): string[] {
  const chart = chartOf({
    ...files,
    'Chart.yaml': 'apiVersion: v2\nname: crds\nversion: 1.0.0\n',
    'templates/large.yaml': template,
  });
  const found = [
    ...ofWholeChart(emptySnapshot, chart),
    ...findingsOfTemplate(emptySnapshot, chart, 'crds/templates/large.yaml'),
  ];
  return found.map(({ diagnostic: { code, message } }) => `${code} ${message}`);
}

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n';

test('a template is judged whose own text has three million characters', () => {
  const lines = `# ${'a'.repeat(997)}\n`.repeat(3_000);
  assert.deepEqual(
    saidOf(`${lines}${head}kind: Secret\n`).map((one) => one.split(' ')[0]),
    ['yaml/duplicate-key'],
  );
});

test('a template that makes millions of characters of a few is not judged', () => {
  assert.deepEqual(saidOf(`${head}# {{ repeat 4001000 "a" }}\n`), [
    'chart/too-much it renders 4000000 characters more than it has',
  ]);
});

test('a template that prints files of its chart is judged with as many characters as those have', () => {
  const boards = { 'boards/a.json': `{"a": "${'a'.repeat(4_000_100)}"}`, 'boards/b.json': '{}' };
  const template =
    'data:\n{{- range $path, $text := .Files.Glob "boards/*" }}\n  {{ base $path }}: {{ toString $text | toJson }}\n{{- end }}\n';
  assert.deepEqual(
    saidOf(`${head}${template}kind: Secret\n`, boards).map((one) => one.split(' ')[0]),
    ['yaml/duplicate-key'],
  );
  assert.deepEqual(saidOf(`${head}${'# {{ .Files.Get "boards/a.json" }}\n'.repeat(3)}`, boards), [
    'chart/too-much it renders 4000000 characters more than it has',
  ]);
});
