import type { Range } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import type { Projection } from './projection.ts';

/** A document that is the text of a scalar in another one, as patches of kustomizations are: by ranges of both. */
export function inScalar(outer: YamlDocument, path: DocumentPath): Projection<Range, Range> {
  const map = scalarMap(outer, path);
  if (!map) return { written: () => [], made: () => [] };
  return {
    written: ({ start, end }) => {
      const place = { start: map.toText(start), end: end > start ? map.toTextEnd(end - 1) : map.toText(start) };
      return [{ place, how: 'written' }];
    },
    made: ({ start, end }) => {
      const [first, last] = [map.toValue(start), map.toValue(Math.max(start, end - 1))];
      return first === undefined || last === undefined ? [] : [{ start: first, end: last + (end > start ? 1 : 0) }];
    },
  };
}
