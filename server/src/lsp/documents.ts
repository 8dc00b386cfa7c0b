import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { memo } from '../base/memo.ts';
import { type LineIndex, lineIndex } from '../base/text.ts';
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

/** The document after the editor's changes, applied in their order. */
export function applyChanges(
  document: OpenDocument,
  changes: readonly TextDocumentContentChangeEvent[],
  encoding: Encoding,
): Pick<Required<OpenDocument>, 'text' | 'lines'> {
  let { text, lines = lineIndex(text) } = document;
  for (const change of changes) {
    if (!('range' in change)) {
      text = change.text;
      lines = lineIndex(text);
      continue;
    }
    const { toOffset } = positionsOf(text, encoding, lines);
    const range = { start: toOffset(change.range.start), end: toOffset(change.range.end) };
    const after = text.slice(0, range.start) + change.text + text.slice(range.end);
    lines = lines.edited({ range, text: change.text }, after);
    text = after;
  }
  return { text, lines };
}
