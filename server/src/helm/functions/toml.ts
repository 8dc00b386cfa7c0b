/** toToml and fromToml, as the library BurntSushi/toml writes and reads. */
import { formatGoDuration } from '../../gostd/duration.ts';
import { formatFloat } from '../../gostd/float.ts';
import { plain, traced } from '../../template/functions.ts';
import { meterValue } from '../../template/meter.ts';
import { orElse } from '../../template/sprig/encoding.ts';
import { type Cell, cell, GoError, GoList, GoMap, GoStruct, type GoValue, Int } from '../../template/value.ts';
import { readToml } from '../toml.ts';

export const tomlFunctions = [
  plain('toToml(any) string', ([value]: [GoValue]) =>
    orElse(
      () => tomlOf(value),
      (error) => {
        if (error.message.startsWith('reflect')) throw error;
        return error.message;
      },
    ),
  ),
  plain('mustToToml(any) string', ([value]: [GoValue]) => tomlOf(value)),
  traced('fromToml(string) map[string]any', ([text], { from }) =>
    orElse(
      () => cell(readToml(text!.value as string, from), from),
      ({ message }) => cell(new GoMap(new Map([['Error', cell(message, from)]])), from),
    ),
  ),
];

function tomlOf(value: GoValue): string {
  if (value === null || value === undefined) {
    throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  }
  if (!(value instanceof GoMap)) {
    if (isTables(value)) throw new GoError('toml: top-level values must be Go maps or structs');
    return element(value);
  }
  const out = new Writer();
  out.table([], value);
  return out.text;
}

class Writer {
  text = '';

  private newline(): void {
    if (this.text !== '') this.text += '\n';
  }

  /** Plain values come before what opens a table of its own. */
  table(path: readonly string[], map: GoMap): void {
    const entries = map.sorted().filter(([, { value }]) => !isNothing(value));
    for (const [key, { value }] of entries) if (!isTable(value)) this.pair(path, key, value);
    for (const [key, { value }] of entries) if (isTable(value)) this.inner([...path, key], value);
  }

  private pair(path: readonly string[], key: string, value: GoValue): void {
    this.text += `${pad(path.length)}${keyText(key)} = ${element(value)}`;
    this.newline();
  }

  private inner(path: readonly string[], value: GoValue): void {
    const name = path.map(keyText).join('.');
    const indent = pad(path.length - 1);
    if (value instanceof GoMap) {
      if (path.length === 1) this.newline();
      this.text += `${indent}[${name}]\n`;
      this.table(path, value);
    } else {
      for (const item of (value as GoList).items) {
        this.newline();
        this.text += `${indent}[[${name}]]\n`;
        this.table(path, item.value as GoMap);
      }
    }
  }
}

function pad(level: number): string {
  return '  '.repeat(level);
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

function isNothing(value: GoValue): boolean {
  if (value === null || value === undefined) return true;
  return (value instanceof GoMap || value instanceof GoList) && value.isNil;
}

function isTable(value: GoValue): boolean {
  return value instanceof GoMap || isTables(value);
}

function isTables(value: GoValue): value is GoList {
  if (!(value instanceof GoList) || value.items.length === 0) return false;
  // Lists in it are looked through as well, for what cannot be written.
  const each = value.items.map((item) => {
    if (isNothing(item.value)) throw new GoError('toml: cannot encode array with nil element');
    return !isTables(item.value) && item.value instanceof GoMap;
  });
  return each.every((isMap) => isMap);
}

function element(value: GoValue): string {
  meterValue();
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return float(value);
  if (value instanceof Int) {
    return value.type === 'time.Duration' ? quoted(formatGoDuration(value.value)) : String(value.value);
  }
  if (value instanceof GoList) return `[${value.items.map((item) => element(item.value)).join(', ')}]`;
  if (value instanceof GoMap) return inline(value);
  if (value instanceof GoStruct) return value.type === 'time.Time' ? String(value.json?.()) : quoted(value.print());
  return String(value);
}

function inline(map: GoMap): string {
  const all = map.sorted();
  const sorted = [...all.filter(([, { value }]) => !isTable(value)), ...all.filter(([, { value }]) => isTable(value))];
  const pairs = sorted.filter(([, { value }]) => !isNothing(value));
  return `{${pairs.map(([key, { value }]: [string, Cell]) => `${keyText(key)} = ${element(value)}`).join(', ')}}`;
}

function float(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const text = formatFloat(value);
  return /[e.]/.test(text) ? text : `${text}.0`;
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    '\t': '\\t',
    '\n': '\\n',
    '\r': '\\r',
    '"': '\\"',
    '\\': '\\\\',
    '\b': '\\b',
    '\f': '\\f',
  }),
);

function quoted(text: string): string {
  const escaped = text.replace(
    /["\\\x00-\x1f\x7f]/g,
    (one) => escapes.get(one) ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}
