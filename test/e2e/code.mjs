#!/usr/bin/env node
// Stands in for the `code` executable where there is none: takes the arguments that @vscode/test-electron passes, runs
// the suite in the real extension host of code-server behind a headless Chromium, and exits with the suite's code.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { startCodeServer } from '../../scripts/editor.mjs';
import { openBrowser } from './browser.mjs';

const options = new Map();
const targets = [];
for (const argument of process.argv.slice(2)) {
  const named = /^--([^=]+)(?:=(.*))?$/s.exec(argument);
  if (named) options.set(named[1], [...(options.get(named[1]) ?? []), named[2] ?? '']);
  else if (existsSync(argument)) targets.push(path.resolve(argument));
}
const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-suite-'));
const editor = await startCodeServer({
  extensions: path.join(home, 'extensions'),
  args: ['--vscode-option', 'enable-smoke-test-driver'],
});
const browser = await openBrowser();
const page = await browser.newPage();
await page.exposeFunction('codeAutomationLog', (_type, args) => {
  if (process.env.VERBOSE || /✓|✗|passed|failed/.test(String(args[0]))) console.log(format(...args));
});
await page.exposeFunction('codeAutomationExit', (code) => void finish(code));
page.on('crash', () => void finish(1));
const limit = Number(process.env.SUITE_TIMEOUT ?? 120_000);
setTimeout(() => {
  console.error(`the suite did not end within ${limit / 1000} s`);
  void finish(124);
}, limit).unref();
const remote = (file) =>
  `vscode-remote://${new URL(editor.address).host}${path.resolve(file.replace(/^file:\/\//, ''))}`;
const payload = ['extensionDevelopmentPath', 'extensionTestsPath'].flatMap((name) =>
  (options.get(name) ?? []).map((file) => [name, remote(file)]),
);
const folder = targets.length > 0 ? `folder=${encodeURIComponent(targets[0])}` : 'ew=true';
await page.goto(`${editor.address}/?${folder}&payload=${encodeURIComponent(JSON.stringify(payload))}`);

async function finish(code) {
  await browser.close().catch((error) => console.error(String(error)));
  await editor.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
