import { append } from '../base/append.ts';

const context = 3;

/** What one text has become, as `git diff` shows it and `patch` takes it. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return '';
  const rows = changedRows(linesOf(before), linesOf(after));
  return `--- a/${name}\n+++ b/${name}\n${hunksOf(rows).map(hunkText).join('')}`;
}

/** One line of a diff, with the lines of both texts that come before it. */
interface Row {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  readonly old: number;
  readonly now: number;
}

/** With their line breaks, so that a last line without one shows. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** The shortest way from one list of lines to the other (Myers): its work grows with the number of changes. */
function changedRows(a: readonly string[], b: readonly string[]): Row[] {
  const steps: ReadonlyMap<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let changes = 0; ; changes++) {
    const next = new Map(furthest);
    for (let k = -changes; k <= changes; k += 2) {
      let x = goesDown(furthest, k, changes) ? furthest.get(k + 1)! : furthest.get(k - 1)! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return backwards(a, b, [...steps, furthest]);
    }
    steps.push(furthest);
    furthest = next;
  }
}

function goesDown(furthest: ReadonlyMap<number, number>, k: number, changes: number): boolean {
  if (k === -changes) return true;
  return k !== changes && furthest.get(k - 1)! < furthest.get(k + 1)!;
}

function backwards(a: readonly string[], b: readonly string[], steps: readonly ReadonlyMap<number, number>[]): Row[] {
  const rows: Row[] = [];
  let x = a.length;
  let y = b.length;
  for (let changes = steps.length - 1; changes >= 0; changes--) {
    const furthest = steps[changes]!;
    const k = x - y;
    const down = goesDown(furthest, k, changes);
    const fromX = furthest.get(down ? k + 1 : k - 1)!;
    const fromY = fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) rows.push({ sign: ' ', text: a[--x]!, old: x, now: --y });
    if (changes === 0) break;
    if (down) rows.push({ sign: '+', text: b[--y]!, old: x, now: y });
    else rows.push({ sign: '-', text: a[--x]!, old: x, now: y });
  }
  return rows.reverse();
}

/** The changed rows with some around them, together where they are near each other. */
function hunksOf(rows: readonly Row[]): Row[][] {
  const hunks: Row[][] = [];
  let end = -1;
  for (const [i, { sign }] of rows.entries()) {
    if (sign === ' ') continue;
    const start = Math.max(0, i - context);
    const to = Math.min(rows.length, i + context + 1);
    if (start > end) hunks.push(rows.slice(start, to));
    else append(hunks.at(-1)!, rows.slice(end, to));
    end = to;
  }
  return hunks;
}

function hunkText(rows: readonly Row[]): string {
  const [{ old, now }] = rows as [Row];
  const removed = rows.filter(({ sign }) => sign !== '+').length;
  const added = rows.filter(({ sign }) => sign !== '-').length;
  const head = `@@ -${range(old, removed)} +${range(now, added)} @@\n`;
  return (
    head +
    rows
      .map(({ sign, text }) => sign + (text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`))
      .join('')
  );
}

/** Lines count from 1; of an empty range the line before it is named. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}
