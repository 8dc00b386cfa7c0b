import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { valueOf } from '../../yaml/value.ts';
import { relatedAt } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type RelatedProblem } from '../model/rule.ts';
import { declared } from './declare.ts';
import { spokenOf } from './junctors.ts';

export const undeclaredInJunctor = family<CrdFacts>()({
  'crd/undeclared-in-junctor': {
    title: 'A field is used in anyOf, oneOf, allOf or not but declared nowhere',
    explanation: `\`anyOf\`, \`oneOf\`, \`allOf\` and \`not\` only validate; what is stored is what the schema declares
outside of them. A field that is in the \`properties\` of a branch but not in the \`properties\` of the node itself
would be pruned before anything could validate it. Declare the field outside, with its type and description, and keep
only the differences in the branches. The same applies to \`items\`. The API server checks this only at the root of the
schema.`,
    bad: `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec:
        type: object
    anyOf:
      - properties:
          size:
            minimum: 3
`,
    good: `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec:
        type: object
      size:
        type: integer
    anyOf:
      - properties:
          size:
            minimum: 3
`,
    fixes,
    related: outsideOfJunctor,
  },
});

function fixes(problem: Problem): Fix[] {
  const [missing] = problem.missing ?? [];
  if (missing === undefined) return [];
  const node = [...problem.path, missing];
  return declared(problem, node, spokenOf(valueOf(problem.document), node));
}

const junctors = ['allOf', 'anyOf', 'oneOf', 'not'];

function outsideOfJunctor(problem: Problem): RelatedProblem[] {
  const root = problem.path.indexOf('openAPIV3Schema');
  const index = problem.path.findIndex((step, i) => {
    return i > root && junctors.includes(String(step)) && problem.path[i - 1] !== 'properties';
  });
  return index === -1 ? [] : [relatedAt(problem, problem.path.slice(0, index), 'this schema has to declare it')];
}
