import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { type Encoding, positionsOf } from './position.ts';

/** A document that is open in the editor, as the editor last described it. */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

/** The text after the editor's changes, applied in their order. */
export function applyChanges(
  text: string,
  changes: readonly TextDocumentContentChangeEvent[],
  encoding: Encoding,
): string {
  let now = text;
  for (const change of changes) {
    if (!('range' in change)) now = change.text;
    else {
      const { toOffset } = positionsOf(now, encoding);
      now = now.slice(0, toOffset(change.range.start)) + change.text + now.slice(toOffset(change.range.end));
    }
  }
  return now;
}
