import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { EditedText } from '../base/editedText.ts';
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
  /** The text with the place where it was edited last. */
  readonly edited?: EditedText;
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
): Pick<Required<OpenDocument>, 'text' | 'lines' | 'edited'> & { readonly difference: Difference | undefined } {
  let { edited = EditedText.of(document.text), lines = lineIndex(document.text) } = document;
  let difference: Difference | undefined;
  let isGiven = false;
  for (const change of changes) {
    if (!('range' in change)) {
      edited = EditedText.of(change.text);
      lines = lineIndex(change.text);
      isGiven = true;
      continue;
    }
    const { toOffset } = positionsOf(edited.text, encoding, lines);
    const range = { start: toOffset(change.range.start), end: toOffset(change.range.end) };
    edited = edited.edited(range, change.text);
    lines = lines.edited({ range, text: change.text }, edited.text);
    difference = alsoEdited(difference, range, change.text.length);
  }
  return { text: edited.text, lines, edited, difference: isGiven ? undefined : difference };
}
