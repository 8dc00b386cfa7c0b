import { ChartError } from '../../helm/chartError.ts';
import type { ChartFolder } from '../charts/chartFolder.ts';
import { clusterFor } from '../charts/cluster.ts';
import { madeFile } from '../charts/madeFile.ts';
import { renderingsOf } from '../charts/renderings.ts';
import { fileOfText } from '../delivery/texts.ts';
import { givenTo, withGiven } from '../delivery/uses.ts';
import { isChartTemplate, isChartValues } from '../fileNames.ts';
import { type Snapshot, settingsFor, withChartFolder } from '../snapshot.ts';
import type { SourceFile } from '../sourceFile.ts';
import { isInside } from '../uri.ts';
import type { Language } from './language.ts';
import { yaml } from './yaml.ts';

/** Templates of Helm charts, which are YAML only once they are rendered, and what is written for it: values and the like. */
export const chart: Language = {
  ...yaml,
  isOf: ({ uri, languageId }) => languageId === 'helm' || isChartTemplate(uri) || isChartValues(uri),
  withText: (snapshot, file, edit) => withCharts(yaml.withText(snapshot, file, edit), file.uri),
  textAt: (snapshot, uri) => yaml.textAt(snapshot, uri) ?? chartAt(snapshot, uri)?.fileAt(uri)?.text,
  without: (snapshot, uri) => withCharts(yaml.without(snapshot, uri), uri),
};

/** The chart of a file, where it was read. */
export function chartAt(snapshot: Snapshot, uri: string): ChartFolder | undefined {
  for (const [root, folder] of snapshot.charts) {
    if (isInside(uri, root)) return settingsFor(snapshot, uri).charts ? folder : undefined;
  }
  return undefined;
}

/** Whether a file is a template of a chart that was read, or values that a chart has a schema for. */
export function isServedByChart(snapshot: Snapshot, uri: string): boolean {
  const folder = chartAt(snapshot, uri);
  if (!folder?.fileAt(uri) || folder.chart instanceof ChartError) return false;
  return isChartTemplate(uri) || (isChartValues(uri) && folder.chart.schema !== undefined);
}

/** Whether a file may belong to a chart, by its name. */
export function mayBeOfChart(uri: string): boolean {
  return isChartTemplate(uri) || uri.endsWith('/Chart.yaml') || isChartValues(uri);
}

/** The snapshot with the open files of the chart around one of them as they are in the editor. */
function withCharts(snapshot: Snapshot, uri: string): Snapshot {
  const folder = chartAt(snapshot, uri);
  // A file of values may be for a chart elsewhere.
  return folder ? withChart(snapshot, folder) : withGiven(snapshot);
}

export function withChart(snapshot: Snapshot, folder: ChartFolder): Snapshot {
  const open = new Map<string, string>();
  for (const files of [snapshot.open, snapshot.others]) {
    for (const { uri, text } of files.values()) if (isInside(uri, folder.root)) open.set(uri, text);
  }
  const current = folder.withOpen(open);
  const next = current.withGiven(givenTo(snapshot, folder.root, folder.read.named ?? new Map(), folder.given));
  return snapshot.charts.get(folder.root) === next ? snapshot : withChartFolder(snapshot, next);
}

/** What comes of a file of a chart, as files that are nowhere but in memory: of a template that is rendered, of it alone. */
export function madeOfCharts(snapshot: Snapshot, uri: string): readonly SourceFile[] {
  const folder = chartAt(snapshot, uri);
  return (folder ? [folder] : chartsGivenBy(snapshot, uri)).flatMap((one) => madeOfChart(snapshot, one, uri));
}

/** The charts that values in a file are for. */
export function chartsGivenBy(snapshot: Snapshot, uri: string): readonly ChartFolder[] {
  if (!settingsFor(snapshot, uri).charts) return [];
  return [...snapshot.charts.values()].filter(({ given }) => given.files.some(({ id }) => fileOfText(id) === uri));
}

function madeOfChart(snapshot: Snapshot, folder: ChartFolder, uri: string): readonly SourceFile[] {
  const renderings = renderingsOf(folder, clusterFor(snapshot, folder.root));
  const name = renderings.nameOf(uri);
  const names = name === undefined ? renderings.names : [name];
  return names.flatMap((one) => renderings.madeOf(one).made).map((made) => madeFile(folder, made).source);
}
