/** A file of a chart, with all that its features ask about the chart around it. */
import { memo } from '../../base/memo.ts';
import { movedRange, type Range } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import { type Chart, type ChartFile, yamlOf } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { clusterFor } from '../../workspace/charts/cluster.ts';
import { type Renderings, renderingsOf } from '../../workspace/charts/renderings.ts';
import { isChartValues } from '../../workspace/fileNames.ts';
import { chartAt } from '../../workspace/languages/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Location } from '../place/location.ts';

/** A chart, or one in it, and the keys that lead to its values in those of the outermost. */
export interface ChartPart {
  readonly chart: Chart;
  readonly keys: readonly string[];
  readonly parent: ChartPart | undefined;
}

export interface Seen {
  readonly snapshot: Snapshot;
  readonly folder: ChartFolder;
  readonly file: ChartFile;
  readonly part: ChartPart;
  readonly renderings: Renderings;
  /** Of a text elsewhere that holds values: where they are in it. */
  readonly below?: DocumentPath;
}

/** A file of a chart that was read; undefined for all others. */
export function seenAt(snapshot: Snapshot, uri: string): Seen | undefined {
  const folder = chartAt(snapshot, uri);
  const file = folder?.fileAt(uri);
  const part = folder && file && partOf(folder, uri);
  if (!folder || !file || !part) return undefined;
  return { snapshot, folder, file, part, renderings: renderingsOf(folder, clusterFor(snapshot, folder.root)) };
}

/** The chart and those in it. */
export const partsOf = memo((folder: ChartFolder): readonly ChartPart[] => {
  const { chart } = folder;
  const found: ChartPart[] = [];
  const add = (one: Chart, keys: readonly string[], parent: ChartPart | undefined) => {
    const part = { chart: one, keys, parent };
    found.push(part);
    for (const inner of one.dependencies) add(inner, [...keys, nameIn(one, inner)], part);
  };
  if (!(chart instanceof ChartError)) add(chart, [], undefined);
  return found;
});

function nameIn({ metadata }: Chart, { name }: Chart): string {
  return metadata.dependencies.find((one) => one.name === name && one.alias !== '')?.alias ?? name;
}

/** The chart of a file: the innermost, and where none has it among its files, the outermost. */
function partOf(folder: ChartFolder, uri: string): ChartPart | undefined {
  const parts = partsOf(folder);
  return parts.find(({ chart }) => filesOf(chart).some(({ id }) => id === uri)) ?? parts[0];
}

function filesOf({ templates, valuesFile, files }: Chart): readonly ChartFile[] {
  return valuesFile ? [...templates, valuesFile, ...files] : [...templates, ...files];
}

export function isLibrary({ chart }: ChartPart): boolean {
  return chart.metadata.type.toLowerCase() === 'library';
}

export function isTemplate({ part, file }: Seen): boolean {
  return part.chart.templates.some(({ id }) => id === file.id);
}

/** All templates that are here as files, with the charts that they are of. */
export const templatesOf = memo((folder: ChartFolder): readonly (readonly [ChartPart, ChartFile])[] => {
  return partsOf(folder).flatMap((part) => part.chart.templates.map((file) => [part, file] as const));
});

/** A place in a file of values that a path in the values of a part of a chart leads to. */
export interface InValues {
  readonly file: ChartFile;
  readonly path: DocumentPath;
}

/** The other files of values beside that of a chart: those of its tests, and for its stages. */
export function otherValues({ files }: ChartFolder): ChartFile[] {
  return files.filter(({ path }) => isChartValues(path) && /^(?:ci\/)?[^/]+$/.test(path) && path !== 'values.yaml');
}

/** The part of a chart that a file of values is for; undefined for other files. */
export function valuesPart({
  folder,
  file: { id },
  below,
}: Pick<Seen, 'folder' | 'file' | 'below'>): ChartPart | undefined {
  const parts = partsOf(folder);
  if (below) return parts[0];
  const own = parts.find(({ chart }) => chart.valuesFile?.id === id);
  return own ?? (otherValues(folder).some((one) => one.id === id) ? parts[0] : undefined);
}

/** The path of a value from those of its chart; undefined for what is around them. */
export function inGiven({ below = [] }: Pick<Seen, 'below'>, path: DocumentPath): DocumentPath | undefined {
  return below.every((step, i) => path[i] === step) ? path.slice(below.length) : undefined;
}

/** The range of a key or its value in a file of values. */
export function rangeInValues({ file, path }: InValues, at: 'key' | 'value' | 'pair' = 'key'): Range | undefined {
  for (const { document, start } of yamlOf(file).documents) {
    const range = rangeOf(document, path, at);
    if (range) return movedRange(range, start);
  }
  return undefined;
}

export function locationInValues(place: InValues): Location | undefined {
  const range = rangeInValues(place);
  return range && { uri: place.file.id, range };
}
