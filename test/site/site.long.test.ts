import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { leftOut, others, paths } from '../../scripts/site/paths.ts';
import { rules } from '../../server/src/rules/model/registry.ts';

const site = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-site-'));
after(() => rmSync(site, { recursive: true }));

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
// A version that is there already, and the place of the playground, which is made apart.
for (const [file, text] of [
  ['0.0.9/index.html', '<title>old</title>'],
  ['playground/index.html', ''],
]) {
  mkdirSync(path.join(site, path.dirname(file!)), { recursive: true });
  writeFileSync(path.join(site, file!), text!);
}
const made = spawnSync(process.execPath, ['scripts/run.mjs', 'scripts/site.ts', '--into', site], { encoding: 'utf8' });
assert.equal(made.status, 0, made.stderr);

const pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.html'))
  .map((file) => file.split(path.sep).join('/'));
const text = (page: string) => readFileSync(path.join(site, page), 'utf8');
const linksIn = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link!);
const here = (page: string) => page.startsWith(`${version}/`);

test('every link of the site leads to a page and a heading that are there', () => {
  const ids = new Map(
    pages.map((page) => [page, new Set([...text(page).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!))]),
  );
  const wrong = pages.flatMap((page) =>
    linksIn(text(page)).flatMap((link) => {
      if (/^https:/.test(link)) return [];
      const [file = '', anchor = ''] = link.split('#');
      const to = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      if (!existsSync(path.join(site, to))) return [`${page}: ${link}`];
      return anchor === '' || ids.get(to)?.has(decodeURIComponent(anchor)) ? [] : [`${page}: no heading ${link}`];
    }),
  );
  assert.ok(pages.length > 2 * rules.length);
  assert.deepEqual(wrong, []);
});

test('nothing is loaded from elsewhere', () => {
  const loaded = pages.flatMap((page) => text(page).match(/<(?:script|link|img|iframe)\b[^>]*https?:[^>]*>/g) ?? []);
  assert.deepEqual(loaded, []);
});

test('each rule has a page with its title, and each page of the docs is on the way of a reader', () => {
  for (const { code, title } of rules) {
    const page = text(`${version}/rules/${code}.html`);
    assert.ok(page.includes(`<code>${code}</code>`), code);
    assert.match(page, /<h1 id/, title);
  }
  const onPaths = new Set([...paths.flatMap(({ pages }) => pages), ...others].map(([page]) => page));
  const docs = readdirSync('docs').flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? []);
  assert.deepEqual(
    docs.filter((page) => !onPaths.has(page) && !leftOut.includes(page)),
    [],
  );
});

test('all pages of a version are reached from its first one', () => {
  const reached = new Set([`${version}/index.html`]);
  for (const page of reached)
    for (const link of linksIn(text(page))) {
      const to = path.posix.join(path.posix.dirname(page), link.split('#')[0]!);
      if (here(to) && to.endsWith('.html')) reached.add(to);
    }
  assert.deepEqual(
    pages.filter((page) => here(page) && !reached.has(page)),
    [],
  );
});

test('what is there of other versions stays, and the newest is the latest', () => {
  assert.equal(text('0.0.9/index.html'), '<title>old</title>');
  assert.match(text('index.html'), new RegExp(`${version}[\\s\\S]*0\\.0\\.9`));
  assert.equal(text('latest/index.html'), text(`${version}/index.html`));
});

test('the search knows the sections of all pages', () => {
  const found: string[][] = [];
  new Function('kubeCrdSearch', text(`${version}/search.js`))((all: string[][]) => found.push(...all));
  const known = new Set(found.map(([page]) => page));
  const named = new Set(['index.html', ...paths.map(({ id }) => `${id}.html`)]);
  assert.deepEqual(
    pages
      .filter(here)
      .filter((page) => !known.has(page.slice(version.length + 1)) && !named.has(page.slice(version.length + 1))),
    [],
  );
  const dead = found.filter(
    ([page, anchor]) => anchor !== '' && !text(`${version}/${page}`).includes(` id="${anchor}"`),
  );
  assert.deepEqual(dead, []);
});
