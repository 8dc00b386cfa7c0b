import { insertKey, removeAt } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Fix } from '../diagnostic.ts';
import { fixOf, lastStep, mapIn, removeKeys, valueIn } from '../fixing.ts';
import { type Problem, rule } from '../rule.ts';
import { declared } from './declare.ts';
import { intOrString } from './intOrString.ts';
import { outsideOf, sameValue, spokenOf } from './junctors.ts';

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

function fixes(problem: Problem): Fix[] {
  const junctor = problem.path.length > 3 ? problem.path.slice(0, -2) : [];
  return [...(lastStep(problem) === 'type' ? intOrString(problem, junctor.slice(0, -1)) : []), ...moved(problem)];
}

/** The junctors that a finding's keyword stands in, and all other places that say it of the same node. */
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
  if (!target) return [...declared(problem, node, spoken), ...remove];
  const places = spoken.filter((place) => valueIn(problem, [...place, keyword]) !== undefined);
  const values = [...places.map((place) => valueIn(problem, [...place, keyword])!), target.get(keyword) ?? value];
  if (!values.every((one) => sameValue(one, value))) return remove;
  const beside = keyword === 'type' ? { first: true as const } : { after: 'type' };
  const where = target.has(junctor) ? { before: junctor } : beside;
  const insert = target.has(keyword) ? [] : insertKey(document, node, keyword, value, where);
  const removes = places.flatMap((place) => removeKeys(problem, place, [keyword]));
  const edits = [...insert, ...removes];
  const safe = keyword !== 'x-kubernetes-validations';
  return fixOf(`Move \`${keyword}\` out of \`${junctor}\``, edits, safe);
}
