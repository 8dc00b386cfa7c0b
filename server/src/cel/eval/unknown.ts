import { hasUnknown } from '../../base/value.ts';
import { type CelError, error, isError, type Val } from './values.ts';

// Partial evaluation: a value that is not known yet is an error that says so. `&&`, `||`, `all` and `exists` get along with
// it where the other side decides, as they do with any error; everything else hands it on. `false && unknown` is false.

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

/** A text of which only the beginning is known. */
interface Begun extends CelError {
  readonly begins: string;
}

const isBegun = (value: Val): value is Begun => isError(value) && 'begins' in value;

/** What reading a text gives of which only the beginning is known. */
export function metBeginning(begins: string): CelError {
  const begun: Begun = { ...metUnknown(), begins };
  return begun;
}

/** Whether two values differ however the one goes on of which only the beginning is known. */
export function surelyDiffer(a: Val, b: Val): boolean {
  if (isBegun(b)) return !isBegun(a) && surelyDiffer(b, a);
  if (!isBegun(a) || isError(b)) return false;
  return typeof b !== 'string' || !b.startsWith(a.begins);
}

/** What reading an unknown value gives. */
export function metUnknown(): CelError {
  if (partial) partial.met = true;
  return unknownVal;
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
      return value === unknownVal || isBegun(value);
    case 'list':
      return value.items ? value.items.some(isUnknownIn) : hasUnknown(value.raw);
    case 'map':
      return value.raw === undefined
        ? value.keys().some((key) => isUnknownIn(value.find(key) ?? null))
        : hasUnknown(value.raw);
    case 'optional':
      return value.value !== undefined && isUnknownIn(value.value);
    case 'preserved':
      return hasUnknown(value.raw);
    default:
      return false;
  }
}
