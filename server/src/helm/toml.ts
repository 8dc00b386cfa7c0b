/** Reads TOML 1.0. */
import { quote, quoteRune } from '../gostd/quote.ts';
import { parseTime } from '../gostd/timeLayout.ts';
import type { From } from '../template/from.ts';
import { timeValue } from '../template/sprig/dates.ts';
import { cell, GoError, GoList, GoMap, type GoValue, Int } from '../template/value.ts';

/** The root of a text. Throws a GoError. */
export function readToml(text: string, from: From): GoMap {
  return new Reader(text.replaceAll('\r\n', '\n'), from).document();
}

/** Deeper than lists and tables are put into each other. */
const deepest = 200;

const bareKey = /[A-Za-z0-9_-]+/y;
const date =
  /\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?/y;
const number =
  /[+-]?(?:0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|inf|nan|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9_]+)?)/y;

class Reader {
  private readonly text: string;
  private readonly from: From;
  private readonly root = new GoMap();
  /** Tables that have a header of their own, and those written inline: neither is opened again. */
  private readonly closed = new Set<GoMap>();
  private readonly tables = new Set<GoList>();
  private at = 0;
  private lastKey = '';

  constructor(text: string, from: From) {
    this.text = text;
    this.from = from;
  }

  document(): GoMap {
    let table = this.root;
    for (this.blank(true); this.at < this.text.length; this.blank(true)) {
      if (this.text[this.at] === '[') table = this.header();
      else this.pair(table, 0);
      this.lineEnd();
    }
    return this.root;
  }

  private fail(why: string): never {
    const line = this.text.slice(0, this.at).split('\n').length;
    const key = this.lastKey === '' ? '' : ` (last key ${quote(this.lastKey)})`;
    throw new GoError(`toml: line ${line}${key}: ${why}`);
  }

  /** Skips blanks and comments; line breaks too where they mean nothing. */
  private blank(acrossLines: boolean): void {
    const pattern = acrossLines ? /(?:[ \t\n]|#[^\n]*)*/y : /[ \t]*(?:#[^\n]*)?/y;
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.text)![0].length;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private take(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  private expect(token: string): void {
    if (!this.take(token))
      this.fail(`expected ${quote(token)} but found ${quote(this.text[this.at] ?? 'end of file')}`);
  }

  private lineEnd(): void {
    this.blank(false);
    if (this.at < this.text.length && this.text[this.at] !== '\n')
      this.fail(
        `expected a top-level item to end with a newline, comment, or EOF, but got ${quoteRune(this.text[this.at]!)} instead`,
      );
  }

  private found(): string {
    const mark = this.text[this.at];
    return mark === undefined ? 'end of file' : quoteRune(mark);
  }

  private keys(): string[] {
    const keys: string[] = [];
    do {
      this.spaces();
      keys.push(this.key());
      this.spaces();
    } while (this.take('.'));
    return keys;
  }

  private spaces(): void {
    this.match(/[ \t]*/y);
  }

  private key(): string {
    const mark = this.text[this.at];
    if (mark === '"' || mark === "'") return this.string(mark);
    const bare = this.match(bareKey);
    if (bare !== undefined) return bare;
    if (mark === '.') this.fail(`unexpected '.': keys cannot start with a '.'`);
    if (mark === ']' || mark === undefined) this.fail('unexpected end of table name (table names cannot be empty)');
    return this.fail(`expected '.' or '=', but got '${mark}' instead`);
  }

  private header(): GoMap {
    this.at++;
    const isList = this.take('[');
    const keys = this.keys();
    const end = this.text[this.at] ?? '\0';
    if (end !== ']') this.fail(`expected '.' or ']' to end table name, but got ${quoteRune(end)} instead`);
    this.expect(isList ? ']]' : ']');
    const last = keys.pop()!;
    const parent = this.tableAt(this.root, keys);
    return isList ? this.newItem(parent, last) : this.newTable(parent, last);
  }

  private newItem(parent: GoMap, key: string): GoMap {
    const held = parent.get(key)?.value;
    if (held !== undefined && !(held instanceof GoList && this.tables.has(held))) this.alreadyDefined(key);
    const table = new GoMap();
    const before = held instanceof GoList ? held.items : [];
    const list = new GoList([...before, cell(table, this.from)], '[]map[string]interface {}');
    this.tables.add(list);
    parent.set(key, cell(list, this.from));
    return table;
  }

  private newTable(parent: GoMap, key: string): GoMap {
    const held = parent.get(key)?.value;
    if (held !== undefined && (!(held instanceof GoMap) || this.closed.has(held))) this.alreadyDefined(key);
    const table = held instanceof GoMap ? held : new GoMap();
    if (held === undefined) parent.set(key, cell(table, this.from));
    this.closed.add(table);
    return table;
  }

  private alreadyDefined(key: string): never {
    return this.fail(`Key '${key}' has already been defined.`);
  }

  /** The table that keys lead to, of a list its last one; those that are missing are made. */
  private tableAt(root: GoMap, keys: readonly string[]): GoMap {
    let at = root;
    for (const key of keys) {
      const held = at.get(key)?.value;
      const next = held instanceof GoList && this.tables.has(held) ? held.items.at(-1)!.value : held;
      if (next === undefined) {
        const made = new GoMap();
        at.set(key, cell(made, this.from));
        at = made;
      } else if (next instanceof GoMap) at = next;
      else this.alreadyDefined(key);
    }
    return at;
  }

  private pair(table: GoMap, depth: number): void {
    const keys = this.keys();
    const next = this.text[this.at];
    if (next === undefined) this.fail("unexpected EOF; expected key separator '='");
    if (next !== '=') this.fail(`expected '.' or '=', but got '${next}' instead`);
    this.at++;
    const outer = this.lastKey;
    this.lastKey = [outer, ...keys].filter((key) => key !== '').join('.');
    this.spaces();
    const value = this.value(depth);
    const last = keys.pop()!;
    const parent = this.tableAt(table, keys);
    if (parent.has(last)) this.alreadyDefined(last);
    parent.set(last, cell(value, this.from));
    // In a table of one line, the key is behind it when the comma is.
    if (depth === 0) this.lastKey = outer;
  }

  private value(depth: number): GoValue {
    if (depth > deepest) this.fail('values are nested too deeply');
    const mark = this.text[this.at];
    if (mark === '"' || mark === "'") return this.string(mark);
    if (mark === '[') return this.list(depth);
    if (mark === '{') return this.inlineTable(depth);
    if (this.take('true')) return true;
    if (this.take('false')) return false;
    const moment = this.match(date);
    if (moment !== undefined) return timeOf(moment) ?? this.fail(`Invalid TOML Datetime: ${quote(moment)}.`);
    const digits = this.match(number);
    if (digits !== undefined) return numberOf(digits);
    return this.fail(
      mark === undefined ? 'unexpected EOF; expected value' : `expected value but found ${quoteRune(mark)} instead`,
    );
  }

  private list(depth: number): GoList {
    this.at++;
    const items: GoValue[] = [];
    for (this.blank(true); !this.take(']'); this.blank(true)) {
      items.push(this.value(depth + 1));
      this.blank(true);
      if (this.take(',')) continue;
      if (this.take(']')) break;
      this.fail(`expected a comma (',') or array terminator (']'), but got ${this.found()}`);
    }
    return new GoList(items.map((item) => cell(item, this.from)));
  }

  private inlineTable(depth: number): GoMap {
    this.at++;
    const table = new GoMap();
    for (this.blank(false); !this.take('}'); this.blank(false)) {
      const outer = this.lastKey;
      this.pair(table, depth + 1);
      this.blank(false);
      if (this.text[this.at] === ',' || this.text[this.at] === '}') this.lastKey = outer;
      if (this.take(',')) continue;
      if (this.take('}')) break;
      this.fail(`expected a comma or an inline table terminator '}', but got ${this.found()} instead`);
    }
    this.closed.add(table);
    return table;
  }

  private string(mark: string): string {
    const isLong = this.text.startsWith(mark.repeat(3), this.at);
    const fence = isLong ? mark.repeat(3) : mark;
    this.at += fence.length;
    if (isLong) this.take('\n');
    let out = '';
    while (!this.text.startsWith(fence, this.at)) {
      const one = this.text[this.at++];
      if (one === undefined) this.fail(`unexpected EOF; expected '${fence}'`);
      if (one === '\n' && !isLong) this.fail('strings cannot contain newlines');
      out += one === '\\' && mark === '"' ? this.escape() : one;
    }
    this.at += fence.length;
    // Up to two more marks belong to the text.
    while (isLong && this.text[this.at] === mark) {
      out += mark;
      this.at++;
    }
    return out;
  }

  private escape(): string {
    if (this.match(/[ \t]*\n[ \t\n]*/y) !== undefined) return '';
    const letter = this.text[this.at++] ?? '';
    const simple = simpleEscapes.get(letter);
    if (simple !== undefined) return simple;
    const digits = letter === 'u' ? 4 : letter === 'U' ? 8 : letter === 'x' ? 2 : undefined;
    const code = digits === undefined ? undefined : this.match(hexDigits[digits]);
    const point = code === undefined ? Number.NaN : Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : this.fail(`invalid escape character ${quote(letter)}`);
  }
}

const hexDigits = { 2: /[0-9a-fA-F]{2}/y, 4: /[0-9a-fA-F]{4}/y, 8: /[0-9a-fA-F]{8}/y };

const simpleEscapes: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    b: '\b',
    t: '\t',
    n: '\n',
    f: '\f',
    r: '\r',
    e: '\x1b',
    '"': '"',
    '\\': '\\',
  }),
);

function numberOf(written: string): GoValue {
  const plain = written.replaceAll('_', '');
  const word = /^[+-]?(inf|nan)$/.exec(plain)?.[1];
  if (word) return word === 'nan' ? Number.NaN : plain.startsWith('-') ? -Infinity : Infinity;
  const isWhole = /^[+-]?(?:\d+|0[xob].*)$/.test(plain);
  if (!isWhole) return Number(plain);
  const value = BigInt(plain.replace(/^[+-]/, ''));
  return new Int(plain.startsWith('-') ? -value : value, 'int64');
}

const layouts = ['2006-01-02T15:04:05Z07:00', '2006-01-02T15:04:05', '2006-01-02', '15:04:05'];

function timeOf(written: string): GoValue | undefined {
  const text = written.replace(/[tT ]/, 'T').replace('z', 'Z');
  for (const layout of layouts) {
    const parsed = parseTime(text, layout);
    if ('time' in parsed) return timeValue(parsed.time);
  }
  return undefined;
}
