import { isList, isMap } from '../../base/value.ts';
import { insertKey, removeAt } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Fix } from '../diagnostic.ts';
import { fixOf, lastStep, mapIn, putKey, valueIn } from '../fixing.ts';
import { type Problem, rule } from '../rule.ts';
import { declared } from './declare.ts';
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
  return [...intOrString(problem), ...moved(problem)];
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
  const where = target.has(junctor) ? { before: junctor } : { first: true as const };
  const insert = target.has(keyword) ? [] : insertKey(document, node, keyword, value, where);
  const removes = places.flatMap((place) => removeAt(document, [...place, keyword]));
  const edits = [...insert, ...removes];
  const safe = keyword !== 'x-kubernetes-validations';
  return fixOf(`Move \`${keyword}\` out of \`${junctor}\``, edits, safe);
}

/** A junctor over an integer and a string has a keyword of its own. */
function intOrString(problem: Problem): Fix[] {
  const { document, path } = problem;
  const [junctor, , keyword] = path.slice(-3);
  const node = path.slice(0, -3);
  const schema = mapIn(problem, node);
  const branches = schema?.get(String(junctor));
  if (keyword !== 'type' || (junctor !== 'anyOf' && junctor !== 'oneOf') || !isList(branches)) return [];
  const types = branches.map((branch) => (isMap(branch) && branch.size === 1 ? branch.get('type') : undefined));
  const pair =
    types.length === 2 && types.includes('string') && (types.includes('integer') || types.includes('number'));
  if (!pair || outsideOf(node).junctor !== undefined) return [];
  const edits = [
    ...(schema!.has('type') ? removeAt(document, [...node, 'type']) : []),
    ...removeAt(document, [...node, String(junctor)]),
    ...putKey(problem, node, marker, true, { before: String(junctor) }),
  ];
  return fixOf(`Replace \`${junctor}\` by \`${marker}: true\``, edits, true);
}

const marker = 'x-kubernetes-int-or-string';
