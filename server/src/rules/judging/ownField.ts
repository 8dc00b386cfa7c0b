import type { Finding } from '../../kubernetes/finding.ts';

/**
 * The API server's path of a place, where it is another than the document's: the schema of a CRD with a single version
 * is `spec.validation` to the API server, and a column's `jsonPath` is `JSONPath`.
 */
export function ownField({ field, path }: Finding): string | undefined {
  const own = field.split(/[.[\]]+/).filter(Boolean);
  const written = path
    .join('.')
    .split(/[.[\]]+/)
    .filter(Boolean);
  // What is missing is named by the API server, and has no place of its own in the document.
  const shared = written.every((step, i) => step === own[i] || i >= own.length);
  return shared || field === '<nil>' ? undefined : field;
}
