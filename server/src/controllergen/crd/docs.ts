import type { CommentGroup } from '../syntax/model.ts';

/** The description that a comment comes to: without markers, to-do lines, and what follows a line of dashes. */
export function descriptionOf(doc: CommentGroup | undefined): string {
  if (!doc) return '';
  const comments = doc.lines.map(({ text }) => text).filter((text) => !isMarker(text));
  const isBlock = comments.some((text) => text.startsWith('/*'));
  const lines = linesOf(comments);
  const kept: string[] = [];
  let inCode = false;
  for (const written of lines) {
    const line = isBlock ? written.trim() : written;
    if (line.startsWith('```') || line.startsWith('~~~')) inCode = !inCode;
    if (!inCode) {
      if (line.startsWith('TODO')) continue;
      if (line.startsWith('---')) break;
    }
    kept.push(line);
  }
  return kept.join('\n');
}

function isMarker(comment: string): boolean {
  return comment.startsWith('//') && comment.slice(2).trimStart().startsWith('+');
}

/** The text of comments as go/ast gives it: without comment signs, directives and superfluous empty lines. */
function linesOf(comments: readonly string[]): string[] {
  const lines: string[] = [];
  for (const comment of comments) {
    let text = comment.slice(2);
    if (comment.startsWith('/*')) text = text.replace(/\*\/$/, '');
    else if (text === '' || text.startsWith(' ')) text = text.slice(1);
    else if (isDirective(text)) continue;
    for (const line of text.split('\n')) lines.push(withoutTrailingBlanks(line));
  }
  const kept: string[] = [];
  for (const line of lines) {
    if (line !== '' || (kept.length > 0 && kept[kept.length - 1] !== '')) kept.push(line);
  }
  while (kept.length > 0 && kept[kept.length - 1] === '') kept.pop();
  return kept;
}

function withoutTrailingBlanks(line: string): string {
  let { length } = line;
  while (length > 0 && ' \t\r'.includes(line[length - 1]!)) length--;
  return line.slice(0, length);
}

/** `//line …`, `//go:build`, `//extern …`, `//lint:ignore`. */
function isDirective(text: string): boolean {
  return /^(?:line |extern |export |[a-z0-9]+:[a-z0-9])/.test(text);
}
