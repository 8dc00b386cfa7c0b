import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOfTemplate } from '../../server/src/features/charts/diagnoseChart.ts';
import { ofWholeChart } from '../../server/src/features/charts/wholeChart.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { chartOf } from '../support/charts.ts';

// Some charts have CRDs of some megabytes among their templates.

function saidOf(template: string): string[] {
  const chart = chartOf({
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
  assert.deepEqual(saidOf(`${head}# {{ repeat 4000100 "a" }}\n`), [
    'chart/too-much it renders 4000000 characters more than it has',
  ]);
});
