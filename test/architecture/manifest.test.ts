import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const texts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));

test('the settings have no marks of Markdown where they would be seen, and no links to files of the repository', () => {
  const settings = Object.entries(texts).filter(([key]) => key.startsWith('configuration.'));
  assert.ok(settings.length > 100);
  const wrong = settings.filter(
    ([key, text]) => (key.endsWith('.description') && text.includes('`')) || /\]\((?!command:|https:|#)/.test(text),
  );
  assert.deepEqual(wrong, []);
});
