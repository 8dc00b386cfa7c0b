/** How Helm lays values over the defaults of a chart and of the charts in it. */
import { cell, GoMap, ofEngine } from '../template/value.ts';
import type { Chart } from './chart.ts';
import { ChartError } from './chartError.ts';
import { copyOf } from './values.ts';

const globalKey = 'global';

/**
 * The values that a chart is rendered with: what was given, with the defaults of the chart and of those in it below.
 * `keepsNull` is how values are merged to see what is imported: a null does not take a default away then.
 */
export function coalesceValues(chart: Chart, given: GoMap, keepsNull = false): GoMap {
  const values = copyOf(given);
  coalesce(chart, values, keepsNull);
  return values;
}

function coalesce(chart: Chart, target: GoMap, keepsNull: boolean): void {
  coalesceDefaults(chart, target, keepsNull);
  for (const inner of chart.dependencies) {
    const values = tableFor(target, inner);
    coalesceGlobals(values, target);
    coalesce(inner, values, keepsNull);
  }
}

/** The values of a chart in a chart, which are made where nobody gives any. */
function tableFor(target: GoMap, { name }: Chart): GoMap {
  const known = target.get(name);
  if (known?.value instanceof GoMap) return known.value;
  if (known) throw new ChartError(`type mismatch on ${name}: %!t(${String(known.value)})`);
  const place = target.place?.child(name, true);
  const made = new GoMap(new Map(), { place });
  target.set(name, cell(made, place ?? ofEngine));
  return made;
}

function coalesceDefaults(chart: Chart, target: GoMap, keepsNull: boolean): void {
  for (const [key, one] of copyOf(chart.values).all()) {
    const known = target.get(key);
    if (!known) {
      if (!keepsNull) withoutNulls(one.value);
      if (keepsNull || one.value !== null) target.set(key, one);
    } else if (known.value === null && !keepsNull) target.delete(key);
    else if (known.value instanceof GoMap && one.value instanceof GoMap) {
      const keeps = keepsNull || chart.dependencies.some(({ name }) => name === key);
      if (!keeps) withoutNulls(one.value);
      coalesceTables(known.value, one.value, keeps);
    }
  }
}

function withoutNulls(value: unknown): void {
  if (!(value instanceof GoMap)) return;
  for (const [key, one] of [...value.all()]) {
    if (one.value === null) value.delete(key);
    else withoutNulls(one.value);
  }
}

/** Lays the first map over the second, which is changed on the way. */
export function coalesceTables(target: GoMap, below: GoMap, keepsNull: boolean): void {
  const given = new Set([...below.all()].filter(([, one]) => one.value !== null).map(([key]) => key));
  for (const [key, one] of target.all()) if (one.value === null) below.set(key, one);
  for (const [key, one] of below.all()) {
    const known = target.get(key);
    if (!known) target.set(key, one);
    else if (known.value === null && !keepsNull && given.has(key)) target.delete(key);
    else if (one.value instanceof GoMap && known.value instanceof GoMap)
      coalesceTables(known.value, one.value, keepsNull);
  }
}

/** What is global is seen by the charts within, and wins over what they have. */
function coalesceGlobals(target: GoMap, source: GoMap): void {
  const own = globalsOf(target);
  const given = globalsOf(source);
  if (!own || !given) return;
  for (const [key, one] of given.all()) {
    const known = own.get(key)?.value;
    if (one.value instanceof GoMap) {
      if (known !== undefined && !(known instanceof GoMap)) continue;
      const copy = new GoMap(new Map(one.value.all()), { place: one.value.place });
      if (known) coalesceTables(copy, known, true);
      own.set(key, cell(copy, one.from));
    } else if (!(known instanceof GoMap)) own.set(key, one);
  }
  target.set(globalKey, target.get(globalKey) ?? cell(own, source.get(globalKey)?.from ?? ofEngine));
}

/** The globals in some values; undefined where something else has their name. */
function globalsOf(values: GoMap): GoMap | undefined {
  const known = values.get(globalKey);
  if (!known) return new GoMap(new Map(), { place: values.place?.child(globalKey, true) });
  return known.value instanceof GoMap ? known.value : undefined;
}
