import type { Diagnostic, Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';

/** Where the user is typing: the end of the last small insertion. */
export interface Typing {
  readonly uri: string;
  readonly line: number;
  readonly character: number;
}

/** Longer insertions are pasted or completed, not typed. */
const longestTyped = 2;

/** The place where a change leaves a user who types; undefined for any other change. */
export function typingPlace(uri: string, changes: readonly TextDocumentContentChangeEvent[]): Typing | undefined {
  const [change] = changes;
  if (changes.length !== 1 || !change || !('range' in change)) return undefined;
  const { range, text } = change;
  if (text.length > longestTyped || text.includes('\n') || !isEmpty(range)) return undefined;
  return { uri, line: range.start.line, character: range.start.character + text.length };
}

function isEmpty({ start, end }: Range): boolean {
  return start.line === end.line && end.character - start.character <= longestTyped;
}

/**
 * Whether an error is exactly where the user is typing, or anywhere in the expression that goes on there:
 * what is half written on one line of it is often reported on another. The next key most likely fixes it, so it is held
 * back until typing pauses; errors anywhere else are shown at once.
 */
export function isHalfTyped(
  { line, character }: Typing,
  diagnostics: readonly Diagnostic[],
  expression: Range | undefined,
): boolean {
  const typed = { start: { line, character: character - 1 }, end: { line, character } };
  return diagnostics.some(
    ({ range, severity }) => severity === 1 && (touch(range, typed) || (expression && touch(range, expression))),
  );
}

function touch(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
