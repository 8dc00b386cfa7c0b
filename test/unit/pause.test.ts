import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseAfter, publishPause } from '../../server/src/lsp/debounce.ts';

test('what is cheap to find is sent at once, and the pause grows only with what the last round took', () => {
  assert.equal(pauseAfter(undefined), 0);
  assert.equal(pauseAfter(2), 0);
  const pauses = [20, 60, 120, 400].map(pauseAfter);
  assert.deepEqual(pauses, [20, 60, 120, publishPause]);
});
