// The tests in a real editor: a suite inside the extension host, and journeys that drive the workbench as a person
// does. Screenshots are kept in .artifacts/screenshots. Where no editor can be had it says so and counts as skipped;
// with CI=true that is a failure. All journeys are walked in lanes, each a process of its own: they wait a lot. One that
// was too slow beside another is walked once more, alone.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { build } from '../../scripts/build.mjs';
import { codeServer, installedExtension, localCode, startCodeServer } from '../../scripts/editor.mjs';
import { root } from '../../scripts/setup.mjs';
import { attempt, counts, report } from '../support/attempts.mjs';
import { findBrowser, openBrowser } from './browser.mjs';
import { playground } from './playground.mjs';
import { site } from './site.mjs';
import { startWeb } from './web.mjs';
import { openWorkbench } from './workbench.mjs';
import { serverInWorker } from './worker.mjs';

const lanes = 2;
const asked = process.argv.slice(2);
const lane = process.env.LANE === undefined ? undefined : Number(process.env.LANE);
const journeyFiles = readdirSync(new URL('./journeys', import.meta.url))
  .filter((file) => file.endsWith('.mjs'))
  .sort();
// `1-` is the first journey, not the eleventh.
const isAsked = (file) => asked.some((part) => (/^\d+-/.test(part) ? file.startsWith(part) : file.includes(part)));
const journeys = journeyFiles
  .filter((file) => asked.length === 0 || isAsked(file))
  .filter((_, i) => lane === undefined || i % lanes === lane);

const missing = whatIsMissing();
if (lane !== undefined) {
  const failed = [];
  for (const file of journeys) {
    const before = counts.failed;
    await journey(file);
    if (counts.failed > before) failed.push(file);
  }
  await new Promise((sent) => process.send({ passed: counts.passed, failed }, sent));
} else if (missing) {
  console.log(`\nNO EDITOR: ${missing}. The tests in a real editor were NOT run.`);
  counts.skipped = journeys.length + 4;
} else {
  if (!process.env.COUNTS_FILE) await build();
  if (asked.length === 0 || asked.includes('suite')) await attempt('suite in the extension host', suite);
  if (asked.length === 0 || asked.includes('worker')) await attempt('the server in a browser worker', serverInWorker);
  if (asked.length === 0 || asked.includes('playground')) await attempt('the playground', playground);
  if (asked.length === 0 || asked.includes('site')) await attempt('the site of the docs', site);
  if (asked.length > 0) for (const file of journeys) await journey(file);
  else {
    const failed = await Promise.all(Array.from({ length: lanes }, (_, i) => walk(i)));
    for (const file of failed.flat()) {
      console.log(`once more, alone: ${file}`);
      await journey(file);
    }
  }
}
if (lane === undefined) report('editor');
process.exit(counts.failed > 0 || (missing && process.env.CI) ? 1 : 0);

/** The journeys of a lane. Gives those that failed; a lane that ends before it has told is a failure. */
async function walk(nth) {
  const child = fork(process.argv[1], { env: { ...process.env, LANE: String(nth) } });
  let told;
  child.on('message', (message) => {
    told = message;
  });
  await once(child, 'exit');
  counts.passed += told?.passed ?? 0;
  counts.failed += told ? 0 : 1;
  return told?.failed ?? [];
}

function whatIsMissing() {
  try {
    codeServer();
    if (!findBrowser()) return 'no Chromium on this machine, and none for it on npm';
  } catch (error) {
    return error.message;
  }
  return undefined;
}

/** The suite runs inside the extension host, through @vscode/test-electron as everywhere. */
async function suite() {
  const { build: bundle } = await import('esbuild');
  await bundle({
    absWorkingDir: root,
    entryPoints: ['test/e2e/suite/index.ts'],
    outfile: 'dist/e2e/suite.cjs',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    target: 'node20',
    logLevel: 'warning',
  });
  const workspace = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-examples-'));
  cpSync(path.join(root, 'examples'), workspace, { recursive: true });
  const code = await runTests({
    vscodeExecutablePath: localCode() ?? path.join(root, 'test/e2e/code.mjs'),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, 'dist/e2e/suite.cjs'),
    launchArgs: [workspace, '--disable-extensions'],
  });
  rmSync(workspace, { recursive: true, force: true });
  if (code !== 0) throw new Error(`the suite ended with ${code}`);
}

/** The editor as on a machine that is so many times as slow: SLOW=4 shows the journeys that hang on luck. */
async function slowedDown(page, rate) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** A journey gets a workbench over a copy of the examples. */
async function journey(file) {
  const {
    name,
    run,
    prepare,
    settings,
    extensions = [],
    /** Whether the editor is one without a machine behind it. */
    inBrowser = false,
  } = await import(new URL(`./journeys/${file}`, import.meta.url).href);
  await attempt(name, async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-journey-'));
    const workspace = path.join(home, 'examples');
    cpSync(path.join(root, 'examples'), workspace, { recursive: true });
    // What a journey needs beside the workspace is gone after it.
    const ended = await prepare?.(workspace);
    const editor = inBrowser
      ? await startWeb({ folder: workspace, settings })
      : await startCodeServer({
          extensions: installedExtension(path.join(home, 'extensions'), extensions),
          settings,
          log: path.join(home, 'log'),
        });
    const browser = await openBrowser();
    const page = await browser.newPage();
    if (process.env.SLOW) await slowedDown(page, Number(process.env.SLOW));
    try {
      const workbench = await openWorkbench(page, editor.address, inBrowser ? undefined : workspace);
      await run(workbench, { workspace, uri: (name) => pathToFileURL(path.join(workspace, name)).href });
    } catch (error) {
      await page.screenshot({ path: path.join(root, '.artifacts', `failed-${file}.png`) });
      throw error;
    } finally {
      await browser.close();
      await editor.stop();
      await ended?.();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}
