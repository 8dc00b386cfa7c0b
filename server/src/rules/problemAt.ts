import type { ManifestPath } from '../base/value.ts';
import type { Finding, Place } from '../kubernetes/finding.ts';
import { inDocument, type Manifest } from '../workspace/manifest.ts';
import { locate } from './locate.ts';
import type { Problem } from './rule.ts';

/** A problem of an engine, at its place in the manifest's document. */
export function problemAt(
  manifest: Manifest,
  code: string,
  message: string,
  path: ManifestPath,
  place: Place,
  rest: Partial<Problem> = {},
): Problem {
  const at = inDocument(manifest, path);
  const range = locate(manifest.document, at, place);
  return { code, message, range, document: manifest.document, manifest, path: at, ...rest };
}

/** A finding in the server's words; what is missing is named, since it has no place of its own. */
export function wordsOf({ place, field, message }: Finding): string {
  return place === 'missing' ? `${field}: ${message}` : message;
}
