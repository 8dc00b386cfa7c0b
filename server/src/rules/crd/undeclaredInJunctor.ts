import { valueOf } from '../../yaml/value.ts';
import type { Fix } from '../model/diagnostic.ts';
import { type Problem, rule } from '../model/rule.ts';
import { declared } from './declare.ts';
import { spokenOf } from './junctors.ts';

export const undeclaredInJunctor = rule({
  code: 'crd/undeclared-in-junctor',
  severity: 'error',
  title: 'A field is spoken of in anyOf, oneOf, allOf or not, and declared nowhere',
  explanation: `Junctors only judge; what is stored is what the schema declares outside of them. A field that stands in
\`properties\` of a branch and not in \`properties\` of the node itself would be pruned before anyone could judge it.

Declare the field beside the junctor, with its type and description, and keep in the branches only what differs. The same goes
for \`items\`. The API server looks for this only in the junctors of the schema's root.`,
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
});

function fixes(problem: Problem): Fix[] {
  const { missing } = problem.facts as { readonly missing?: string | number };
  if (missing === undefined) return [];
  const node = [...problem.path, missing];
  return declared(problem, node, spokenOf(valueOf(problem.document), node));
}
