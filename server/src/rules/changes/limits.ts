import type { Value } from '../../base/value.ts';
import type { Structural, ValueValidation } from '../../kubernetes/schema/structural.ts';

/** A keyword that says something else, and whether that excludes values which were allowed. */
export interface ChangedLimit {
  readonly keyword: LimitKeyword;
  /** `either`: some that were allowed are not, and others are. */
  readonly now: 'tighter' | 'looser' | 'either' | 'same';
  readonly was: Value | undefined;
  readonly is: Value | undefined;
}

type IsEnforced = (type: string, format: string) => boolean;

/** The keywords by which a schema excludes other values than the old one. */
export function changedLimits(now: Structural, old: Structural, isEnforced: IsEnforced): ChangedLimit[] {
  const [after, before] = [now.validation ?? none, old.validation ?? none];
  const tighter = excluding(now, old, isEnforced);
  const looser = excluding(old, now, isEnforced);
  return limitKeywords.flatMap((keyword): ChangedLimit[] => {
    const [was, is] = [valueOf(before[keyword]), valueOf(after[keyword])];
    if (was === is && !tighter.has(keyword) && !looser.has(keyword)) return [];
    // Of a bound that has moved itself, its own words say all.
    const bound = keyword === 'exclusiveMaximum' ? 'maximum' : keyword === 'exclusiveMinimum' ? 'minimum' : undefined;
    if (bound && after[bound] !== before[bound]) return [];
    const way = tighter.has(keyword) ? (looser.has(keyword) ? 'either' : 'tighter') : undefined;
    return [{ keyword, now: way ?? (looser.has(keyword) ? 'looser' : 'same'), was, is }];
  });
}

/** The keywords by which a schema excludes values that another allows. */
function excluding(one: Structural, other: Structural, isEnforced: IsEnforced): ReadonlySet<LimitKeyword> {
  const [own, others] = [one.validation ?? none, other.validation ?? none];
  const found = new Set<LimitKeyword>(
    keywords.flatMap(([keyword, excludes]) => (excludes(own, others) ? keyword : [])),
  );
  const { format = '' } = own;
  if (format !== others.format && !widest.has(format) && isEnforced(one.type, format)) found.add('format');
  return found;
}

/** Formats that all values of their types have. */
const widest: ReadonlySet<string> = new Set(['int64', 'double']);

const none: Partial<ValueValidation> = {};

/** What is not set, or says nothing, is not a limit. */
function valueOf(value: bigint | number | boolean | string | undefined): Value | undefined {
  return value === '' || value === false ? undefined : value;
}

type Limit =
  | 'maximum'
  | 'minimum'
  | 'maxLength'
  | 'minLength'
  | 'maxItems'
  | 'minItems'
  | 'maxProperties'
  | 'minProperties';
export type LimitKeyword = Keyword | 'format' | 'uniqueItems';
type Keyword = Limit | 'exclusiveMaximum' | 'exclusiveMinimum' | 'multipleOf' | 'pattern';
type Limits = Partial<ValueValidation>;

const isLower = (keyword: Limit) => (now: Limits, old: Limits) =>
  now[keyword] !== undefined && (old[keyword] === undefined || now[keyword] < old[keyword]);

/** The least length or count is 0. */
const isHigher = (keyword: Limit) => (now: Limits, old: Limits) =>
  now[keyword] !== undefined && now[keyword] > (old[keyword] ?? (keyword === 'minimum' ? Number.NEGATIVE_INFINITY : 0));

/** Whether what a keyword says excludes values. */
const keywords: readonly (readonly [Keyword, (now: Limits, old: Limits) => boolean])[] = [
  ['maximum', isLower('maximum')],
  ['minimum', isHigher('minimum')],
  [
    'exclusiveMaximum',
    (now, old) => excludesBound(now.exclusiveMaximum, old.exclusiveMaximum, now.maximum, old.maximum),
  ],
  [
    'exclusiveMinimum',
    (now, old) => excludesBound(now.exclusiveMinimum, old.exclusiveMinimum, now.minimum, old.minimum),
  ],
  ['maxLength', isLower('maxLength')],
  ['minLength', isHigher('minLength')],
  ['maxItems', isLower('maxItems')],
  ['minItems', isHigher('minItems')],
  ['maxProperties', isLower('maxProperties')],
  ['minProperties', isHigher('minProperties')],
  ['multipleOf', ({ multipleOf }, old) => multipleOf !== undefined && !divides(multipleOf, old.multipleOf)],
  ['pattern', ({ pattern = '' }, old) => pattern !== '' && pattern !== old.pattern],
];

const limitKeywords: readonly LimitKeyword[] = [...keywords.map(([keyword]) => keyword), 'format', 'uniqueItems'];

/** Of the same bound, the bound itself is excluded now. */
function excludesBound(now = false, old = false, bound: number | undefined, oldBound: number | undefined): boolean {
  return now && !old && bound !== undefined && bound === oldBound;
}

function divides(now: number, old: number | undefined): boolean {
  return old !== undefined && Number.isInteger(old / now);
}
