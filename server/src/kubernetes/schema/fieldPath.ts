import { byteLength } from '../../gostd/bytes.ts';
import type { Structural } from './structural.ts';

/** Where a field path such as `.spec['a b'].c` leads; `keys` are its steps as the API server prints them. */
export type ResolvedPath =
  | {
      readonly schema: Structural | undefined;
      readonly root: string;
      readonly text: string;
      readonly steps: readonly string[];
    }
  | { readonly error: string }
  /** The API server crashes: it looks into a schema that is not there. */
  | { readonly crash: true };

/** Splits at dots and brackets; inside single quotes nothing splits. */
function tokens(path: string): string[] {
  const out: string[] = [];
  let rest = path;
  while (rest !== '') {
    const token = rest.startsWith("'") ? quoted(rest) : plain(rest);
    out.push(token);
    rest = rest.slice(token.length);
  }
  return out;
}

function quoted(rest: string): string {
  for (let i = 1; i < rest.length; i++) if (rest[i] === "'" && rest[i - 1] !== '\\') return rest.slice(0, i + 1);
  return rest;
}

function plain(rest: string): string {
  return /^[.[\]]|^[^.[\]]+/.exec(rest)![0];
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unquoted(text: string): string | undefined {
  let known = true;
  const out = text.replace(/\\(.)/g, (_, letter: string) => {
    known &&= letter in escapes;
    return escapes[letter] ?? '';
  });
  return known ? out : undefined;
}

interface Walk {
  /** Undefined below `additionalProperties: true`, where the API server looks no further than it can. */
  schema: Structural | undefined;
  text: string;
  root: string;
  readonly steps: string[];
}

/** Go's scanner refuses a token beyond 64 KiB: what follows is silently dropped. */
const longestToken = 64 * 1024;

const nowhere = 'does not refer to a valid field';

/** The API server's ValidFieldPath. `schema` is undefined where no structural schema could be made. */
export function resolveFieldPath(path: string, schema: Structural | undefined, arrayNotation: boolean): ResolvedPath {
  if (schema === undefined) return withoutSchema(path, arrayNotation);
  const walk: Walk = { schema, text: '', root: '', steps: [] };
  const list = readable(tokens(path));
  for (let i = 0; i < list.length; ) {
    const next = step(walk, list, i, arrayNotation);
    if (typeof next !== 'number') return next;
    i = next;
  }
  return { schema: walk.schema, root: walk.root, text: walk.text, steps: walk.steps };
}

function readable(list: readonly string[]): readonly string[] {
  const stop = list.findIndex((token) => byteLength(token) >= longestToken);
  return stop < 0 ? list : list.slice(0, stop);
}

type Problem = { readonly error: string } | { readonly crash: true };

function step(walk: Walk, list: readonly string[], at: number, arrayNotation: boolean): number | Problem {
  if (list[at] === '.') return dotted(walk, list, at);
  if (list[at] === '[') return bracketed(walk, list, at, arrayNotation);
  return { error: `expected [ or . but got: ${list[at]}` };
}

/** Without a schema a name after the first dot, or in brackets, is looked up in nothing. */
function withoutSchema(path: string, arrayNotation: boolean): ResolvedPath {
  const [first, second] = tokens(path);
  if (first === undefined) return { crash: true };
  if (first === '[') return arrayNotation ? { crash: true } : { error: 'array notation is not allowed' };
  if (first !== '.') return { error: `expected [ or . but got: ${first}` };
  return second === undefined ? { error: 'unexpected end of JSON path' } : { crash: true };
}

function dotted(walk: Walk, list: readonly string[], at: number): number | Problem {
  const name = list[at + 1];
  if (name === undefined) return { error: 'unexpected end of JSON path' };
  return enter(walk, name) ?? at + 2;
}

function bracketed(walk: Walk, list: readonly string[], at: number, allowed: boolean): number | Problem {
  if (!allowed) return { error: 'array notation is not allowed' };
  const token = list[at + 1];
  if (token === undefined) return { error: 'unexpected end of JSON path' };
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { error: `expected single quoted string but got ${token}` };
  }
  const name = unquoted(token.slice(1, -1));
  if (name === undefined) return { error: 'invalid string literal' };
  const problem = enter(walk, name);
  if (problem !== undefined) return problem;
  const close = list[at + 2];
  if (close === undefined) return { error: 'unexpected end of JSON path' };
  return close === ']' ? at + 3 : { error: `expected ] but got ${close}` };
}

/** Goes one step down: to a property, or to any key of a map. */
function enter(walk: Walk, name: string): Problem | undefined {
  if (!walk.schema) return { crash: true };
  const { properties, additionalProperties } = walk.schema;
  if (!properties && !additionalProperties) return { error: nowhere };
  const text = properties ? name : `[${name}]`;
  if (walk.steps.length === 0) walk.root = text;
  walk.text += properties && walk.text !== '' ? `.${text}` : text;
  walk.steps.push(name);
  walk.schema = properties ? properties.get(name) : additionalProperties?.schema;
  return properties && !walk.schema ? { error: nowhere } : undefined;
}
