/** Errors of templates while they run, in Go's words, with the place that each is about. */
import { byteLength } from '../gostd/bytes.ts';
import { quote } from '../gostd/quote.ts';
import type { Place } from './from.ts';
import { type Node, printNode, type Tree } from './nodes.ts';
import { GoError } from './value.ts';

/** What went wrong while a template ran; `cause` is what a function that it called said. */
export class ExecError extends GoError {
  readonly place: Place | undefined;

  constructor(message: string, place: Place | undefined, cause?: GoError) {
    super(message, { cause });
    this.place = place;
  }
}

export function execError(tree: Tree, node: Node | undefined, message: string, cause?: GoError): ExecError {
  if (!node) return new ExecError(`template: ${tree.name}: ${message}`, undefined, cause);
  const where = `template: ${locationOf(tree, node.pos)}: executing ${quote(tree.name)} at <${printNode(node)}>: `;
  const place = tree.within ? tree.within.place : { file: tree.id, start: node.pos, end: Math.max(node.pos, node.end) };
  return new ExecError(where + message, place, cause);
}

/** File, line and column, as Go counts them. */
function locationOf({ file, text }: Tree, pos: number): string {
  const before = text.slice(0, pos);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return `${file}:${line}:${byteLength(before.slice(start))}`;
}
