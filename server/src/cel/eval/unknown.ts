import {
  beginningsThatDiffer,
  endsWith,
  includes,
  joined,
  mayBeSame,
  type Pieces,
  startsWith,
} from '../../base/pieces.ts';
import { hasUnknown } from '../../base/value.ts';
import { runeCount } from '../../gostd/bytes.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { matchesPieces } from '../../gostd/piecesRegexp.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import type { IntOperator, Partly } from './implementation.ts';
import {
  type CelError,
  type CelMap,
  error,
  isError,
  isKind,
  itemAt,
  type List,
  sizeOfList,
  type TextInPart,
  type Val,
} from './values.ts';
import { spend, spendPattern, spendSearch, spendText } from './work.ts';

// Partial evaluation: a value that is not known yet is an error that says so. `&&`, `||`, `all` and `exists` get along with
// it where the other side decides, as they do with any error; everything else hands it on. `false && unknown` is false.
// A text of which pieces are known, and its size, are values of their own: what functions say of them is at the end.

/** A value that is filled in later. */
export const unknownVal: CelError = error('the value is not known');

/** Whether an evaluation is under way over values of which some are not known, and whether it came to one of them. */
let partial: { met: boolean } | undefined;

export function isPartial(): boolean {
  return partial !== undefined;
}

/** Evaluates over something of which parts may not be known. */
export function partially<T>(hasUnknowns: boolean, evaluate: () => T): T {
  const around = partial;
  partial = hasUnknowns ? { met: false } : undefined;
  try {
    return evaluate();
  } finally {
    partial = around;
  }
}

/** What reading an unknown value gives. */
export function metUnknown(): CelError {
  if (partial) partial.met = true;
  return unknownVal;
}

/** What reading a text gives of which pieces are known. */
export function metPieces(pieces: Pieces): TextInPart {
  metUnknown();
  return { kind: 'textInPart', pieces };
}

/** Whether an unknown value was read since the last time that this was asked. */
export function takeMet(): boolean {
  const met = partial?.met ?? false;
  if (partial) partial.met = false;
  return met;
}

/** Whether something inside a value is not known, so that nobody can tell what an operation on all of it gives. */
export function holdsUnknown(value: Val): boolean {
  if (partial === undefined || typeof value !== 'object' || value === null) return false;
  const holds = isUnknownIn(value);
  if (holds) partial.met = true;
  return holds;
}

function isUnknownIn(value: Val): boolean {
  if (typeof value !== 'object' || value === null) return false;
  switch (value.kind) {
    case 'error':
      return value === unknownVal;
    case 'textInPart':
    case 'sizeInPart':
      return true;
    case 'list':
      return value.items ? value.items.some(isUnknownIn) : hasUnknown(value.raw);
    case 'map':
      return value.raw === undefined
        ? value.keys().some((key) => isUnknownIn(key) || isUnknownIn(value.find(key) ?? null))
        : hasUnknown(value.raw);
    case 'optional':
      return value.value !== undefined && isUnknownIn(value.value);
    case 'preserved':
      return hasUnknown(value.raw);
    default:
      return false;
  }
}

export function isInPart(value: Val): boolean {
  return isKind(value, 'textInPart') || isKind(value, 'sizeInPart');
}

/** What an operation gives over values that are not all known, if that is sure nevertheless. */
export function inPart(partly: Partly | undefined, a: Val, b: Val): Val {
  return partly?.(a, b) ?? unknownVal;
}

/** Whether two values differ, whatever is not known of them. */
export function surelyDiffer(a: Val, b: Val): boolean {
  const [first, second] = [piecesOf(a), piecesOf(b)];
  if (first && second) return !mayBeSame(first, second);
  if (first || second) return isScalar(first ? b : a);
  if (isKind(a, 'sizeInPart')) return typeof b === 'bigint' && b < a.least;
  if (isKind(b, 'sizeInPart')) return surelyDiffer(b, a);
  if (isKind(a, 'list') && isKind(b, 'list')) return listsDiffer(a, b);
  return isScalar(a) && isScalar(b) && a !== b && typeof a === typeof b;
}

const isScalar = (value: Val) => typeof value !== 'object' || value === null;

/** Lists that compare in ways of their own are left out. */
function listsDiffer(a: List, b: List): boolean {
  if ([a, b].some(({ habits }) => habits && !habits.inOrder)) return false;
  const size = sizeOfList(a);
  if (size !== sizeOfList(b)) return true;
  for (let i = 0; i < size; i++) if (surelyDiffer(itemAt(a, i), itemAt(b, i))) return true;
  return false;
}

/** A text as the pieces that are known of it. */
function piecesOf(value: Val): Pieces | undefined {
  if (typeof value === 'string') {
    spendText(value.length);
    return [value];
  }
  return isKind(value, 'textInPart') ? value.pieces : undefined;
}

// What functions say of texts in part

/** What a function says of two texts. */
function ofTexts<T extends Val>(says: (a: Pieces, b: Pieces) => T | undefined): Partly {
  return (a, b) => {
    const [first, second] = [piecesOf(a), piecesOf(b)];
    return first && second && says(first, second);
  };
}

export const startsInPart = ofTexts(startsWith);
export const endsInPart = ofTexts(endsWith);
export const containsInPart = ofTexts(includes);
export const matchesInPart = ofTexts((text, [pattern, ...more]) => {
  if (more.length > 0) return undefined;
  spendPattern(pattern!);
  const compiled = compileGoRegexp(pattern!);
  if (!compiled.ok) return undefined;
  spendSearch(compiled.work(text.join('')));
  return matchesPieces(compiled, text);
});

/** Each piece becomes what the function makes of it alone. */
export function pieceByPiece(does: (text: string) => string): Partly {
  return (a) => {
    const pieces = piecesOf(a);
    return pieces && { kind: 'textInPart', pieces: pieces.map(does) };
  };
}

export const sizeInPart: Partly = (a) => {
  const pieces = piecesOf(a);
  return pieces && { kind: 'sizeInPart', least: BigInt(runeCount(pieces.join(''))) };
};

const join = ofTexts((a, b): TextInPart => ({ kind: 'textInPart', pieces: joined(a, b) }));

export const addInPart: Partly = (a, b) => {
  const [first, second] = [leastOf(a), leastOf(b)];
  return first !== undefined && second !== undefined ? { kind: 'sizeInPart', least: first + second } : join(a, b);
};

/** A number, or the least that it can be. */
function leastOf(value: Val): bigint | undefined {
  return isKind(value, 'sizeInPart') ? value.least : typeof value === 'bigint' ? value : undefined;
}

/** How two values are ordered that are not wholly known. */
export function orderInPart(operator: IntOperator, holds: (order: number) => boolean): Partly {
  const texts = ofTexts((a, b) => {
    const differ = beginningsThatDiffer(a, b);
    return differ && holds(compareStrings(...differ));
  });
  const wantsMore = operator === '>' || operator === '>=';
  return (a, b) => {
    // At least so much beside a number, on either side.
    if (isKind(a, 'sizeInPart') && typeof b === 'bigint') return beyond(a.least, b, operator, wantsMore);
    if (isKind(b, 'sizeInPart') && typeof a === 'bigint') return beyond(b.least, a, mirrored[operator], !wantsMore);
    return texts(a, b);
  };
}

const mirrored: Readonly<Record<IntOperator, IntOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Whether what is at least so much is in order with a number: sure once it cannot be smaller any more. */
function beyond(least: bigint, number: bigint, operator: IntOperator, wantsMore: boolean): boolean | undefined {
  const isStrict = operator === '>' || operator === '<=';
  return (isStrict ? least > number : least >= number) ? wantsMore : undefined;
}

/** Whether a list has an item, or a map a key. */
export const hasInPart: Partly = (item, container) => {
  if (isKind(container, 'map')) return hasKeyInPart(item, container);
  if (!isKind(container, 'list')) return undefined;
  const size = sizeOfList(container);
  spend(size);
  const items = Array.from({ length: size }, (_, i) => itemAt(container, i));
  if (isScalar(item) && items.includes(item)) return true;
  return items.every((one) => surelyDiffer(one, item)) ? false : undefined;
};

/** A value that is not known may be null, and gone. */
function hasKeyInPart(key: Val, map: CelMap): boolean | undefined {
  const found = isScalar(key) ? map.find(key) : undefined;
  if (found !== undefined) return isError(found) ? undefined : true;
  spend(map.size);
  return map.keys().every((one) => surelyDiffer(one, key)) ? false : undefined;
}

/** Whether a value is among those of a list that is known. */
export function amongInPart(values: readonly Val[]): Partly {
  return (item) => (values.every((one) => surelyDiffer(one, item)) ? false : undefined);
}
