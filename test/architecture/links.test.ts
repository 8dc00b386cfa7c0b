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

test('every page of the docs says for whom it is, before anything else', () => {
  const own = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page));
  const firstWords = (page: string) =>
    readFileSync(page, 'utf8')
      .replace(/^# .*\n\n/, '')
      .slice(0, 4);
  assert.deepEqual(
    own.filter((page) => firstWords(page) !== 'For '),
    [],
  );
});

test('paths of the repository that pages name exist', () => {
  const ofToday = pages.filter((page) => !/^docs\/decisions\/|^CHANGELOG|^CONTRIBUTING/.test(page));
  const named = ofToday.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`((?:server\/|client\/|scripts\/|test\/[\w-]+\/)[\w./-]+)`/g)].map(
      ([, file]) => ({
        page,
        file: file!,
      }),
    ),
  );
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter(({ file }) => !existsSync(file)),
    [],
  );
});
