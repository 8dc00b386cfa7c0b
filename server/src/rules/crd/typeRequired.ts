import { isMap, valueAt } from '../../base/value.ts';
import { insertKey } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Fix } from '../diagnostic.ts';
import { type Problem, rule } from '../rule.ts';
import { inferType, possibleTypes } from './junctors.ts';

export const typeRequired = rule({
  code: 'crd/type-required',
  severity: 'error',
  title: 'A schema node has no type',
  explanation: `Every field, list item and map value of a structural schema says its \`type\`. Without one the API server
could neither prune nor default what is stored there. Two things stand in for a type: \`x-kubernetes-int-or-string: true\`
for values that may be a number or a string, and \`x-kubernetes-preserve-unknown-fields: true\` for values of any form.

A type inside \`anyOf\`, \`oneOf\`, \`allOf\` or \`not\` does not count: it belongs on the node itself.`,
  bad: `#- use: schema
size:
  description: How large it is.
`,
  good: `#- use: schema
size:
  type: integer
  description: How large it is.
`,
  fixes,
});

function fixes(problem: Problem): Fix[] {
  const node = problem.path.at(-1) === 'type' ? problem.path.slice(0, -1) : problem.path;
  const schema = valueAt(valueOf(problem.document), node);
  const inferred = isMap(schema) ? inferType(schema) : undefined;
  const choices = inferred ? [inferred] : possibleTypes(isMap(schema) ? schema : new Map());
  return choices.map((type) => ({
    title: `Add \`type: ${type}\``,
    safe: inferred !== undefined,
    edits: insertKey(problem.document, node, 'type', type, { first: true }),
  }));
}
