import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { memo } from '../base/memo.ts';
import { type Encoding, type Positions, positionsOf } from './position.ts';

/** A document that is open in the editor, as the editor last described it. */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

/** The places of a document: the answers about it and its next change share them. */
export const placesOf = memo((document: OpenDocument, encoding: Encoding): Positions => {
  return positionsOf(document.text, encoding);
});

/** The text after the editor's changes, applied in their order. */
export function applyChanges(
  document: OpenDocument,
  changes: readonly TextDocumentContentChangeEvent[],
  encoding: Encoding,
): string {
  let now = document.text;
  for (const change of changes) {
    if (!('range' in change)) now = change.text;
    else {
      const { toOffset } = now === document.text ? placesOf(document, encoding) : positionsOf(now, encoding);
      now = now.slice(0, toOffset(change.range.start)) + change.text + now.slice(toOffset(change.range.end));
    }
  }
  return now;
}
