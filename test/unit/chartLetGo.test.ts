import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { ChartMemory } from '../../server/src/workspace/charts/chartMemory.ts';
import { madeFile } from '../../server/src/workspace/charts/madeFile.ts';
import { renderingsOf } from '../../server/src/workspace/charts/renderings.ts';
import { chartOf } from '../support/charts.ts';

// What a run over a repository has told of a template is let go: charts of many templates would fill the memory with it.

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'templates/a.yaml': '{{ if .Values.a }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n',
  'templates/b.yaml': 'b: {{ include "nothing" . }}\n',
};

function renderedOnce(isOnce: boolean) {
  const { read } = chartOf(files);
  const chart = new ChartFolder(read, read.files, new ChartMemory(isOnce));
  const renderings = renderingsOf(chart, { valuesFiles: [] });
  const [first] = renderings.madeOf('shop/templates/a.yaml').made;
  return { chart, renderings, source: madeFile(chart, first!).source };
}

test('a template that was let go is still counted, and known to fail', () => {
  const lines = renderedOnce(true).renderings.linesReached;
  const { renderings } = renderedOnce(true);
  for (const name of renderings.names) {
    renderings.madeOf(name);
    renderings.letGo(name);
  }
  assert.deepEqual(renderings.madeOf('shop/templates/a.yaml').made, []);
  assert.equal(renderings.madeOf('shop/templates/b.yaml').failed.length, 1);
  assert.deepEqual(renderings.linesReached, lines);
});

test('texts of a chart that is looked at once are not kept for its next version', () => {
  const rendering = 'shop/templates/a.yaml\nvalues.yaml';
  const [once, again] = [renderedOnce(true), renderedOnce(false)];
  assert.equal(once.chart.memory.sourceBefore(rendering), undefined);
  assert.equal(again.chart.memory.sourceBefore(rendering), again.source);
});
