import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { quoteAt, removeAt, setValue, wrapInList } from '../../yaml/edit.ts';
import { fixOf, lastStep, mapIn, renames, valueIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';
import { knownFields } from './knownFields.ts';
import { unionFixes, unionsKeyword } from './unions.ts';

export const documentRules = family<CrdFacts>()({
  'crd/decode': {
    hides: true,
    title: 'A value has the wrong type',
    explanation: `The document cannot be read as a CustomResourceDefinition at all because a field has a value of the
wrong type, such as a string instead of a list or a number instead of a string. Numbers and words such as \`yes\` need
quotes to be strings. The API server stops here, so nothing else can be reported yet.`,
    bad: `#- use: metadata
name: widgets.example.com
labels:
  size: 5
`,
    good: `#- use: metadata
name: widgets.example.com
labels:
  size: "5"
`,
    fixes: decodeFixes,
  },
  'crd/unknown-field': {
    ofKey: true,
    byFieldValidation: true,
    title: 'A field that CRDs do not have',
    explanation: `The API server drops the field (or rejects the CRD under strict validation, which is what kubectl
asks for). Usually it is misspelled, has the wrong case, or is at the wrong level. In \`v1\`, each version has its own
schema, subresources and columns.`,
    bad: `#- use: schema
size:
  type: string
  maxlength: 5
`,
    good: `#- use: schema
size:
  type: string
  maxLength: 5
`,
    fixes: unknownFixes,
  },
  'crd/duplicate-field': {
    title: 'A field is given twice',
    explanation: `If a field is given twice, only the last one counts. Under strict validation the API server rejects
the document instead. Remove one, or rename the copy.`,
    bad: `#- use: whole
a: 1
a: 2
`,
    notShown: 'the text is reported first, as yaml/duplicate-key',
    good: `#- use: spec
group: example.com
`,
  },
  'crd/immutable': {
    title: 'A field that can no longer be changed',
    explanation: `Once a CRD is established, \`spec.group\`, \`spec.scope\`, \`spec.names.kind\` and
\`spec.names.plural\` cannot be changed, because objects are stored under these names. To change one, delete the CRD
(with all its objects) and create it again, or create a second CRD and copy the objects.`,
    onUpdate: true,
    bad: `#- use: spec
scope: Namespaced
---
scope: Cluster
`,
    good: `#- use: spec
scope: Namespaced
---
scope: Namespaced
`,
  },
  'crd/server-panic': {
    hides: true,
    title: 'The API server crashes on this schema',
    explanation: `The request hits a bug in the API server's own code and is answered with an internal error. Either
there are selectable fields or a rule below a part of the schema that the code does not expect, such as \`items\` on a
node that is not a list: fix that part, which would have no effect anyway. Or a rule contains something that CEL itself
cannot plan, such as \`[?dyn(1)]\`: write it differently.`,
    bad: `#- use: schema
size:
  type: string
  x-kubernetes-validations:
    - rule: self.size() < 5
  items:
    type: object
    properties:
      name:
        type: string
        x-kubernetes-validations:
          - rule: self.size() < 5
`,
    good: `#- use: schema
size:
  type: string
  x-kubernetes-validations:
    - rule: self.size() < 5
`,
    fixes: (problem) => {
      const at = problem.path.lastIndexOf('items');
      const path = problem.path.slice(0, at + 1);
      const type = mapIn(problem, path.slice(0, -1))?.get('type');
      return at === -1 || type === 'array' ? [] : fixOf('Remove `items`', removeAt(problem.document, path), false);
    },
  },
});

function unknownFixes(problem: Problem): Fix[] {
  const { document, path } = problem;
  const around = mapIn(problem, path.slice(0, -1));
  const known = knownFields(path.slice(problem.manifest?.at.length ?? 0, -1)).filter((name) => !around?.has(name));
  const unions = lastStep(problem) === unionsKeyword ? unionFixes(problem) : [];
  return [
    ...unions,
    ...renames(problem, known),
    ...fixOf(`Remove \`${lastStep(problem)}\``, removeAt(document, path), false),
  ];
}

/** The value in the type that was wanted, where it is plain what it is. */
function decodeFixes(problem: ProblemOf<CrdFacts, 'crd/decode'>): Fix[] {
  const { document, path, facts } = problem;
  const value = valueIn(problem, path);
  if (value === undefined || typeof value === 'object' || facts === undefined) return [];
  const { wanted } = facts;
  if (wanted === 'string') return fixOf('Quote the value', quoteAt(document, path), true);
  if (wanted.startsWith('[]')) return fixOf('Make it a list', wrapInList(document, path), true);
  if (wanted === 'bool' && (value === 'true' || value === 'false')) {
    return fixOf('Remove the quotes', setValue(document, path, value === 'true'), true);
  }
  const isWhole = typeof value === 'string' && /^-?\d{1,15}$/.test(value);
  if (!isWhole || !/^\*?(?:u?int|float)\d*$/.test(wanted)) return [];
  return fixOf('Remove the quotes', setValue(document, path, BigInt(value)), true);
}
