import { linesAround } from '../../base/text.ts';
import { isMap, type Value, valueAt } from '../../base/value.ts';
import { yamlOf } from '../../helm/chart.ts';
import { nearestNames } from '../../rules/fixing/nearest.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import type { FailedTemplate } from '../../workspace/charts/renderings.ts';
import { ownValues } from '../../workspace/charts/valueSets.ts';
import { isChartValues } from '../../workspace/fileNames.ts';
import { valueOf } from '../../yaml/value.ts';

type Chart = Pick<ChartFolder, 'files' | 'root' | 'fileAt' | 'read'>;

/**
 * Whether a template fails for want of a value that the chart's own values have nothing like: it comes with what installs the
 * chart, or with another file of values beside them. What they have something like may be misspelled. So it is where the own
 * values have a null for it, and where a marketplace gives it.
 */
export function isLeftToGive(chart: Chart, { message, places: [place] }: FailedTemplate['failure']): boolean {
  const named = pathsIn(message);
  const text = place && chart.fileAt(place.file)?.text;
  const failing = pathsIn(lastPlaceIn(message));
  const blamed = failing.length > 0 || !place || text === undefined ? failing : pathsIn(actionAt(text, place.start));
  if (blamed.some((path) => isNullIn(chart, path) || isOfMarketplace(chart, path))) return true;
  const paths =
    named.length > 0 || !place || text === undefined
      ? named
      : pathsIn(linesAround(text, { start: place.start, end: place.start }));
  const own = valuesIn(chart, (path) => path === ownValues);
  const others = valuesIn(chart, (path) => path !== ownValues && isChartValues(`${chart.root}/${path}`));
  return paths.some(
    (path) => isNowhere([...own, ...others], path) || others.some((values) => valueAt(values, path) !== undefined),
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

function isNullIn(chart: Chart, path: readonly string[]): boolean {
  const own = valuesIn(chart, (file) => file === ownValues);
  return own.length > 0 && own.every((values) => valueAt(values, path) === null);
}

function isOfMarketplace({ read }: Chart, path: readonly string[]): boolean {
  return read.givenByMarketplace?.has(path.join('.')) === true;
}

/** Also as `index .Values "image" "tag"`. */
function pathsIn(text: string): string[][] {
  const written = text.matchAll(/\.Values\.(\w[\w.]{0,200})/g);
  const asked = text.matchAll(/\bindex \$?\.Values((?: "[^"]{1,100}"){1,10})/g);
  return [
    ...Array.from(written, ([, path]) => path!.replace(/\.$/, '').split('.')),
    ...Array.from(asked, ([, steps]) => steps!.split('"').filter((_, i) => i % 2 === 1)),
  ];
}

function valuesIn({ files }: Chart, isWanted: (path: string) => boolean): Value[] {
  const documents = files.filter(({ path }) => isWanted(path)).flatMap((file) => yamlOf(file).documents);
  return documents.flatMap(({ document }) => valueOf(document) ?? []);
}

/** Whether the first key of a path that is not there has no name like one that is. */
function isNowhere(all: readonly Value[], path: readonly string[]): boolean {
  const length = path.findIndex((_, i) => all.every((values) => valueAt(values, path.slice(0, i + 1)) === undefined));
  if (length === -1) return false;
  const around = all.map((values) => valueAt(values, path.slice(0, length)));
  const name = path[length]!;
  // `_cluster` beside `cluster` is another name, and no slip.
  const others = around
    .flatMap((one) => (isMap(one) ? [...one.keys()] : []))
    .filter((one) => one !== name.replace(/^_+/, ''));
  return nearestNames(name, others).length === 0;
}
