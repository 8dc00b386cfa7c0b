// Bundles every test/**/*.test.ts and runs them with node's test runner: node scripts/unit.mjs [PART OF A FILE NAME …] [--update]

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, setup } from './setup.mjs';

setup();
const { build } = await import('esbuild');
const asked = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const update = process.argv.includes('--update');
const tests = readdirSync(path.join(root, 'test'), { recursive: true })
  .map((file) => `test/${String(file).split(path.sep).join('/')}`)
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/e2e/'))
  .filter((file) => asked.length === 0 || asked.some((part) => file.includes(part)))
  .sort();
if (tests.length === 0) {
  console.error(`no test file matches ${asked.join(', ')}`);
  process.exit(2);
}
// A folder of its own for each run, so that two runs at once do not disturb each other.
if (tests.some((file) => /^test\/(protocol|cli)\//.test(file)) && process.env.COUNTS_FILE === undefined) {
  // These speak to the built server; npm test has built it already.
  await (await import('./build.mjs')).build();
}
const outdir = path.join(root, 'dist/test', String(process.pid));
await build({
  absWorkingDir: root,
  entryPoints: tests,
  outdir,
  outbase: 'test',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'linked',
  logLevel: 'warning',
});
const built = tests.map((file) => path.join(outdir, file.slice('test/'.length).replace(/\.ts$/, '.mjs')));
const result = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    '--test-concurrency=2',
    // A test that waits for what never comes fails by itself, instead of keeping the run.
    '--test-timeout=600000',
    `--test-reporter=${path.join(root, 'scripts/reporter.mjs')}`,
    ...built,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, UPDATE: update ? '1' : '' } },
);
rmSync(outdir, { recursive: true, force: true });
process.exit(result.status ?? 1);
