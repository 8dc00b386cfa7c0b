import type { DerivedRole, RenderError } from '../../kubernetes/crossplane/derive.ts';
import type { Dropped } from '../../kubernetes/crossplane/dropped.ts';
import { keywordNames } from '../../kubernetes/crossplane/readSchema.ts';
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
      return problemAt(xrd, { code: 'xrd/not-taken-over' }, `Crossplane does not take over ${name} here.`, path, 'key');
    case 'replaced': {
      const message = `Crossplane has a field ${name} of its own, which takes the place of this one.`;
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
    explanation: `The API server takes the definition, since its schemas may hold anything there. Crossplane then cannot
read it as a schema, or the names of the claims are those of the composite resources. It says so in an event of the
definition, which \`kubectl describe\` shows, and until that is fixed there is no such kind in the cluster.`,
    bad: xrd('required: region\nproperties:\n  region: {type: string}\n'),
    good: xrd('required: [region]\nproperties:\n  region: {type: string}\n'),
  },
  'xrd/unknown-keyword': {
    severity: 'warning',
    title: 'A keyword that Crossplane does not know',
    explanation: `In a CRD the API server would refuse the keyword. Here nobody does: the API server takes whatever is in
the schema of a definition, and Crossplane leaves out what it does not know, without a word.`,
    bad: xrd('properties:\n  region: {type: string, maxlen: 20}\n'),
    good: xrd('properties:\n  region: {type: string, maxLength: 20}\n'),
    fixes: unknownFieldFixes,
  },
  'xrd/not-taken-over': {
    severity: 'warning',
    title: 'A part of the schema that Crossplane leaves out',
    explanation: `Of the whole schema Crossplane takes over its \`description\` and rules, of \`spec\` and \`status\` also
the properties, \`required\` and \`oneOf\`, and of \`spec\` also \`x-kubernetes-preserve-unknown-fields\`. Fields beside
\`spec\` and \`status\`, and of the metadata all but the longest name, do not get into the CRDs either. Nobody tells. What is
written one level deeper, on a property, is taken over whole.`,
    bad: xrd(`minProperties: 1\n${region}`),
    good: xrd(region),
    fixes: removal(false),
  },
  'xrd/replaced': {
    severity: 'warning',
    title: 'A field whose name Crossplane uses itself',
    explanation: `Crossplane adds fields of its own to the CRDs that it makes: \`spec.crossplane\`, or in definitions of the
scope \`LegacyCluster\` \`spec.compositionRef\`, \`spec.claimRef\` and others, and \`status.conditions\`. They take the place
of fields with the same names, without a word. Choose another name.`,
    bad: xrd('properties:\n  crossplane: {type: string}\n'),
    good: xrd(region),
  },
});
