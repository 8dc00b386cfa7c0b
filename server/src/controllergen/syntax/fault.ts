import { memo } from '../../base/memo.ts';
import type { GoFile, SyntaxFault } from './model.ts';
import { Grammar } from './strict/grammar.ts';
import { Reader } from './strict/reader.ts';

/** What Go's own parser says of a file, in the order of the text: there is something for every file that is not Go. */
export const faultsOf = memo((go: GoFile): readonly SyntaxFault[] => faultsIn(go.text));

export function faultsIn(text: string): readonly SyntaxFault[] {
  const reader = new Reader(text);
  new Grammar(reader).file();
  return reader.faults();
}
