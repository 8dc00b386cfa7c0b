import { chartAt } from '../../workspace/languages/chart.ts';
import { findingsIn, isRendered } from '../charts/diagnoseChart.ts';
import type { Features } from './features.ts';
import { yamlFeatures } from './yaml.ts';

/** Templates of charts: what they come to is judged, at the places that it comes from. */
export const chartFeatures: Features = {
  ...yamlFeatures,
  diagnose: (snapshot, uri) => {
    const chart = chartAt(snapshot, uri);
    if (!chart) return yamlFeatures.diagnose(snapshot, uri);
    // A template without actions is what it renders.
    const own = isRendered(snapshot, chart, uri) ? [] : yamlFeatures.diagnose(snapshot, uri);
    return [...own, ...findingsIn(snapshot, chart, uri)];
  },
};
