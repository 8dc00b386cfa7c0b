import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits, lineIndex } from '../../server/src/base/text.ts';
import { seeded } from '../support/random.ts';

const pieces = ['', 'a', 'b c', '\n', '\n\n', 'x\ny', '\r\n', '\r', 'é', '😀'];

test('the lines after edits are those of the text from scratch', () => {
  const random = seeded(31);
  for (const some of [pieces.filter((piece) => !piece.includes('\r')), pieces]) {
    let text = '';
    let lines = lineIndex(text);
    for (let i = 0; i < 3_000; i++) {
      const start = random.below(text.length + 1);
      const length = random.chance(0.5) || text.length > 60 ? random.below(8) : 0;
      const edit = { range: { start, end: Math.min(text.length, start + length) }, text: random.pick(some) };
      text = applyEdits(text, [edit]);
      lines = lines.edited(edit, text);
      if (random.chance(0.3)) continue;
      const fresh = lineIndex(text);
      assert.equal(lines.count, fresh.count, JSON.stringify(text));
      for (let line = 0; line < fresh.count; line++) {
        assert.equal(lines.lineStart(line), fresh.lineStart(line), JSON.stringify(text));
        assert.equal(lines.lineEnd(line), fresh.lineEnd(line), JSON.stringify(text));
      }
    }
  }
});
