import { shortened } from '../base/text.ts';
import { isList, isMap, isString, type Path, type Value, type ValueMap } from '../base/value.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Mistake } from '../workspace/mistake.ts';

// What all tests are made of: how their maps, lists and objects are read.

/** How an object is given: whole, as a file, or as a base; each with what is patched in it. */
export interface ObjectSpec {
  readonly of: { readonly whole: Value } | { readonly file: string } | { readonly base: string | undefined };
  readonly patches: readonly ValueMap[];
}

export type Bases = ReadonlyMap<string, Value>;

/** What a case can have beside its name, by its request: anything else would not be checked. */
export type KeysFor = Readonly<Record<string, readonly string[]>>;

const objectKeys = ['base', 'file', 'with'];
export function wrongAt(
  path: Path,
  message: string,
  known: readonly string[] = [],
  part: 'key' | 'value' = 'value',
): Mistake {
  return { path, message, part, known };
}

/** Reads the parts of a suite, and notes what means nothing. */
export class Reader {
  readonly #mistakes: Mistake[];
  constructor(mistakes: Mistake[]) {
    this.#mistakes = mistakes;
  }

  /** Nobody reads more of them. */
  wrong(path: Path, message: string, more: Partial<Mistake> = {}): undefined {
    if (this.#mistakes.length < defaultLimits.problems) this.#mistakes.push({ ...wrongAt(path, message), ...more });
    return undefined;
  }

  keys(map: ValueMap, path: Path, known: readonly string[]): void {
    for (const key of map.keys()) {
      if (known.includes(key)) continue;
      const free = known.filter((one) => !map.has(one));
      this.wrong([...path, key], `\`${key}\` has no meaning here`, { known: free, part: 'key' });
    }
  }

  map(map: ValueMap, path: Path, key: string): ValueMap | undefined {
    const value = map.get(key) ?? undefined;
    return value === undefined || isMap(value) ? value : this.wrong([...path, key], `expected \`${key}\` to be a map`);
  }

  list(map: ValueMap, path: Path, key: string): readonly Value[] | undefined {
    const value = map.get(key) ?? undefined;
    return value === undefined || isList(value)
      ? value
      : this.wrong([...path, key], `expected \`${key}\` to be a list`);
  }

  /** A file of the suite, or several. */
  files(root: ValueMap, key: string): readonly string[] {
    const given = root.get(key) ?? null;
    const files = isString(given) ? [given] : isList(given) ? given.filter(isString) : [];
    if (files.length === 0 || (isList(given) && files.length < given.length))
      this.wrong([key], `expected \`${key}\` to name a file, or several in a list`);
    return files;
  }

  text(map: ValueMap, path: Path, key: string): string | undefined {
    const value = map.get(key) ?? undefined;
    return value === undefined || typeof value === 'string'
      ? value
      : this.wrong([...path, key], `expected \`${key}\` to be a string`);
  }

  /** The two objects of an update. */
  change(value: ValueMap, verb: string, path: Path, bases: Bases) {
    const at = [...path, verb];
    const both = value.get(verb)!;
    if (!isMap(both) || !both.has('from') || !both.has('to'))
      return this.wrong(at, `expected \`${verb}\` to have \`from\` and \`to\``);
    this.keys(both, at, ['from', 'to']);
    const from = this.object(both.get('from')!, [...at, 'from'], bases);
    return { from, object: this.object(both.get('to')!, [...at, 'to'], bases) };
  }

  object(value: Value, path: Path, bases: Bases): ObjectSpec {
    if (typeof value === 'string') return { of: { file: value }, patches: [] };
    if (!isMap(value)) {
      this.wrong(path, 'expected an object, a file, or a `base` with what is different');
      return { of: { whole: value }, patches: [] };
    }
    if (value.has('apiVersion') && value.has('kind')) return { of: { whole: value }, patches: [] };
    this.keys(value, path, objectKeys);
    const put = this.map(value, path, 'with');
    const patches = put ? [put] : [];
    const file = this.text(value, path, 'file');
    if (file !== undefined) return { of: { file }, patches };
    const base = this.text(value, path, 'base') ?? (bases.size === 1 ? [...bases.keys()][0] : undefined);
    if ((base === undefined || !bases.has(base)) && this.#mistakes.length < defaultLimits.problems) {
      const names = [...bases.keys()];
      const known = inShort(names.join(', ')) || 'none';
      const isNamed = value.has('base');
      this.wrong(
        isNamed ? [...path, 'base'] : path,
        `expected the name of one of \`bases\`: ${known}`,
        isNamed ? { known: names } : { lacks: { key: 'base', values: names } },
      );
    }
    return { of: { base }, patches };
  }
}

/** What is said again and again is not said at length. */
export const inShort = (text: string) => shortened(text, 500);
