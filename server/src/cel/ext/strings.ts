import { addU64, floatToU64, maxU64, subtractU64, toU64, type U64 } from '../../base/u64.ts';
import { type CostCall, type Estimator, nodeSize } from '../cost.ts';
import { fn, type Library } from '../overload.ts';
import { add, multiply, oneUnit, type Range, scale, zero } from '../range.ts';
import { quoting, walkTarget } from '../stdlib/estimates.ts';
import { itemsOf } from './items.ts';

const factor = 0.1;

/** One walk over the target; the result is no longer than it. */
const walk: Estimator = ({ target, model }) => {
  if (!target) return undefined;
  const size = nodeSize(target, model);
  return { cost: scale(size, factor), size };
};

/** `indexOf` of strings and of lists: which of the two it is shows in the target's type. */
export const search: Estimator = ({ target, model }) => {
  if (!target) return undefined;
  const items = itemsOf(target);
  const size = nodeSize(target, model);
  if (!items) return { cost: scale(size, factor) };
  const sized = items.type.kind === 'string' || items.type.kind === 'bytes';
  const each = sized ? add(oneUnit, scale(nodeSize(items, model), factor)) : oneUnit;
  return { cost: multiply(size, each) };
};

interface Replacements {
  readonly count: U64;
  readonly kept: U64;
}

const roundUp = (a: U64, b: U64): U64 => floatToU64(Math.ceil(Number(a) / Number(b)));

/** How often at most something can be replaced, and what stays of the text. */
function most(text: Range, what: Range, by: Range): Replacements {
  if (what.min === 0) return { count: text.max < maxU64 ? addU64(text.max, 1) : text.max, kept: text.max };
  if (by.max <= what.min) return { count: 0, kept: text.max };
  return { count: roundUp(text.max, what.min), kept: 0 };
}

function least(text: Range, what: Range, by: Range): Replacements {
  if (what.max === 0) return { count: text.min < maxU64 ? addU64(text.min, 1) : text.min, kept: text.min };
  if (what.max <= by.min) return { count: 0, kept: text.min };
  return { count: roundUp(text.min, what.max), kept: 0 };
}

const replaceCost: Estimator = ({ target, args, model }) => {
  if (!target || args.length < 2) return undefined;
  const text = nodeSize(target, model);
  const [what, by] = [nodeSize(args[0]!, model), nodeSize(args[1]!, model)];
  const [longest, shortest] = [most(text, what, by), least(text, what, by)];
  const count = { min: shortest.count, max: longest.count };
  const size = add(multiply(count, by), { min: shortest.kept, max: longest.kept });
  return { cost: scale(text, 2 * factor), size };
};

const splitCost: Estimator = ({ target, args, model }) => {
  if (!target) return undefined;
  const size = nodeSize(target, model);
  const limit = args[1]?.expr;
  const written = limit?.kind === 'literal' && limit.literal.of === 'int' ? toU64(limit.literal.value) : undefined;
  return { cost: scale(size, 2 * factor), size: { min: 0, max: written ?? size.max } };
};

/** The separators between items: one fewer than there are items. */
function separators(items: Range): Range {
  const fewer = (count: U64) => (count > 0 ? subtractU64(count, 1) : 0);
  return { min: fewer(items.min), max: fewer(items.max) };
}

const joinCost: Estimator = ({ target, args, model }: CostCall) => {
  if (!target) return undefined;
  const items = nodeSize(target, model);
  const item = itemsOf(target);
  let size = item ? multiply(items, nodeSize(item, model)) : zero;
  if (args.length > 0) size = add(size, multiply(nodeSize(args[0]!, model), separators(items)));
  return { cost: scale(size, factor), size };
};

/** The strings library as it was first. */
export const strings: Library = [
  fn('charAt', 'The character at a place counted from 0; at the end the empty string.', [
    { id: 'string_char_at_int', signature: 'string.charAt(int): string', example: '"abc".charAt(1) == "b"' },
  ]),
  fn(
    'indexOf',
    'Where another string starts first, or −1. A second argument says from where to search.',
    [
      { id: 'string_index_of_string', signature: 'string.indexOf(string): int', example: '"abcb".indexOf("b") == 1' },
      {
        id: 'string_index_of_string_int',
        signature: 'string.indexOf(string, int): int',
        example: '"abcb".indexOf("b", 2) == 3',
      },
    ],
    { estimate: search },
  ),
  fn(
    'lastIndexOf',
    'Where another string starts last, or −1. A second argument says up to where to search.',
    [
      {
        id: 'string_last_index_of_string',
        signature: 'string.lastIndexOf(string): int',
        example: '"abcb".lastIndexOf("b") == 3',
      },
      {
        id: 'string_last_index_of_string_int',
        signature: 'string.lastIndexOf(string, int): int',
        example: '"abcb".lastIndexOf("b", 2) == 1',
      },
    ],
    { estimate: search },
  ),
  fn(
    'lowerAscii',
    'The string with A to Z made small.',
    [{ id: 'string_lower_ascii', signature: 'string.lowerAscii(): string', example: '"AbÖ".lowerAscii() == "abÖ"' }],
    { estimate: walk },
  ),
  fn(
    'replace',
    'The string with each occurrence of one text replaced by another; a third argument limits how often.',
    [
      {
        id: 'string_replace_string_string',
        signature: 'string.replace(string, string): string',
        example: '"aab".replace("a", "c") == "ccb"',
      },
      {
        id: 'string_replace_string_string_int',
        signature: 'string.replace(string, string, int): string',
        example: '"aab".replace("a", "c", 1) == "cab"',
      },
    ],
    { estimate: replaceCost },
  ),
  fn(
    'split',
    'The parts of a string between separators; a second argument limits how many.',
    [
      {
        id: 'string_split_string',
        signature: 'string.split(string): list(string)',
        example: '"a,b".split(",") == ["a", "b"]',
      },
      {
        id: 'string_split_string_int',
        signature: 'string.split(string, int): list(string)',
        example: '"a,b,c".split(",", 2) == ["a", "b,c"]',
      },
    ],
    { estimate: splitCost },
  ),
  fn(
    'substring',
    'The part of a string from a place, up to another one where that is given.',
    [
      { id: 'string_substring_int', signature: 'string.substring(int): string', example: '"abc".substring(1) == "bc"' },
      {
        id: 'string_substring_int_int',
        signature: 'string.substring(int, int): string',
        example: '"abc".substring(0, 2) == "ab"',
      },
    ],
    { estimate: walk },
  ),
  fn(
    'trim',
    'The string without the blanks at its ends.',
    [{ id: 'string_trim', signature: 'string.trim(): string', example: '" a ".trim() == "a"' }],
    { estimate: walk },
  ),
  fn(
    'upperAscii',
    'The string with a to z made capital.',
    [{ id: 'string_upper_ascii', signature: 'string.upperAscii(): string', example: '"abö".upperAscii() == "ABö"' }],
    { estimate: walk },
  ),
];

/** `join` as every version has it. */
export const join: Library = [
  fn(
    'join',
    'The strings of a list one behind the other, with a separator between where one is given.',
    [
      { id: 'list_join', signature: 'list(string).join(): string', example: '["a", "b"].join() == "ab"' },
      {
        id: 'list_join_string',
        signature: 'list(string).join(string): string',
        example: '["a", "b"].join("-") == "a-b"',
      },
    ],
    { estimate: joinCost },
  ),
];

/** What version 1 of the strings library added. */
export const stringFormat: Library = [
  fn('format', 'The string with %s, %d, %f, %e, %b, %o, %x and %X replaced by the items of the list.', [
    {
      id: 'string_format',
      signature: 'string.format(list(dyn)): string',
      example: '"%d items".format([3]) == "3 items"',
      estimate: walkTarget,
    },
  ]),
  fn('strings.quote', 'The string in double quotes, with what needs it escaped.', [
    {
      id: 'strings_quote',
      signature: 'strings.quote(string): string',
      example: 'strings.quote("a") == "\\"a\\""',
      estimate: quoting,
    },
  ]),
];
