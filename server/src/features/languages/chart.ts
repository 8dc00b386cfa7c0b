import { chartAt } from '../../workspace/languages/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { type Action, actionAt, actionsOf } from '../charts/actions.ts';
import { completeAction } from '../charts/completeAction.ts';
import { findingsIn, isRendered } from '../charts/diagnoseChart.ts';
import { hoverAction } from '../charts/hoverAction.ts';
import { completeText, enterText, hoverText } from '../charts/inText.ts';
import { definitionInChart, highlightsInChart, searchInChart } from '../charts/navigateChart.ts';
import { renameInChart } from '../charts/renameInChart.ts';
import { isTemplate, type Seen, seenAt } from '../charts/seen.ts';
import { foldsTemplate, outlineTemplate } from '../charts/structureChart.ts';
import type { Fold } from '../navigate/folding.ts';
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
  complete: inTemplate(
    (seen, offset) => inActionOr(seen, offset, completeAction, completeText),
    yamlFeatures.complete!,
  ),
  triggers: [...(yamlFeatures.triggers ?? []), '"', '$'],
  onEnter: inTemplate((seen, offset) => inActionOr(seen, offset, () => [], enterText), yamlFeatures.onEnter!),
  hover: inTemplate((seen, offset) => inActionOr(seen, offset, hoverAction, hoverText), yamlFeatures.hover!),
  definition: inChart(definitionInChart, yamlFeatures.definition!, isSome),
  search: inChart(searchInChart, yamlFeatures.search!, (found) => found !== undefined),
  highlights: inChart(highlightsInChart, yamlFeatures.highlights!, isSome),
  rename: inChart(renameInChart, yamlFeatures.rename!, (found) => found !== undefined),
  outline: ofTemplate(outlineTemplate, yamlFeatures.outline!),
  folds: ofTemplate<readonly Fold[] | undefined>(foldsTemplate, yamlFeatures.folds!),
};

type At<Answer> = (snapshot: Snapshot, uri: string, offset: number) => Answer;

/** A feature of templates; of the other files it is that of YAML. */
function inTemplate<Answer>(feature: (seen: Seen, offset: number) => Answer, other: At<Answer>): At<Answer> {
  return (snapshot, uri, offset) => {
    const seen = seenAt(snapshot, uri);
    return seen && isTemplate(seen) ? feature(seen, offset) : other(snapshot, uri, offset);
  };
}

/** A feature of all files of charts; where it has no answer, that of YAML. */
function inChart<Answer>(
  feature: (seen: Seen, offset: number) => Answer,
  other: At<Answer>,
  isAnswer: (answer: Answer) => boolean,
): At<Answer> {
  return (snapshot, uri, offset) => {
    const seen = seenAt(snapshot, uri);
    const own = seen && feature(seen, offset);
    return own !== undefined && isAnswer(own) ? own : other(snapshot, uri, offset);
  };
}

function isSome(all: readonly unknown[]): boolean {
  return all.length > 0;
}

function ofTemplate<Answer>(feature: (seen: Seen) => Answer, other: (snapshot: Snapshot, uri: string) => Answer) {
  return (snapshot: Snapshot, uri: string): Answer => {
    const seen = seenAt(snapshot, uri);
    return seen && isTemplate(seen) ? feature(seen) : other(snapshot, uri);
  };
}

function inActionOr<Answer>(
  seen: Seen,
  offset: number,
  inAction: (seen: Seen, action: Action, offset: number) => Answer,
  inText: (seen: Seen, offset: number) => Answer,
): Answer {
  const action = actionAt(actionsOf(seen.file), offset);
  return action ? inAction(seen, action, offset) : inText(seen, offset);
}
