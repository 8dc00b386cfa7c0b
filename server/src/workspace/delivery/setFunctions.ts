/** The functions that the templates of ApplicationSets have: Sprig's, and those of Argo CD itself. */
import { runAtEnd } from '../../base/text.ts';
import { toLower } from '../../gostd/letters.ts';
import { listInYaml, mapInYaml, yamlFunctions } from '../../helm/functions/yaml.ts';
import { builtins } from '../../template/builtins.ts';
import { type Functions, functionsOf, plain, traced } from '../../template/functions.ts';
import { sprig } from '../../template/sprig/index.ts';
import { type Cell, GoError, type GoValue, Int } from '../../template/value.ts';

/** Unlike in Helm, what cannot be read or written ends the template. */
const ofYaml = [
  { ...yamlFunctions.find(({ name }) => name === 'mustToYaml')!, name: 'toYaml' },
  traced('fromYaml(string) map[string]any', ([text], call) => orEnd(mapInYaml(text!, call))),
  traced('fromYamlArray(string) []any', ([text], call) => orEnd(listInYaml(text!, call))),
];

function orEnd(made: Cell | string): Cell {
  if (typeof made === 'string') throw new GoError(made);
  return made;
}

const own = [
  plain('normalize(string) string', ([name]: [string]) => sanitizedName(name)),
  plain('slugify(...any) string', (args: readonly GoValue[]) => slugOf(args)),
  ...ofYaml,
];

/** Argo CD keeps from templates what they could learn of the machine that it runs on. */
const kept: ReadonlySet<string> = new Set(['env', 'expandenv', 'getHostByName']);

export const setFunctions: Functions = functionsOf(
  [...builtins.values()],
  [...sprig.values()].filter(({ name }) => !kept.has(name)),
  own,
);

/** A name as Kubernetes takes it. */
export function sanitizedName(name: string): string {
  const allowed = toLower(name)
    .replace(/[^-a-z0-9.]/gu, '-')
    .slice(0, longestName);
  const start = allowed.search(/[^-.]/);
  return start === -1 ? '' : allowed.slice(start, runAtEnd(allowed, /[-.]/));
}

const longestName = 253;

/** Characters of a slug, unless a template says how many. */
const longestSlug = 50;

/** A name, at most with how long its slug may be and whether that ends with a whole word. */
function slugOf(args: readonly GoValue[]): string {
  const name = args.length === 0 ? '' : args.at(-1);
  const [length, endsWithWord] = [new Int(longestSlug), true].map((usual, i) =>
    i < args.length - 1 ? args[i] : usual,
  );
  const isLength = length instanceof Int && length.type === 'int';
  if (typeof name !== 'string' || !isLength || typeof endsWithWord !== 'boolean') throw new GoError(wrongCall);
  // What is left of a name after the first step needs no transliteration.
  const [text, most] = [sanitizedName(name), Number(length.value)];
  if (endsWithWord) return shortenedToWords(slugged(text), most);
  if (most < 0) throw new GoError(wrongCall);
  return slugged(text.slice(0, most));
}

const wrongCall = 'error calling slugify';

function slugged(text: string): string {
  const dashed = text.replace(/[^a-z0-9]+/g, '-');
  return dashed.slice(dashed.startsWith('-') ? 1 : 0, runAtEnd(dashed, /-/));
}

function shortenedToWords(text: string, most: number): string {
  if (most <= 0 || text.length <= most) return text;
  const end = text.lastIndexOf('-', most);
  return text.slice(0, end === -1 ? most : end);
}
