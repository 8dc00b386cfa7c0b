// The tests in a real editor: a suite inside the extension host, and journeys that drive the workbench as a person
// does. Screenshots are kept in .artifacts/screenshots. Where no editor can be had it says so and counts as skipped;
// with CI=true that is a failure. All of them are walked in lanes, each a process of its own that takes what is next: they
// wait a lot. One that was too slow beside another is walked once more, alone.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { build } from '../../scripts/build.mjs';
import { codeServer, localCode } from '../../scripts/editor.mjs';
import { root } from '../../scripts/setup.mjs';
import { attempt, counts, report } from '../support/attempts.mjs';
import { findBrowser } from './browser.mjs';
import { endShared, openEditor } from './lane.mjs';
import { playground } from './playground.mjs';
import { site } from './site.mjs';
import { openWorkbench } from './workbench.mjs';
import { serverInWorker } from './worker.mjs';

const lanes = 3;
/** What is no journey, by the name that asks for it. */
const others = {
  suite: ['suite in the extension host', suite],
  worker: ['the server in a browser worker', serverInWorker],
  playground: ['the playground', playground],
  site: ['the site of the docs', site],
};
/** Whoever begins with the longest is not left with it at the end. */
const longest = ['23-themes.mjs', '32-go-crds.mjs', '10-new-user.mjs', '29-typing.mjs'];
const journeys = readdirSync(new URL('./journeys', import.meta.url))
  .filter((file) => file.endsWith('.mjs'))
  .sort();
const all = [
  ...longest,
  'suite',
  ...journeys.filter((file) => !longest.includes(file)),
  'playground',
  'site',
  'worker',
];
const asked = process.argv.slice(2);
// `1-` is the first journey, not the eleventh.
const isAsked = (file) => asked.some((part) => (/^\d+-/.test(part) ? file.startsWith(part) : file.includes(part)));

const missing = whatIsMissing();
if (process.send) {
  process.on('message', async (file) => process.send({ file, isGood: await walked(file) }));
  // It is the last thing that a lane is told.
  process.once('disconnect', endShared);
} else {
  if (missing) {
    console.log(`\nNO EDITOR: ${missing}. The tests in a real editor were NOT run.`);
    counts.skipped = all.length;
  } else {
    if (!process.env.COUNTS_FILE) await build();
    if (asked.length > 0) for (const file of all.filter(isAsked)) await walked(file);
    else {
      const left = [...all];
      const failed = await Promise.all(Array.from({ length: lanes }, () => walkedInLane(left)));
      for (const file of failed.flat()) {
        console.log(`once more, alone: ${file}`);
        await walked(file);
      }
    }
  }
  await endShared();
  report('editor');
  process.exit(counts.failed > 0 || (missing && process.env.CI) ? 1 : 0);
}

/** Walks one in this process; whether it went well. */
async function walked(file) {
  const before = counts.failed;
  const [name, walk] = others[file] ?? [];
  await (walk ? attempt(name, walk) : journey(file));
  return counts.failed === before;
}

/** Walks what is left, in a process of its own. Gives those that failed; a lane that ends by itself leaves one to be told. */
async function walkedInLane(left) {
  const lane = fork(process.argv[1]);
  const ended = once(lane, 'exit').then(() => undefined);
  const failed = [];
  for (let file = left.shift(); file !== undefined; file = left.shift()) {
    const told = once(lane, 'message').then(([message]) => message);
    lane.send(file);
    const result = await Promise.race([told, ended]);
    if (result?.isGood) counts.passed++;
    else failed.push(file);
    if (!result) return failed;
  }
  lane.disconnect();
  await ended;
  return failed;
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
  const { name, run, prepare, ...wants } = await import(new URL(`./journeys/${file}`, import.meta.url).href);
  await attempt(name, async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-journey-'));
    const workspace = path.join(home, 'examples');
    cpSync(path.join(root, 'examples'), workspace, { recursive: true });
    // What a journey needs beside the workspace is gone after it.
    const ended = await prepare?.(workspace);
    const { address, page, close } = await openEditor(wants, workspace);
    if (process.env.SLOW) await slowedDown(page, Number(process.env.SLOW));
    let isGood = false;
    try {
      const workbench = await openWorkbench(page, address, wants.inBrowser ? undefined : workspace);
      await run(workbench, { workspace, uri: (name) => pathToFileURL(path.join(workspace, name)).href });
      isGood = true;
    } catch (error) {
      await page.screenshot({ path: path.join(root, '.artifacts', `failed-${file}.png`) });
      throw error;
    } finally {
      await close(isGood);
      await ended?.();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}
