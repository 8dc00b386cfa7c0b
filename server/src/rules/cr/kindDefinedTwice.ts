import type { Definition } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { locateInFile } from '../judging/locate.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type KindDefinedTwiceFacts = { 'cr/kind-defined-twice': undefined };

/** The CRDs of a kind, where there is more than one. */
export function definedTwice(
  manifest: Manifest,
  definitions: readonly Definition[],
): ProblemOf<KindDefinedTwiceFacts>[] {
  if (definitions.length < 2) return [];
  const related = definitions.map(({ file, manifest: crd }) => ({
    ...locateInFile(file, crd, ['spec', 'names', 'kind'], 'value'),
    message: 'defined here',
  }));
  const message = `${definitions.length} CRDs define this kind; the nearest one is used.`;
  return [problemAt(manifest, { code: 'cr/kind-defined-twice' }, message, ['kind'], 'value', { related })];
}

export const kindDefinedTwice = family<KindDefinedTwiceFacts>()({
  'cr/kind-defined-twice': {
    severity: 'hint',
    title: 'Several CRDs define this kind',
    explanation: `More than one CRD of the workspace defines this group and kind. The object is judged by the one in
the nearest file; a cluster can have only one of them. The related places show them all.`,
    bad: `#- use: widgets, widgets-copy
apiVersion: example.com/v1
kind: Widget
metadata:
  name: a
`,
    good: `#- use: widgets
apiVersion: example.com/v1
kind: Widget
metadata:
  name: a
`,
  },
});
