import { memo } from '../../base/memo.ts';
import { columnOf, lineStartBefore } from '../../base/text.ts';
import type { PlacedNode } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import type { Style } from '../render.ts';

export const styleOf = memo(findStyle);

function findStyle({ text, root, rootStart }: YamlDocument): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  let step: number | undefined;
  let indentLists: boolean | undefined;
  const stack: PlacedNode[] = root ? [{ node: root, start: rootStart }] : [];
  for (let at = stack.pop(); at && (step === undefined || indentLists === undefined); at = stack.pop()) {
    const { node, start } = at;
    if (node.kind === 'list')
      for (const item of node.items) stack.push({ node: item.node, start: start + item.at + item.nodeAt });
    if (node.kind !== 'map' || node.style !== 'block') continue;
    const column = columnOf(text, start + (node.pairs[0]?.at ?? 0));
    for (const pair of node.pairs) {
      const { value } = pair;
      const valueStart = start + pair.at + pair.valueAt;
      const deeper = columnOf(text, valueStart) - column;
      const ownLine = value.props === undefined && lineStartBefore(text, valueStart) > start + pair.at;
      if (value.kind === 'map' && value.style === 'block' && ownLine && deeper > 0) step ??= deeper;
      if (value.kind === 'list' && value.style === 'block' && ownLine) indentLists ??= deeper > 0;
      stack.push({ node: value, start: valueStart });
    }
  }
  return { eol, step: step ?? 2, indentLists: indentLists ?? false };
}
