import { isList, isMap, type Value } from '../base/value.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';

// The JSON paths of kubectl and of printer columns: what they accept and what they find. Some of it is surprising,
// such as that a path behind `$` starts from the value at hand.

type PathNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'array'; readonly from: Bound; readonly to: Bound; readonly step: Bound }
  | { readonly kind: 'filter'; readonly left: Steps; readonly operator: string; readonly right: Steps }
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'wildcard' | 'recursive' }
  | { readonly kind: 'union'; readonly of: readonly Steps[] }
  | { readonly kind: 'identifier' };

type Steps = readonly PathNode[];

/** One number of `[from:to:step]`. */
interface Bound {
  readonly value: number | undefined;
  /** `[3]` is `[3:4]`. */
  readonly derived?: true;
}

/** A path, as the blocks of steps between braces and the text around them. */
export type JsonPath = readonly Steps[];

class Unreadable extends Error {}

/** The path in a column's `jsonPath`; undefined where the API server cannot read it. */
export function parseJsonPath(path: string): JsonPath | undefined {
  try {
    return parseTemplate(`{${path}}`);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** How deep filters and unions may be in each other. */
const deepest = 20;

function parseTemplate(input: string, depth = 0): JsonPath {
  if (depth > deepest) throw new Unreadable();
  const blocks: Steps[] = [];
  let pos = 0;
  while (pos < input.length) {
    const open = input.indexOf('{', pos);
    if (open !== pos) blocks.push([{ kind: 'text', text: input.slice(pos, open === -1 ? undefined : open) }]);
    if (open === -1) break;
    const { steps, end } = new Reader(input, open + 1, depth).block();
    blocks.push(steps);
    pos = end;
  }
  return blocks;
}

/** The steps of an expression inside a path. */
function parseSteps(text: string, depth: number): Steps {
  return parseTemplate(`{${text}}`, depth + 1)[0]!;
}

const isDigit = (char: string) => /\p{Nd}/u.test(char);
const isWordly = (char: string) => /[\p{L}\p{Nd}_]/u.test(char);
const terminators = new Set([' ', '\t', '\r', '\n', '', '.', ',', '[', ']', '$', '@', '{', '}']);

class Reader {
  readonly #input: string;
  #pos: number;
  readonly #depth: number;
  readonly #steps: PathNode[] = [];

  constructor(input: string, pos: number, depth: number) {
    this.#input = input;
    this.#pos = pos;
    this.#depth = depth;
  }

  /** Steps up to the closing brace. */
  block(): { readonly steps: Steps; readonly end: number } {
    while (!this.#ahead('}')) {
      if (this.#ahead('[?(')) this.#filter();
      else if (this.#ahead('..')) this.#recursive();
      else this.#step();
    }
    return { steps: this.#steps, end: this.#pos + 1 };
  }

  #ahead(text: string): boolean {
    return this.#input.startsWith(text, this.#pos);
  }

  #peek(): string {
    const code = this.#input.codePointAt(this.#pos);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #next(): string {
    const char = this.#peek();
    this.#pos += char.length;
    return char;
  }

  #step(): void {
    const start = this.#pos;
    const char = this.#next();
    if (char === '' || char === '\r' || char === '\n') throw new Unreadable();
    if (char === ' ' || char === '@' || char === '$') return;
    if (char === '[') this.#array(start);
    else if (char === '"' || char === "'") this.#quoted(start, char);
    else if (char === '.') this.#field();
    else {
      this.#pos = start;
      if (char === '+' || char === '-' || isDigit(char)) this.#number();
      else if (isWordly(char)) this.#identifier();
      else throw new Unreadable();
    }
  }

  #field(): void {
    const start = this.#pos;
    while (!terminators.has(this.#peek())) if (this.#next() === '\\') this.#next();
    const name = this.#input.slice(start, this.#pos);
    this.#steps.push(name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') });
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.kind === 'recursive') throw new Unreadable();
    this.#pos += 2;
    this.#steps.push({ kind: 'recursive' });
    if (isWordly(this.#peek())) this.#field();
  }

  #identifier(): void {
    const start = this.#pos;
    while (!terminators.has(this.#peek())) this.#next();
    const word = this.#input.slice(start, this.#pos);
    const isFlag = word === 'true' || word === 'false';
    this.#steps.push(isFlag ? { kind: 'constant', value: word === 'true' } : { kind: 'identifier' });
  }

  #number(): void {
    const start = this.#pos;
    if (this.#peek() === '+' || this.#peek() === '-') this.#next();
    while (this.#peek() === '.' || isDigit(this.#peek())) this.#next();
    const text = this.#input.slice(start, this.#pos);
    if (/^[+-]?[0-9]{1,18}$/.test(text)) this.#steps.push({ kind: 'constant', value: BigInt(text.replace('+', '')) });
    else if (/^[+-]?[0-9]*(?:\.[0-9]*)?$/.test(text) && /[0-9]/.test(text))
      this.#steps.push({ kind: 'constant', value: Number(text) });
    else throw new Unreadable();
  }

  #quoted(start: number, quote: string): void {
    for (let char = this.#next(); ; char = this.#next()) {
      if (char === '' || char === '\n') throw new Unreadable();
      if (char === quote && this.#input[this.#pos - 2] !== '\\') break;
    }
    this.#steps.push({ kind: 'text', text: unquoted(this.#input.slice(start + 1, this.#pos - 1), quote) });
  }

  #array(start: number): void {
    const close = this.#input.indexOf(']', start);
    const text = this.#input.slice(start + 1, close);
    if (close === -1 || text.includes('\n')) throw new Unreadable();
    this.#pos = close + 1;
    const parts = text.split(',');
    if (parts.length > 1) {
      const of = parts.map((part) => parseSteps(`[${withoutBlanks(part)}]`, this.#depth));
      this.#steps.push({ kind: 'union', of });
      return;
    }
    const key = /^'([^']*)'$/.exec(text)?.[1];
    if (key !== undefined) for (const step of parseSteps(`.${key}`, this.#depth)) this.#steps.push(step);
    else this.#steps.push(slice(text === '*' ? ':' : text));
  }

  #filter(): void {
    this.#pos += 3;
    const start = this.#pos;
    let quote = '';
    let closed = false;
    for (let char = this.#next(); char !== ')' || (quote !== '') !== closed; char = this.#next()) {
      if (char === '' || char === '\n') throw new Unreadable();
      if (char !== '"' && char !== "'") continue;
      if (quote === '') quote = char;
      else if (char === quote && this.#input[this.#pos - 2] !== '\\') closed = true;
    }
    const text = this.#input.slice(start, this.#pos - 1);
    if (this.#next() !== ']') throw new Unreadable();
    const [left, operator, right] = comparison(text) ?? [];
    const steps = (part: string) => parseSteps(part, this.#depth);
    this.#steps.push(
      left === undefined
        ? { kind: 'filter', left: steps(text), operator: 'exists', right: [] }
        : { kind: 'filter', left: steps(left), operator: operator!, right: steps(right!) },
    );
  }
}

function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

/** Operand, operator, operand. */
function comparison(text: string): readonly string[] | undefined {
  const isSign = (at: number) => '!<>='.includes(text[at]!);
  let start = 0;
  while (start < text.length && !isSign(start)) start++;
  let end = start;
  while (end < text.length && isSign(end)) end++;
  // There is something behind the operator, if only a part of it.
  if (end === text.length) end--;
  return start === 0 || end <= start ? undefined : [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

function slice(text: string): PathNode {
  const found = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/.exec(text);
  if (!found) throw new Unreadable();
  const [, first = '', second, third] = found;
  const number = (part: string): Bound => {
    if (part === '') return { value: undefined };
    if (!/^-?[0-9]{1,18}$/.test(part)) throw new Unreadable();
    return { value: Number(part) };
  };
  const from = number(first);
  const to: Bound = second === undefined ? { value: (from.value ?? 0) + 1, derived: true } : number(second.slice(1));
  return { kind: 'array', from, to, step: number(third?.slice(1) ?? '') };
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\' }),
);
const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]))/g;

/** A text in quotes, with Go's escapes. */
function unquoted(text: string, quote: string): string {
  return text.replace(escape, (_, byte?: string, short?: string, long?: string, octal?: string, char?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    const hex = byte ?? short ?? long;
    if (hex !== undefined) {
      const code = Number.parseInt(hex, 16);
      if (code > 0x10ffff) throw new Unreadable();
      return String.fromCodePoint(code);
    }
    const known = char === quote ? quote : escapes.get(char!);
    if (known === undefined) throw new Unreadable();
    return known;
  });
}

/** Whether what a path finds is a whole number that it names itself, which in Go is of another type than those of JSON. */
export function isWholeNumber([block]: JsonPath): boolean {
  const last = block?.at(-1);
  return last?.kind === 'constant' && typeof last.value === 'bigint';
}

// What a path finds

class NotFound extends Error {}

/** The values at a path's first block; undefined where it fails. A field that is missing is not a failure. */
export function findJsonPath(path: JsonPath, value: Value): readonly Value[] | undefined {
  try {
    const all = path.map((block) => walk([value], block));
    return all[0];
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

function walk(values: readonly Value[], steps: Steps): readonly Value[] {
  return steps.reduce(take, values);
}

function take(values: readonly Value[], step: PathNode): readonly Value[] {
  switch (step.kind) {
    case 'text':
      return [step.text];
    case 'constant':
      return values.map(() => step.value);
    case 'field':
      return values.flatMap((value) => {
        const found = isMap(value) ? value.get(step.name) : undefined;
        return found === undefined ? [] : [found];
      });
    case 'array':
      return values.flatMap((value) => (value === null ? [] : sliced(value, step)));
    case 'wildcard':
      return values.flatMap(partsOf);
    case 'recursive':
      return values.flatMap(allWithin);
    case 'union':
      return step.of.flatMap((one) => walk(values, one));
    case 'filter':
      return values.flatMap((value) => filtered(value, step));
    case 'identifier':
      throw new NotFound();
  }
}

/** What is in a value: of a map in the order of its keys, since Go has none. */
function partsOf(value: Value): readonly Value[] {
  if (isMap(value)) return [...value.values()];
  if (isList(value)) return value;
  // Go walks a text by its bytes.
  return typeof value === 'string' ? [...new TextEncoder().encode(value)].map(BigInt) : [];
}

function allWithin(value: Value): Value[] {
  const parts = partsOf(value);
  return parts.length === 0 ? [] : [value, ...parts.flatMap(allWithin)];
}

function sliced(value: Value, { from, to, step }: PathNode & { kind: 'array' }): Value[] {
  if (!isList(value)) throw new NotFound();
  const { length } = value;
  const start = from.value === undefined ? 0 : from.value < 0 ? from.value + length : from.value;
  let end = to.value ?? length;
  if (end < 0 || (end === 0 && to.derived)) end += length;
  if (start === end) return [];
  const isOutside = start >= length || start < 0 || end > length || end < 0 || start > end;
  const by = step.value ?? 1;
  if (isOutside || by <= 0) throw new NotFound();
  return value.slice(start, end).filter((_, i) => i % by === 0);
}

function filtered(value: Value, { left, operator, right }: PathNode & { kind: 'filter' }): Value[] {
  if (!isList(value)) throw new NotFound();
  return value.filter((item) => {
    if (operator === 'exists') return exists(item, left);
    const a = only(walk([item], left));
    const b = a === undefined ? undefined : only(walk([item], right));
    return a !== undefined && b !== undefined && compares(a, operator, b);
  });
}

/** The one value of a side; undefined where there is none. */
function only(values: readonly Value[]): Value | undefined {
  if (values.length > 1) throw new NotFound();
  return values[0];
}

/** What fails on the way has found as much as there was before. */
function exists(item: Value, steps: Steps): boolean {
  try {
    return walk([item], steps).length > 0;
  } catch (error) {
    if (error instanceof NotFound) return true;
    throw error;
  }
}

function compares(a: Value, operator: string, b: Value): boolean {
  const isPlain = (value: Value) => typeof value !== 'object';
  if (!isPlain(a) || !isPlain(b) || typeof a !== typeof b) throw new NotFound();
  const isOrdered = typeof a !== 'boolean';
  if (operator === '==' || operator === '!=') return (a === b) === (operator === '==');
  if (!isOrdered) throw new NotFound();
  const order = before(a, b) ? -1 : a === b ? 0 : 1;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      throw new NotFound();
  }
}

function before(a: Value, b: Value): boolean {
  if (typeof a === 'string') return compareStrings(a, String(b)) < 0;
  return (a as number | bigint) < (b as number | bigint);
}
