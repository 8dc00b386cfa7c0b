import type { CelEnv } from '../env.ts';
import type { Overload } from '../overload.ts';
import type { CelType } from '../types.ts';
import type { Impl, IntOperator, Singleton } from './implementation.ts';
import { accepts, error, isKind, noSuchOverload, typeName, unsupported, type Val } from './values.ts';

/** What a call does. */
export interface Binding {
  readonly impl: Impl;
  readonly ints?: IntOperator | undefined;
  /** After an error among the arguments nothing more is evaluated. */
  readonly strict: boolean;
}

/** Finds what a call with so many arguments does; without an overload evaluation chooses one. */
export function binding(env: CelEnv, name: string, count: number, overload: Overload | undefined): Binding {
  const does = env.functions.get(name)?.does;
  if (does !== undefined && does !== 'planned') return singletonBinding(does, name, count);
  const strict = count > 2 || name === 'format';
  if (overload) return { impl: guarded(overload), strict };
  return { impl: dispatched(env, name, count), strict: true };
}

function singletonBinding({ impl, ints, trait }: Singleton, name: string, count: number): Binding {
  if (!trait) return { impl, strict: count > 2 };
  const absent = error(`no such overload: ${name}`);
  const receives = (a: Val) => typeof a === 'string' || isKind(a, 'timestamp') || isKind(a, 'duration');
  const guarded: Impl = (a, b, c, d) => (trait(a) ? impl(a, b, c, d) : receives(a) ? noSuchOverload : absent);
  return { impl: guarded, ints, strict: count > 2 };
}

/** What the planner knows has no implementation: it is asked for one where a call has an odd number of arguments. */
function implementation({ name, id, impl }: Overload): Impl {
  if (!impl) throw unsupported(`the function ${name} (${id})`);
  return impl;
}

function noMatch(name: string, args: readonly Val[]): Val {
  return error(`no such overload: ${name}(${args.map(typeName).join(', ')})`);
}

function guarded(overload: Overload): Impl {
  const impl = implementation(overload);
  const { args, name } = overload;
  const open = args.map((type) => type.kind === 'dyn' || type.kind === 'param');
  if (args.length === 0 || open.every(Boolean)) return impl;
  const [first, second, third] = args as readonly [CelType, CelType?, CelType?];
  if (!second) {
    return (a, b, c, d) => (accepts(first, a) ? impl(a, b, c, d) : noMatch(name, [a]));
  }
  if (!third) {
    return (a, b, c, d) => (accepts(first, a) && accepts(second, b) ? impl(a, b, c, d) : noMatch(name, [a, b]));
  }
  return (a, b, c, d) => {
    const values = [a, b, c, d].slice(0, args.length);
    const fits = accepts(first, a) && accepts(second, b) && accepts(third, c) && (!args[3] || accepts(args[3], d));
    return fits ? impl(a, b, c, d) : noMatch(name, values);
  };
}

/** Where checking left several overloads, the first that takes the values is called. */
function dispatched(env: CelEnv, name: string, count: number): Impl {
  const overloads = (env.functions.get(name)?.overloads ?? []).filter((overload) => overload.args.length === count);
  const impls = overloads.map((overload) => ({ overload, impl: implementation(overload) }));
  return (a, b, c, d) => {
    const values = [a, b, c, d].slice(0, count);
    for (const { overload, impl } of impls) {
      if (overload.args.every((type, i) => accepts(type, values[i]!))) return impl(a, b, c, d);
    }
    return noMatch(name, values);
  };
}
