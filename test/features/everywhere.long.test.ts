import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hover } from '../../server/src/features/at/hover.ts';
import { signatureHelp } from '../../server/src/features/at/signature.ts';
import { complete } from '../../server/src/features/complete/complete.ts';
import { colors } from '../../server/src/features/lenses/colors.ts';
import { definitionAt } from '../../server/src/features/navigate/definition.ts';
import { folds } from '../../server/src/features/navigate/folding.ts';
import { links } from '../../server/src/features/navigate/links.ts';
import { highlights } from '../../server/src/features/navigate/references.ts';
import { isRefusal } from '../../server/src/features/navigate/rename/places.ts';
import { renameAt } from '../../server/src/features/navigate/rename/rename.ts';
import { selectionAt } from '../../server/src/features/navigate/selection.ts';
import { outline } from '../../server/src/features/navigate/symbols.ts';
import { fileAt, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { parseStream } from '../../server/src/yaml/parse.ts';
import { seeded } from '../support/random.ts';
import { snapshotOf } from '../support/workspace.ts';

const examples = (readdirSync('examples', { recursive: true, encoding: 'utf8' }) as string[])
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => ({ uri: `file:///examples/${file}`, text: readFileSync(`examples/${file}`, 'utf8') }));

/** Everything that can be asked at an offset; what comes back must lie in the text. */
function askEverything(snapshot: Snapshot, uri: string, text: string, offset: number): number {
  const inside = ({ start, end }: { start: number; end: number }) => start >= 0 && start <= end && end <= text.length;
  const items = complete(snapshot, uri, offset);
  for (const { range, label } of items) {
    assert.ok(
      inside(range) && range.start <= offset && range.end >= offset,
      `${label} at ${offset}: ${JSON.stringify(range)}`,
    );
  }
  const card = hover(snapshot, uri, offset);
  if (card) assert.ok(inside(card.range));
  for (const { range } of highlights(snapshot, uri, offset)) assert.ok(inside(range));
  const target = renameAt(snapshot, uri, offset);
  if (target && !isRefusal(target)) {
    assert.ok(inside(target.range));
    const found = target.to('other');
    for (const { file, edits } of isRefusal(found) ? [] : found.edits)
      for (const { edit } of edits) assert.ok(edit.range.start >= 0 && edit.range.end <= file.text.length);
  }
  const selected = selectionAt(snapshot, uri, offset);
  for (const [i, range] of selected.entries()) {
    const smaller = selected[i - 1];
    assert.ok(inside(range) && (!smaller || (range.start <= smaller.start && range.end >= smaller.end)));
  }
  definitionAt(snapshot, uri, offset);
  signatureHelp(snapshot, uri, offset);
  return items.length;
}

/** What is asked of a whole file; ranges must lie in the text, and the tree must be that of the text. */
function askFile(snapshot: Snapshot, uri: string, text: string): void {
  const file = fileAt(snapshot, uri);
  // Of a template its text is read, without its actions.
  assert.deepEqual(file?.stream, text.includes('{{') ? sourceFile(uri, text).stream : parseStream(text));
  let end = 0;
  for (const color of colors(snapshot, uri)) {
    assert.ok(color.start >= end && color.end > color.start && color.end <= text.length);
    end = color.end;
  }
  for (const fold of folds(snapshot, uri) ?? []) assert.ok(fold.end <= text.length && fold.start < fold.end);
  for (const { range } of links(snapshot, uri)) assert.ok(range.end <= text.length);
  outline(snapshot, uri);
}

/** The next version of a file, as an editor brings it. */
function typedOn(snapshot: Snapshot, uri: string, text: string): Snapshot {
  return withOpen(snapshot, sourceFile(uri, text, { previous: snapshot.open.get(uri) }));
}

for (const { uri, text } of examples) {
  test(`${uri}: every offset can be asked about`, () => {
    const snapshot = snapshotOf(examples);
    let offered = 0;
    for (let offset = 0; offset <= text.length; offset++) offered += askEverything(snapshot, uri, text, offset);
    assert.ok(offered > 0);
  });

  test(`${uri}: so can prefixes of it, as they are typed`, () => {
    const random = seeded(text.length);
    let snapshot = snapshotOf(examples.filter((file) => file.uri !== uri));
    for (let i = 0; i < 60; i++) {
      const end = random.below(text.length + 1);
      for (let typed = Math.max(0, end - 4); typed <= end; typed++) {
        const prefix = text.slice(0, typed);
        snapshot = typedOn(snapshot, uri, prefix);
        askEverything(snapshot, uri, prefix, typed);
      }
      askFile(snapshot, uri, text.slice(0, end));
    }
  });

  test(`${uri}: so can lines of it that are typed anew in its midst`, () => {
    const random = seeded(text.length + 1);
    let snapshot = snapshotOf(examples);
    for (let i = 0; i < 25; i++) {
      const at = random.below(text.length);
      const lineEnd = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
      const end = Math.min(lineEnd, at + 12);
      for (let typed = at; typed <= end; typed++) {
        const now = text.slice(0, typed) + text.slice(lineEnd);
        snapshot = typedOn(snapshot, uri, now);
        askEverything(snapshot, uri, now, typed);
      }
      askFile(snapshot, uri, text.slice(0, end) + text.slice(lineEnd));
    }
  });
}
