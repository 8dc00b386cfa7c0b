import type { ListExpr, MapExpr, StructExpr } from '../ast.ts';
import { newListCost, newMapCost, newStructCost } from '../prices.ts';
import { type Frame, paid, type Step } from './frame.ts';
import { goText } from './goText.ts';
import { messageOf } from './messages.ts';
import { constant, other, type Plan, type Planned, stepOf } from './planning.ts';
import { isInPart, unknownVal } from './unknown.ts';
import { type Entry, endWith, error, isError, isKind, type Key, keyOf, list, mapFrom, type Val } from './values.ts';

export function listLiteral(p: Plan, expr: ListExpr): Planned {
  const items = expr.elements.map((element) => p.node(element));
  const optionals = new Set(expr.optionals);
  const steps = items.map((item) => stepOf(p, item));
  const build = (f: Frame): Val => {
    const values: Val[] = [];
    for (let i = 0; i < steps.length; i++) {
      const value = steps[i]!(f);
      if (isError(value)) return value;
      if (!optionals.has(i)) values.push(value);
      else if (!isKind(value, 'optional')) {
        return error(`cannot initialize optional list element from non-optional value ${goText(value)}`);
      } else if (value.value !== undefined) values.push(value.value);
    }
    return list(values);
  };
  const fixed = items.every((item) => item.kind === 'constant');
  return fixed ? constant(build(nowhere)) : other(paid(build, newListCost));
}

export function mapLiteral(p: Plan, expr: MapExpr): Planned {
  const entries = expr.entries.map((entry) => ({
    key: p.node(entry.key),
    value: p.node(entry.value),
    optional: entry.optional,
  }));
  const steps = entries.map(({ key, value, optional }) => ({
    key: stepOf(p, key),
    value: stepOf(p, value),
    optional,
  }));
  const build = (f: Frame) => buildMap(f, steps);
  const fixed = entries.every((e) => e.key.kind === 'constant' && e.value.kind === 'constant');
  if (!fixed) return other(paid(build, newMapCost));
  return constant(build(nowhere));
}

/** Constants are evaluated where there are no variables. */
const nowhere: Frame = { cost: 0, excess: undefined, limit: Infinity, slots: [] };

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

const undeletable = error('internal error: hash of unhashable type: types.Bytes');

function buildMap(f: Frame, steps: readonly EntrySteps[]): Val {
  const entries = new Map<Key, Entry>();
  for (const step of steps) {
    const key = step.key(f);
    if (isError(key)) return key;
    if (isInPart(key)) return unknownVal;
    const value = step.value(f);
    if (isError(value)) return value;
    if (!step.optional) entries.set(keyOf(key), { key, value });
    else if (!isKind(value, 'optional')) {
      return error(`cannot initialize optional entry '${goText(key)}' from non-optional value ${goText(value)}`);
    } else if (value.value !== undefined) entries.set(keyOf(key), { key, value: value.value });
    else if (isKind(key, 'bytes')) throw endWith(undeletable);
    else entries.delete(keyOf(key));
  }
  return mapFrom(entries);
}

/** A message is made anew each time, whatever it is made of. */
export function messageLiteral(p: Plan, expr: StructExpr): Planned {
  const name = expr.typeName.startsWith('.') ? expr.typeName.slice(1) : expr.typeName;
  const steps = expr.fields.map(({ name, value, optional }) => ({ name, value: stepOf(p, p.node(value)), optional }));
  const make = p.env.structs(name)?.make ?? ((fields: Fields) => messageOf(name, fields, p.rules.valueTypes));
  return other(paid((f) => buildMessage(f, steps, make), newStructCost));
}

interface FieldStep {
  readonly name: string;
  readonly value: Step;
  readonly optional: boolean;
}

type Fields = ReadonlyMap<string, Val>;

function buildMessage(f: Frame, steps: readonly FieldStep[], make: (fields: Fields) => Val): Val {
  const fields = new Map<string, Val>();
  for (const { name, value: read, optional } of steps) {
    const value = read(f);
    if (isError(value)) return value;
    if (isInPart(value)) return unknownVal;
    if (!optional) fields.set(name, value);
    else if (!isKind(value, 'optional')) {
      return error(`cannot initialize optional entry '${name}' from non-optional value ${goText(value)}`);
    } else if (value.value !== undefined) fields.set(name, value.value);
    else fields.delete(name);
  }
  return make(fields);
}
