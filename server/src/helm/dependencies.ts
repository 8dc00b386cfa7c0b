/** Which charts in a chart are rendered, under which names, and which of their values they hand up. */
import { isMap, type Value } from '../base/value.ts';
import { ValuePlace } from '../template/from.ts';
import { isInRange } from '../template/semver.ts';
import { GoMap } from '../template/value.ts';
import type { Chart } from './chart.ts';
import { ChartError } from './chartError.ts';
import { coalesceTables, coalesceValues } from './coalesce.ts';
import type { Dependency } from './metadata.ts';
import { copyOf, tableAt } from './values.ts';

/** The chart as it is rendered with some values: with the charts that are on, and with what is imported from them. */
export function withDependencies(chart: Chart, given: GoMap): Chart {
  return withImports(enabled(chart, given, '', { left: mostCharts }));
}

/** Charts in a chart, each counted under each of its names. */
const mostCharts = 500;

function enabled(chart: Chart, given: GoMap, path: string, room: { left: number }): Chart {
  if (room.left-- <= 0) throw new ChartError(`there are more than ${mostCharts} charts in it`);
  if (chart.metadata.dependencies.length === 0) return chart;
  const all = { ...chart, dependencies: named(chart) };
  const values = coalesceValues(all, given);
  const isOn = (one: Dependency) => byCondition(one, values, path) ?? byTags(one, values) ?? true;
  const on = chart.metadata.dependencies.filter(isOn);
  const off = new Set(chart.metadata.dependencies.filter((one) => !on.includes(one)).map(nameOf));
  const left = all.dependencies.filter(({ name }) => !off.has(name));
  return {
    ...chart,
    wanted: on,
    dependencies: left.map((inner) => enabled(inner, values, `${path}${inner.name}.`, room)),
  };
}

function nameOf({ name, alias }: Dependency): string {
  return alias || name;
}

/** The charts under the names by which Chart.yaml knows them: first those that it does not know, as they are. */
function named({ metadata, dependencies }: Chart): Chart[] {
  const fits = (inner: Chart, { name, version }: Dependency) =>
    inner.metadata.name === name && isInRange(inner.metadata.version, version);
  const others = dependencies.filter((inner) => !metadata.dependencies.some((one) => fits(inner, one)));
  const known = metadata.dependencies.flatMap((one) => {
    const inner = dependencies.find((chart) => fits(chart, one));
    return inner ? [renamed(inner, nameOf(one))] : [];
  });
  return [...others, ...known];
}

function renamed(chart: Chart, name: string): Chart {
  if (chart.name === name) return chart;
  const texts = new Map(chart.metadata.texts).set('name', name);
  return { ...chart, name, metadata: { ...chart.metadata, name, texts } };
}

/** The first of its conditions that a value decides. */
function byCondition({ condition }: Dependency, values: GoMap, path: string): boolean | undefined {
  for (const one of condition.trim().split(',')) {
    const keys = `${path}${one}`.split('.');
    const value = one === '' ? undefined : tableAt(values, keys.slice(0, -1))?.get(keys.at(-1)!)?.value;
    if (typeof value === 'boolean') return value;
  }
  return undefined;
}

function byTags({ tags }: Dependency, values: GoMap): boolean | undefined {
  const table = tableAt(values, ['tags']);
  const given = tags.map((tag) => table?.get(tag)?.value).filter((value) => typeof value === 'boolean');
  return given.length === 0 ? undefined : given.includes(true);
}

/** What one chart imports of those in it: each wish is a copy of a map. */
const mostImports = 200;

function withImports(chart: Chart): Chart {
  const all = { ...chart, dependencies: chart.dependencies.map(withImports) };
  if (chart.metadata.dependencies.length === 0) return all;
  const values = coalesceValues(all, new GoMap(new Map(), { place: chart.values.place }), true);
  const imported = new GoMap();
  const wishes = chart.wanted.reduce((sum, { importValues }) => sum + importValues.length, 0);
  if (wishes > mostImports) throw new ChartError(`more than ${mostImports} values are imported`);
  for (const one of chart.wanted) {
    for (const wish of one.importValues) importOne(imported, wish, nameOf(one), values);
  }
  const merged = copyOf(values);
  coalesceTables(merged, imported, true);
  return { ...all, values: merged };
}

function importOne(imported: GoMap, wish: Value, name: string, values: GoMap): void {
  const way = wayOf(wish);
  const table = way && tableAt(values, [name, ...way.child.split('.')]);
  if (table) coalesceTables(imported, inside(copyOf(table), way.parent), true);
}

function wayOf(wish: Value): { child: string; parent: string } | undefined {
  if (typeof wish === 'string') return { child: `exports.${wish}`, parent: '.' };
  if (!isMap(wish)) return undefined;
  return { child: String(wish.get('child')), parent: String(wish.get('parent')) };
}

/** A map at a path of others. */
function inside(map: GoMap, path: string): GoMap {
  if (path === '.') return map;
  return path.split('.').reduceRight((inner, key) => {
    return new GoMap(new Map([[key, { value: inner, from: inner.place ?? new ValuePlace('', undefined, '') }]]));
  }, map);
}
