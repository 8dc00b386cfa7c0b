/** Lists. Their items are handed on with where they come from. */
import { plain, traced } from '../functions.ts';
import { type Call, type Cell, cell, GoError, GoList, type GoValue, Int, isNil } from '../value.ts';
import { toInt64 } from './cast.ts';
import { isEmpty, isSameValue, itemsOf, numberOf } from './shared.ts';

export const lists = [
  ...both('list', 'tuple', (name) => traced(`${name}(...any) []any`, (args, { from }) => listOf(args, from))),
  ...['append', 'push', 'mustAppend', 'mustPush'].map((name) =>
    traced(`${name}(any, any) []any`, ([list, one], { from }) => listOf([...cannot(list!, 'push on'), one!], from)),
  ),
  ...must('prepend', '(any, any) []any', ([list, one], { from }) =>
    listOf([one!, ...cannot(list!, 'prepend on')], from),
  ),
  ...must('first', '(any) any', ([list], { from }) => cannot(list!, 'find first on')[0] ?? cell(null, from)),
  ...must('last', '(any) any', ([list], { from }) => cannot(list!, 'find last on').at(-1) ?? cell(null, from)),
  ...must('rest', '(any) []any', ([list], { from }) => partOf(cannot(list!, 'find rest on'), 1, undefined, from)),
  ...must('initial', '(any) []any', ([list], { from }) => partOf(cannot(list!, 'find initial on'), 0, -1, from)),
  ...must('reverse', '(any) []any', ([list], { from }) =>
    listOf([...cannot(list!, 'find reverse on')].reverse(), from),
  ),
  ...must('compact', '(any) []any', ([list], { from }) =>
    listOf(
      cannot(list!, 'compact on').filter(({ value }) => !isEmpty(value)),
      from,
    ),
  ),
  ...must('uniq', '(any) []any', ([list], call) => listOf(unique(cannot(list!, 'find uniq on'), call), call.from)),
  ...must('without', '(any, ...any) []any', ([list, ...unwanted], call) => {
    const items = cannot(list!, 'find without on');
    call.spend(items.length * unwanted.length);
    return listOf(
      items.filter(({ value }) => !includes(unwanted, value)),
      call.from,
    );
  }),
  ...both('has', 'mustHas', (name) =>
    plain(`${name}(any, any) bool`, ([wanted, list]: [GoValue, GoValue]) => {
      if (isNil(list)) return false;
      return includes(
        itemsOf(list, (kind) => `Cannot find has on type ${kind}`),
        wanted,
      );
    }),
  ),
  ...must('slice', '(any, ...any) any', sliced),
  ...must('chunk', '(int, any) [][]any', ([size, list], call) => chunked(numberOf(size!.value), list!, call)),
  traced('concat(...any) any', (args, call) => {
    const items = args.flatMap(({ value }) => itemsOf(value, (kind) => `Cannot concat type ${kind} as list`));
    call.spend(items.length);
    return cell(new GoList(items, '[]interface {}', items.length === 0), call.from);
  }),
  plain('until(int) []int', ([count]: [Int], call: Call) => {
    const stop = Number(count.value);
    return ints(counting(0, stop, stop < 0 ? -1 : 1, call), call);
  }),
  plain('untilStep(int, int, int) []int', ([start, stop, step]: [Int, Int, Int], call: Call) =>
    ints(counting(Number(start.value), Number(stop.value), Number(step.value), call), call),
  ),
  plain('seq(...int) string', (params: Int[], call: Call) =>
    sequence(
      params.map(({ value }) => Number(value)),
      call,
    ).join(' '),
  ),
];

function both<T>(a: string, b: string, make: (name: string) => T): T[] {
  return [make(a), make(b)];
}

/** The function and the one that gives its error instead of panicking, which comes to the same. */
function must(name: string, rest: string, call: (args: readonly Cell[], call: Call) => Cell) {
  const capital = name[0]!.toUpperCase() + name.slice(1);
  return [traced(name + rest, call), traced(`must${capital}${rest}`, call)];
}

function cannot({ value }: Cell, doing: string): readonly Cell[] {
  return itemsOf(value, (kind) => `Cannot ${doing} type ${kind}`);
}

function listOf(items: readonly Cell[], from: Cell['from']): Cell {
  return cell(new GoList(items), from);
}

function partOf(items: readonly Cell[], start: number, end: number | undefined, from: Cell['from']): Cell {
  return cell(new GoList(items.slice(start, end), '[]interface {}', items.length === 0), from);
}

function includes(items: readonly Cell[], wanted: GoValue): boolean {
  return items.some(({ value }) => isSameValue(wanted, value));
}

function unique(items: readonly Cell[], call: Call): Cell[] {
  const kept: Cell[] = [];
  for (const item of items) {
    call.spend(kept.length);
    if (!includes(kept, item.value)) kept.push(item);
  }
  return kept;
}

function sliced([list, first, last]: readonly Cell[], { from }: Call): Cell {
  const items = itemsOf(list!.value, (kind) => `list should be type of slice or array but ${kind}`);
  if (items.length === 0) return cell(null, from);
  const start = first ? Number(toInt64(first.value)) : 0;
  const end = last ? Number(toInt64(last.value)) : items.length;
  if (start < 0 || start > end || end > items.length)
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  return cell(new GoList(items.slice(start, end), (list!.value as GoList).type), from);
}

function chunked(size: number, list: Cell, { from }: Call): Cell {
  const items = itemsOf(list.value, (kind) => `Cannot chunk type ${kind}`);
  const count = Math.floor((items.length - 1) / size) + 1;
  // A size below zero is no chunk where there is none, and no length of one otherwise.
  if (size === 0 || count < 0 || (size < 0 && count > 0)) {
    throw new GoError('runtime error: makeslice: len out of range');
  }
  const chunks: Cell[] = [];
  for (let i = 0; i < count; i++) chunks.push(listOf(items.slice(i * size, (i + 1) * size), from));
  return cell(new GoList(chunks, '[][]interface {}'), from);
}

/** Numbers from one on, before another. */
function counting(start: number, stop: number, step: number, call: Call): number[] {
  const numbers: number[] = [];
  if (stop < start ? step >= 0 : step <= 0) return numbers;
  call.spend(Math.ceil((stop - start) / step));
  for (let at = start; stop < start ? at > stop : at < stop; at += step) numbers.push(at);
  return numbers;
}

function ints(numbers: readonly number[], { from }: Call): GoList {
  return new GoList(
    numbers.map((one) => cell(new Int(one), from)),
    '[]int',
  );
}

/** As the shell's seq counts: to the last one, included. */
function sequence(params: readonly number[], call: Call): number[] {
  if (params.length === 0 || params.length > 3) return [];
  const start = params.length === 1 ? 1 : params[0]!;
  const end = params.at(-1)!;
  const direction = end < start ? -1 : 1;
  const step = params.length === 3 ? params[1]! : direction;
  if (direction === -1 && step > 0) return [];
  return counting(start, end + direction, step, call);
}
