import type { Value } from '../../base/value.ts';
import type { Structural, ValueValidation } from '../../kubernetes/schema/structural.ts';

/** A keyword that excludes values that another schema allows, and what that says. */
export interface Tightened {
  readonly keyword: string;
  readonly was: Value | undefined;
}

/** The keywords by which a schema excludes values that the old one allows. */
export function tightenedLimits(
  now: Structural,
  old: Structural,
  isEnforced: (type: string, format: string) => boolean,
): Tightened[] {
  const [after, before] = [now.validation ?? none, old.validation ?? none];
  const bounds = keywords.flatMap(([keyword, excludes]) => {
    return excludes(after, before) ? [{ keyword, was: valueOf(before[keyword]) }] : [];
  });
  const { format = '' } = after;
  const isNew = format !== before.format && !widest.has(format) && isEnforced(now.type, format);
  return [...bounds, ...(isNew ? [{ keyword: 'format', was: valueOf(before.format) }] : [])];
}

/** Formats that all values of their types have. */
const widest: ReadonlySet<string> = new Set(['int64', 'double']);

const none: Partial<ValueValidation> = {};

/** What is not set, or says nothing, is no limit. */
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

/** Of the same bound, the bound itself is excluded now. */
function excludesBound(now = false, old = false, bound: number | undefined, oldBound: number | undefined): boolean {
  return now && !old && bound !== undefined && bound === oldBound;
}

function divides(now: number, old: number | undefined): boolean {
  return old !== undefined && Number.isInteger(old / now);
}
