import type { Range } from '../../base/text.ts';
import type { PartValue } from '../../kubernetes/cel/partValues.ts';
import { inDocument, metadataText } from '../../workspace/manifest.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { InlayHint } from '../lenses/inlayHints.ts';
import { crdsOf, rulePaths } from '../place/rulePaths.ts';
import { blocks, code, md } from '../words/markdown.ts';
import type { TriedValue } from './tried.ts';
import { partsIn, type ResourceIn, type TriableRule, triableRule } from './tryRule.ts';

/** In the rules in a range of a file: behind each part what it comes to in a resource. */
export function valueHints(snapshot: Snapshot, uri: string, within: Range, resource: ResourceIn): InlayHint[] {
  return crdsOf(snapshot, uri).flatMap(({ manifest, placed: { document, start } }) =>
    rulePaths(manifest.value, ['rule']).flatMap((path): InlayHint[] => {
      const around = rangeOf(document, inDocument(manifest, path), 'value');
      if (!around || around.end + start < within.start || around.start + start > within.end) return [];
      const rule = triableRule(snapshot, uri, manifest, path);
      const value = rule && partsIn(snapshot, rule, resource);
      return rule && value ? hintsOf(rule, value, start, metadataText(resource.manifest, 'name')) : [];
    }),
  );
}

function hintsOf({ place, text }: TriableRule, value: TriedValue, start: number, name: string): InlayHint[] {
  const { map } = place!;
  const at = value.at === '' ? '' : md` at ${code(value.at)}`;
  const ending = new Map<number, PartValue[]>();
  for (const one of value.parts) {
    const { end } = one.part;
    if (one.value !== undefined && end > 0) ending.set(end, [...(ending.get(end) ?? []), one]);
  }
  return [...ending].map(([end, parts]) => {
    // What is between the innermost part and the outermost can be read off beside them.
    const [outer, inner] = [parts[0]!, parts.at(-1)!];
    const tooltip = parts.map(({ part, value: came = '', rounds }) => {
      const often = rounds > 1 ? `, in the last of ${rounds} rounds` : '';
      return md`${code(text.slice(part.start, part.end))} is ${code(came)} in ${code(name)}${at}${often}`;
    });
    const label = outer === inner ? `= ${inner.value}` : `= ${inner.value} → ${outer.value}`;
    return { offset: map.toTextEnd(end - 1) + start, label, share: 0, tooltip: blocks(...tooltip.reverse()) };
  });
}
