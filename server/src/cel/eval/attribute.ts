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
  Selector,
  sizeOfList,
  typeName,
  type Val,
} from './values.ts';

/** A variable or value and what is selected from it: one unit, whose parts are paid for in cel-go's own way. */
export type Attribute =
  | {
      readonly kind: 'absolute';
      readonly read: Step;
      /** Where the variable is kept; none where reading it may have to make it first. */
      readonly slot: number | undefined;
      readonly qualifiers: Qualifier[];
    }
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
  const slot = attribute.kind === 'absolute' ? attribute.slot : undefined;
  const qualifiers = [...attribute.qualifiers];
  if (qualifiers.length === 0) return slot === undefined ? paid(base, own) : slotStep(slot, own);
  const names = qualifiers.map(nameOf);
  if (names.every((name) => name !== undefined)) return namePath(base, slot ?? -1, names, qualifiers, own);
  const read = slot === undefined ? base : slotStep(slot, 0);
  if (qualifiers.every(({ optional }) => !optional)) return steadyPath(read, qualifiers, own);
  const resolve: Step = (f) => {
    const value = read(f);
    return isError(value) ? value : qualified(f, value, qualifiers);
  };
  return paid(resolve, own);
}

/** Names, indices and keys, none of them optional, and at the end perhaps the question of has(). */
function steadyPath(read: Step, qualifiers: readonly Qualifier[], own: number): Step {
  const steps = qualifiers.map(steadyStep);
  return (f) => {
    let value = read(f);
    if (isKind(value, 'optional')) value = qualified(f, value, qualifiers);
    else {
      for (let i = 0; i < steps.length && !isError(value); i++) {
        value = steps[i]!(f, value);
        chargeUnits(f, 1);
      }
    }
    if (own !== 0) charge(f, own);
    return value;
  };
}

function steadyStep(qualifier: Qualifier): (f: Frame, from: Val) => Val {
  if (qualifier.of === 'computed') {
    const { read } = qualifier;
    return (f, from) => {
      const key = read(f);
      return badKey(key) ?? qualify(from, key);
    };
  }
  const { key, testOnly } = qualifier;
  if (typeof key !== 'string') return (_f, from) => qualify(from, key);
  const selector = new Selector(key);
  if (!testOnly) return (_f, from) => selected(from, selector);
  return (_f, from) => {
    const found = isKind(from, 'map') ? from.select(selector) : find(from, key);
    return found !== undefined && isError(found) ? found : found !== undefined;
  };
}

function slotStep(slot: number, own: number): Step {
  return (f) => {
    chargeUnits(f, own);
    return f.slots[slot] as Val;
  };
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

/** The name that must be there. */
function nameOf(qualifier: Qualifier): string | undefined {
  if (qualifier.of !== 'constant' || qualifier.optional || qualifier.testOnly) return undefined;
  return typeof qualifier.key === 'string' ? qualifier.key : undefined;
}

/** The common case: names alone, one after the other, mostly below a variable in a slot. */
function namePath(
  base: Step,
  slot: number,
  names: readonly string[],
  qualifiers: readonly Qualifier[],
  own: number,
): Step {
  const selectors = names.map((name) => new Selector(name));
  const [first] = selectors as [Selector];
  const otherwise = (f: Frame, from: Val) => {
    const value = isError(from) ? from : qualified(f, from, qualifiers);
    chargeUnits(f, own);
    return value;
  };
  if (selectors.length === 1) {
    return (f) => {
      const from = slot < 0 ? base(f) : (f.slots[slot] as Val);
      if (!isKind(from, 'map')) return otherwise(f, from);
      chargeUnits(f, own + 1);
      const found = from.select(first);
      return found === undefined ? first.missing : found;
    };
  }
  return (f) => {
    const from = slot < 0 ? base(f) : (f.slots[slot] as Val);
    if (!isKind(from, 'map')) return otherwise(f, from);
    let value: Val = from;
    let units = own;
    for (let i = 0; i < selectors.length && !isError(value); i++) {
      value = selected(value, selectors[i]!);
      units++;
    }
    chargeUnits(f, units);
    return value;
  };
}

function selected(value: Val, selector: Selector): Val {
  if (!isKind(value, 'map')) return qualify(value, selector.name);
  const found = value.select(selector);
  return found === undefined ? selector.missing : found;
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
    const next = maybe ? ifPresent(f, value, qualifier) : present(f, value, qualifier);
    if (next === undefined) return none;
    if (isError(next)) return next;
    value = next;
  }
  return maybe ? optional(value) : value;
}

function present(f: Frame, value: Val, qualifier: Qualifier): Val {
  const found = steadyStep(qualifier)(f, value);
  chargeUnits(f, 1);
  return found;
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
