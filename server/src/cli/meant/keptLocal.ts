import type { Range } from '../../base/text.ts';
import { valueAt } from '../../base/value.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';

/** Where a file has objects that kustomize and kpt read themselves and leave out of what they build and apply. */
export function keptLocal({ stream, manifests }: Partial<Pick<SourceFile, 'stream' | 'manifests'>>): Range[] {
  const local = new Set(
    manifests?.flatMap(({ document, value }) =>
      valueAt(value, ['metadata', 'annotations', 'config.kubernetes.io/local-config']) === 'true' ? [document] : [],
    ),
  );
  const documents = stream?.documents.filter(({ document }) => local.has(document)) ?? [];
  return documents.map(({ start, document }) => ({ start, end: start + document.text.length }));
}
