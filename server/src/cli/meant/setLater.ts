import { fieldsMissing, type Wordless } from '../../rules/model/diagnostic.ts';
import { deliveryOf } from '../../workspace/delivery/index.ts';
import { isSetLater } from '../../workspace/delivery/laterPatches.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { documentAt } from '../../yaml/parse.ts';

// Findings of fields that Flux sets in patches which are given to it by others.

type Judged = Pick<SourceFile, 'uri'> & Partial<Pick<SourceFile, 'stream' | 'manifests'>>;

/** Whether a finding of a file is about fields that are set before a server sees them. */
export function isFieldSetLater(snapshot: Snapshot, file: Judged, finding: Wordless): boolean {
  const delivery = deliveryOf(snapshot);
  const manifest = manifestOf(file, finding);
  if (!manifest) return false;
  const one = { uri: file.uri, manifest };
  const missing = fieldsMissing(finding);
  // What is in a list has no place that a patch would lead to.
  if (missing.length > 0 && !missing.some((field) => field.includes('[')))
    return missing.every((field) => isSetLater(delivery, snapshot.patches, one, field.split('.'), 'missing'));
  const path = finding.about?.path ?? [];
  return path.length > 1 && isSetLater(delivery, snapshot.patches, one, path, 'replaced');
}

/** The object that a finding is about, where a document is one. */
function manifestOf({ stream, manifests = [] }: Judged, { range }: Wordless): Manifest | undefined {
  const placed = stream && documentAt(stream, range.start);
  return manifests.find(({ document, at }) => document === placed?.document && at.length === 0);
}
