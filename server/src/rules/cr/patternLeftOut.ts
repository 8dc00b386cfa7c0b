import { grouped } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import { mostMatching } from '../../kubernetes/schema/matching.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { few } from '../judging/few.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family } from '../model/rule.ts';

type PatternFacts = { 'cr/pattern-left-out': undefined };

/** Values that were not matched with their pattern; an update is judged as well, and tells of the same ones. */
export function patternsLeftOut(manifest: Manifest, unmatched: readonly Path[]) {
  const each = new Map(unmatched.map((path) => [JSON.stringify(path), path]));
  const message = `not matched against its pattern: matching all values of this object could take more than ${grouped(mostMatching)} steps`;
  return few([...each.values()]).map((path) =>
    problemAt(manifest, { code: 'cr/pattern-left-out' as const }, message, path, 'value'),
  );
}

const label = (pattern: string) => `#- use: schema
label:
  type: string
  pattern: '${pattern}'
`;

export const patternLeftOut = family<PatternFacts>()({
  'cr/pattern-left-out': {
    severity: 'warning',
    title: 'A value that was not matched against its pattern',
    explanation: `Matching can take as many steps as the pattern and the text have characters, multiplied: a pattern of 10,000
characters and a text of a megabyte keep an API server busy for minutes. kube-crd stops after 50,000,000 steps for one
object, or once the objects of a file have come to 20,000,000 items of work; the verdict on the object rests on
everything else.`,
    bad: label(`${'(a|b?)*'.repeat(10)}…`),
    notShown: 'the example would need a pattern and a text of thousands of characters',
    good: label('[ab]*'),
  },
});
