import assert from 'node:assert/strict';
import { test } from 'node:test';
import { code, plainText, untrusted } from '../../server/src/features/markdown.ts';

test('of a document only links to pages are left, and no picture', () => {
  const rows: [text: string, safe: string][] = [
    ['see [docs](https://example.com) and `a <b>`', 'see [docs](https://example.com) and `a <b>`'],
    ['![x](https://example.com/x.png)', '!\\[x](https://example.com/x.png)'],
    ['[x](command:kubeCrd.restart)', '[x\\](command:kubeCrd.restart)'],
    ['[x]( <command:a>)', '[x\\]( \\<command:a>)'],
    ['[x](//example.com/a)', '[x\\](//example.com/a)'],
    ['[x]\n\n[x]: command:a', '[x]\n\n\\[x]: command:a'],
    ['<command:a> <https://example.com>', '\\<command:a> <https://example.com>'],
  ];
  for (const [text, safe] of rows) assert.equal(untrusted(text), safe);
});

test('code holds whatever backquotes there are', () => {
  assert.equal(code('a'), '`a`');
  assert.equal(code('a`[x](command:y)`b'), '`` a`[x](command:y)`b ``');
  assert.equal(code('a\n  b'), '`a b`');
});

test('plain text keeps the words', () => {
  assert.equal(plainText('`a` · **b**\n\n```yaml\nc: 1\n```\n*d* [e](f)'), 'a · b\n\nc: 1\nd e');
});
