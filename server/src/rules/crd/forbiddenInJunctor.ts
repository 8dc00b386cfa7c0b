import { isMap, type Path, type Value, type ValueMap } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey, removeAt } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixOf, lastStep, mapIn, removeKeys, valueIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';
import { declared } from './declare.ts';
import { intOrString } from './intOrString.ts';
import { outsideOf, sameValue, spokenOf } from './junctors.ts';

export const forbiddenInJunctor = family<CrdFacts>()({
  'crd/forbidden-in-junctor': {
    title: 'A keyword is not allowed inside anyOf, oneOf, allOf or not',
    ofJunctor: true,
    explanation: `In a structural schema the nodes themselves say what is stored, with \`type\`, \`nullable\`,
\`default\`, \`description\`, \`additionalProperties\` and the \`x-kubernetes-\` keywords. Only keywords that validate
a value, such as \`enum\`, \`pattern\`, \`minimum\` or \`required\`, are allowed inside \`anyOf\`, \`oneOf\`, \`allOf\`
and \`not\`. Otherwise the form of a field would depend on its value, and the API server would have to guess what to
prune.
Move the keyword to the node that has the \`anyOf\`, \`oneOf\`, \`allOf\` or \`not\`. The only exception is the exact
pair \`anyOf: [{type: integer}, {type: string}]\`, which goes with int-or-string.`,
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
  },
});

function fixes(problem: Problem): Fix[] {
  const junctor = problem.path.length > 3 ? problem.path.slice(0, -2) : [];
  return [...(lastStep(problem) === 'type' ? intOrString(problem, junctor.slice(0, -1)) : []), ...moved(problem)];
}

/** The junctors that a finding's keyword is in, and all other places that use it for the same node. */
function moved(problem: Problem): Fix[] {
  const { document, path } = problem;
  const keyword = lastStep(problem);
  const root = valueOf(document);
  const value = valueIn(problem, path);
  const { node, junctor, negated } = outsideOf(path.slice(0, -1));
  if (value === undefined || junctor === undefined) return [];
  const remove = fixOf(`Remove \`${keyword}\` here`, removeAt(document, path), false);
  const target = mapIn(problem, node);
  // What `not` holds is the opposite of what is wanted outside.
  if (negated && keyword !== 'description' && keyword !== 'title') return remove;
  const spoken = spokenOf(root, node);
  const together = pairs.has(keyword) ? [...pairs] : [keyword];
  if (!target) return [...declared(problem, node, spoken), ...remove];
  if (!mayStand(keyword, value, target, node)) return remove;
  const same = together.every((one) => agree(problem, spoken, one, target));
  if (!same) return remove;
  const beside = keyword === 'type' ? { first: true as const } : { after: 'type' };
  const where = target.has(junctor) ? { before: junctor } : beside;
  const insert = together.flatMap((one) => {
    const written = spoken.map((place) => valueIn(problem, [...place, one])).find((found) => found !== undefined);
    return written === undefined || target.has(one) ? [] : insertKey(document, node, one, written, where);
  });
  const removes = spoken.flatMap((place) => removeKeys(problem, place, together));
  const edits = [...insert, ...removes];
  const safe = keyword !== 'x-kubernetes-validations' && keyword !== 'default';
  return fixOf(`Move ${keyword} out of ${junctor}`, edits, safe);
}

/** Keywords that only make sense together. */
const pairs: ReadonlySet<string> = new Set(['x-kubernetes-list-type', 'x-kubernetes-list-map-keys']);

/** All places that have a keyword, and the node outside if it does, say the same. */
function agree(problem: Problem, spoken: readonly Path[], keyword: string, target: ValueMap): boolean {
  const places = spoken.map((place) => valueIn(problem, [...place, keyword]));
  const [first, ...rest] = [...places, target.get(keyword)].filter((value): value is Value => value !== undefined);
  return first === undefined || rest.every((value) => sameValue(value, first));
}

const rootKeywords: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
]);

/** Whether a keyword makes sense on the node outside as that is. */
function mayStand(keyword: string, value: Value, target: ValueMap, node: Path): boolean {
  if (node.at(-1) === 'openAPIV3Schema' && !rootKeywords.has(keyword)) return false;
  const type = target.get('type');
  if (pairs.has(keyword)) return type === 'array' && target.has('items');
  if (keyword === 'x-kubernetes-map-type') return type === 'object';
  if (keyword === 'x-kubernetes-embedded-resource') return type === 'object' && target.has('properties');
  if (keyword !== 'additionalProperties') return true;
  return !target.has('properties') && (value === true || (isMap(value) && value.has('type')));
}
