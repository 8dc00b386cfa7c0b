import { lineStartBefore, movedRange, type Range } from '../../base/text.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import type { PlacedNode } from '../../yaml/node.ts';
import type { YamlDocument } from '../../yaml/parse.ts';

/** A range whose first line stays when all others are hidden. */
export interface Fold extends Range {
  readonly comment: boolean;
}

/** What can be folded in a file of Kubernetes objects: entries, items, texts, rows of comments; undefined for other files. */
export function folds(snapshot: Snapshot, uri: string): Fold[] | undefined {
  const file = fileAt(snapshot, uri);
  if (!file || file.template || file.manifests.length === 0) return undefined;
  return file.stream.documents.flatMap(({ document, start }) => {
    const found = [...entryFolds(document), ...commentFolds(document)].sort(
      (a, b) => a.start - b.start || b.end - a.end,
    );
    const firsts = onePerLine(document.text, found);
    return firsts.map((fold) => ({ ...fold, ...movedRange(fold, start) }));
  });
}

/** Of what begins on the same line the outermost. */
function onePerLine(text: string, sorted: readonly Fold[]): Fold[] {
  let line = -1;
  return sorted.filter(({ start }) => {
    const own = lineStartBefore(text, start);
    const first = own !== line;
    line = own;
    return first;
  });
}

/** Each entry of a map or list that goes over several lines. */
function entryFolds(document: YamlDocument): Fold[] {
  const folds: Fold[] = [];
  const stack: PlacedNode[] = document.root ? [{ node: document.root, start: document.rootStart }] : [];
  const add = (start: number, end: number) => {
    const text = document.text.slice(start, end).trimEnd();
    if (/[\r\n]/.test(text)) folds.push({ start, end: start + text.length, comment: false });
  };
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node, start } = at;
    if (node.kind === 'map') {
      for (const pair of node.pairs) {
        const from = start + pair.at;
        add(from, from + pair.length);
        stack.push({ node: pair.value, start: from + pair.valueAt });
      }
    } else if (node.kind === 'list') {
      for (const item of node.items) {
        const from = start + item.at;
        add(from, from + item.length);
        stack.push({ node: item.node, start: from + item.nodeAt });
      }
    }
  }
  return folds;
}

/** Comments on lines of their own that follow each other. */
function commentFolds({ text, comments }: YamlDocument): Fold[] {
  const rows: { start: number; end: number; count: number }[] = [];
  for (const { start, end } of comments) {
    const last = rows.at(-1);
    const before = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, 0), start);
    if (before.trim() !== '') continue;
    if (last && /^\s*$/.test(text.slice(last.end, start)) && breaksIn(text, last.end, start) === 1) {
      last.end = end;
      last.count++;
    } else rows.push({ start, end, count: 1 });
  }
  return rows.filter(({ count }) => count > 1).map(({ start, end }) => ({ start, end, comment: true }));
}

function breaksIn(text: string, from: number, to: number): number {
  return text.slice(from, to).split(/\r\n|\r|\n/).length - 1;
}
