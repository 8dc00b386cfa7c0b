import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFence } from '../support/update.ts';

test('update mode rewrites one fence of one case and nothing else', () => {
  const text = '# Suite\n\n## a\n\n```stored\nold\n```\n\n## b\n\n```stored\nold\n```\n';
  assert.equal(withFence(text, 'b', 'stored', 'new\n'), text.replace(/old(?=\n```\n$)/, 'new'));
});
