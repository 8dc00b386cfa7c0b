import type { DerivedRole, RenderError } from '../../crossplane/derive.ts';
import type { Dropped } from '../../crossplane/dropped.ts';
import { keywordNames } from '../../crossplane/readSchema.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { unknownFieldFixes } from '../cr/unknownField.ts';
import { removal } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

/** What is said of Crossplane's CompositeResourceDefinitions, beside what the API server says of them and their CRDs. */
export type XrdFacts = {
  'xrd/no-crd': undefined;
  'xrd/unknown-keyword': { readonly known: readonly string[] };
  'xrd/not-taken-over': undefined;
  'xrd/replaced': undefined;
};

type XrdProblem = ProblemOf<XrdFacts>;

const errorBefore: Readonly<Record<DerivedRole, string>> = {
  composite: 'cannot render composite resource CustomResourceDefinition',
  claim: 'cannot render composite resource claim CustomResourceDefinition',
};

/** That Crossplane makes no CRD, in the words of the event that it attaches to the XRD. */
export function notMade(xrd: Manifest, role: DerivedRole, { message, path }: RenderError): XrdProblem {
  return problemAt(xrd, { code: 'xrd/no-crd' }, `${errorBefore[role]}: ${message}`, path, 'value');
}

export function droppedProblem(xrd: Manifest, { path, why }: Dropped): XrdProblem {
  const name = `\`${path.at(-1)}\``;
  switch (why) {
    case 'unknown': {
      const known = keywordNames;
      const near = nearestNames(String(path.at(-1)), known).map((one) => `\`${one}\``);
      const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
      const message = `Crossplane drops ${name}, which is not a keyword of schemas.${hint}`;
      return problemAt(xrd, { code: 'xrd/unknown-keyword', facts: { known } }, message, path, 'key');
    }
    case 'not-taken-over':
      return problemAt(xrd, { code: 'xrd/not-taken-over' }, `Crossplane drops ${name} here.`, path, 'key');
    case 'replaced': {
      const message = `Crossplane has a field ${name} of its own, which replaces this one.`;
      return problemAt(xrd, { code: 'xrd/replaced' }, message, path, 'key');
    }
  }
}

const xrd = (fields: string) => `apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata:
  name: buckets.example.org
spec:
  group: example.org
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      referenceable: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
${fields.replace(/^(?=.)/gm, '              ')}`;

const region = 'properties:\n  region: {type: string}\n';

export const xrdRules = family<XrdFacts>()({
  'xrd/no-crd': {
    title: 'Crossplane cannot make a CRD of this definition',
    explanation: `The API server accepts the definition, since its schema may contain anything. But Crossplane cannot read that as a
schema, or the names of the claims are the same as those of the composite resources. It reports this in an event of
the definition, which \`kubectl describe\` shows; until it is fixed, the kind does not exist in the cluster.`,
    bad: xrd('required: region\nproperties:\n  region: {type: string}\n'),
    good: xrd('required: [region]\nproperties:\n  region: {type: string}\n'),
  },
  'xrd/unknown-keyword': {
    severity: 'warning',
    title: 'A keyword that Crossplane does not know',
    explanation: `In a CRD the API server would reject the keyword. In a definition it accepts any schema, and Crossplane silently
drops the keywords that it does not know.`,
    bad: xrd('properties:\n  region: {type: string, maxlen: 20}\n'),
    good: xrd('properties:\n  region: {type: string, maxLength: 20}\n'),
    fixes: unknownFieldFixes,
  },
  'xrd/not-taken-over': {
    severity: 'warning',
    title: 'A part of the schema that Crossplane drops',
    explanation: `Of the schema's root, Crossplane keeps the \`description\` and rules; of \`spec\` and \`status\` also the properties,
\`required\` and \`oneOf\`; and of \`spec\` also \`x-kubernetes-preserve-unknown-fields\`. Fields beside \`spec\` and
\`status\`, and everything in \`metadata\` except the maximum length of the name, do not reach the CRDs either, without
any warning. One level deeper, properties are kept completely.`,
    bad: xrd(`minProperties: 1\n${region}`),
    good: xrd(region),
    fixes: removal(false),
  },
  'xrd/replaced': {
    severity: 'warning',
    title: 'A field whose name Crossplane uses itself',
    explanation: `Crossplane adds its own fields to the CRDs that it generates: \`spec.crossplane\` (in definitions with the scope
\`LegacyCluster\` instead \`spec.compositionRef\`, \`spec.claimRef\` and others) and \`status.conditions\`. They silently
replace fields with the same names. Choose another name.`,
    bad: xrd('properties:\n  crossplane: {type: string}\n'),
    good: xrd(region),
  },
});
