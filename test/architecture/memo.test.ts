import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const sources = readdirSync('server/src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

test('what is derived is kept with memo, or a comment says why not', () => {
  const found = sources.flatMap((file) => {
    if (file === 'base/memo.ts') return [];
    const lines = readFileSync(`server/src/${file}`, 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      const isSaid = lines.slice(Math.max(0, i - 5), i).some((before) => before.includes('Not a memo'));
      return line.includes('new WeakMap') && !isSaid ? [`${file}:${i + 1}`] : [];
    });
  });
  assert.deepEqual(
    // Of a Go file in the making: what was last looked at.
    found.filter((one) => !one.startsWith('features/golang/')),
    [],
  );
});

test('the language server keeps what it knows in its session, and nothing beside it', () => {
  const found = sources.flatMap((file) => {
    if (!file.startsWith('lsp/')) return [];
    const text = readFileSync(`server/src/${file}`, 'utf8');
    const kept =
      /^(?:export )?(?:let \w+|const \w+(?:: [^=\n]+)? = (?:new (?:Map|Set|WeakMap)(?:<[^\n]*>)?\(\)|\[\]|lru<))/gm;
    return [...text.matchAll(kept)].map(([one]) => `${file}: ${one}`);
  });
  assert.deepEqual(found, []);
});
