import { charge, chargeUnits, type Frame, type Step } from './frame.ts';
import { goType } from './goType.ts';
import {
  type CelError,
  error,
  isError,
  isKind,
  itemAt,
  type List,
  none,
  noSuchOverload,
  optional,
  sizeOfList,
  typeName,
  type Val,
} from './values.ts';

/** A variable or value and what is selected from it: one unit, whose parts are paid for in cel-go's own way. */
export type Attribute =
  | { readonly kind: 'absolute'; readonly read: Step; readonly qualifiers: Qualifier[] }
  | { readonly kind: 'relative'; readonly operand: Step; readonly qualifiers: Qualifier[] }
  | {
      readonly kind: 'conditional';
      readonly test: Step;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    };

export type Qualifier =
  | { readonly of: 'constant'; readonly key: Val; readonly optional: boolean; readonly testOnly: boolean }
  | { readonly of: 'computed'; readonly read: Step; readonly optional: boolean };

export function addQualifier(attribute: Attribute, qualifier: Qualifier): void {
  if (attribute.kind !== 'conditional') {
    attribute.qualifiers.push(qualifier);
    return;
  }
  addQualifier(attribute.truthy, qualifier);
  addQualifier(attribute.falsy, qualifier);
}

/** Evaluates an attribute, which costs `own` besides what is selected. */
export function resolver(attribute: Attribute, own = 0): Step {
  if (attribute.kind === 'conditional') return paid(choice(attribute), own);
  const base = attribute.kind === 'absolute' ? attribute.read : attribute.operand;
  const qualifiers = [...attribute.qualifiers];
  if (qualifiers.length === 0) return paid(base, own);
  if (qualifiers.every((one) => one.of === 'constant' && !one.optional && !one.testOnly)) {
    return plainPath(
      base,
      qualifiers.map((one) => (one.of === 'constant' ? one.key : null)),
      own,
    );
  }
  const resolve: Step = (f) => {
    const value = base(f);
    return isError(value) ? value : qualified(f, value, qualifiers);
  };
  return paid(resolve, own);
}

function paid(resolve: Step, own: number): Step {
  if (own === 0) return resolve;
  return (f) => {
    const value = resolve(f);
    charge(f, own);
    return value;
  };
}

function choice({ test, truthy, falsy }: Extract<Attribute, { kind: 'conditional' }>): Step {
  const [yes, no] = [resolver(truthy), resolver(falsy)];
  return (f) => {
    const value = test(f);
    if (value === true) return yes(f);
    if (value === false) return no(f);
    return isError(value) ? value : noSuchOverload;
  };
}

/** The common case: names and indices, none of them optional. */
function plainPath(base: Step, keys: readonly Val[], own: number): Step {
  return (f) => {
    let value = base(f);
    let units = own;
    if (isKind(value, 'optional')) value = qualified(f, value, keys.map(plainQualifier));
    else {
      for (let i = 0; i < keys.length && !isError(value); i++) {
        value = qualify(value, keys[i]!);
        units++;
      }
    }
    chargeUnits(f, units);
    return value;
  };
}

function plainQualifier(key: Val): Qualifier {
  return { of: 'constant', key, optional: false, testOnly: false };
}

function qualified(f: Frame, start: Val, qualifiers: readonly Qualifier[]): Val {
  let value = start;
  let maybe = false;
  if (isKind(value, 'optional')) {
    if (value.value === undefined) return value;
    value = value.value;
    maybe = true;
  }
  for (const qualifier of qualifiers) {
    maybe ||= qualifier.optional;
    const next = maybe ? ifPresent(f, value, qualifier) : selected(f, value, qualifier);
    if (next === undefined) return none;
    if (isError(next)) return next;
    value = next;
  }
  return maybe ? optional(value) : value;
}

function selected(f: Frame, value: Val, qualifier: Qualifier): Val {
  const found = selection(f, value, qualifier);
  charge(f, 1);
  return found;
}

function selection(f: Frame, value: Val, qualifier: Qualifier): Val {
  if (qualifier.of === 'constant') {
    if (!qualifier.testOnly) return qualify(value, qualifier.key);
    const found = find(value, qualifier.key);
    return isError(found ?? null) ? found! : found !== undefined;
  }
  const key = qualifier.read(f);
  return badKey(key) ?? qualify(value, key);
}

/** The selected value, undefined where there is none; only what is there is paid for. */
function ifPresent(f: Frame, value: Val, qualifier: Qualifier): Val | undefined {
  const testOnly = qualifier.of === 'constant' && qualifier.testOnly;
  const key = qualifier.of === 'constant' ? qualifier.key : qualifier.read(f);
  const bad = qualifier.of === 'computed' ? badKey(key) : undefined;
  const found = bad ?? find(value, key);
  if (testOnly || (found !== undefined && !isError(found))) charge(f, 1);
  return found;
}

function badKey(key: Val): CelError | undefined {
  if (key !== null && typeof key !== 'object') return undefined;
  if (isError(key)) return key;
  return isKind(key, 'uint') ? undefined : error(`invalid qualifier type: ${goType(key)}`);
}

function keyText(key: Val): string {
  if (isKind(key, 'uint')) return String(key.value);
  return typeof key === 'number' ? floatText(key) : String(key);
}

function floatText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The value under a key, or why there is none. */
export function qualify(value: Val, key: Val): Val {
  const found = isKind(value, 'map') ? value.find(key) : find(value, key);
  if (found !== undefined) return found;
  return error(isKind(value, 'list') ? `index out of bounds: ${keyText(key)}` : `no such key: ${keyText(key)}`);
}

/** The value under a key; undefined where there is none. */
export function find(value: Val, key: Val): Val | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  switch (value.kind) {
    case 'map':
      return value.find(key);
    case 'list':
      return atIndex(value, key);
    case 'error':
      return value;
    default:
      return undefined;
  }
}

function atIndex(value: List, key: Val): Val | undefined {
  const index = indexOf(key);
  if (typeof index !== 'bigint') return index;
  const found = index >= 0n && index < BigInt(sizeOfList(value)) ? itemAt(value, Number(index)) : undefined;
  return found === undefined || typeof key === 'bigint' || !value.habits ? found : value.habits.wrongIndex(key);
}

/** A list's index from any number that is whole. */
export function indexOf(key: Val): bigint | CelError {
  if (typeof key === 'bigint') return key;
  if (typeof key === 'number') {
    return Number.isInteger(key) && Math.abs(key) < 2 ** 63
      ? BigInt(key)
      : error(`unsupported index value ${floatText(key)} in list`);
  }
  if (isKind(key, 'uint'))
    return key.value < 2n ** 63n ? key.value : error(`unsupported index value ${key.value} in list`);
  return error(`unsupported index type '${typeName(key)}' in list`);
}
