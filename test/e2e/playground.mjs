// The playground in a real browser, as a page from a disk and from a server of files, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPlayground, playgroundSizes } from '../../scripts/playground.mjs';
import { root } from '../../scripts/setup.mjs';
import { openBrowser } from './browser.mjs';
import { contrastOf } from './contrast.mjs';

const folder = path.join(root, 'dist/playground');
const screenshots = path.join(root, '.artifacts/screenshots');

export async function playground() {
  await buildPlayground();
  mkdirSync(screenshots, { recursive: true });
  const onDisk = pathToFileURL(path.join(folder, 'index.html')).href;
  await inBrowser(onDisk, everything);
  const server = await filesServed();
  try {
    const address = `http://127.0.0.1:${server.address().port}/index.html`;
    await inBrowser(address, (page) => loadsLittle(page, address, server));
    await inBrowser(address, verdictsAndLinks);
  } finally {
    server.close();
  }
}

/** Serves the files of the page, and nothing that it does not ask for; what is not in the first part waits for `release`. */
async function filesServed() {
  const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };
  const served = new Set();
  const first = Object.keys(playgroundSizes().first).sort();
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname.slice(1);
    const type = types[path.extname(name)];
    if (!type || name.includes('..')) return response.writeHead(404).end();
    if (!first.includes(name)) await released;
    served.add(name);
    response.writeHead(200, { 'content-type': type });
    response.end(readFileSync(path.join(folder, name)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, { first, served, release });
}

/** The first verdict needs no more than what is counted as the first part; fixes and what is stored need two more. */
async function loadsLittle(page, address, { first, served, release }) {
  await open(page, address);
  await summary(page, '2 errors');
  assert.deepEqual([...served].sort(), first);
  release();
  await page.waitForSelector('.fix');
  await page.locator('#of-stored').click();
  await page.waitForSelector('#panel-stored pre');
  assert.deepEqual([...served].sort(), ['editor.js', 'rules.js', ...first].sort());
  // A chart needs another.
  await page.locator('#examples').selectOption('chart');
  await summary(page, '1 error, 1 warning');
  assert.ok(served.has('sources.js'));
}

async function inBrowser(address, steps) {
  const browser = await openBrowser();
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (said) => {
    if (said.type() === 'error') complaints.push(said.text());
  });
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  try {
    await steps(page, address);
    assert.deepEqual(complaints, [], 'the console of the page');
    const home = address.slice(0, address.lastIndexOf('/'));
    const elsewhere = asked.filter((url) => !url.startsWith(home) && !/^(?:blob|data):/.test(url));
    assert.deepEqual(elsewhere, [], 'what the page asked of elsewhere');
  } catch (error) {
    await page.screenshot({ path: path.join(root, '.artifacts', 'failed-playground.png') });
    throw error;
  } finally {
    await browser.close();
  }
}

async function everything(page, address) {
  await verdictsAndLinks(page, address);
  await panels(page, address);
  await testCase(page, address);
  await strangers(page, address);
  await keyboard(page, address);
  await readable(page, address);
}

/** Opens the page anew: one that differs in its fragment alone would not be loaded again. */
async function open(page, address, fragment = '') {
  // A script that is left while it is loaded would be an error of its own.
  await page.waitForFunction(() => document.body?.dataset.busy !== 'true');
  await page.goto('about:blank');
  await page.goto(fragment === '' ? address : `${address}#${fragment}`);
  await page.waitForSelector('.verdicts li, .fine, .said', { timeout: 30_000 });
}

const summary = (page, text) =>
  page.waitForFunction((wanted) => document.getElementById('summary').textContent.includes(wanted), text, {
    timeout: 30_000,
  });

async function verdictsAndLinks(page, address) {
  await open(page, address);
  await summary(page, '2 errors · Kubernetes 1.37');
  const message = page.locator('.message').first();
  assert.equal(await message.textContent(), 'unknown field "spec.replica", did you mean replicas?');
  await page.screenshot({ path: path.join(screenshots, 'playground-light.png') });

  // A fix from the list, and one from the card in the text.
  await page.locator('.fix', { hasText: 'Rename to replicas' }).click();
  await summary(page, '1 error ·');
  await page.locator('.cm-lintRange-error').first().hover();
  await page.locator('.cm-diagnosticAction', { hasText: 'Rename to' }).click();
  await summary(page, 'No errors');
  assert.match(await page.locator('.cm-content').innerText(), /replicas: 2[\s\S]*class: fast/);

  // A link holds what was changed, and opens as it was.
  await page.locator('#share').click();
  await page.waitForFunction(() => location.hash.startsWith('#1.'));
  const link = page.url();
  await page.locator('.cm-content').click();
  await open(page, link.slice(0, link.indexOf('#')), link.slice(link.indexOf('#') + 1));
  await summary(page, 'No errors');
  assert.match(await page.locator('.cm-content').innerText(), /replicas: 2[\s\S]*class: fast/);

  // Another version judges otherwise, and what a file is about may need what is read on demand.
  await page.locator('#kubernetes').selectOption('1.31');
  await summary(page, 'Kubernetes 1.31');
  await page.locator('#examples').selectOption('policy');
  await page.waitForSelector('text=Deployment (apps/v1)');
  // The rule behind a code.
  await page.locator('#examples').selectOption('crd');
  await page.locator('.code').first().click();
  await page.waitForSelector('dialog[open] h4');
  await page.keyboard.press('Escape');
}

async function panels(page, address) {
  const shown = async (tab, text) => {
    await page.locator(`#of-${tab}`).click();
    await page.waitForFunction(
      ([id, wanted]) => document.getElementById(id).innerText.includes(wanted),
      [`panel-${tab}`, text],
      { timeout: 30_000 },
    );
  };
  await open(page, address, 'update');
  await summary(page, '2 errors');
  await page.waitForSelector('.message >> text=storage can grow, but never shrink');
  await shown('stored', 'role: reader');
  await shown('values', 'oldSelf.storage.size: 20');
  await shown('cost', 'self.replicas <= self.maxReplicas');
  await page.screenshot({ path: path.join(screenshots, 'playground-cost.png') });
  // Without the older text it is a new object, which no transition rule refuses.
  await page.locator('#tabs button', { hasText: 'before' }).click();
  await page.locator('#remove').click();
  await summary(page, 'No errors');
  await open(page, address, 'expression');
  await shown('values', "u.role != 'owner'");
  await open(page, address, 'policy');
  await shown('values', 'at most 5 replicas in shop');
  await page.screenshot({ path: path.join(screenshots, 'playground-values.png') });
  await open(page, address, 'xrd');
  await shown('verdicts', 'Checked: CompositeResourceDefinition');
  await open(page, address, 'rgd');
  await shown('verdicts', 'spec.replicas in body should be less than or equal to 10');
  await open(page, address, 'chart');
  await summary(page, '1 error');
  await shown('rendered', 'app.kubernetes.io/name: orders');
  await open(page, address, 'crd');
  await summary(page, 'errors');
}

async function testCase(page, address) {
  await open(page, address, 'update');
  await summary(page, '2 errors');
  await page.locator('#copy-test').click();
  // A page from a disk may not write to the clipboard: it shows the text.
  const text = await page.waitForSelector('dialog[open] textarea');
  const written = await text.inputValue();
  assert.match(written, /crd: databases\.yaml/);
  assert.match(written, /update:\n {6}from:[\s\S]*engine: postgres[\s\S]*to:[\s\S]*engine: mysql/);
  // The case says what is so: as a file of tests it passes, and without what it expects it fails.
  const { fragmentOf } = await linkMaker();
  const crd = {
    name: 'crds/databases.yaml',
    text: readFileSync(path.join(root, 'examples/crds/databases.yaml'), 'utf8'),
  };
  for (const [cases, said] of [
    [written, 'No errors ·'],
    [written.replace(/ {4}errors:[\s\S]*/, ''), 'No errors, 2 warnings ·'],
  ]) {
    await open(page, address, await fragmentOf({ files: [crd, { name: 'crds/databases.crdtest.yaml', text: cases }] }));
    await summary(page, said);
  }
  await page.keyboard.press('Escape');
}

/** What comes in by a link stays text, and a link that is damaged is said to be. */
async function strangers(page, address) {
  const evil = '<img src=x onerror="window.evil = true">[a](javascript:window.evil=true)';
  const { fragmentOf } = await linkMaker();
  const description = JSON.stringify(`${evil} \`${evil}\``);
  const text = readFileSync(path.join(root, 'examples/crds/databases.yaml'), 'utf8')
    .replace('description: What the database should be.', `description: ${description}`)
    .replace('message: the engine cannot be changed', `message: ${JSON.stringify(evil)}`);
  const resource = (engine) =>
    `apiVersion: storage.example.com/v1\nkind: Database\nmetadata: {name: a}\nspec:\n  engine: ${engine}\n  storage: {size: 1}\n`;
  const fragment = await fragmentOf({
    files: [
      { name: 'a.yaml', text: resource('mysql'), before: resource('postgres') },
      { name: 'crd.yaml', text },
    ],
  });
  await open(page, address, fragment);
  await page.waitForSelector('.message >> text=onerror');
  await page.locator('.cm-content').getByText('spec', { exact: true }).hover();
  await page.waitForSelector('.card >> text=onerror');
  assert.equal(await page.locator('.card img, .card a, .message img').count(), 0);
  assert.equal(await page.evaluate(() => window.evil), undefined);
  for (const damaged of ['1.AAAA', `${fragment.slice(0, 300)}`, '9.x', '<img src=x>']) {
    await open(page, address, damaged);
    await page.waitForSelector('#said >> text=This is an example instead.');
    await summary(page, '2 errors');
  }
}

/** What makes links, out of the sources. */
async function linkMaker() {
  const { build } = await import('esbuild');
  const outfile = path.join(root, 'dist/e2e/link.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['server/src/share/link.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return await import(pathToFileURL(outfile).href);
}

async function keyboard(page, address) {
  await open(page, address);
  await summary(page, '2 errors');
  // All that can be used is reached by Tab, in the order in which it is read, and nothing holds the focus.
  await page.evaluate(() => document.body.focus());
  const reached = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const one = document.activeElement;
      return one === document.body ? '' : one.id || one.className.toString().split(' ')[0];
    });
    if (at === '') break;
    reached.push(at);
  }
  const order = ['skip', 'kubernetes', 'examples', 'copy-test', 'share', 'theme', 'tab-0', 'add', 'older', 'remove'];
  assert.deepEqual(reached.slice(0, order.length), order);
  const rest = ['cm-content', 'of-verdicts', 'panel-verdicts', 'link', 'fix'];
  assert.deepEqual(
    reached
      .filter((one) => rest.includes(one))
      .filter((one, i, all) => one !== all[i - 1])
      .slice(0, 5),
    rest,
  );
  // Arrows go through tabs.
  await page.locator('#of-verdicts').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#of-stored[aria-selected=true]:focus');
  await page.locator('#tab-0').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#tab-1[aria-selected=true]:focus');
  await page.keyboard.press('ArrowLeft');
  // Completion, the card at the cursor, and the next problem.
  await page.locator('#of-verdicts').click();
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('  backup:\n  sch');
  await page.waitForSelector('.cm-tooltip-autocomplete >> text=schedule');
  // In the first moment of a list, Enter is not taken for a choice of it.
  await page.waitForTimeout(300);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('schedule:'));
  await page.keyboard.press('Alt+F1');
  await page.waitForSelector('.card >> text=five cron fields');
  await page.keyboard.press('F8');
  await page.waitForSelector('.cm-tooltip-lint, .cm-tooltip >> text=unknown field');
  // A new file.
  await page.locator('#add').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#new[open] #new-name:focus');
  await page.keyboard.type('../x');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#new-problem >> text=Use letters');
  await page.locator('#new-name').fill('other.yaml');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=tab][aria-selected=true] >> text=other.yaml');
  // Another text while the place of a card is still to be measured.
  await page.locator('#tab-0').click();
  await page.locator('.cm-content').focus();
  await page.evaluate(() => {
    const key = { key: 'F8', code: 'F8', keyCode: 119, bubbles: true, cancelable: true };
    document.querySelector('.cm-content').dispatchEvent(new KeyboardEvent('keydown', key));
    [...document.querySelectorAll('#tabs [role=tab]')].find(({ title }) => title === 'other.yaml').click();
  });
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.trim() === '');
  await page.waitForTimeout(100);
}

/** What a program can tell of the guidelines for the web: names, roles, contrast, and that nothing is cut off. */
async function readable(page, address) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, address);
    await summary(page, '2 errors');
    await page.waitForSelector('.fix');
    const nameless = await page.evaluate(() => {
      const words = (ids) =>
        (ids ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join('');
      const named = (one) =>
        one.textContent ||
        one.getAttribute('aria-label') ||
        words(one.getAttribute('aria-labelledby')) ||
        one.labels?.length;
      const all = document.querySelectorAll(
        'button, select, input, textarea, a, [role=tabpanel], [role=textbox], dialog',
      );
      return [...all].filter((one) => !named(one)).map((one) => one.outerHTML.slice(0, 80));
    });
    assert.deepEqual(nameless, [], 'what has no name');
    const dangling = await page.evaluate(() =>
      [...document.querySelectorAll('[aria-controls], [aria-labelledby], [aria-describedby]')].flatMap((one) =>
        ['aria-controls', 'aria-labelledby', 'aria-describedby']
          .flatMap((name) => one.getAttribute(name)?.split(' ') ?? [])
          .filter((id) => !document.getElementById(id)),
      ),
    );
    assert.deepEqual(dangling, [], 'names of what is not there');
    const parts = [
      '.message',
      '.link',
      '.fix',
      '.said',
      '#summary',
      '#share',
      '#tab-1',
      '.keys',
      '.yaml-key',
      '.yaml-comment',
      '.cm-lineNumbers',
    ];
    for (const part of parts) {
      const contrast = await contrastOf(page, page.locator(part).first());
      assert.ok(contrast >= 4.5, `${part} has a contrast of ${contrast.toFixed(1)} in ${scheme}`);
    }
    await page.screenshot({ path: path.join(screenshots, `playground-${scheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(over, 0, 'what stands out of a narrow page');
  await page.screenshot({ path: path.join(screenshots, 'playground-narrow.png'), fullPage: true });
  await page.setViewportSize(size);
}
