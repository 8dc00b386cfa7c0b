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
  /** The last comment that was looked at. */
  private last: Range | undefined;
  /** What is behind the last group. */
  private blank: { readonly group: CommentGroup; readonly text: string } | undefined;
  /** Where comments start that have something before them on their line. */
  private readonly behindSomething = new Set<number>();

  private readonly text: string;
  private readonly comments: readonly Range[];

  constructor(text: string, comments: readonly Range[]) {
    this.text = text;
    this.comments = comments;
  }

  /** The group that ends on the line above a token. */
  docBefore(at: number): CommentGroup | undefined {
    this.groupUpTo(at);
    const last = this.groups[this.groups.length - 1];
    if (!last || last.range.end > at || this.behindSomething.has(last.range.start)) return undefined;
    const between = this.blanksBehind(last);
    return last.range.end + between.length === at && linesIn(between) === 1 ? last : undefined;
  }

  /** The comment behind something that ends here, on its line. */
  behind(end: number): CommentGroup | undefined {
    // What was met so far is before the next token.
    this.finish();
    let found: CommentGroup | undefined;
    for (let i = this.groups.length - 1; i >= 0 && this.groups[i]!.range.start >= end; i--) found = this.groups[i];
    return found && !/[\r\n]/.test(this.text.slice(end, found.range.start)) ? found : undefined;
  }

  finish(): void {
    this.groupUpTo(this.text.length + 1);
  }

  private groupUpTo(at: number): void {
    while (this.done < this.comments.length && this.comments[this.done]!.start < at) {
      const comment = this.comments[this.done++]!;
      if (this.isBehindSomething(comment.start)) this.behindSomething.add(comment.start);
      const last = this.open[this.open.length - 1];
      if (last && !this.areTogether(last, comment)) this.close();
      this.open.push(comment);
      this.last = comment;
    }
    this.close();
  }

  private areTogether(last: Range, comment: Range): boolean {
    const between = this.blanksFrom(last.end);
    if (last.end + between.length !== comment.start) return false;
    const most = this.behindSomething.has(this.open[0]!.start) ? 0 : 1;
    return linesIn(between) <= most;
  }

  /** Something else than blanks and comments is before it on its line. */
  private isBehindSomething(start: number): boolean {
    let at = start;
    while (at > 0 && isBlank(this.text.charCodeAt(at - 1))) at--;
    if (at === 0 || isBreak(this.text.charCodeAt(at - 1))) return false;
    if (this.last?.end !== at) return this.text.charCodeAt(at - 1) !== byteOrderMark;
    const isOnLine = !/[\r\n]/.test(this.text.slice(this.last.start, at));
    return isOnLine && this.behindSomething.has(this.last.start);
  }

  /** Every token asks for those behind the last comment, however far above that is. */
  private blanksBehind(group: CommentGroup): string {
    if (this.blank?.group !== group) this.blank = { group, text: this.blanksFrom(group.range.end) };
    return this.blank.text;
  }

  private blanksFrom(start: number): string {
    let end = start;
    for (let code = this.text.charCodeAt(end); isBlank(code) || isBreak(code); code = this.text.charCodeAt(end)) end++;
    return this.text.slice(start, end);
  }

  private close(): void {
    if (this.open.length === 0) return;
    const lines = this.open.map((range) => ({ range, text: this.text.slice(range.start, range.end) }));
    this.groups.push({ range: { start: this.open[0]!.start, end: this.open[this.open.length - 1]!.end }, lines });
    this.open = [];
  }
}

const byteOrderMark = 0xfeff;

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13;
}

function linesIn(blank: string): number {
  let lines = 0;
  for (let at = blank.indexOf('\n'); at !== -1; at = blank.indexOf('\n', at + 1)) lines++;
  return lines;
}
