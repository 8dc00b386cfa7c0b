// The site of the docs in a real browser: it is read without a script, searched by keyboard, in light and dark.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from '../../scripts/setup.mjs';
import { findBrowser, openBrowser } from './browser.mjs';
import { contrastOf } from './contrast.mjs';

const screenshots = path.join(root, '.artifacts/screenshots');
const at = (page) => pathToFileURL(path.join(root, 'dist/site/latest', page)).href;

export async function site() {
  run(process.execPath, ['scripts/run.mjs', 'scripts/site.ts'], { stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(screenshots, { recursive: true });
  await withoutScript();
  const browser = await openBrowser();
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  try {
    await readersPath(page);
    await search(page);
    await looks(page);
    assert.deepEqual(complaints, []);
  } catch (error) {
    await page.screenshot({ path: path.join(root, '.artifacts', 'failed-site.png') });
    throw error;
  } finally {
    await browser.close();
  }
}

async function withoutScript() {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ ...findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(at('rules/crd/type-required.html'));
    assert.match(await page.locator('main').innerText(), /A schema node has no type[\s\S]*Wrong:[\s\S]*Right:/);
    // What would do nothing is not there.
    assert.equal(await page.locator('.search').isVisible(), false);
    await page.locator('nav a', { hasText: 'Helm charts' }).first().click();
    assert.match(await page.locator('h1').innerText(), /Helm charts/);
  } finally {
    await browser.close();
  }
}

async function readersPath(page) {
  await page.goto(at('index.html'));
  await page.locator('.cards a', { hasText: 'I write policies' }).click();
  await page.locator('.steps a').first().click();
  assert.equal(await page.locator('h1').innerText(), 'Admission policies');
  await page.locator('header a', { hasText: 'Rules' }).click();
  await page.locator('td a', { hasText: 'crd/type-required' }).click();
  assert.equal(await page.locator('h1').innerText(), 'A schema node has no type');
}

async function search(page) {
  // From a page that is deeper than what is found, and back up.
  await page.goto(at('rules/cr/unknown-field.html'));
  await page.keyboard.press('/');
  await page.keyboard.type('schema node has no type');
  const first = page.locator('.search li a').first();
  await first.waitFor();
  assert.match(await first.innerText(), /A schema node has no type/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/type-required\.html$/);
  await page.waitForLoadState();
  await page.keyboard.press('/');
  await page.keyboard.type('nothing-is-called-so');
  await page.waitForSelector('.search >> text=Nothing is found.');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.search ol').isVisible(), false);
}

async function looks(page) {
  const parts = ['main p', 'main td a', 'nav.side li a', 'header a:nth-child(2)', 'pre .k', 'footer'];
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const [name, file] of Object.entries({ 'site-home': 'index.html', 'site-page': 'testing.html' })) {
      await page.goto(at(file));
      for (const part of parts) {
        const one = page.locator(part).first();
        if ((await one.count()) === 0) continue;
        await one.scrollIntoViewIfNeeded();
        const contrast = await contrastOf(page, one);
        assert.ok(contrast >= 4.5, `${part} of ${file} has a contrast of ${contrast.toFixed(1)} in ${scheme}`);
      }
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: path.join(screenshots, `${name}-${scheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 360, height: 740 });
  for (const file of ['index.html', 'testing.html', 'rules.html', 'commands.html', 'limits.html', 'write-crds.html']) {
    await page.goto(at(file));
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0, `what stands out of a narrow ${file}`);
  }
}
