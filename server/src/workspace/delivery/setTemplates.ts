/** The templates of ApplicationSets: `{{name}}`, or Go's with Sprig's functions. */
import { isList, isMap, isString, unknownMark, type Value, type ValueMap } from '../../base/value.ts';
import { formatFloat } from '../../gostd/float.ts';
import { cellOf } from '../../template/json.ts';
import { metered } from '../../template/meter.ts';
import { parseTemplate } from '../../template/parse.ts';
import { execute, Work, type World } from '../../template/run.ts';
import { GoError, ofEngine, TooMuchWork } from '../../template/value.ts';
import { setFunctions as functions } from './setFunctions.ts';

export type Parameters = ValueMap;

/** Steps of all templates of one Application. */
const mostWork = 1_000_000;

interface Templating {
  /** Whether it is one of Go's. */
  readonly isGo: boolean;
  /** Whether a name that is not there ends it. */
  readonly isStrict?: boolean;
}

/** A template with its parameters; undefined where it cannot be filled in. */
export function templated(template: Value, parameters: Parameters, how: Templating): Value | undefined {
  try {
    return new Filling(parameters, how).of(template);
  } catch (error) {
    if (error instanceof GoError || error instanceof TooMuchWork) return undefined;
    throw error;
  }
}

const action = /\{\{[^{}]*\}\}/g;

/** What decides which text there is, and not only what is filled in. */
const deciding = /\{\{-|-\}\}|\{\{\s*(?:if|else|end|range|with|define|block|template|break|continue)\b|:=/;

/** A template whose parameters may be anything; undefined where what is around them depends on them as well. */
export function filledWithAnything(template: Value, key?: string): Value | undefined {
  if (isString(template)) {
    if (deciding.test(template)) return undefined;
    return template.replace(action, key === 'target' ? '.*' : unknownMark);
  }
  if (isList(template)) {
    const items = template.map((item) => filledWithAnything(item, key));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isMap(template)) return template;
  const filled = new Map<string, Value>();
  for (const [name, item] of template) {
    // The target of a patch is made of patterns.
    const value = filledWithAnything(item, name === 'target' ? name : key);
    if (value === undefined || deciding.test(name)) return undefined;
    filled.set(name.replace(action, unknownMark), value);
  }
  return filled;
}

class Filling {
  private readonly parameters: Parameters;
  private readonly how: Templating;
  private readonly work = new Work(mostWork);

  constructor(parameters: Parameters, how: Templating) {
    this.parameters = parameters;
    this.how = how;
  }

  of(value: Value): Value {
    if (isString(value)) return value.includes('{{') ? this.text(value) : value;
    if (isList(value)) return value.map((item) => this.of(item));
    if (!isMap(value)) return value;
    return new Map(Array.from(value, ([key, item]) => [key.includes('{{') ? this.text(key) : key, this.of(item)]));
  }

  private text(text: string): string {
    if (this.how.isGo) return this.go(text);
    return text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => {
      const value = this.parameters.get(name.trim());
      return isString(value) && name.trim() !== '' ? value : whole;
    });
  }

  private go(text: string): string {
    const { trees, problems } = parseTemplate('base', text, (word) => functions.has(word), 'applicationset');
    if (problems.length > 0) throw new GoError(problems[0]!.message);
    const world: World = {
      missingKey: this.how.isStrict ? 'error' : 'invalid',
      ...{ tree: (name) => trees.get(name), functions, work: this.work, level: { depth: 0 }, watcher: undefined },
    };
    const run = () => execute(world, trees.get('base')!, cellOf(this.parameters, ofEngine));
    return metered(this.work, run).text;
  }
}

/** `a.b` for what is in a map, and `a.0` for an item of a list. */
export function flattened(parameters: Parameters): Map<string, string> {
  const all = new Map<string, string>();
  const add = (key: string, value: Value) => {
    if (isMap(value)) for (const [inner, one] of value) add(`${key}.${inner}`, one);
    else if (isList(value)) for (const [i, one] of value.entries()) add(`${key}.${i}`, one);
    else all.set(key, shownValue(value));
  };
  for (const [key, value] of parameters) add(key, value);
  return all;
}

/** A value as Go's `%v` prints it: all numbers are floats. */
export function shownValue(value: Value): string {
  if (isString(value)) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return formatFloat(Number(value));
  return value === null ? '<nil>' : String(value);
}
