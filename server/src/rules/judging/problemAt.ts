import type { Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import { errorTitles } from '../../kubernetes/field.ts';
import type { About, Anchor, Finding } from '../../kubernetes/finding.ts';
import { inDocument, type Manifest } from '../../workspace/manifest.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Located } from '../model/rule.ts';
import type { Says } from '../model/says.ts';
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
  const says = { ...saysOf(finding), ...rest.says };
  const more = range ? { ...rest, range, says } : { ...rest, says };
  return problemAt(manifest, finding, wordsOf(finding), finding.path, finding.anchor, more);
}

/** What an engine's finding says, in parts. */
export function saysOf(finding: Finding, words = wordsOf(finding)): Says {
  const { type, field, shown, detail, message, aside } = finding;
  const isFirst = words === message;
  const required = type === 'FieldValueRequired' && !isFirst ? namedIn(finding).split(', ') : undefined;
  return {
    error: {
      ...{ type, field, isFirst },
      ...(message === errorTitles[type] && { isBare: true }),
      ...(shown !== undefined && { shown }),
      ...(detail !== undefined && { detail }),
    },
    ...(required && { required }),
    ...aside,
  };
}

/** The key of what counts as missing since nothing stands behind it. */
function emptyKey(manifest: Manifest, { path, missing = [] }: Finding): Range | undefined {
  return missing.length > 0
    ? rangeOf(manifest.document, inDocument(manifest, [...path, ...missing]), 'key')
    : undefined;
}

/** What is missing is named, since it has no place of its own. */
function wordsOf(finding: Finding): string {
  return finding.anchor === 'missing' ? `${namedIn(finding)}: ${finding.message}` : finding.message;
}

function namedIn(finding: Finding): string {
  const { field } = finding;
  return ownField(finding) === undefined ? field : field.slice(field.lastIndexOf('.') + 1);
}
