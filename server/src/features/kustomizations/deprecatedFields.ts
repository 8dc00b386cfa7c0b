/** What has taken the place of deprecated fields of kustomizations, as `kustomize edit fix` writes it. */

import type { TextEdit } from '../../base/text.ts';
import type { Fix } from '../../rules/model/diagnostic.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import type { Node, Pair } from '../../yaml/node.ts';
import { documentAt } from '../../yaml/parse.ts';

interface Field {
  readonly now: string;
  /** What becomes of the text of its value. */
  readonly rewritten: (value: Placed, text: string) => readonly TextEdit[] | undefined;
  /** What is written in front of the value, behind the new key. */
  readonly lead?: string;
}

/** A node, and where in the file it is. */
interface Placed {
  readonly node: Node;
  readonly start: number;
}

const asItIs: Field['rewritten'] = () => [];

const fields: Readonly<Record<string, Field>> = {
  bases: { now: 'resources', rewritten: asItIs },
  imageTags: { now: 'images', rewritten: asItIs },
  patchesJson6902: { now: 'patches', rewritten: asItIs },
  patchesStrategicMerge: { now: 'patches', rewritten: asPatches },
  commonLabels: { now: 'labels', rewritten: asPairs, lead: '\n- includeSelectors: true\n  pairs' },
};

/** The fix of a deprecated field; none where what has taken its place is there as well, or nothing has. */
export function deprecatedFieldFix({ stream, text }: SourceFile, offset: number): Fix | undefined {
  const placed = documentAt(stream, offset);
  const root = placed?.document.root;
  if (!placed || root?.kind !== 'map') return undefined;
  const base = placed.start + placed.document.rootStart;
  const keyStart = (pair: Pair) => base + pair.at + pair.keyAt;
  const pair = root.pairs.find((one) => keyStart(one) === offset);
  const name = pair?.key.kind === 'scalar' ? pair.key.value : undefined;
  const field = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!pair || !field || root.pairs.some(({ key }) => key.kind === 'scalar' && key.value === field.now))
    return undefined;
  const edits = field.rewritten({ node: pair.value, start: base + pair.at + pair.valueAt }, text);
  if (!edits) return undefined;
  const range = { start: offset, end: offset + pair.key.length };
  const renamed = { range, text: field.lead ? `${field.now}:${field.lead}` : field.now };
  return { title: `Replace \`${name}\` with \`${field.now}\``, edits: [renamed, ...edits], safe: true };
}

/** A file of each item, or its text. */
function asPatches({ node, start }: Placed): readonly TextEdit[] | undefined {
  if (node.kind !== 'list') return undefined;
  return node.items.flatMap(({ at, node: item, nodeAt }): TextEdit[] => {
    const from = start + at + nodeAt;
    const isText = item.kind === 'scalar' && item.value.includes('\n');
    const before = {
      range: { start: from, end: from },
      text: `${node.style === 'block' ? '' : '{'}${isText ? 'patch' : 'path'}: `,
    };
    const behind = { range: { start: from + item.length, end: from + item.length }, text: '}' };
    return node.style === 'block' ? [before] : [before, behind];
  });
}

/** Lines of a block go two columns further in. */
function asPairs({ node, start }: Placed, text: string): readonly TextEdit[] | undefined {
  if (node.kind !== 'map') return undefined;
  if (node.style !== 'block') return [];
  const edits: TextEdit[] = [];
  let at = text.lastIndexOf('\n', start) + 1;
  while (at < start + node.length && at >= 0) {
    edits.push({ range: { start: at, end: at }, text: '  ' });
    const next = text.indexOf('\n', at);
    at = next === -1 ? text.length : next + 1;
  }
  return edits;
}
