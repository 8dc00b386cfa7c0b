import { nearestNames } from '../../rules/fixing/nearest.ts';

/** What a shell can offer: words, or what is on disk. */
export type Completes = readonly string[] | 'file' | 'folder';

/** An option: all that help, completion, documentation and the reader of the command line know of it. */
export interface Option<Value = unknown> {
  /** What it does, as help says it. */
  readonly about: string;
  /** What help calls the value that it takes; a flag takes none. */
  readonly takes?: string;
  readonly short?: string;
  readonly completes?: Completes;
  /** Reads what was given, in its order; `name` is the option as it is typed. */
  read(given: readonly string[], name: string): Value;
}

/** By the name of the property that holds the value: `maxWarnings` is typed `--max-warnings`. */
export type OptionTable = Readonly<Record<string, Option>>;

export type ValuesOf<Table extends OptionTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer Value> ? Value : never;
};

/** An option as it is typed. */
export function typed(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The end of a sentence that something is not known. */
export function meant(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

type More = Pick<Option, 'short' | 'completes'>;

export function flag(about: string, more: Pick<Option, 'short'> = {}): Option<boolean> {
  return { about, ...more, read: (given) => given.length > 0 };
}

/** A text, read further where that is asked for; undefined where it is not given. Of several the last one holds. */
export function text(takes: string, about: string, more?: More): Option<string | undefined>;
export function text<Value>(
  takes: string,
  about: string,
  more: More & { readonly as: (text: string, name: string) => Value },
): Option<Value | undefined>;
export function text(
  takes: string,
  about: string,
  { as = (one) => one, ...more }: More & { readonly as?: (text: string, name: string) => unknown } = {},
): Option {
  const read: Option['read'] = (given, name) => {
    const last = given.at(-1);
    return last === undefined ? undefined : as(last, name);
  };
  return { about, takes, ...more, read };
}

/** What may be given several times. */
export function texts(takes: string, about: string, more: More = {}): Option<readonly string[]> {
  return { about, takes, ...more, read: (given) => given };
}

/** The same, each of them read further. */
export function textsAs<Value>(
  takes: string,
  about: string,
  as: (text: string, name: string) => Value,
): Option<readonly Value[]> {
  return { about, takes, read: (given, name) => given.map((one) => as(one, name)) };
}

/** One of several words; the fallback where none is given. */
export function choice<const Word extends string>(
  takes: string,
  words: readonly Word[],
  about: string,
  more: More & { readonly fallback: NoInfer<Word> },
): Option<Word>;
export function choice<const Word extends string>(
  takes: string,
  words: readonly Word[],
  about: string,
  more?: More,
): Option<Word | undefined>;
export function choice(
  takes: string,
  words: readonly string[],
  about: string,
  { fallback, ...more }: More & { readonly fallback?: string } = {},
): Option<string | undefined> {
  const read = (given: readonly string[], name: string) => {
    const last = given.at(-1);
    return last === undefined ? fallback : oneOf(name, words, last);
  };
  return { about, takes, completes: words, ...more, read };
}

export function oneOf<Word extends string>(name: string, words: readonly Word[], given: string): Word {
  const found = words.find((word) => word === given);
  if (found === undefined) throw new Error(`${name} is one of ${words.join(', ')}, not ${given}${meant(given, words)}`);
  return found;
}

interface Bounds {
  readonly least?: number;
  readonly most?: number;
  /** What it takes, in an error. */
  readonly what?: string;
}

/** A whole number; undefined where it is not given. */
export function number(takes: string, about: string, { least = 0, most, what }: Bounds = {}) {
  const range = most === undefined ? 'a number' : `a number from ${least} to ${most}`;
  const as = (given: string, name: string): number => {
    const found = /^\d{1,15}$/.test(given) ? Number(given) : -1;
    if (found < least || found > (most ?? found)) throw new Error(`${name} takes ${what ?? range}, not ${given}`);
    return found;
  };
  return text(takes, about, { as });
}
