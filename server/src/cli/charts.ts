import { append } from '../base/append.ts';
import { type ChartFinding, findingsOfTemplate, ofWholeChart } from '../features/charts/diagnoseChart.ts';
import { chartRootOf, readChart } from '../workspace/charts/chartFiles.ts';
import { ChartFolder } from '../workspace/charts/chartFolder.ts';
import { clusterFor } from '../workspace/charts/cluster.ts';
import { madeFile } from '../workspace/charts/madeFile.ts';
import { renderingsOf } from '../workspace/charts/renderings.ts';
import type { Listing } from '../workspace/files.ts';
import type { Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { baseName, folderOf, isInside } from '../workspace/uri.ts';

/** The charts that files of a listing belong to, by their folders, with those files. */
export type Charts = ReadonlyMap<string, readonly string[]>;

export async function chartsIn({ uris }: Listing): Promise<Charts> {
  const rootOf = new Map<string, Promise<string | undefined>>();
  const charts = new Map<string, string[]>();
  for (const uri of uris) {
    if (!uri.includes('/templates/') && baseName(uri) !== 'Chart.yaml') continue;
    const folder = folderOf(uri);
    const known = rootOf.get(folder) ?? chartRootOf(promptFiles, uri);
    rootOf.set(folder, known);
    const root = await known;
    if (root !== undefined) charts.set(root, []);
  }
  for (const uri of uris) for (const [root, own] of charts) if (isInside(uri, root)) own.push(uri);
  return charts;
}

/** What was judged of charts, counted. */
export interface ChartCounts {
  charts: number;
  templates: number;
  renderings: number;
  lines: number;
  reached: number;
}

export const noCharts = (): ChartCounts => ({ charts: 0, templates: 0, renderings: 0, lines: 0, reached: 0 });

/** What is judged by, and what is told of each rendering before. */
export interface ChartJudging {
  readonly counts: ChartCounts;
  /** The snapshot with the CRDs of a rendering's kinds. */
  knowing(source: SourceFile): Promise<Snapshot>;
}

/** Findings by file. */
export type FoundInChart = ReadonlyMap<string, { readonly text: string; readonly found: readonly ChartFinding[] }>;

/** Everything that is found in what a chart comes to. */
export async function judgeChart(snapshot: Snapshot, root: string, judging: ChartJudging): Promise<FoundInChart> {
  const read = await readChart(promptFiles, root);
  const chart = new ChartFolder(read);
  const renderings = renderingsOf(chart, clusterFor(snapshot, root));
  const found = ofWholeChart(snapshot, chart);
  for (const name of renderings.names) {
    let known = snapshot;
    const { made } = renderings.madeOf(name);
    for (const one of made) known = await judging.knowing(madeFile(chart, one).source);
    append(found, findingsOfTemplate(known, chart, name));
    judging.counts.templates++;
    judging.counts.renderings += made.length;
  }
  const { lines, reached } = renderings.linesReached;
  judging.counts.charts++;
  judging.counts.lines += lines;
  judging.counts.reached += reached;
  return byFile(chart, found);
}

function byFile(chart: ChartFolder, all: readonly ChartFinding[]): FoundInChart {
  const files = new Map<string, { text: string; found: ChartFinding[] }>();
  for (const one of all) {
    const file = chart.fileAt(one.uri);
    // Nobody mends what is in an archive.
    if (!file || one.uri.includes('!/')) continue;
    const known = files.get(one.uri) ?? { text: file.text, found: [] };
    files.set(one.uri, known);
    known.found.push(one);
  }
  return files;
}

/** What was done, in one line; none where there is no chart. */
export function chartsText({ charts, templates, renderings, lines, reached }: ChartCounts): string[] {
  if (templates === 0) return [];
  const share = lines === 0 ? 100 : Math.floor((reached / lines) * 1000) / 10;
  const left = lines - reached;
  const rest = left === 0 ? '' : `; ${left} of their ${lines} lines are in no rendering`;
  return [
    `charts: ${charts}, with ${templates} templates in ${renderings} renderings (${share} % of their lines)${rest}`,
  ];
}
