/** The values that a chart is rendered with. */
import type { Path } from '../../base/value.ts';
import type { Cluster } from '../../helm/capabilities.ts';
import type { Chart, ChartFile } from '../../helm/chart.ts';
import { known, put } from '../../helm/made.ts';
import type { Release } from '../../helm/render.ts';
import { readValues } from '../../helm/values.ts';
import { GoMap } from '../../template/value.ts';
import { isTestValues } from '../fileNames.ts';
import { globOf } from '../glob.ts';
import { namesLookedUp } from './releaseNames.ts';

/** The values of a chart alone. */
export const ownValues = 'values.yaml';

/** The files of a chart, and whether a program makes its values.yaml of another. */
interface ValuesFiles {
  readonly files: readonly ChartFile[];
  readonly valuesMadeLater?: boolean;
}

/** Values of one file, laid over those of the chart; without one, those of the chart alone. */
export interface ValueSet {
  /** As findings name it. */
  readonly name: string;
  readonly file: ChartFile | undefined;
  readonly given: GoMap | undefined;
  /** What is made up in them, as findings name it. */
  readonly assumed: readonly string[];
  /** Of what is made up, the charts that are turned on. */
  readonly turnedOn?: readonly TurnedOn[];
  /** A program makes the chart's own values of another file before the chart is used. */
  readonly isMadeLater?: boolean;
  /** What the release is called, where the chart's own values tell. */
  readonly release?: Release;
  /** Of an object that installs the chart. */
  readonly use?: UsedBy;
}

/** A chart in a chart, by the names that lead to it, and what turns it on, as findings name it. */
export interface TurnedOn {
  readonly names: readonly string[];
  readonly text: string;
}

export type SaidCluster = Pick<Cluster, 'kubeVersion' | 'apiVersions'>;

/** What an object that installs a chart says beside values. */
export interface UsedBy {
  readonly release: Release;
  /** What is said of the cluster that templates may ask for. */
  readonly cluster?: SaidCluster;
  /** What takes the place of the chart's own values. */
  readonly defaults?: GoMap;
  /** Values are not compared with schemas. */
  readonly skipsSchema: boolean;
  /** Helm renders the chart without a cluster, so that `lookup` finds nothing. */
  readonly rendersAlone?: true;
  /** The texts that its values are in. */
  readonly files: readonly string[];
  /** What is not here, or not known. */
  readonly unknown: readonly string[];
  /** Whether that may give any value. */
  readonly isOpen: boolean;
  /** Why there are no values, in the words of what installs the chart; then nothing of it is rendered with them. */
  readonly error?: string;
  /** Where in the file of the set its values are, for what is said of them all. */
  readonly at: Path;
  /** Where there is a map of them. */
  readonly below?: Path;
}

/** Values files of one chart that are looked at. */
const mostValueSets = 30;

export function valueSetsOf(
  { files, valuesMadeLater: isMadeLater = false }: ValuesFiles,
  chart: Chart,
  globs: readonly string[],
): readonly ValueSet[] {
  const isWanted = globs.map(globOf);
  const own: ValueSet = { name: ownValues, file: undefined, given: undefined, assumed: [], isMadeLater };
  const { names, isOtherMeant } = namesLookedUp(chart);
  const named = names.map((name): ValueSet => ({ ...own, release: { name } }));
  const others = files
    .filter(({ path }) => (path.startsWith('ci/') && isTestValues(path)) || isWanted.some((fits) => fits(path)))
    .slice(0, mostValueSets);
  const release = named[0]?.release;
  const beside = [...others.flatMap(setOf), ...withAllCharts(chart)].map((set) =>
    release ? { ...set, release } : set,
  );
  return [...named, ...(isOtherMeant ? [own] : []), ...beside];
}

function setOf(file: ChartFile): ValueSet[] {
  const { values, error } = readValues(file.text, file.id);
  return error === undefined ? [{ name: file.path, file, given: values, assumed: [] }] : [];
}

/** The values with which all charts in a chart are on: their templates are rendered otherwise only where they are. */
function withAllCharts(chart: Chart): ValueSet[] {
  const conditions = conditionsOf(chart, [], [], { left: mostLookedInto });
  if (conditions.length === 0) return [];
  let given = new GoMap(new Map(), { place: chart.values.place });
  for (const { path } of conditions) given = put(given, path, known(true));
  const turnedOn = conditions.map(({ names, path }) => ({ names, text: `\`${path.join('.')}: true\`` }));
  const assumed = turnedOn.map(({ text }) => text);
  return [{ name: ownValues, file: undefined, given, assumed, turnedOn }];
}

/** Dependencies that are looked into for what turns them on: one chart may be in itself under many names. */
const mostLookedInto = 500;

/** A value that turns on a chart in a chart. */
interface Condition {
  readonly names: readonly string[];
  readonly path: readonly string[];
}

/** The values that turn on charts which are here, by their paths from the outermost chart. */
function conditionsOf(
  chart: Chart,
  names: readonly string[],
  path: readonly string[],
  room: { left: number },
): Condition[] {
  return chart.metadata.dependencies.flatMap(({ name, alias, condition, tags }) => {
    const inner = chart.dependencies.find((one) => one.metadata.name === name);
    if (!inner || room.left-- <= 0) return [];
    const [first] = condition.split(',');
    const own = first ? [[...path, ...first.trim().split('.')]] : tags.map((tag) => ['tags', tag]);
    const below = [...names, name];
    return [
      ...own.map((one) => ({ names: below, path: one })),
      ...conditionsOf(inner, below, [...path, alias || name], room),
    ];
  });
}
