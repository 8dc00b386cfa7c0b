import { callText } from '../../workspace/generatorCalls.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import { baseName } from '../../workspace/uri.ts';
import type { Hover } from '../at/hover.ts';
import { own } from '../words/markdown.ts';

/** With which options the CRD of the kind under the cursor is made, where something gives some. */
export function hoverKind({ uri, crds, types }: GoView, offset: number): Hover | undefined {
  for (const crd of crds) {
    const kind = crd.kinds.find(({ place }) => {
      return place.uri === uri && place.range.start <= offset && offset <= place.range.end;
    });
    const call = kind && types.result.callOf(crd);
    if (!kind || !call || (call.isWhole && Object.keys(call.options).length === 0)) continue;
    return { markdown: own(`${callText(call, baseName)}.`), range: kind.place.range };
  }
  return undefined;
}
