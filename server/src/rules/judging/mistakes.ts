import type { Mistake } from '../../workspace/mistake.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';

/** Where a mistake in a file of ours is, and which names could be meant. */
export function placeOf(document: YamlDocument, { path, part, known }: Pick<Mistake, 'path' | 'part' | 'known'>) {
  const range = rangeOf(document, path, part) ?? { start: document.rootStart, end: document.rootStart };
  return { range, document, path, facts: { known } };
}
