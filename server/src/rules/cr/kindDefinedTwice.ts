import { memo } from '../../base/memo.ts';
import { equalValues, isList, isMap, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { Definition } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { folderOf, relative, testDataFolder } from '../../workspace/uri.ts';
import { locateInFile } from '../judging/locate.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type KindDefinedTwiceFacts = { 'cr/kind-defined-twice': undefined };

/**
 * The CRDs of a kind that do not agree, at the first of them. Copies, and variants with other words or annotations, as
 * charts and overlays have them, make no difference to anybody's objects.
 */
export function definedTwice(
  manifest: Manifest,
  uri: string,
  definitions: readonly Definition[],
): ProblemOf<KindDefinedTwiceFacts>[] {
  const own = definitions.filter(({ file }) => isOfWorkspace(file)).sort((a, b) => (a.file.uri < b.file.uri ? -1 : 1));
  const [first, ...others] = own;
  if (!first || first.file.uri !== uri || first.manifest.value !== manifest.value) return [];
  const differing = others.filter((other) => !isSameKind(first.manifest.value, other.manifest.value));
  if (differing.length === 0) return [];
  const related = differing.map(({ file, manifest: crd }) => ({
    ...locateInFile(file, crd, ['spec', 'names', 'kind'], 'value'),
    message: `defined differently in ${seenFrom(uri, file)}`,
  }));
  const names = differing.slice(0, mostNamed).map(({ file }) => seenFrom(uri, file));
  const more = differing.length > mostNamed ? ` and ${differing.length - mostNamed} more files` : '';
  const message = `${first.kind} is defined differently in ${names.join(', ')}${more}; each object is checked against the CRD nearest to it.`;
  const about = { code: 'cr/kind-defined-twice' } as const;
  return [problemAt(manifest, about, message, ['spec', 'names', 'kind'], 'value', { related })];
}

const mostNamed = 3;

const isOfWorkspace = ({ origin, template, uri }: SourceFile) =>
  origin === undefined && !template && testDataFolder(uri) === undefined;

/** Whether the same objects are right by both, whatever else the CRDs say. */
const isSameKind = memo((a: ValueMap, b: ValueMap): boolean => {
  const parts = [['scope'], ['versions']];
  return parts.every((path) => saysSame(valueAt(a, ['spec', ...path]), valueAt(b, ['spec', ...path])));
});

function saysSame(a: Value | undefined, b: Value | undefined): boolean {
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => saysSame(item, b[i]));
  if (!isMap(a) || !isMap(b)) return equalValues(a, b);
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].every((key) => (key === 'description' && !isMap(a.get(key))) || saysSame(a.get(key), b.get(key)));
}

/** A file as a link beside the first one would name it. */
function seenFrom(uri: string, file: SourceFile): string {
  return relative(folderOf(uri), file.uri);
}

export const kindDefinedTwice = family<KindDefinedTwiceFacts>()({
  'cr/kind-defined-twice': {
    severity: 'information',
    title: 'CRDs of the workspace define this kind differently',
    ofFiles: true,
    explanation: `Several CRDs in the workspace define this group and kind with different schemas, but a cluster can have only one of
them. To check an object, a CRD that serves its version with a schema comes before one that does not, then one
outside of test data and tests before one inside (unless the object is there itself), and then the nearest one. Of those
as near one in a bundle for OLM comes last, and then the one counts that a later controller-gen has made.
Copies of a CRD, and CRDs that differ only in descriptions and annotations, are not reported.`,
    bad: `#- use: widgets
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {size: {type: integer}}}
`,
    good: `#- use: widgets
apiVersion: example.com/v1
kind: Widget
metadata:
  name: a
`,
  },
});
