import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isList, isMap, type Value } from '../../server/src/base/value.ts';
import { assistsAt } from '../../server/src/features/mend/assists/assists.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { applyEdits, snapshotOf } from '../support/workspace.ts';

const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => ({ uri: `file:///examples/${file}`, text: readFileSync(`examples/${file}`, 'utf8') }));

/** Values without the order of keys, and of names that are required. */
function unordered(value: Value, key = ''): unknown {
  if (isMap(value)) return Object.fromEntries([...value].map(([name, inner]) => [name, unordered(inner, name)]).sort());
  if (!isList(value)) return value;
  const items = value.map((item) => unordered(item));
  return key === 'required' ? items.sort() : items;
}

const valuesOf = (text: string) =>
  sourceFile('mem:/a.yaml', text).stream.documents.map((placed) => unordered(valueOf(placed.document) ?? null));

for (const eol of ['\n', '\r\n']) {
  test(`with line ends ${JSON.stringify(eol)}, what is rewritten or moved means the same, and all comments are left`, () => {
    const seen = new Map<string, number>();
    for (const { uri, text: unix } of examples) {
      const text = unix.replaceAll('\n', eol);
      const snapshot = snapshotOf([{ uri, text }]);
      const [values, comments] = [valuesOf(text), text.match(/#.*/g)?.sort()];
      for (let offset = 0; offset <= text.length; offset++) {
        for (const { title, kind, edits } of assistsAt(snapshot, uri, offset)) {
          if (kind === 'refactor.extract') continue;
          const after = applyEdits(text, edits);
          assert.deepEqual(valuesOf(after), values, `${title} at ${offset}`);
          assert.deepEqual(after.match(/#.*/g)?.sort(), comments, `${title} at ${offset}`);
          assert.equal(after.replaceAll(eol, '').includes('\n'), false, `${title} at ${offset}: a stray line end`);
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }
      }
    }
    assert.deepEqual([...seen.keys()].sort(), ['refactor.move', 'refactor.rewrite']);
  });
}
