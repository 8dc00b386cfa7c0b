/** The parameters that the generators of an ApplicationSet give, as far as that takes no cluster. */
import { append } from '../../base/append.ts';
import { isList, isMap, isString, listAt, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { SetAt } from './setAt.ts';
import { firstValue, gitParameters } from './setGit.ts';
import { flattened, type Parameters, shownValue, templated } from './setTemplates.ts';

/** Sets of parameters of one generator. */
const mostParameters = 1_000;

/** Generators within each other: Argo CD takes a matrix or a merge in one of them, and no more. */
const deepestGenerators = 3;

/** What a generator gives, or the kinds of those that are left out. */
export function parametersOfGenerator(set: SetAt, generator: Value): readonly Parameters[] | undefined {
  return generatedBy(set, generator, deepestGenerators);
}

export function kindsIn(generator: Value): string[] {
  return isMap(generator) ? [...generator.keys()].filter((key) => key !== 'selector') : [];
}

/** The sets of parameters that a generator gives; undefined where those are not known here, or Argo CD has none either. */
function generatedBy(set: SetAt, generator: Value, depth: number): readonly Parameters[] | undefined {
  const [kind, ...others] = kindsIn(generator);
  const of = isMap(generator) && kind !== undefined ? generator.get(kind) : undefined;
  if (!isMap(of) || others.length > 0 || depth === 0 || of.has('template')) return undefined;
  const found = parametersOf(set, kind!, of, depth);
  return found && selected(found, (generator as ValueMap).get('selector'));
}

function parametersOf(set: SetAt, kind: string, of: ValueMap, depth: number): readonly Parameters[] | undefined {
  switch (kind) {
    case 'list':
      return listed(set, of);
    case 'git':
      return gitParameters(set, of);
    case 'matrix':
      return matrixOf(set, of, depth);
    case 'merge':
      return mergeOf(set, of, depth);
    default:
      return undefined;
  }
}

/** Without Go's templates all values are texts, but those that are written as YAML. */
function listed({ isGo }: SetAt, of: ValueMap): readonly Parameters[] | undefined {
  const own = listAt(of, ['elements']).map((one) => (isMap(one) ? one : undefined));
  const all = own.map((one) => (one && !isGo ? textsOf(one) : one));
  const text = of.get('elementsYaml');
  if (isString(text) && text !== '') append(all, elementsIn(text));
  return all.every((one) => one !== undefined) ? all : undefined;
}

function textsOf(element: ValueMap): Parameters | undefined {
  const texts = new Map<string, Value>();
  for (const [key, value] of element) {
    if (key !== 'values') texts.set(key, value);
    else if (!isMap(value)) return undefined;
    else for (const [name, inner] of value) texts.set(`values.${name}`, inner);
  }
  return [...texts.values()].every(isString) ? texts : undefined;
}

function elementsIn(text: string): readonly (Parameters | undefined)[] {
  const value = firstValue(text);
  if (value === null) return [];
  return isList(value) ? value.map((one) => (isMap(one) ? one : undefined)) : [undefined];
}

/** Those that a selector takes; undefined where it asks for something that is not known. */
function selected(all: readonly Parameters[], selector: Value | undefined): readonly Parameters[] | undefined {
  if (!isMap(selector)) return selector === undefined || selector === null ? all : undefined;
  const labels = selector.get('matchLabels') ?? new Map();
  const expressions = selector.get('matchExpressions') ?? [];
  if (!isMap(labels) || !isList(expressions) || !expressions.every(isKnownExpression)) return undefined;
  return all.filter((parameters) => {
    const texts = flattened(parameters);
    const hasLabels = [...labels].every(([key, value]) => texts.get(key) === value);
    return hasLabels && expressions.every((one) => fits(one, texts));
  });
}

type Operator = (text: string | undefined, values: readonly Value[]) => boolean;

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['In', (text, values) => text !== undefined && values.includes(text)],
  ['NotIn', (text, values) => text === undefined || !values.includes(text)],
  ['Exists', (text) => text !== undefined],
  ['DoesNotExist', (text) => text === undefined],
]);

function isKnownExpression(one: Value): boolean {
  const operator = valueAt(one, ['operator']);
  return isString(operator) && operators.has(operator) && isString(valueAt(one, ['key']));
}

function fits(one: Value, texts: ReadonlyMap<string, string>): boolean {
  const [key, operator] = [valueAt(one, ['key']) as string, valueAt(one, ['operator']) as string];
  return operators.get(operator)!(texts.get(key), listAt(one, ['values']));
}

/** Each set of the first generator with each of the second, in which those of the first can be named. */
function matrixOf(set: SetAt, of: ValueMap, depth: number): readonly Parameters[] | undefined {
  const [first, second, ...others] = listAt(of, ['generators']);
  const outer = first === undefined ? undefined : generatedBy(set, first, depth - 1);
  if (!outer || second === undefined || others.length > 0) return undefined;
  const all: Parameters[] = [];
  for (const a of outer.slice(0, mostParameters)) {
    const filled = a.size === 0 ? second : filledIn(second, a, set);
    const inner = filled === undefined ? undefined : generatedBy(set, filled, depth - 1);
    if (!inner) return undefined;
    for (const b of inner.slice(0, mostParameters)) {
      const both = set.isGo ? overlaid(b, a) : combined(a, b);
      if (!both) return undefined;
      all.push(both);
    }
    if (all.length >= mostParameters) break;
  }
  return all;
}

/** A generator with the parameters of another; `values` of its own may name what is known only later. */
function filledIn(generator: Value, parameters: Parameters, { isGo }: SetAt): Value | undefined {
  const git = valueAt(generator, ['git']);
  const values = isMap(git) ? git.get('values') : undefined;
  if (!isMap(git) || !isMap(values) || !isMap(generator)) return templated(generator, parameters, { isGo });
  const rest = new Map(generator).set('git', new Map([...git].filter(([key]) => key !== 'values')));
  const filled = templated(rest, parameters, { isGo });
  const own = Array.from(values, ([key, value]): [string, Value] => {
    return [key, templated(value, parameters, { isGo, isStrict: true }) ?? value];
  });
  if (!isMap(filled)) return undefined;
  return new Map(filled).set('git', new Map(filled.get('git') as ValueMap).set('values', new Map(own)));
}

/** Without Go's templates Argo CD refuses two values for one name. */
function combined(a: Parameters, b: Parameters): Parameters | undefined {
  const all = new Map<string, Value>(Array.from(a, ([key, value]) => [key, shownValue(value)]));
  for (const [key, value] of b) {
    const text = shownValue(value);
    if ((all.get(key) ?? text) !== text) return undefined;
    all.set(key, text);
  }
  return all;
}

/** The sets of the first generator, each with what the others say of the same keys. */
function mergeOf(set: SetAt, of: ValueMap, depth: number): readonly Parameters[] | undefined {
  const keys = listAt(of, ['mergeKeys']).filter(isString);
  const all = listAt(of, ['generators']).map((one) => generatedBy(set, one, depth - 1));
  const [first, ...others] = all;
  if (!first || others.length === 0 || keys.length === 0) return undefined;
  const keyOf = (parameters: Parameters) => JSON.stringify(keys.map((key) => keyText(parameters.get(key))));
  // Argo CD refuses two sets of one generator with the same keys.
  if (all.some((list) => !list || new Set(list.map(keyOf)).size < list.length)) return undefined;
  const byKey = others.map((list) => new Map(list!.map((one) => [keyOf(one), one])));
  return first.slice(0, mostParameters).map((base) => {
    const same = byKey.flatMap((list) => list.get(keyOf(base)) ?? []);
    return same.reduce<Parameters>((below, above) => (set.isGo ? overlaid(below, above) : withAll(below, above)), base);
  });
}

/** As JSON, whose maps are in the order of their keys. */
function keyText(value: Value | undefined): string {
  if (isList(value)) return `[${value.map(keyText).join()}]`;
  if (isMap(value))
    return `{${[...value]
      .map(([key, one]) => `${JSON.stringify(key)}:${keyText(one)}`)
      .sort()
      .join()}}`;
  if (isString(value)) return JSON.stringify(value);
  return value === undefined ? 'null' : String(value);
}

function withAll(below: ValueMap, above: ValueMap): ValueMap {
  return new Map([...below, ...above]);
}

/** Maps are laid over each other key by key. */
function overlaid(below: ValueMap, above: ValueMap): ValueMap {
  const all = new Map(below);
  for (const [key, value] of above) {
    const known = all.get(key);
    all.set(key, isMap(known) && isMap(value) ? overlaid(known, value) : value);
  }
  return all;
}
