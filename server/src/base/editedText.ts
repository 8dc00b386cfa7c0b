import type { Range } from './text.ts';

/** How much around an edit is in the part of its own, and how long that may become. */
const around = 2_048;
const longest = 65_536;

/**
 * A text that is edited here and there. What stands before and behind the place of the last edits are parts of an older
 * text as it was, so that a key does not copy all of a large one: that happens to `text` once somebody looks into it.
 */
export class EditedText {
  readonly text: string;
  private readonly before: string;
  private readonly middle: string;
  private readonly behind: string;

  private constructor(before: string, middle: string, behind: string) {
    this.before = before;
    this.middle = middle;
    this.behind = behind;
    this.text = before + middle + behind;
  }

  static of(text: string): EditedText {
    return new EditedText('', text, '');
  }

  /** A part of the text, of which no more is looked into. */
  slice(start: number, end: number): string {
    const { before, middle, behind } = this;
    const [from, to] = [before.length, before.length + middle.length];
    const first = start < from ? before.slice(start, Math.min(end, from)) : '';
    const last = end > to ? behind.slice(Math.max(0, start - to), end - to) : '';
    const inside = end > from && start < to ? middle.slice(Math.max(0, start - from), end - from) : '';
    return first + inside + last;
  }

  /** Some clients have been seen to send the end of a range first: what is between stands twice then. */
  edited({ start, end }: Range, put: string): EditedText {
    const { before, middle, behind } = this;
    const from = before.length;
    const isInside = Math.min(start, end) >= from && Math.max(start, end) <= from + middle.length;
    if (middle.length <= longest && isInside)
      return new EditedText(before, middle.slice(0, start - from) + put + middle.slice(end - from), behind);
    const { text } = this;
    const [left, right] = [Math.max(0, start - around), Math.min(text.length, end + around)];
    return new EditedText(
      text.slice(0, left),
      text.slice(left, start) + put + text.slice(end, right),
      text.slice(right),
    );
  }
}
