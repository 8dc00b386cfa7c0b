import { compileGoRegexp, type Matcher } from '../../gostd/regexp.ts';
import { type Estimator, knownSize } from '../estimate.ts';
import { regexWalk, walk } from '../eval/costs.ts';
import type { Impl, PatternImpl, Singleton } from '../eval/implementation.ts';
import { actualSize, sizeOf } from '../eval/size.ts';
import { containsInPart, endsInPart, matchesInPart, sizeInPart, startsInPart } from '../eval/unknown.ts';
import { error, isKind, noSuchOverload, orNoSuchOverload, type Val } from '../eval/values.ts';
import { spendPattern, spendSearch } from '../eval/work.ts';
import { fn, type Library, type Price } from '../overload.ts';
import { stringFactor } from '../prices.ts';
import { multiply } from '../range.ts';
import { regexCost, traverse } from './walks.ts';

export interface TextOptions {
  /** Both forms of matches() cost the same, and the ends of strings by what they are compared with (cel-go 0.29). */
  readonly celGo029Prices: boolean;
}

// size

function hasSize(value: Val): boolean {
  if (typeof value !== 'object') return typeof value === 'string';
  if (isKind(value, 'map')) return !value.isLazy;
  return isKind(value, 'list') || isKind(value, 'bytes');
}

const smallCounts = Array.from({ length: 256 }, (_, i) => BigInt(i));

function count(size: number): bigint {
  return smallCounts[size] ?? BigInt(size);
}

const size = fn(
  'size',
  'The number of code points in a string, bytes in bytes, items in a list, or entries in a map.',
  [
    { id: 'size_bytes', signature: 'size(bytes): int', example: 'size(b"abc") == 3' },
    { id: 'bytes_size', signature: 'bytes.size(): int', example: 'b"abc".size() == 3' },
    { id: 'size_list', signature: 'size(list(A)): int', example: 'size([1, 2]) == 2' },
    { id: 'list_size', signature: 'list(A).size(): int', example: '[1, 2].size() == 2' },
    { id: 'size_map', signature: 'size(map(A, B)): int', example: 'size({"a": 1}) == 1' },
    { id: 'map_size', signature: 'map(A, B).size(): int', example: '{"a": 1}.size() == 1' },
    { id: 'size_string', signature: 'size(string): int', example: 'size("abc") == 3' },
    { id: 'string_size', signature: 'string.size(): int', example: '"abc".size() == 3' },
  ],
  { does: { impl: (a) => count(sizeOf(a)!), trait: hasSize }, partly: sizeInPart },
);

// Parts of strings

function testing(test: (text: string, part: string) => boolean): Singleton {
  const impl: Impl = (a, b) => {
    if (typeof a !== 'string') return orNoSuchOverload(a);
    return typeof b === 'string' ? test(a, b) : orNoSuchOverload(b);
  };
  return { impl };
}

const search: Price = {
  estimate: ({ target, args, model }) => ({
    cost: multiply(traverse(knownSize(target!, model)), traverse(knownSize(args[0]!, model))),
  }),
  cost: (a, b) => Math.ceil(actualSize(a) * stringFactor) * Math.ceil(actualSize(b) * stringFactor),
  paidFirst: true,
};

/** Estimated by what the end is compared with; what it came to was once counted by the whole text. */
const compareEnd = ({ celGo029Prices }: TextOptions): Price => ({
  estimate: ({ args, model }) => ({ cost: traverse(knownSize(args[0]!, model)) }),
  cost: celGo029Prices ? (_a, b) => walk(b) : (a) => walk(a),
});

// matches

const matches: Impl = (a, b) => {
  if (typeof b !== 'string') return orNoSuchOverload(b);
  spendPattern(b);
  const compiled = compileGoRegexp(b);
  return compiled.ok ? found(compiled, a as string) : error(compiled.error);
};

const matchesPattern: PatternImpl = (pattern) => {
  const compiled = compileGoRegexp(pattern);
  if (!compiled.ok) return compiled.error;
  return (a) => (typeof a === 'string' ? found(compiled, a) : noSuchOverload);
};

function found(regexp: Matcher, text: string): boolean {
  if (!regexp.isPlain) spendSearch(regexp.work(text));
  return regexp.matches(text);
}

const matchTarget: Estimator = ({ target, args, model }) => ({
  cost: regexCost(knownSize(target!, model), knownSize(args[0]!, model)),
});

const matchArgument: Estimator = ({ args, model }) => ({
  cost: regexCost(knownSize(args[0]!, model), knownSize(args[1]!, model)),
});

/** Sizes, and what the language itself asks of strings. */
export const text = (options: TextOptions): Library => [
  size,
  fn(
    'contains',
    'Whether a string contains another one.',
    [
      {
        id: 'contains_string',
        signature: 'string.contains(string): bool',
        example: '"abc".contains("b")',
        price: search,
      },
    ],
    { does: testing((a, b) => a.includes(b)), partly: containsInPart },
  ),
  fn(
    'endsWith',
    'Whether a string ends with another one.',
    [
      {
        id: 'ends_with_string',
        signature: 'string.endsWith(string): bool',
        example: '"abc".endsWith("bc")',
        price: compareEnd(options),
      },
    ],
    { does: testing((a, b) => a.endsWith(b)), partly: endsInPart },
  ),
  fn(
    'startsWith',
    'Whether a string starts with another one.',
    [
      {
        id: 'starts_with_string',
        signature: 'string.startsWith(string): bool',
        example: '"abc".startsWith("ab")',
        price: compareEnd(options),
      },
    ],
    { does: testing((a, b) => a.startsWith(b)), partly: startsInPart },
  ),
  fn(
    'matches',
    'Whether an RE2 pattern matches anywhere in a string; use `^` and `$` to anchor it.',
    [
      {
        id: 'matches',
        signature: 'matches(string, string): bool',
        example: 'matches("abc", "^a.c$")',
        price: options.celGo029Prices ? { estimate: matchArgument, cost: regexWalk, paidFirst: true } : undefined,
      },
      {
        id: 'matches_string',
        signature: 'string.matches(string): bool',
        example: '"abc".matches("^a.c$")',
        price: { estimate: matchTarget, cost: regexWalk, paidFirst: true },
      },
    ],
    {
      does: { impl: matches, trait: (a) => typeof a === 'string' },
      pattern: matchesPattern,
      partly: matchesInPart,
      takesLiteral: (value) => typeof value !== 'string' || compileGoRegexp(value).ok,
    },
  ),
];
