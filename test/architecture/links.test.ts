import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { linksOf } from '../support/links.ts';

// Links between pages, also to their headings.

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join('docs', name.split(path.sep).join('/'))),
];

/** What a heading is linked by. */
function anchorsOf(page: string): Set<string> {
  const headings = readFileSync(page, 'utf8').matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map(([, text]) =>
      text!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

test('links in pages lead to files and headings that exist', () => {
  const wrong = pages.flatMap((page) =>
    linksOf(page).flatMap(({ file, anchor }) => {
      if (!existsSync(file)) return [`${page}: there is no ${file}`];
      if (anchor === '' || statSync(file).isDirectory() || !file.endsWith('.md')) return [];
      return anchorsOf(file).has(anchor) ? [] : [`${page}: ${file} has no heading ${anchor}`];
    }),
  );
  assert.ok(pages.length > 20);
  assert.deepEqual(wrong, []);
});
