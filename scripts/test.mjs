// npm test: builds, runs every test, and prints the counts by level and one plain line over all.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { quickChecks } from './quick.mjs';
import { root, setup } from './setup.mjs';

setup();
await build();
const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-test-'));
const countsFile = path.join(folder, 'counts');
const node = (...args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, COUNTS_FILE: countsFile } })
    .status;

// The editor is installed meanwhile: that mostly waits for the network. What fails there is told by its own step.
const install = "import('./scripts/editor.mjs').then(({ codeServer }) => codeServer())";
const installed = once(spawn(process.execPath, ['-e', install], { cwd: root, stdio: 'ignore' }), 'exit');

const steps = [
  ['types, lint and generated files', quickChecks],
  ['unit', () => node('scripts/unit.mjs', ...process.argv.slice(2))],
  ['editor', async () => (await installed) && node('test/e2e/run.mjs')],
  ['other editors', () => node('test/editors/run.mjs')],
  // Last, since it replaces the build by a minified one.
  ['package', () => node('scripts/package.mjs')],
];
const failed = [];
const took = [];
for (const [name, step] of steps) {
  const from = performance.now();
  if ((await step()) !== 0) failed.push(name);
  took.push(`${name} ${Math.round((performance.now() - from) / 1000)} s`);
}
const counts = existsSync(countsFile)
  ? readFileSync(countsFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
rmSync(folder, { recursive: true, force: true });
const sum = (what) => counts.reduce((total, count) => total + count[what], 0);
console.log('\nby level');
for (const { level, passed, failed, skipped } of counts)
  console.log(`  ${level.padEnd(14)} ${passed} passed, ${failed} failed, ${skipped} skipped`);
console.log(took.join(', '));
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
// A step that failed without a failing test of its own (types, lint, a crash) counts as one failure.
const failures = Math.max(sum('failed'), failed.length);
console.log(`${sum('passed')} passed, ${failures} failed, ${sum('skipped')} skipped`);
process.exit(failed.length > 0 ? 1 : 0);
