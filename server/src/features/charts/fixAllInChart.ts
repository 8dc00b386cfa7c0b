/** Safe fixes of what is found in what a chart renders, all at once: each is made where it is written, and tried in every rendering. */
import { editedText } from '../../rules/fixing/fixes.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { type Snapshot, withChartFolder } from '../../workspace/snapshot.ts';
import type { Which } from '../mend/fixAll.ts';
import { foundInChart } from './diagnoseChart.ts';
import { fixesInChart } from './fixesChart.ts';
import { seenAt } from './seen.ts';

/** Fixes of one chart: each takes the templates that it may change anew. */
const mostInChart = 50;

/** The chart with these fixes; itself where there are none. `isOwn` says which files may be changed. */
export function fixedChart(
  snapshot: Snapshot,
  folder: ChartFolder,
  which: Which,
  isOwn: (uri: string) => boolean,
): ChartFolder {
  const vain = new Set<string>();
  let at = folder;
  let known = withChartFolder(snapshot, folder);
  for (let i = 0; i < mostInChart; i++) {
    const next = nextFixed(known, at, which, isOwn, vain);
    if (!next) break;
    [known, at] = next;
  }
  return at;
}

/** `vain` is what was tried already, by the code and the text that it stands at. */
function nextFixed(
  snapshot: Snapshot,
  folder: ChartFolder,
  { unsafe, wanted }: Which,
  isOwn: (uri: string) => boolean,
  vain: Set<string>,
): readonly [Snapshot, ChartFolder] | undefined {
  const before = foundInChart(snapshot, folder);
  for (const { uri, diagnostic } of before) {
    const seen = wanted && !wanted(diagnostic) ? undefined : seenAt(snapshot, uri);
    const tried = [uri, diagnostic.code, diagnostic.message, diagnostic.range.start].join(' ');
    if (!seen || vain.has(tried)) continue;
    const all = fixesInChart(seen, { code: diagnostic.code, offset: diagnostic.range.start, among: 1 });
    for (const { uri: at, fixes } of all) {
      const fix = isOwn(at) ? fixes.find(({ safe }) => safe || unsafe) : undefined;
      const file = fix && folder.fileAt(at);
      if (!file) continue;
      const after = folder.withText(at, editedText(file.text, fix.edits));
      const known = withChartFolder(snapshot, after);
      if (foundInChart(known, after).length < before.length) return [known, after];
    }
    vain.add(tried);
  }
  return undefined;
}
