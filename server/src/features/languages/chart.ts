import { memo } from '../../base/memo.ts';
import type { Diagnostic } from '../../rules/model/diagnostic.ts';
import { chartAt } from '../../workspace/languages/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { type Action, actionAt, actionsOf } from '../charts/actions.ts';
import { colorsOfActions } from '../charts/colorsChart.ts';
import { completeAction } from '../charts/completeAction.ts';
import { completeValues } from '../charts/completeValues.ts';
import { findingsIn, isRendered } from '../charts/diagnoseChart.ts';
import { type FixesOfFile, fixesInChart } from '../charts/fixesChart.ts';
import { hoverAction } from '../charts/hoverAction.ts';
import { hoverValue } from '../charts/hoverValue.ts';
import { completeText, enterText, hoverText } from '../charts/inText.ts';
import { definitionInChart, highlightsInChart, searchInChart } from '../charts/navigateChart.ts';
import { renameInChart } from '../charts/renameInChart.ts';
import { shownRendering } from '../charts/rendered.ts';
import { isTemplate, type Seen, seenAt, valuesPart } from '../charts/seen.ts';
import { foldsTemplate, outlineTemplate } from '../charts/structureChart.ts';
import { fixesOfUnused, unusedValues } from '../charts/unusedValues.ts';
import type { Completion } from '../complete/completion.ts';
import { triggers } from '../complete/triggers.ts';
import type { Fold } from '../navigate/folding.ts';
import type { Features, Told } from './features.ts';
import { yamlFeatures } from './yaml.ts';

/** Templates of charts: what they come to is judged, at the places that it comes from. */
export const chartFeatures: Features = {
  ...yamlFeatures,
  diagnose: (snapshot, uri) => {
    const chart = chartAt(snapshot, uri);
    if (!chart) return yamlFeatures.diagnose(snapshot, uri);
    // A template without actions is what it renders.
    const own = isRendered(snapshot, chart, uri) ? [] : yamlFeatures.diagnose(snapshot, uri);
    // What cannot be read is said of the text itself, and by Helm in other words.
    const isSaid = ({ range }: Diagnostic) =>
      own.some((one) => one.severity === 'error' && one.range.start === range.start);
    const found = findingsIn(snapshot, chart, uri).filter((one) => !isSaid(one));
    return [...own, ...found, ...unusedAt(snapshot, uri)];
  },
  complete: inTemplate((seen, offset) => inActionOr(seen, offset, completeAction, completeText), completeInValues),
  triggers: triggers.chart,
  onEnter: inTemplate((seen, offset) => inActionOr(seen, offset, () => [], enterText), yamlFeatures.onEnter!),
  hover: inTemplate(
    (seen, offset) => inActionOr(seen, offset, hoverAction, hoverText),
    inChart(hoverValue, yamlFeatures.hover!, (found) => found !== undefined),
  ),
  definition: inChart(definitionInChart, yamlFeatures.definition!, isSome),
  search: inChart(searchInChart, yamlFeatures.search!, (found) => found !== undefined),
  highlights: inChart(highlightsInChart, yamlFeatures.highlights!, isSome),
  rename: inChart(renameInChart, yamlFeatures.rename!, (found) => found !== undefined),
  fixes: (snapshot, uri, told) => {
    const own = fixesAt(snapshot, uri, told).filter((one) => one.uri === uri);
    const ofYaml = yamlFeatures.fixes?.(snapshot, uri, told) ?? [];
    return [...own.flatMap(({ fixes }) => fixes), ...ofYaml];
  },
  fixesElsewhere: (snapshot, uri, told) => {
    const others = fixesAt(snapshot, uri, told).filter((one) => one.uri !== uri);
    const ofYaml = yamlFeatures.fixesElsewhere?.(snapshot, uri, told) ?? [];
    return [...others.flatMap((one) => one.fixes.map((fix) => ({ uri: one.uri, fix }))), ...ofYaml];
  },
  // What starts from a place of YAML would go over actions as if they were not there.
  assists: (snapshot, uri, offset) => (hasActions(snapshot, uri) ? [] : yamlFeatures.assists!(snapshot, uri, offset)),
  outline: ofTemplate(outlineTemplate, yamlFeatures.outline!),
  colors: (snapshot, uri, within) => {
    const seen = seenAt(snapshot, uri);
    return seen && isTemplate(seen) ? colorsOfActions(seen, within) : yamlFeatures.colors!(snapshot, uri, within);
  },
  rendered: (snapshot, uri, wanted) => {
    const seen = seenAt(snapshot, uri);
    return seen && shownRendering(seen, wanted);
  },
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

/** What is found in what the chart renders is of the file as a whole, for nothing of its own text names it. */
function fixesAt(snapshot: Snapshot, uri: string, { key, code, offset, among }: Told): readonly FixesOfFile[] {
  return key.of === 'file' ? triedFixes(snapshot, uri, code, offset, among) : [];
}

/** Asked for those of the file, and for those of others. */
const triedFixes = memo((snapshot: Snapshot, uri: string, code: string, offset: number, among: number) => {
  const seen = seenAt(snapshot, uri);
  if (!seen) return [];
  return [{ uri, fixes: fixesOfUnused(seen, code, offset) }, ...fixesInChart(seen, { code, offset, among })];
});

function completeInValues(snapshot: Snapshot, uri: string, offset: number): Completion[] {
  const seen = seenAt(snapshot, uri);
  return seen && valuesPart(seen) ? completeValues(seen, offset) : yamlFeatures.complete!(snapshot, uri, offset);
}

function unusedAt(snapshot: Snapshot, uri: string): Diagnostic[] {
  const seen = seenAt(snapshot, uri);
  return seen ? unusedValues(seen) : [];
}

function hasActions(snapshot: Snapshot, uri: string): boolean {
  const seen = seenAt(snapshot, uri);
  return seen !== undefined && isTemplate(seen) && actionsOf(seen.file).length > 0;
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
