import { nodeSize } from '../../../cel/estimate.ts';
import { regexWalk } from '../../../cel/eval/costs.ts';
import type { PatternImpl } from '../../../cel/eval/implementation.ts';
import { error, noSuchOverload, orNoSuchOverload, textsList, type Val } from '../../../cel/eval/values.ts';
import { spendPattern, spendSearch } from '../../../cel/eval/work.ts';
import { regexCost } from '../../../cel/libraries/walks.ts';
import { fn, type Library, type Price } from '../../../cel/overload.ts';
import { compileGoRegexp, type Matcher } from '../../../gostd/regexp.ts';

const search: Price = {
  estimate: ({ target, args, model }) => {
    const size = nodeSize(target!, model);
    return { cost: regexCost(size, nodeSize(args[0]!, model)), size: { min: 0, max: size.max } };
  },
  cost: regexWalk,
  paidFirst: true,
};

function findFirst({ regexp, work }: Matcher, text: string): string {
  spendSearch(work(text));
  const matcher = regexp.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** Go's FindAllString: an empty match right behind the one before does not count. */
function findAll({ regexp, work }: Matcher, text: string, count: bigint): string[] {
  spendSearch(work(text));
  const found: string[] = [];
  const matcher = regexp.matcher(text);
  let end = -1;
  while (BigInt(found.length) !== count && matcher.find()) {
    const match = matcher.group() ?? '';
    if (match !== '' || matcher.start() !== end) found.push(match);
    end = matcher.end();
  }
  return found;
}

function withPattern(a: Val, b: Val, apply: (matcher: Matcher, text: string) => Val): Val {
  if (typeof a !== 'string') return orNoSuchOverload(a);
  if (typeof b !== 'string') return orNoSuchOverload(b);
  spendPattern(b);
  const compiled = compileGoRegexp(b);
  return compiled.ok ? apply(compiled, a) : error(`Illegal regex: ${compiled.error}`);
}

function patterned(apply: (matcher: Matcher, text: string, count: Val) => Val): PatternImpl {
  return (pattern) => {
    const compiled = compileGoRegexp(pattern);
    if (!compiled.ok) return compiled.error;
    return (a, _b, c) => (typeof a === 'string' ? apply(compiled, a, c) : noSuchOverload);
  };
}

/** The count can be left out, but must be an int. */
function findCounted(matcher: Matcher, text: string, count: Val): Val {
  if (count !== null && typeof count !== 'bigint') return noSuchOverload;
  return textsList(findAll(matcher, text, count ?? -1n));
}

/** Parts of strings that a pattern matches. */
export const regex: Library = [
  fn(
    'find',
    'The first part of a string that matches an RE2 pattern, or "".',
    [
      {
        id: 'string_find_string',
        signature: 'string.find(string): string',
        example: '"abc 123".find("[0-9]+") == "123"',
        impl: (a, b) => withPattern(a, b, findFirst),
      },
    ],
    { price: search, pattern: patterned(findFirst) },
  ),
  fn(
    'findAll',
    'All parts of a string that match an RE2 pattern; a second argument limits their number.',
    [
      {
        id: 'string_find_all_string',
        signature: 'string.findAll(string): list(string)',
        example: '"1 22".findAll("[0-9]+") == ["1", "22"]',
        impl: (a, b) => withPattern(a, b, (matcher, text) => textsList(findAll(matcher, text, -1n))),
      },
      {
        id: 'string_find_all_string_int',
        signature: 'string.findAll(string, int): list(string)',
        example: '"1 22".findAll("[0-9]+", 1) == ["1"]',
        impl: (a, b, c) => withPattern(a, b, (matcher, text) => textsList(findAll(matcher, text, c as bigint))),
      },
    ],
    { price: search, pattern: patterned(findCounted) },
  ),
];
