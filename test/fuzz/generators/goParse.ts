import { brokenGo } from '../../golang/brokenGo.ts';
import type { Generator } from '../generator.ts';
import { lineCuts } from '../shrink.ts';

/** Texts of which most are not Go, as Go's parser sees them. */
export const goParseGenerator: Generator = {
  name: 'go.parse',
  oracle: 'golang',
  generate: (random) => ({ op: 'go.parse', source: brokenGo(random) }),
  together: (asks) => ({ op: 'go.parse', sources: asks.map(({ source }) => source) }),
  *smaller({ source, ...rest }) {
    for (const cut of lineCuts(String(source))) yield { ...rest, source: cut };
  },
};
