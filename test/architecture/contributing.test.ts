import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

// The recipes for a rule and for a release are followed by test/unit/newRule.test.ts and test/releases/next.test.ts.

/** Decisions are named by their numbers. */
function exists(file: string): boolean {
  const decision = /^docs\/decisions\/(\d+)$/.exec(file)?.[1];
  return decision === undefined
    ? existsSync(file)
    : readdirSync('docs/decisions').some((one) => one.startsWith(decision));
}

for (const page of ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'docs/style.md', 'README.md']) {
  const text = readFileSync(page, 'utf8');

  test(`${page} names files that exist`, () => {
    const named = [...text.matchAll(/`((?:server|client|test|scripts|docs|examples|\.github)\/[\w./-]+)`/g)];
    const missing = named.map(([, file]) => file!).filter((file) => !exists(file) && !file.includes('myRule'));
    assert.deepEqual(missing, []);
  });

  test(`${page} names commands that exist`, () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = [...text.matchAll(/npm (?:run (?:-s |--silent )?)([\w-]+)/g)].map(([, name]) => name!);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
  });
}

test('each task has its files', () => {
  const [, table = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('## What a task touches');
  const rows = table.split('\n').filter((line) => /^\| (?!task )[^-]/.test(line));
  assert.equal(rows.length, 10);
  for (const row of rows) {
    const [, , , now = ''] = row.split('|');
    const files = [...now.matchAll(/`((?:server|client|test|syntaxes)\/[^`]+)`/g)].map(([, file]) => file!);
    assert.ok(files.length > 0, row);
    for (const file of files) assert.ok(existsSync(file), file);
  }
});
