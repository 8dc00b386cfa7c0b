import type { Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import type { About, Anchor, Finding } from '../../kubernetes/finding.ts';
import { inDocument, type Manifest } from '../../workspace/manifest.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Located } from '../model/rule.ts';
import { locate } from './locate.ts';
import { ownField } from './ownField.ts';

/** A problem with its facts, at its place in the manifest's document. */
export function problemAt<const A extends About>(
  manifest: Manifest,
  about: A,
  message: string,
  path: Path,
  anchor: Anchor,
  rest: Partial<Located> = {},
): A & Located {
  const at = inDocument(manifest, path);
  const range = locate(manifest.document, at, anchor);
  const isAdded = at.length < manifest.at.length + path.length && ({ isAdded: true } as const);
  const ofValue = anchor === 'value' && ({ ofValue: true } as const);
  return { ...about, message, range, document: manifest.document, manifest, path: at, ...isAdded, ...ofValue, ...rest };
}

/** A problem that an engine found, in the server's words. */
export function problemOf<F extends Finding>(manifest: Manifest, finding: F, rest: Partial<Located> = {}): F & Located {
  const range = emptyKey(manifest, finding);
  const more = range ? { ...rest, range } : rest;
  return problemAt(manifest, finding, wordsOf(finding), finding.path, finding.anchor, more);
}

/** The key of what counts as missing since nothing stands behind it. */
function emptyKey(manifest: Manifest, { path, missing = [] }: Finding): Range | undefined {
  return missing.length > 0
    ? rangeOf(manifest.document, inDocument(manifest, [...path, ...missing]), 'key')
    : undefined;
}

/** What is missing is named, since it has no place of its own. */
function wordsOf(finding: Finding): string {
  const { anchor, field, message } = finding;
  if (anchor !== 'missing') return message;
  return ownField(finding) === undefined
    ? `${field}: ${message}`
    : `${field.slice(field.lastIndexOf('.') + 1)}: ${message}`;
}
