import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { memo } from '../base/memo.ts';
import { alsoEdited, type Difference, type LineIndex, lineIndex } from '../base/text.ts';
import { type Encoding, type Positions, positionsOf } from './position.ts';

/** A document that is open in the editor, as the editor last described it. */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
  /** Where its lines begin, where that is known from an earlier version. */
  readonly lines?: LineIndex;
}

/** The places of a document: the answers about it and its next change share them. */
export const placesOf = memo((document: OpenDocument, encoding: Encoding): Positions => {
  return positionsOf(document.text, encoding, document.lines);
});

/** The text after the editor's changes, applied in their order, and where it differs if none of them gave it anew. */
export function applyChanges(
  document: OpenDocument,
  changes: readonly TextDocumentContentChangeEvent[],
  encoding: Encoding,
): Pick<Required<OpenDocument>, 'text' | 'lines'> & { readonly difference: Difference | undefined } {
  let { text, lines = lineIndex(text) } = document;
  let difference: Difference | undefined;
  let isGiven = false;
  for (const change of changes) {
    if (!('range' in change)) {
      text = change.text;
      lines = lineIndex(text);
      isGiven = true;
      continue;
    }
    const { toOffset } = positionsOf(text, encoding, lines);
    const range = { start: toOffset(change.range.start), end: toOffset(change.range.end) };
    const after = text.slice(0, range.start) + change.text + text.slice(range.end);
    lines = lines.edited({ range, text: change.text }, after);
    text = after;
    difference = alsoEdited(difference, range, change.text.length);
  }
  return { text, lines, difference: isGiven ? undefined : difference };
}
