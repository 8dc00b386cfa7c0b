import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { signatureHelp } from '../../server/src/features/cel/signature.ts';
import { complete } from '../../server/src/features/complete.ts';
import { definitionAt } from '../../server/src/features/definition.ts';
import { hover } from '../../server/src/features/hover.ts';
import { highlights } from '../../server/src/features/references.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
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
  definitionAt(snapshot, uri, offset);
  signatureHelp(snapshot, uri, offset);
  return items.length;
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
        snapshot = withOpen(snapshot, sourceFile(uri, prefix, { previous: snapshot.open.get(uri) }));
        askEverything(snapshot, uri, prefix, typed);
      }
    }
  });
}
