import { linesAround } from '../../base/text.ts';
import { isMap, type Value, valueAt } from '../../base/value.ts';
import { type Chart, type ChartFile, yamlOf } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import { nearestNames } from '../../rules/fixing/nearest.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import type { FailedTemplate } from '../../workspace/charts/renderings.ts';
import { ownValues } from '../../workspace/charts/valueSets.ts';
import { isChartValues } from '../../workspace/fileNames.ts';
import { valueOf } from '../../yaml/value.ts';

type Folder = Pick<ChartFolder, 'files' | 'root' | 'fileAt' | 'read' | 'chart'>;

/**
 * Whether a template fails for want of a value that the chart's own values have nothing like: it comes with what installs the
 * chart, or with another file of values beside them. What they have something like may be misspelled. So it is where the own
 * values have a null for it, and where a marketplace gives it. A chart in this one has its values from both.
 */
export function isLeftToGive(folder: Folder, { name, failure }: FailedTemplate): boolean {
  const { message } = failure;
  const [place] = failure.places;
  const inner = innerCharts(folder.chart, name);
  const within = inner.map((one) => one.name);
  const pathsIn = (text: string) =>
    pathsOfValues(text).map((path) => (path[0] === 'global' ? path : [...within, ...path]));
  const named = pathsIn(message);
  const text = (place && folder.fileAt(place.file)?.text) ?? '';
  const at = place?.start ?? 0;
  const failing = pathsIn(lastPlaceIn(message));
  const blamed = failing.length > 0 ? failing : pathsIn(actionAt(text, at));
  const own = [...valuesIn(folder, (path) => path === ownValues), ...inner.flatMap(valuesOfInner)];
  if (blamed.some((path) => isNullIn(own, path) || isOfMarketplace(folder, path))) return true;
  const paths = named.length > 0 ? named : pathsIn(linesAround(text, { start: at, end: at }));
  const others = valuesIn(
    folder,
    (path) => path !== ownValues && !path.startsWith('charts/') && isChartValues(`${folder.root}/${path}`),
  );
  const isRead = (path: readonly string[]) => {
    const read = `.Values.${path.slice(path[0] === 'global' ? 0 : within.length).join('.')}`;
    return folder.files.some((one) => one.path.includes('templates/') && isNamed(one.text, read));
  };
  return paths.some(
    (path) =>
      isNowhere([...own, ...others], path, isRead) || others.some((values) => valueAt(values, path) !== undefined),
  );
}

/** What was looked at last: `… at <.Values.image.tag>: nil pointer …`. */
function lastPlaceIn(message: string): string {
  const at = message.lastIndexOf(' at <');
  const end = message.indexOf('>: ', at);
  return at === -1 || end === -1 ? '' : message.slice(at + 5, end);
}

/** The action that a place of a template is in. */
function actionAt(text: string, at: number): string {
  const start = text.lastIndexOf('{{', at);
  const end = text.indexOf('}}', at);
  return start === -1 || end === -1 || text.lastIndexOf('}}', at - 1) > start ? '' : text.slice(start, end);
}

/** A chart in another one: by the name that the outer one gives its values under, and in which others it is. */
interface Inner {
  readonly name: string;
  readonly around: readonly string[];
  readonly chart: Chart;
}

/** The charts that a template is in, the outermost left out: `base` of `app/charts/base/templates/a.yaml`. */
function innerCharts(outermost: Chart | ChartError, template: string): Inner[] {
  const names = template.split('/templates/')[0]!.split('/charts/').slice(1);
  let outer = outermost;
  return names.flatMap((name, i) => {
    if (outer instanceof ChartError) return [];
    const itself = outer.wanted.find(({ alias }) => alias === name)?.name ?? name;
    const chart = outer.dependencies.find((one) => one.name === itself || one.name === name);
    if (!chart) return [];
    outer = chart;
    return [{ name, around: names.slice(0, i), chart }];
  });
}

/** What a chart in another one gives itself, as the outermost one would write it. */
function valuesOfInner({ name, around, chart }: Inner): Value[] {
  return chart.valuesFile === undefined
    ? []
    : valuesOf(chart.valuesFile).map((values) => {
        const all = isMap(values) ? valueAt(values, ['global']) : undefined;
        const inside = [...around, name].reduceRight((value, one): Value => new Map([[one, value]]), values);
        return all === undefined || !isMap(inside) ? inside : new Map([...inside, ['global', all]]);
      });
}

/** What is given first counts. */
const isNullIn = (own: readonly Value[], path: readonly string[]) =>
  own.map((values) => valueAt(values, path)).find((value) => value !== undefined) === null;

function isOfMarketplace({ read }: Folder, path: readonly string[]): boolean {
  return read.givenByMarketplace?.has(path.join('.')) === true;
}

/** Also as `index .Values "image" "tag"`. */
function pathsOfValues(text: string): string[][] {
  const written = text.matchAll(/\.Values\.(\w[\w.]{0,200})/g);
  const asked = text.matchAll(/\bindex \$?\.Values((?: "[^"]{1,100}"){1,10})/g);
  return [
    ...Array.from(written, ([, path]) => path!.replace(/\.$/, '').split('.')),
    ...Array.from(asked, ([, steps]) => steps!.split('"').filter((_, i) => i % 2 === 1)),
  ];
}

const valuesIn = ({ files }: Folder, isWanted: (path: string) => boolean) =>
  files.filter(({ path }) => isWanted(path)).flatMap(valuesOf);

const valuesOf = (file: ChartFile): Value[] =>
  yamlOf(file).documents.flatMap(({ document }) => valueOf(document) ?? []);

/** Whether a text has a name that does not go on: `.Values.serviceA` is not in `.Values.serviceAccount`. */
function isNamed(text: string, name: string): boolean {
  return text
    .split(name)
    .slice(1)
    .some((behind) => !/^\w/.test(behind));
}

/** Whether the first key of a path that is not there has no name like one that is. */
function isNowhere(
  all: readonly Value[],
  path: readonly string[],
  isRead: (path: readonly string[]) => boolean,
): boolean {
  const length = path.findIndex((_, i) => all.every((values) => valueAt(values, path.slice(0, i + 1)) === undefined));
  if (length === -1) return false;
  const parent = path.slice(0, length);
  const around = all.map((values) => valueAt(values, parent));
  const name = path[length]!;
  // `_cluster` beside `cluster` is another name, and no slip; so is `service` beside `serviceMonitor`, which templates read as well.
  const isLonger = (one: string) => one.startsWith(name) && /^[A-Z]/.test(one.slice(name.length));
  const others = around
    .flatMap((one) => (isMap(one) ? [...one.keys()] : []))
    .filter((one) => one !== name.replace(/^_+/, '') && !(isLonger(one) && isRead([...parent, one])));
  return nearestNames(name, others).length === 0;
}
