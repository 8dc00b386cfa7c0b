import type { Range } from '../../base/text.ts';
import { isList, isMap, type Value } from '../../base/value.ts';
import { valuesAt } from '../../helm/chart.ts';
import { type Assumption, twoOf } from '../../helm/made.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { ownValues } from '../../workspace/charts/valueSets.ts';

// `  {{ toYaml .Values.labels | indent 4 }}`: the blanks before it are before the first line alone, so that one entry can be read and
// two cannot.

interface Printed {
  /** The way to the value, from the values of its own chart. */
  readonly path: readonly string[];
  /** The action that prints it. */
  readonly range: Range;
}

/** The values that a template prints so. */
export function printedBehindBlanks(text: string): readonly Printed[] {
  const found: Printed[] = [];
  let start = 0;
  let map: string | undefined;
  for (const line of text.split('\n')) {
    const what = behindBlanks.exec(line)?.[1];
    const path = what === '.' ? map : what?.slice(what.indexOf(ofValues) + ofValues.length);
    const range = { start: start + line.indexOf('{{'), end: start + line.trimEnd().length };
    if (path !== undefined && found.length < mostPrinted) found.push({ path: path.split('.'), range });
    // Whatever else begins or ends in between, `.` may be another value.
    if (/\{\{-? *(?:with|range|end|else)\b/.test(line)) map = mapOfWith.exec(line)?.[1];
    start += line.length + 1;
  }
  return found;
}

const ofValues = '.Values.';

const behindBlanks =
  /^[ \t]{1,60}\{\{ {0,4}toYaml (\$?\.Values\.[\w.]{1,200}|\.) {0,4}\| {0,4}indent \d{1,3} {0,4}-?\}\}[ \t\r]{0,20}$/;

const mapOfWith = /\{\{-? {0,4}with \$?\.Values\.([\w.]{1,200}) {0,4}-?\}\}/;

/** Values in one template. */
const mostPrinted = 20;

/** Two entries, or items, of a value that a chart in others has fewer of; undefined where it has two, or a text. */
export function twoAt(chart: ChartFolder, names: readonly string[], path: readonly string[]): Assumption | undefined {
  const value = valueIn(chart, names.map((name) => `charts/${name}/`).join(''), path);
  const isText = ![undefined, null, ''].includes(value as string) && !isMap(value) && !isList(value);
  const count = isMap(value) ? value.size : isList(value) ? value.length : 0;
  if (isText || count > 1) return undefined;
  const isOfItems = isList(value);
  const shown = isOfItems ? '[…, …]' : '{…, …}';
  return { kind: 'value', isGuess: false, isTaken: false, path: [...names, ...path], make: twoOf(isOfItems), shown };
}

function valueIn(chart: ChartFolder, home: string, path: readonly string[]): Value | undefined {
  return valuesAt(
    chart.files.find((one) => one.path === `${home}${ownValues}`),
    path,
  )[0];
}
