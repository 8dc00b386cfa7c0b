/** Texts: cut, padded, quoted, joined. What keeps a text keeps where it comes from. */
import { goLength } from '../../gostd/bytes.ts';
import { titleCase, toLower, toUpper } from '../../gostd/letters.ts';
import { quote } from '../../gostd/quote.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { joined, printed } from '../format.ts';
import { type From, type Part, sliceOf } from '../from.ts';
import { plain, traced } from '../functions.ts';
import { type Call, type Cell, cell, compareGoStrings, GoError, GoList, GoMap, isNil } from '../value.ts';
import { cutBytes, cutOf, madeOf, numberOf, textCell, textOf, textsOf } from './shared.ts';

export const strings = [
  traced('trim(string) string', ([text]) => trimmed(text!, trimSpace(text!.value as string))),
  ...['trimAll', 'trimall'].map((name) => traced(`${name}(string, string) string`, trimAll)),
  traced('trimSuffix(string, string) string', ([suffix, text]) => {
    const [end, all] = [suffix!.value as string, text!.value as string];
    return all.endsWith(end) ? cutOf(text!, 0, all.length - end.length) : text!;
  }),
  traced('trimPrefix(string, string) string', ([prefix, text]) => {
    const [start, all] = [prefix!.value as string, text!.value as string];
    return all.startsWith(start) ? cutOf(text!, start.length, all.length) : text!;
  }),
  traced('trunc(int, string) string', truncated),
  traced('substr(int, int, string) string', substring),
  traced('abbrev(int, string) string', ([width, text], { from }) => {
    const most = numberOf(width!.value);
    return most < 4 ? text! : abbreviated(text!, 0, most, from);
  }),
  traced('abbrevboth(int, int, string) string', ([left, right, text], { from }) => {
    const [offset, most] = [numberOf(left!.value), numberOf(right!.value)];
    return most < 4 || (offset > 0 && most < 7) ? text! : abbreviated(text!, offset, most, from);
  }),
  traced('indent(int, string) string', ([spaces, text], call) => indented('', spaces!, text!, call)),
  traced('nindent(int, string) string', ([spaces, text], call) => indented('\n', spaces!, text!, call)),
  traced('replace(string, string, string) string', replaced),
  traced('quote(...any) string', (args, call) => quotedAll(args, call, goQuoted)),
  traced('squote(...any) string', (args, call) => quotedAll(args, call, singleQuoted)),
  traced('cat(...any) string', (args, { from }) => {
    const parts = args
      .filter(({ value }) => !isNil(value))
      .map((one) => ({ text: printed(one.value), from: one.from }));
    return joined(parts.flatMap((part, i) => (i === 0 ? [part] : [{ text: ' ', from }, part])));
  }),
  traced('toString(any) string', ([one]) => textCell(one!)),
  traced('toStrings(any) []string', ([one], { from }) => {
    if (one!.value instanceof GoList && one!.value.type === '[]string') return one!;
    return cell(new GoList(textsOf(one!), '[]string'), from);
  }),
  traced('join(string, any) string', ([separator, list], call) => joinedBy(textCell(separator!), textsOf(list!), call)),
  traced('sortAlpha(any) []string', ([list], { from }) =>
    cell(new GoList(isNil(list!.value) ? [textCell(list!)] : sorted(textsOf(list!)), '[]string'), from),
  ),
  traced('repeat(int, string) string', ([count, text], call) => {
    const times = numberOf(count!.value);
    if (times < 0) throw new GoError('strings: negative Repeat count');
    call.spend(times * (text!.value as string).length);
    return joined(
      Array.from({ length: text!.value === '' ? 0 : times }, () => ({ text: text!.value as string, from: text!.from })),
    );
  }),
  traced('split(string, string) map[string]string', ([separator, text]) =>
    numbered(pieces(text!, separator!, -1), text!),
  ),
  traced('splitn(string, int, string) map[string]string', ([separator, count, text]) =>
    numbered(pieces(text!, separator!, numberOf(count!.value)), text!),
  ),
  traced('splitList(string, string) []string', ([separator, text], call) => {
    // Each character is a part where nothing separates them: that is charged before they are made.
    if (separator!.value === '') call.spend((text!.value as string).length * perPart);
    const parts = pieces(text!, separator!, -1);
    if (separator!.value !== '') call.spend(parts.length * perPart);
    return cell(new GoList(parts, '[]string'), call.from);
  }),
  traced('plural(string, string, int) string', ([one, many, count]) => (numberOf(count!.value) === 1 ? one! : many!)),
  plain('upper(string) string', ([text]: [string]) => toUpper(text)),
  plain('lower(string) string', ([text]: [string]) => toLower(text)),
  plain('title(string) string', ([text]: [string]) => titleCase(text)),
  plain('hello() string', () => 'Hello!'),
  plain('contains(string, string) bool', ([part, text]: [string, string]) => text.includes(part)),
  plain('hasPrefix(string, string) bool', ([part, text]: [string, string]) => text.startsWith(part)),
  plain('hasSuffix(string, string) bool', ([part, text]: [string, string]) => text.endsWith(part)),
];

/** A text without some of its ends. */
function trimmed(one: Cell, inner: string): Cell {
  const start = inner === '' ? 0 : (one.value as string).indexOf(inner);
  return cutOf(one, start, start + inner.length);
}

function trimAll([cutset, text]: readonly Cell[]): Cell {
  const unwanted = new Set(cutset!.value as string);
  const characters = [...(text!.value as string)];
  let [start, end] = [0, characters.length];
  while (start < end && unwanted.has(characters[start]!)) start++;
  while (end > start && unwanted.has(characters[end - 1]!)) end--;
  const before = characters.slice(0, start).join('').length;
  return cutOf(text!, before, before + characters.slice(start, end).join('').length);
}

function truncated([count, text]: readonly Cell[], { from }: Call): Cell {
  const wanted = numberOf(count!.value);
  const length = goLength(text!.value as string);
  if (wanted < 0 && length + wanted > 0) return cutBytes(text!, length + wanted, length, from);
  return wanted >= 0 && length > wanted ? cutBytes(text!, 0, wanted, from) : text!;
}

function substring([first, last, text]: readonly Cell[], { from }: Call): Cell {
  const [start, end] = [numberOf(first!.value), numberOf(last!.value)];
  const length = goLength(text!.value as string);
  if (start < 0) {
    if (end < 0) throw outOfRange(`[:${end}]`);
    if (end > length) throw outOfRange(`[:${end}] with length ${length}`);
    return cutBytes(text!, 0, end, from);
  }
  if (end < 0 || end > length) {
    if (start > length) throw outOfRange(`[${start}:${length}]`);
    return cutBytes(text!, start, length, from);
  }
  if (start > end) throw outOfRange(`[${start}:${end}]`);
  return cutBytes(text!, start, end, from);
}

function outOfRange(what: string): GoError {
  return new GoError(`runtime error: slice bounds out of range ${what}`);
}

/** Cut to a length in bytes of which three are dots. */
function abbreviated(text: Cell, offset: number, most: number, from: From): Cell {
  const length = goLength(text.value as string);
  if (length <= most) return text;
  let start = Math.min(offset, length);
  if (length - start < most - 3) start = length - (most - 3);
  const dots = cell('...', from);
  const cut = (first: number, last: number) => cutBytes(text, first, last, from);
  if (start <= 4) return glued([cut(0, most - 3), dots]);
  if (start + most - 3 < length) return glued([dots, abbreviated(cut(start, length), 0, most - 3, from)]);
  return glued([dots, cut(length - (most - 3), length)]);
}

function glued(cells: readonly Cell[]): Cell {
  return joined(cells.map(partOf));
}

function partOf({ value, from }: Cell): Part {
  return { text: value as string, from };
}

function indented(first: string, spaces: Cell, one: Cell, call: Call): Cell {
  const count = numberOf(spaces.value);
  if (count < 0) throw new GoError('strings: negative Repeat count');
  const text = one.value as string;
  call.spend(count);
  const pad = ' '.repeat(count);
  const lines = text.split('\n');
  call.spend(text.length + lines.length * count);
  const made = first + pad + lines.join(`\n${pad}`);
  return madeOf(made, [one.from, spaces.from], () => indentedParts(first + pad, pad, lines, one, call.from));
}

function indentedParts(first: string, pad: string, lines: readonly string[], one: Cell, from: From): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const [i, line] of lines.entries()) {
    const end = Math.min(at + line.length + 1, (one.value as string).length);
    parts.push({ text: i === 0 ? first : pad, from }, sliceOf(one.value as string, one.from, at, end));
    at = end;
  }
  return parts;
}

function replaced([old, fresh, source]: readonly Cell[], call: Call): Cell {
  const [from, to, text] = [old!.value as string, fresh!.value as string, source!.value as string];
  if (from === to || (from !== '' && !text.includes(from))) return source!;
  const pieces = from === '' ? ['', ...text, ''] : text.split(from);
  call.spend(text.length + pieces.length * to.length);
  const made = pieces.join(to);
  return madeOf(made, [old!.from, fresh!.from, source!.from], () => {
    const parts: Part[] = [];
    let at = 0;
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) parts.push({ text: to, from: fresh!.from });
      parts.push(sliceOf(text, source!.from, at, at + piece.length));
      at += piece.length + from.length;
    }
    return parts;
  });
}

function quotedAll(args: readonly Cell[], call: Call, one: (arg: Cell, from: From) => Part[]): Cell {
  const { from } = call;
  const all = args.filter(({ value }) => !isNil(value));
  return joined(all.flatMap((arg, i) => (i === 0 ? one(arg, from) : [{ text: ' ', from }, ...one(arg, from)])));
}

function goQuoted(arg: Cell, from: From): Part[] {
  const text = textOf(arg.value);
  const whole = quote(text);
  if (whole.length === text.length + 2) return between('"', { text, from: arg.from }, from);
  return between('"', { text: whole.slice(1, -1), from: escapedFrom(text, arg.from, from) }, from);
}

/** The characters that are written as they are come from the text, escapes from the call. */
function escapedFrom(text: string, of: From, from: From): From {
  return madeOf('', [of], () => {
    const parts: Part[] = [];
    let at = 0;
    for (const character of text) {
      const written = quote(character).slice(1, -1);
      parts.push(written === character ? sliceOf(text, of, at, at + character.length) : { text: written, from });
      at += character.length;
    }
    return parts;
  }).from;
}

function singleQuoted(arg: Cell, from: From): Part[] {
  return between("'", { text: printed(arg.value), from: arg.from }, from);
}

function between(mark: string, part: Part, from: From): Part[] {
  return [{ text: mark, from }, part, { text: mark, from }];
}

function joinedBy(separator: Cell, texts: readonly Cell[], { from, spend }: Call): Cell {
  spend((separator.value as string).length * texts.length);
  const between: Part = { text: separator.value as string, from };
  return joined(texts.flatMap((one, i) => (i === 0 ? [partOf(one)] : [between, partOf(one)])));
}

function sorted(texts: Cell[]): Cell[] {
  const keys = texts.map(({ value }) => value as string);
  const order = [...texts.keys()].sort((a, b) => compareGoStrings(keys[a]!, keys[b]!));
  return order.map((at) => texts[at]!);
}

/** What a part of a text that is split costs, however short it is. */
const perPart = 10;

/** Go's strings.SplitN. */
function pieces(text: Cell, separator: Cell, most: number): Cell[] {
  const [all, mark] = [text.value as string, separator.value as string];
  if (most === 0) return [];
  const cells: Cell[] = [];
  let at = 0;
  const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
  while (cells.length + 1 < limit) {
    const [end, next] = nextPiece(all, mark, at);
    if (end === undefined) break;
    cells.push(cutOf(text, at, end));
    at = next;
  }
  if (mark !== '' || at < all.length) cells.push(cutOf(text, at, all.length));
  return cells;
}

function nextPiece(all: string, mark: string, at: number): [number | undefined, number] {
  if (mark === '') {
    const point = all.codePointAt(at);
    const end = at + (point !== undefined && point > 0xffff ? 2 : 1);
    return end >= all.length ? [undefined, at] : [end, end];
  }
  const end = all.indexOf(mark, at);
  return end === -1 ? [undefined, at] : [end, end + mark.length];
}

function numbered(cells: readonly Cell[], { from }: Cell): Cell {
  return cell(new GoMap(new Map(cells.map((one, i) => [`_${i}`, one])), { type: 'map[string]string' }), from);
}
