// npm run unit -- [PART OF A FILE NAME …] [PART OF A TEST'S NAME] [--update]: bundles test/**/*.test.ts and runs them with
// node's test runner. A part may also name a Markdown suite: npm run unit -- rules/lints 'A pattern without anchors'
// With QUICK=1 the newest Kubernetes alone is asked, and *.long.test.ts are left to npm test.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, setup } from './setup.mjs';
import { Unchanged } from './unchanged.mjs';

setup();
const { build } = await import('esbuild');
const asked = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const update = process.argv.includes('--update');
// The tools of test/e2e hold tens of thousands of files.
const files = readdirSync(path.join(root, 'test'))
  .filter((folder) => folder !== 'e2e')
  .flatMap((folder) => readdirSync(path.join(root, 'test', folder), { recursive: true }).map((file) => [folder, file]))
  .map(([folder, file]) => `test/${folder}/${String(file).split(path.sep).join('/')}`)
  .sort();
// A name of a test may have a slash as well, but does not begin with a folder of tests.
const isFolder = (part) => part.includes('/') && files.some((file) => file.startsWith(`test/${part.split('/')[0]}/`));
const nowhere = asked.filter((part) => isFolder(part) && !files.some((file) => file.includes(part)));
if (nowhere.length > 0) {
  console.error(`no test file matches ${nowhere.join(', ')}`);
  process.exit(2);
}
const { tests, names } = select(asked);
const left = asked.length === 0 ? files.filter((file) => file.endsWith('.test.ts')).length - tests.length : 0;
if (left > 0) console.log(`${left} files of long tests are left to npm test`);
if (tests.length === 0) {
  console.error(`no test file matches ${asked.join(', ')}`);
  process.exit(2);
}
// Only the quick gate leaves out what a change cannot touch; whoever names tests, or wants all, gets them.
const unchanged =
  process.env.QUICK === '1' && asked.length === 0 && !process.argv.includes('--all') ? new Unchanged() : undefined;
if (tests.some(speaksToBuilt) && process.env.COUNTS_FILE === undefined) {
  // npm test has built it already.
  await (await import('./build.mjs')).build();
}
// A folder of its own for each run, so that two runs at once do not disturb each other.
const outdir = path.join(root, 'dist/test', String(process.pid));
const { metafile } = await build({
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
  // The sources lie beside: a process that reads a map reads no copies of them.
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
if (unchanged) unchanged.inputs = metafile.inputs;
const toRun = tests.filter((test) => !unchanged?.has(test));
if (toRun.length < tests.length)
  console.log(
    `${tests.length - toRun.length} test files passed when all that they rest on was as it is: -- --all runs them`,
  );
if (toRun.length === 0) {
  rmSync(outdir, { recursive: true, force: true });
  process.exit(0);
}
const processes = together(toRun);
// What a run of the program has said is not said again by the next one. What it has compiled is taken up, as with users.
const compiled = { NODE_COMPILE_CACHE: path.join(outdir, 'compiled'), NODE_DISABLE_COMPILE_CACHE: '' };
const environment = { ...process.env, ...compiled, KUBE_CRD_NO_CACHE: '1' };
if (toRun.some(speaksToBuilt))
  spawnSync(process.execPath, ['dist/server/main.cjs', 'check', 'examples'], { env: environment, cwd: root });
const asTold = {
  files: inOrder([...processes.keys()]).map((name) => path.join(outdir, name)),
  names,
  // Half of them wait most of their time.
  concurrency: 4,
};
const result = spawnSync(
  process.execPath,
  ['--enable-source-maps', path.join(root, 'scripts/runTests.mjs'), JSON.stringify(asTold)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, ...unchanged?.environment, UPDATE: update ? '1' : '' },
  },
);
unchanged?.keep(processes);
rmSync(outdir, { recursive: true, force: true });
process.exit(result.status ?? 1);

/** Whether a test speaks to the built server. */
function speaksToBuilt(file) {
  return /^test\/(protocol|cli)\//.test(file);
}

/** Those that take long come first, and those that wait for servers are between those that do not. */
function inOrder(names) {
  const longFirst = names.toSorted((a, b) => Number(b.includes('.long.')) - Number(a.includes('.long.')));
  const waits = (name) => /^(?:cli|editors|fakeServer|fetch|mcp|protocol)\//.test(name);
  const [waiting, busy] = [longFirst.filter(waits), longFirst.filter((name) => !waits(name))];
  return longFirst.flatMap((_, i) => [busy[i], waiting[i]]).filter((name) => name !== undefined);
}

/**
 * The processes to run, with the test files in each. In these folders there are many files of small tests, which share one
 * process: what it has compiled by then need not be compiled again. The others want a process of their own, or are so
 * large that they run side by side.
 */
function together(tests) {
  const shared = [
    ...['architecture', 'cel', 'cr', 'crd', 'crdtest', 'features', 'golang', 'incremental', 'rules', 'sources', 'unit'],
    ...['workspace', 'yaml'],
  ];
  // The first watches what is made while modules load, the second which programs its process has started, and the third
  // asks git of all files.
  const alone = [
    'test/architecture/regexps.test.ts',
    'test/workspace/gitProgram.test.ts',
    'test/architecture/owner.test.ts',
  ];
  const groups = new Map();
  for (const test of tests) {
    const folder = test.split('/')[1];
    const isAlone = !shared.includes(folder) || test.endsWith('.long.test.ts') || alone.includes(test);
    const name = isAlone ? builtName(test) : `${folder}/all.test.mjs`;
    groups.set(name, [...(groups.get(name) ?? []), test]);
  }
  for (const [name, within] of groups) {
    if (!name.endsWith('/all.test.mjs')) continue;
    const imports = within.map(
      (test) => `import ${JSON.stringify(`./${builtName(test).split('/').slice(1).join('/')}`)};\n`,
    );
    writeFileSync(path.join(outdir, name), imports.join(''));
  }
  return groups;
}

function builtName(test) {
  return test.slice('test/'.length).replace(/\.ts$/, '.mjs');
}

/** The test files that the arguments ask for, and patterns for the names of tests where only some are asked for. */
function select(parts) {
  const all = files.filter((file) => file.endsWith('.test.ts'));
  const isLong = (file) => file.endsWith('.long.test.ts');
  if (parts.length === 0)
    return { tests: process.env.QUICK === '1' ? all.filter((file) => !isLong(file)) : all, names: [] };
  const suites = files.filter((file) => isSuite(file) && parts.some((part) => file.includes(part)));
  const named = all.filter((file) => parts.some((part) => file.includes(part)));
  const found = named.length > 0 ? named : suites.map(suiteTest);
  const isFile = (part) => [...all, ...files.filter(isSuite)].some((file) => file.includes(part));
  const headings = parts.filter((part) => !isFile(part)).map(escaped);
  const within = named.length > 0 ? [''] : suites.map((file) => `^${escaped(path.posix.basename(file))} › `);
  const wanted = headings.length > 0 ? within.flatMap((one) => headings.map((name) => `${one}.*${name}`)) : within;
  return { tests: [...new Set(found)], names: wanted.filter((name) => name !== '') };
}

/** A page of cases that a test beside it reads; other pages, such as those of fixtures, are read by no test. */
function isSuite(file) {
  return file.endsWith('.md') && files.includes(suiteTest(file));
}

function suiteTest(file) {
  return `${path.posix.dirname(file)}/suites.test.ts`;
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
