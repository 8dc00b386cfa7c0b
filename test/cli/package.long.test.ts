import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

// The package as npm packs it, in a project that has nothing else.

const project = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-project-'));
after(() => rmSync(project, { recursive: true, force: true }));

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });

execFileSync(process.execPath, ['scripts/library.mjs', '--stage']);
const [packed] = JSON.parse(npm(path.resolve('dist/npm'), 'pack', '--json', '--pack-destination', project));
writeFileSync(path.join(project, 'package.json'), '{"name": "empty", "private": true, "type": "module"}\n');
npm(project, 'install', '--offline', '--no-audit', '--no-fund', path.join(project, packed.filename));

test('the package holds what is meant to be in it, and needs nothing else', () => {
  const files: string[] = packed.files.map((file: { path: string }) => file.path).sort();
  assert.deepEqual(files, [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/NOTICES.txt',
    'dist/library/cel.d.ts',
    'dist/library/cel.js',
    'dist/library/index.d.ts',
    'dist/library/index.js',
    'dist/library/values.d.ts',
    'dist/library/yaml.d.ts',
    'dist/library/yaml.js',
    'dist/server/builtinKinds.json.gz',
    'dist/server/crossplane.json.gz',
    'dist/server/main.cjs',
    'docs/benchmarks.md',
    'docs/builtin-kinds.md',
    'docs/check-output.schema.json',
    'docs/ci.md',
    'docs/commands.md',
    'docs/comparison.md',
    'docs/config.md',
    'docs/crds.md',
    'docs/crossplane.md',
    'docs/diff-output.schema.json',
    'docs/editors.md',
    'docs/go.md',
    'docs/kube-crd.1',
    'docs/library.md',
    'docs/limits.md',
    'docs/markers.md',
    'docs/policies.md',
    'docs/rules.md',
    'docs/testing.md',
    'package.json',
  ]);
  const { dependencies, scripts } = ownPackage();
  assert.equal(dependencies, undefined);
  assert.equal(scripts, undefined);
});

const installed = path.join(project, 'node_modules/kube-crd');
const ownPackage = () => JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
const isThere = (file: string) => existsSync(path.join(installed, file));

test('package.json names only what is in the package, types before what they are of', () => {
  const { main, browser, exports, bin, man } = ownPackage();
  assert.deepEqual([main, browser], [undefined, undefined]);
  for (const [entry, way] of Object.entries<string | Record<string, string>>(exports)) {
    if (typeof way === 'string') assert.ok(isThere(way), entry);
    else {
      assert.deepEqual(Object.keys(way), ['types', 'default'], entry);
      for (const file of Object.values(way)) assert.ok(isThere(file), file);
    }
  }
  for (const file of [...Object.values<string>(bin), man]) assert.ok(isThere(file), file);
  assert.match(readFileSync(path.join(installed, bin['kube-crd']), 'utf8').slice(0, 40), /^#!\/usr\/bin\/env node\n/);
});

test('package.json says where the source, the pages and the issues are', () => {
  const { repository, homepage, bugs } = ownPackage();
  const address = /^git\+(https:.*)\.git$/.exec(repository.url)?.[1];
  assert.ok(address, repository.url);
  assert.deepEqual([homepage, bugs.url], [`${address}#readme`, `${address}/issues`]);
});

test('links of the README lead somewhere, and the pages that the program names are in the package', () => {
  // A page of the registry looks for the other files in the repository.
  const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1]!);
  assert.deepEqual(
    links.filter((file) => !existsSync(file)),
    [],
  );
  const program = readFileSync(path.join(installed, 'dist/server/main.cjs'), 'utf8');
  const named = new Set(program.match(/docs\/[a-z0-9-]+\.md/g));
  assert.ok(named.size > 3);
  assert.deepEqual(
    [...named].filter((file) => !isThere(file)),
    [],
  );
});

test('npx kube-crd check works', () => {
  mkdirSync(path.join(project, 'manifests'));
  writeFileSync(
    path.join(project, 'manifests/bad.yaml'),
    'apiVersion: v1\nkind: List\nitems: [{apiVersion: example.com/v1, kind: Box}]\n',
  );
  const given = spawnSync('npx', ['--offline', 'kube-crd', 'check', '.'], {
    cwd: project,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  assert.equal(given.status, 0, given.stderr);
  assert.match(given.stdout, /^manifests\/bad\.yaml:.*\[cr\/unknown-kind\]$/m);
});

test('the sizes in the README are those of what is built', () => {
  const rows = readFileSync('README.md', 'utf8').matchAll(
    /^\| `kube-crd(?:\/(\w+))?` \| ([\d,]+) kB \| (\d+) kB \|$/gm,
  );
  const told = [...rows].map(([, entry = 'index', whole, packed]) => ({ entry, whole, packed }));
  assert.deepEqual(
    told.map(({ entry }) => entry),
    ['index', 'cel', 'yaml'],
  );
  for (const { entry, whole, packed } of told) {
    const bytes = readFileSync(path.join(installed, `dist/library/${entry}.js`));
    for (const [text, size] of [
      [whole, bytes.length],
      [packed, gzipSync(bytes).length],
    ] as const) {
      const kilobytes = Number(text!.replace(',', ''));
      assert.ok(Math.abs(kilobytes - size / 1000) < kilobytes / 20, `${entry}: ${text} kB, and it is ${size} bytes`);
    }
  }
});

const examples = [...readFileSync('docs/library.md', 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  (match) => match[1]!,
);

/** What comments behind `→` say an example prints. */
const expected = (example: string) => [...example.matchAll(/^\/\/ → (.*)$/gm)].map((match) => match[1]!);

for (const [i, example] of examples.entries()) {
  const name = `example ${i + 1} of docs/library.md`;

  test(`${name} prints what it says`, () => {
    const file = path.join(project, `example${i}.js`);
    writeFileSync(file, example);
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project, encoding: 'utf8' });
    assert.deepEqual(stdout.trimEnd().split('\n'), expected(example), stderr);
  });

  test(`${name} works in a browser`, async () => {
    const file = path.join(project, `browser${i}.js`);
    writeFileSync(file, example);
    const { outputFiles } = await esbuild.build({
      entryPoints: [file],
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
    });
    const printed: unknown[][] = [];
    // What browsers have as well; nothing of Node.
    const scope = { console: { log: (...values: unknown[]) => printed.push(values) }, TextEncoder, TextDecoder, URL };
    vm.runInNewContext(outputFiles[0]!.text, scope);
    assert.equal(printed.length, expected(example).length);
  });

  test(`${name} has types`, () => {
    const file = path.join(project, `typed${i}.ts`);
    writeFileSync(file, example.replaceAll('(scope) =>', '(scope: string) =>'));
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, file], { cwd: project, encoding: 'utf8' });
    assert.equal(stdout, '');
  });
}
