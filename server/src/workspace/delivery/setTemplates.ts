/** The templates of ApplicationSets: `{{name}}`, or Go's with Sprig's functions. */
import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { builtins } from '../../template/builtins.ts';
import { functionsOf } from '../../template/functions.ts';
import { cellOf } from '../../template/json.ts';
import { metered } from '../../template/meter.ts';
import { parseTemplate } from '../../template/parse.ts';
import { execute, Work, type World } from '../../template/run.ts';
import { sprig } from '../../template/sprig/index.ts';
import { GoError, ofEngine, TooMuchWork } from '../../template/value.ts';

export type Parameters = ValueMap;

/** Steps of all templates of one Application. */
const mostWork = 1_000_000;

/** A template with its parameters; undefined where it cannot be filled in. */
export function templated(template: Value, parameters: Parameters, isGo: boolean): Value | undefined {
  try {
    return new Filling(parameters, isGo).of(template);
  } catch (error) {
    if (error instanceof GoError || error instanceof TooMuchWork) return undefined;
    throw error;
  }
}

const functions = functionsOf([...builtins.values()], [...sprig.values()]);

class Filling {
  private readonly plain: ReadonlyMap<string, string>;
  private readonly parameters: Parameters;
  private readonly isGo: boolean;
  private readonly work = new Work(mostWork);

  constructor(parameters: Parameters, isGo: boolean) {
    this.parameters = parameters;
    this.isGo = isGo;
    this.plain = isGo ? new Map() : flattened(parameters, '');
  }

  of(value: Value): Value {
    if (isString(value)) return value.includes('{{') ? this.text(value) : value;
    if (isList(value)) return value.map((item) => this.of(item));
    if (!isMap(value)) return value;
    return new Map(Array.from(value, ([key, item]) => [key.includes('{{') ? this.text(key) : key, this.of(item)]));
  }

  private text(text: string): string {
    if (this.isGo) return this.go(text);
    return text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => this.plain.get(name.trim()) ?? whole);
  }

  private go(text: string): string {
    const { trees, problems } = parseTemplate('base', text, (word) => functions.has(word), 'applicationset');
    if (problems.length > 0) throw new GoError(problems[0]!.message);
    const world: World = {
      ...{ tree: (name) => trees.get(name), functions, work: this.work, level: { depth: 0 }, watcher: undefined },
    };
    const run = () => execute(world, trees.get('base')!, cellOf(this.parameters, ofEngine));
    return metered(this.work, run).text;
  }
}

/** `a.b` for what is in a map. */
export function flattened(parameters: Parameters, before: string): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of parameters) {
    if (isMap(value)) for (const [inner, text] of flattened(value, `${before}${key}.`)) all.set(inner, text);
    else if (!isList(value)) all.set(`${before}${key}`, String(value));
  }
  return all;
}
