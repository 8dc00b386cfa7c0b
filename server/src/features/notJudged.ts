import { definitionsFor } from '../workspace/definitions.ts';
import { isNamedBy } from '../workspace/glob.ts';
import { fileAt, type Snapshot, settingsFor } from '../workspace/snapshot.ts';

/** What of a file is not judged, and why; undefined where all of it is, or where it holds no objects. */
export function whatIsNotJudged(snapshot: Snapshot, uri: string): string | undefined {
  const file = fileAt(snapshot, uri);
  if (!file || file.manifests.length === 0) return undefined;
  if (file.template) return 'This file is a template: it is not checked before it is filled in.';
  if (snapshot.patches.has(uri)) return 'This file holds parts of objects, as another file says: it is not checked.';
  if (file.ignored) return 'This file asks not to be checked.';
  if (isNamedBy(settingsFor(snapshot, uri).exclude, uri)) return 'This file is left out by `kubeCrd.exclude`.';
  const unknown = file.manifests.filter((manifest) => {
    return manifest.role === 'resource' && definitionsFor(snapshot.definitions, manifest, uri).length === 0;
  });
  const kinds = [...new Set(unknown.map(({ kind, apiVersion }) => `${kind} (${apiVersion})`))];
  if (kinds.length === 0) return undefined;
  const more = kinds.length > mostNamed ? ` and ${kinds.length - mostNamed} more kinds` : '';
  return `No CRD is known for ${kinds.slice(0, mostNamed).join(', ')}${more}: such objects are not checked.`;
}

const mostNamed = 5;
