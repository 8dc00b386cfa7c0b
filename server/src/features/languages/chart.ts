import { chartAt } from '../../workspace/languages/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { findingsIn } from '../charts/diagnoseChart.ts';
import type { Features } from './features.ts';
import { yamlFeatures } from './yaml.ts';

/** Templates of charts: what they come to is judged, at the places that it comes from. */
export const chartFeatures: Features = {
  ...yamlFeatures,
  diagnose: (snapshot, uri) => [...yamlFeatures.diagnose(snapshot, uri), ...ofChart(snapshot, uri)],
};

function ofChart(snapshot: Snapshot, uri: string) {
  const chart = chartAt(snapshot, uri);
  return chart ? findingsIn(snapshot, chart, uri) : [];
}
