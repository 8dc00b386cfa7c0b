/** How functions are written down: their signature in Go's words, and what they do. */
import { type Call, type Cell, cell, type GoFunction, type GoValue } from './value.ts';

/** A function that is given cells and says itself where its result comes from. */
export type Traced = (args: readonly Cell[], call: Call) => Cell;

const signature = /^(\w+)\((.*)\) (.+)$/;

/** `indent(int, string) string`: a name, Go's types of parameters (the last may be `...T`), the type of the result. */
export function traced(declared: string, call: Traced): GoFunction {
  const known = declarations.get(declared) ?? read(declared);
  declarations.set(declared, known);
  return { ...known, call };
}

/** Methods as a value has them. */
export function byName(methods: readonly GoFunction[]): ReadonlyMap<string, GoFunction> {
  return new Map(methods.map((method) => [method.name, method]));
}

/** Methods are declared anew with each value that has them. */
const declarations = new Map<string, Omit<GoFunction, 'call'>>();

function read(declared: string): Omit<GoFunction, 'call'> {
  const [, name, list, result] = signature.exec(declared) ?? [];
  if (name === undefined || list === undefined || result === undefined) throw new Error(`not a signature: ${declared}`);
  const params = list === '' ? [] : list.split(', ');
  const isVariadic = params.at(-1)?.startsWith('...') ?? false;
  return { name, params: params.map((type) => goType(type.replace('...', ''))), isVariadic, result: goType(result) };
}

/**
 * A function over plain values. Its arguments are of the types that its signature names, so it may say so:
 * `([count, text]: [Int, string]) => …`. What it gives comes from all of them.
 */
export function plain(declared: string, run: (args: never, call: Call) => GoValue): GoFunction {
  return traced(declared, (args, call) => cell(run(args.map(({ value }) => value) as never, call), call.from));
}

/** Go's long name of a type that signatures write short. */
function goType(short: string): string {
  return short.replace(/\bany\b/g, 'interface {}');
}

/** A table of functions by name. */
export type Functions = ReadonlyMap<string, GoFunction>;

export function functionsOf(...families: readonly (readonly GoFunction[])[]): Functions {
  return new Map(families.flat().map((one) => [one.name, one]));
}
