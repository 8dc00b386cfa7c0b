import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixOf, mapIn, removeKeys } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';
import { intOrString } from './intOrString.ts';
import { agreed, inferType, isKeyword, possibleTypes, spokenOf } from './junctors.ts';

export const typeRequired = family<CrdFacts>()({
  'crd/type-required': {
    ofUnfinished: true,
    title: 'A schema node has no type',
    explanation: `Every field, list item and map value in a structural schema needs a \`type\`. Without one the API
server could neither prune nor default what is stored there. Two keywords can replace the type:
\`x-kubernetes-int-or-string: true\` for values that may be a number or a string, and
\`x-kubernetes-preserve-unknown-fields: true\` for values of any form. A type inside \`anyOf\`, \`oneOf\`, \`allOf\` or
\`not\` does not count: it belongs on the node itself.`,
    marker: '+kubebuilder:validation:Type=…',
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
  },
});

function fixes(problem: Problem): Fix[] {
  const { document, path } = problem;
  const node = path.at(-1) === 'type' && isKeyword(path) ? path.slice(0, -1) : path;
  const schema = mapIn(problem, node);
  if (!schema) return [];
  const pair = intOrString(problem, node);
  if (pair.length > 0) return pair;
  const spoken = spokenOf(valueOf(document), node);
  const type = agreed(valueOf(document), spoken).get('type') ?? inferType(schema);
  const isRoot = node.at(-1) === 'openAPIV3Schema';
  const known = isRoot ? 'object' : type;
  const choices = typeof known === 'string' ? [known] : possibleTypes(schema);
  return choices
    .filter((one) => one !== 'array' || schema.has('items'))
    .flatMap((one) => {
      const insert = insertKey(document, node, 'type', one, { first: true });
      const removes = spoken.flatMap((place) => removeKeys(problem, place, ['type']));
      const words = removes.length > 0 ? `Move \`type: ${one}\` to the node itself` : `Add \`type: ${one}\``;
      return fixOf(words, [...insert, ...removes], known !== undefined);
    });
}
