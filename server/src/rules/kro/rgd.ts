import type { Path } from '../../base/value.ts';
import type { Mistake } from '../../kro/markers.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

/** What kro finds in its ResourceGraphDefinitions; what the API server finds in them and their CRDs has other codes. */
export type RgdFacts = {
  'rgd/no-crd': undefined;
  'rgd/too-large': undefined;
};

/** That kro makes no CRD, in the words of the condition that it sets. */
export function notMade(rgd: Manifest, { message, path }: Mistake): ProblemOf<RgdFacts> {
  return problemAt(rgd, { code: 'rgd/no-crd' }, message, path, 'value');
}

/** That an RGD is not judged, nor its instances by all of it. */
export function notLookedAt(rgd: Manifest, path: Path): ProblemOf<RgdFacts> {
  const message = 'The schema that kro makes of this is too large to be checked, so nothing in it is reported.';
  return problemAt(rgd, { code: 'rgd/too-large' }, message, path, 'key');
}

const rgd = (fields: string, types = '') => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: web-app
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebApp
    spec:
${fields.replace(/^(?=.)/gm, '      ')}${types}  resources: []
`;

/** Types of which each names the next four times. */
const nested = (count: number) =>
  `    types:\n${[...'ABCDEFGHIJ']
    .slice(0, count + 1)
    .map((name, i, all) => {
      const next = all[i + 1] ?? 'string';
      return `      ${name}: {a: ${next}, b: ${next}, c: ${next}, d: ${next}}\n`;
    })
    .join('')}`;

export const rgdRules = family<RgdFacts>()({
  'rgd/no-crd': {
    title: 'kro cannot make a CRD of this definition',
    explanation: `The API server accepts the definition, since its schema may contain anything. But kro cannot read that as a SimpleSchema, or
does not take a name in it. It says so in the condition \`GraphAccepted\` of the definition, which \`kubectl describe\` shows; until
it is fixed, the kind does not exist in the cluster, or stays as it was. kro names one mistake at a time, here all are marked.`,
    bad: rgd('image: string | required\n'),
    good: rgd('image: string | required=true\n'),
  },
  'rgd/too-large': {
    severity: 'information',
    title: 'A definition of kro whose schema is too large',
    explanation: `What custom types hold counts as often as they are named, so that a few lines can stand for a million fields. A schema with
more than 20,000 parts, or more than 100 inside each other, is not looked at: neither it nor what an instance has there is judged.`,
    bad: rgd('a: A\n', nested(9)),
    good: rgd('a: A\n', nested(2)),
  },
});
