import type { Range } from '../../base/text.ts';
import { inDocument } from '../../workspace/manifest.ts';
import { rulePlace } from '../../workspace/rulePlace.ts';
import { kubernetesFor, type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { rangeOf } from '../../yaml/place.ts';
import { crdsOf, rulePaths } from '../place/rulePaths.ts';
import { budgetShare, costExplained, percent, ruleCost } from '../words/costs.ts';
import type { Markdown } from '../words/markdown.ts';

export interface InlayHint {
  readonly offset: number;
  readonly label: string;
  /** Of what one rule may cost, in percent. */
  readonly share: number;
  readonly tooltip: Markdown;
}

/** At each rule in a range of a file that is not cheap: its share of what one rule may cost. */
export function inlayHints(snapshot: Snapshot, uri: string, within: Range): InlayHint[] {
  const kubernetes = kubernetesFor(snapshot, uri);
  const { costHintThreshold } = settingsFor(snapshot, uri);
  return crdsOf(snapshot, uri).flatMap(({ manifest, placed }) =>
    rulePaths(manifest.value, ['rule']).flatMap((path): InlayHint[] => {
      const at = inDocument(manifest, path);
      const key = rangeOf(placed.document, at, 'key');
      if (!key || key.end + placed.start < within.start || key.start + placed.start > within.end) return [];
      const place = rulePlace(manifest, at, kubernetes);
      const costs = ruleCost(place);
      if (!place || !costs) return [];
      const { all: cost } = costs;
      const share = budgetShare(cost);
      if (share < costHintThreshold) return [];
      const lineEnd = placed.document.text.slice(key.end).search(/[\r\n]|$/) + key.end;
      const tooltip = costExplained(place, costs);
      return [{ offset: lineEnd + placed.start, label: `${percent(cost)} of budget`, share, tooltip }];
    }),
  );
}
