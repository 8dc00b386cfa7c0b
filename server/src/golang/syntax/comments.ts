import type { Range } from '../../base/text.ts';
import type { CommentGroup } from './model.ts';

/**
 * Comments in groups, as go/parser makes them: a comment right behind something on its line stands alone with its line;
 * others belong together as long as no empty line and no token is between them.
 */
export class Comments {
  readonly groups: CommentGroup[] = [];
  private done = 0;
  private open: Range[] = [];

  private readonly text: string;
  private readonly comments: readonly Range[];

  constructor(text: string, comments: readonly Range[]) {
    this.text = text;
    this.comments = comments;
  }

  /** The group that ends on the line above a token, or on its line. */
  docBefore(at: number): CommentGroup | undefined {
    this.groupUpTo(at);
    const last = this.groups[this.groups.length - 1];
    if (!last || last.range.end > at || this.isBehindSomething(last.range.start)) return undefined;
    const between = this.text.slice(last.range.end, at);
    return between.trim() === '' && linesIn(between) <= 1 ? last : undefined;
  }

  /** The comment behind something that ends here, on its line. */
  behind(end: number): CommentGroup | undefined {
    const rest = /[^\r\n]*/y;
    rest.lastIndex = end;
    rest.test(this.text);
    this.groupUpTo(rest.lastIndex + 1);
    let found: CommentGroup | undefined;
    for (let i = this.groups.length - 1; i >= 0 && this.groups[i]!.range.start >= end; i--) found = this.groups[i];
    return found && found.range.start <= rest.lastIndex ? found : undefined;
  }

  finish(): void {
    this.groupUpTo(this.text.length + 1);
  }

  private groupUpTo(at: number): void {
    while (this.done < this.comments.length && this.comments[this.done]!.start < at) {
      const comment = this.comments[this.done++]!;
      const last = this.open[this.open.length - 1];
      if (last && !this.areTogether(last, comment)) this.close();
      this.open.push(comment);
    }
    this.close();
  }

  private areTogether(last: Range, comment: Range): boolean {
    const between = this.text.slice(last.end, comment.start);
    if (between.trim() !== '') return false;
    const most = this.isBehindSomething(this.open[0]!.start) ? 0 : 1;
    return linesIn(between) <= most;
  }

  /** Something else than blanks and comments is before it on its line. */
  private isBehindSomething(start: number): boolean {
    let lineStart = start;
    while (lineStart > 0 && !isBreak(this.text.charCodeAt(lineStart - 1))) lineStart--;
    const before = this.text.slice(lineStart, start);
    return before.trim() !== '' && withoutBlocks(before).trim() !== '';
  }

  private close(): void {
    if (this.open.length === 0) return;
    const lines = this.open.map((range) => ({ range, text: this.text.slice(range.start, range.end) }));
    this.groups.push({ range: { start: this.open[0]!.start, end: this.open[this.open.length - 1]!.end }, lines });
    this.open = [];
  }
}

function withoutBlocks(line: string): string {
  const [first = '', ...others] = line.split('/*');
  return first + others.map((other) => other.slice(other.indexOf('*/') + 2)).join('');
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13;
}

function linesIn(blank: string): number {
  let lines = 0;
  for (let at = blank.indexOf('\n'); at !== -1; at = blank.indexOf('\n', at + 1)) lines++;
  return lines;
}
