import { chartAt } from '../../workspace/languages/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { actionAt, actionsOf } from '../charts/actions.ts';
import { findingsIn } from '../charts/diagnoseChart.ts';
import { completeText, enterText, hoverText } from '../charts/inText.ts';
import { isTemplate, type Seen, seenAt } from '../charts/seen.ts';
import type { Features } from './features.ts';
import { yamlFeatures } from './yaml.ts';

/** Templates of charts: what they come to is judged, at the places that it comes from. */
export const chartFeatures: Features = {
  ...yamlFeatures,
  diagnose: (snapshot, uri) => [...yamlFeatures.diagnose(snapshot, uri), ...ofChart(snapshot, uri)],
  complete: inTemplate(
    (seen, offset) => (isInAction(seen, offset) ? [] : completeText(seen, offset)),
    yamlFeatures.complete!,
  ),
  onEnter: inTemplate(
    (seen, offset) => (isInAction(seen, offset) ? [] : enterText(seen, offset)),
    yamlFeatures.onEnter!,
  ),
  hover: inTemplate(
    (seen, offset) => (isInAction(seen, offset) ? undefined : hoverText(seen, offset)),
    yamlFeatures.hover!,
  ),
};

type At<Answer> = (snapshot: Snapshot, uri: string, offset: number) => Answer;

/** A feature of templates; of the other files it is that of YAML. */
function inTemplate<Answer>(feature: (seen: Seen, offset: number) => Answer, other: At<Answer>): At<Answer> {
  return (snapshot, uri, offset) => {
    const seen = seenAt(snapshot, uri);
    return seen && isTemplate(seen) ? feature(seen, offset) : other(snapshot, uri, offset);
  };
}

function isInAction({ file }: Seen, offset: number): boolean {
  return actionAt(actionsOf(file), offset) !== undefined;
}

function ofChart(snapshot: Snapshot, uri: string) {
  const chart = chartAt(snapshot, uri);
  return chart ? findingsIn(snapshot, chart, uri) : [];
}
