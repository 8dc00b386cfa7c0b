import { withChart } from '../../server/src/workspace/languages/chart.ts';
import { chartOf } from '../support/charts.ts';
import { featureSuites, suiteRoot } from '../support/featureSuite.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

// Files of a chart.

const about = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';

featureSuites('charts', ({ files: all }) => {
  const files: Record<string, string> = { 'Chart.yaml': about };
  for (const { uri, text } of all) files[uri.slice(suiteRoot.length + 1)] = text;
  const plain = snapshotOf(all.filter(({ uri }) => !uri.endsWith('.tpl')));
  const chart = chartOf(files, suiteRoot);
  const delivery = { ...plain.delivery, charts: new Map([[suiteRoot, { name: 'shop', version: '1.0.0' }]]) };
  const repositories = new Map([[suiteRoot, []]]);
  const known = { ...plain, builtin: builtinFile(), delivery: { ...delivery, repositories } };
  const snapshot = withChart(known, chart);
  return { snapshot, textOf: (uri) => [...snapshot.charts.values()][0]!.fileAt(uri)!.text };
});
