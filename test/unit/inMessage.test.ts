import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMessage } from '../../server/src/lsp/asking.ts';

/** As VS Code finds links in messages, and runs commands by them. */
const links = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/i;

test('nothing that a server or program said becomes a link in a message', () => {
  for (const text of ['[a](command:b)', '[[a](command:b)', 'x\n[a](https://b)', '[a\u0000](file:///b "c")'])
    assert.doesNotMatch(inMessage(text), links, text);
  assert.equal(inMessage('a\nb\u001b[2J'), 'a\nb\\u001b[2J');
});
