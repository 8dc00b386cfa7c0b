import { type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { formatFloat, jsonFloat } from '../../gostd/float.ts';
import { humanDuration } from '../../gostd/humanDuration.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import { parseRfc3339 } from '../../gostd/time.ts';
import type { PrinterColumn } from '../api/crd.ts';
import { findJsonPath, isWholeNumber, type JsonPath, parseJsonPath } from '../jsonPath.ts';

/** A cell of a table, as JSON; null where there is nothing to show. */
export type Cell = string | boolean | bigint | number | null;

interface Column {
  readonly name: string;
  readonly type: string;
  /** Columns beyond 0 are shown with `-o wide` alone. */
  readonly priority: number;
  readonly path: JsonPath;
}

/** What `kubectl get` asks of the API server about the objects of a version. */
export interface Table {
  /** The columns behind the name. */
  readonly columns: readonly Column[];
  /** The `jsonPath` that the API server cannot read: it and those behind it are not shown. */
  readonly unreadable: string | undefined;
}

const age: Readonly<PrinterColumn> = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The columns that a version prints; without any, the age. */
export function tableOf(printerColumns: readonly Readonly<PrinterColumn>[]): Table {
  const columns: Column[] = [];
  for (const { name = '', type = '', priority = 0n, jsonPath = '' } of printerColumns.length > 0
    ? printerColumns
    : [age]) {
    const path = parseJsonPath(jsonPath);
    if (!path) return { columns, unreadable: jsonPath };
    columns.push({ name, type, priority: Number(priority), path });
  }
  return { columns, unreadable: undefined };
}

/** The cells of an object, its name first. `now` counts from 1970, in seconds. */
export function cellsOf({ columns }: Table, object: ValueMap, now: number): Cell[] {
  const name = valueAt(object, ['metadata', 'name']);
  const cells = columns.map(({ type, path }): Cell => {
    if (type !== 'string' && isWholeNumber(path)) return null;
    const value = findJsonPath(path, object)?.[0];
    if (value === undefined) return null;
    return type === 'string' ? textOf(value) : cellOf(type, value, now);
  });
  return [typeof name === 'string' ? name : '', ...cells];
}

/** As Go prints a value; maps and lists as JSON. */
function textOf(value: Value): string {
  if (value === null) return '<no value>';
  if (typeof value === 'number') return formatFloat(value);
  return typeof value === 'object' ? printJson(value) : String(value);
}

/** A value of another type than the column's shows nothing. */
function cellOf(type: string, value: Value, now: number): Cell {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (type === 'integer') return isNumber ? wholePart(value) : null;
  if (type === 'number') return isNumber ? Number(value) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return type === 'date' && typeof value === 'string' ? ageOf(value, now) : null;
}

const least = -(2n ** 63n);

/** What Go's conversion to int64 leaves of a number. */
function wholePart(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value;
  const whole = Number.isFinite(value) ? BigInt(Math.trunc(value)) : least;
  return whole < least || whole >= -least ? least : whole;
}

export function ageOf(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const read = parseRfc3339(text);
  if ('error' in read) return '<invalid>';
  return humanDuration(now - Number(read.time.seconds) - read.time.nanoseconds / 1e9);
}

/** A cell as kubectl prints it: what a line break ends is cut. */
export function printedCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return printedNumber(cell);
  const text = String(cell);
  const [first = ''] = text.split(/[\f\n\r]/, 1);
  return (first.length < text.length ? `${first}...` : first).replaceAll('\x1b', '^[');
}

/** It comes as JSON, and what looks like an integer there is one to kubectl. */
function printedNumber(value: number): string {
  const json = jsonFloat(value);
  return /^-?\d+$/.test(json) ? json : formatFloat(value);
}
