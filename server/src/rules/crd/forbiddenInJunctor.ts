import { isList, isMap, type Path, type Value, valueAt } from '../../base/value.ts';
import { insertKey, removeAt } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Fix } from '../diagnostic.ts';
import { type Problem, rule } from '../rule.ts';

export const forbiddenInJunctor = rule({
  code: 'crd/forbidden-in-junctor',
  severity: 'error',
  title: 'A keyword that shapes values stands inside anyOf, oneOf, allOf or not',
  explanation: `In a structural schema the nodes themselves say what is stored: \`type\`, \`nullable\`, \`default\`,
\`description\`, \`additionalProperties\` and the \`x-kubernetes-\` keywords. Inside \`anyOf\`, \`oneOf\`, \`allOf\` and \`not\`
only keywords may stand that judge a value, such as \`enum\`, \`pattern\`, \`minimum\` or \`required\`. Otherwise the same
field would have one shape or another, depending on the value, and pruning would be a guess.

Move the keyword to the node that carries the junctor. The one exception is the pair \`anyOf: [{type: integer},
{type: string}]\`, exactly so, which stands for int-or-string.`,
  bad: `#- use: schema
size:
  type: string
  anyOf:
    - type: string
      maxLength: 3
`,
  good: `#- use: schema
size:
  type: string
  anyOf:
    - maxLength: 3
`,
  fixes,
});

const junctors: ReadonlySet<unknown> = new Set(['anyOf', 'oneOf', 'allOf', 'not']);

function fixes(problem: Problem): Fix[] {
  const keyword = problem.path.at(-1);
  const at = problem.path.findLastIndex((step) => junctors.has(step));
  const root = valueOf(problem.document);
  const value = valueAt(root, problem.path);
  // A keyword on a property inside a branch belongs on that property outside, which is another fix.
  const depth = problem.path[at] === 'not' ? 2 : 3;
  if (at === -1 || typeof keyword !== 'string' || value === undefined || problem.path.length !== at + depth) return [];
  const junctor = problem.path.slice(0, at + 1);
  const outer = problem.path.slice(0, at);
  const places = samePlaces(root, junctor, keyword);
  const target = valueAt(root, [...outer, keyword]);
  const values = places.map((path) => valueAt(root, path)!);
  const agree = values.every((one) => sameText(one, value)) && (target === undefined || sameText(target, value));
  const remove = (paths: readonly Path[]) => paths.flatMap((path) => removeAt(problem.document, path));
  if (!agree) return [{ title: `Remove \`${keyword}\` here`, safe: false, edits: remove([problem.path]) }];
  const insert =
    target === undefined ? insertKey(problem.document, outer, keyword, value, { before: String(junctor.at(-1)) }) : [];
  return [{ title: `Move ${keyword} out of ${junctor.at(-1)}`, safe: true, edits: [...insert, ...remove(places)] }];
}

/** The same keyword in every branch of a junctor. */
function samePlaces(root: Value | undefined, junctor: Path, keyword: string): Path[] {
  const branches = valueAt(root, junctor);
  if (!isList(branches)) return [[...junctor, keyword]];
  return branches.flatMap((branch, i) => (isMap(branch) && branch.has(keyword) ? [[...junctor, i, keyword]] : []));
}

function sameText(a: Value, b: Value): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && print(a) === print(b));
}

function print(value: Value): string {
  return JSON.stringify(value, (_, item) =>
    item instanceof Map ? [...item] : typeof item === 'bigint' ? `${item}n` : item,
  );
}
