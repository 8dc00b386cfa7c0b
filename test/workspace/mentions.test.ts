import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesNaming, kindWords, mention, newMentions } from '../../server/src/workspace/mentions.ts';

test('the words beside and below `kind`', () => {
  const forms = [
    'kind: Box',
    '"kind": "Box"',
    '{kind: Box, x: 1}',
    '- kind: !!str Box',
    'kind:\r\n  Box',
    '? kind\n: Box',
  ];
  for (const text of forms) assert.ok(kindWords(text).includes('Box'), text);
  assert.deepEqual(kindWords('name: Box\n'), []);
});

test('a file counts for what it says now', () => {
  const mentions = newMentions();
  mention(mentions, 'b', ['Box', 'Lid']);
  mention(mentions, 'a', ['Box']);
  assert.deepEqual(filesNaming(mentions, 'Box'), ['a', 'b']);
  mention(mentions, 'b', ['Lid']);
  assert.deepEqual(filesNaming(mentions, 'Box'), ['a']);
  mention(mentions, 'a', []);
  assert.deepEqual(filesNaming(mentions, 'Box'), []);
  assert.deepEqual(filesNaming(mentions, 'toString'), []);
});
