import type { Definition } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { decode } from '../../workspace/uri.ts';
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
    message: `defined in ${shortName(file.uri)}`,
  }));
  const message = `${definitions.length} CRDs define this kind; the one in ${shortName(definitions[0]!.file.uri)} is used.`;
  return [problemAt(manifest, { code: 'cr/kind-defined-twice' }, message, ['kind'], 'value', { related })];
}

/** A file with the folders that tell it from others of its name. */
function shortName(uri: string): string {
  return uri.split('/').slice(-3).map(decode).join('/');
}

export const kindDefinedTwice = family<KindDefinedTwiceFacts>()({
  'cr/kind-defined-twice': {
    severity: 'hint',
    title: 'Several CRDs define this kind',
    explanation: `More than one CRD of the workspace defines this group and kind, and a cluster can have only one of them. The
object is checked against a CRD that serves its version with a schema before one that does not, against one outside of
test data before one inside (unless the object is test data itself), and then against the nearest. The related places
show them all.`,
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
