// npm run playground:time: how long it takes in Chromium from opening the page to its first verdict, five times, each in a
// browser that has nothing kept.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/setup.mjs';
import { openBrowser } from './browser.mjs';

const address = pathToFileURL(path.join(root, 'dist/playground/index.html')).href;
for (let i = 0; i < 5; i++) {
  const browser = await openBrowser();
  const page = await browser.newPage();
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForSelector('.verdicts li', { timeout: 60_000 });
  // Counted by the page itself, from the beginning of its loading.
  console.log(`${Math.round(await page.evaluate(() => performance.now()))} ms to the first verdict`);
  await browser.close();
}
