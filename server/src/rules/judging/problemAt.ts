import type { Path } from '../../base/value.ts';
import type { Finding, Place } from '../../kubernetes/finding.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { Problem } from '../model/rule.ts';
import { locate } from './locate.ts';

/** A problem of an engine, at its place in the manifest's document. */
export function problemAt(
  manifest: Manifest,
  code: string,
  message: string,
  path: Path,
  place: Place,
  rest: Partial<Problem> = {},
): Problem {
  const inDocument = [...manifest.at, ...path];
  const range = locate(manifest.document, inDocument, place);
  return { code, message, range, document: manifest.document, manifest, path: inDocument, ...rest };
}

/** A finding in the server's words; what is missing is named, since it has no place of its own. */
export function wordsOf({ place, field, message }: Finding): string {
  return place === 'missing' ? `${field}: ${message}` : message;
}
