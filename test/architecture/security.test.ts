import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The rows of SECURITY.md that name what holds them: a file of tests, and a part of a test's name. */
const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, file, name] = /\| `(test\/[^`]+)`: ([^|]+) \|$/.exec(line) ?? [];
    return file === undefined ? [] : [{ file, name: name! }];
  });

test('what SECURITY.md promises is held by tests that are there', () => {
  assert.ok(rows.length > 10);
  for (const { file, name } of rows) {
    const names = [...readFileSync(file, 'utf8').matchAll(/^test\(\s*(['"])(.*?)\1,/gm)].map(([, , title]) => title!);
    assert.ok(
      names.some((title) => title.includes(name)),
      `${file} has no test whose name has "${name}"`,
    );
  }
});
