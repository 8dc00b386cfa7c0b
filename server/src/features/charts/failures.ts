import type { FailedFor } from '../../rules/model/says.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import type { FailedTemplate } from '../../workspace/charts/renderings.ts';
import { ownValues } from '../../workspace/charts/valueSets.ts';
import type { ChartPlace } from '../../workspace/projections/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import {
  asNote,
  type ChartFinding,
  isPartlyKnown,
  ofCluster,
  ofCode,
  placeOfUse,
  underSet,
  withSet,
} from './finding.ts';
import { isLeftToGive } from './leftToGive.ts';

/** Helm's own error, where it was given. */
export function ofFailure(snapshot: Snapshot, chart: ChartFolder, failed: FailedTemplate): ChartFinding[] {
  const { failure, set } = failed;
  // With values that are made up, or not known, a chart may well not be rendered.
  if (set.assumed.length > 0 || isPartlyKnown(set)) return [];
  const place: ChartPlace | undefined = failure.places[0] && {
    uri: failure.places[0].file,
    range: { start: failure.places[0].start, end: failure.places[0].end },
  };
  if (!place) return [];
  // A chart may well want values that its own file of them leaves open; chart-testing takes no file that is called as that one.
  const isOwn = set.name === ownValues || set.name === `ci/${ownValues}`;
  const isOpen = isOwn && (failure.isWished || isLeftToGive(chart, failed));
  const code = failure.isBound ? 'chart/too-much' : isOpen ? 'chart/wants-values' : 'chart/not-rendered';
  const under = set.name === ownValues ? '' : `\n(${withSet(set)})`;
  const given = failure.isWished ? placeOfUse(set) : undefined;
  const related = given ? [{ ...place, message: 'the template wants it here' }] : [];
  const says = { failed: failedFor(failure), ...(under !== '' && underSet(failure.message, set)) };
  const found = ofCode(snapshot, code, given ?? place, `${failure.message}${under}`, related, says);
  return failed.isOfCluster ? found.map((one) => ({ ...one, diagnostic: asNote(one.diagnostic, ofCluster) })) : found;
}

/** `templates/a.yaml` of `app/charts/base/templates/a.yaml`: one chart may be in several others, and under several names. */
function inItsChart(template: string): string {
  const start = template.indexOf('/templates/');
  return start === -1 ? template : template.slice(start + 1);
}

function failedFor({ message, isWished = false, template }: FailedTemplate['failure']): FailedFor {
  const words = message.replaceAll(/[\w./-]{1,1000}/g, inItsChart);
  const cause = words.split('error calling include:').at(-1)!.trim();
  return { isWished, words, cause, ...(template !== undefined && { template }) };
}
