import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alsoEdited, type Difference } from '../../server/src/base/text.ts';
import { seeded } from '../support/random.ts';

test('what is outside of a difference is the same before and after, whatever was edited in which order', () => {
  const chance = seeded(41);
  for (let round = 0; round < 2_000; round++) {
    const before = 'abcdefghijklmnop';
    let text = before;
    let difference: Difference | undefined;
    for (let edit = chance.below(4) + 1; edit > 0; edit--) {
      // Some clients have been seen to send the end first.
      const [start, end] = [chance.below(text.length + 1), chance.below(text.length + 1)];
      const put = 'XYZ'.slice(0, chance.below(4));
      text = text.slice(0, start) + put + text.slice(end);
      difference = alsoEdited(difference, { start, end }, put.length);
    }
    const { start, end, endAfter } = difference!;
    assert.ok(start <= end && start <= endAfter);
    assert.equal(text.slice(0, start), before.slice(0, start));
    assert.equal(text.slice(endAfter), before.slice(end));
  }
});
