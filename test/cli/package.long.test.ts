import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { linksOf } from '../support/links.ts';

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

execFileSync(process.execPath, ['scripts/library.mjs']);
const [packed] = JSON.parse(npm(process.cwd(), 'pack', '--json', '--ignore-scripts', '--pack-destination', project));
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
    'dist/server/commands.cjs',
    'dist/server/crdSources.json.gz',
    'dist/server/crossplane.json.gz',
    'dist/server/editor.cjs',
    'dist/server/engine.cjs',
    'dist/server/goLibrary.json.gz',
    'dist/server/kro.json.gz',
    'dist/server/main.cjs',
    'dist/server/openApi.json.gz',
    'dist/server/policies.cjs',
    'dist/server/program.cjs',
    'dist/server/rules.cjs',
    'dist/server/server.cjs',
    'dist/server/sources.cjs',
    'docs/agents.md',
    'docs/benchmarks.md',
    'docs/builtin-kinds.md',
    'docs/check-output.schema.json',
    'docs/ci.md',
    'docs/clusters.md',
    'docs/commands.md',
    'docs/comparison.md',
    'docs/config.md',
    'docs/crd-sources.md',
    'docs/crds.md',
    'docs/crossplane.md',
    'docs/diff-output.schema.json',
    'docs/editors.md',
    'docs/features.md',
    'docs/flux.md',
    'docs/go.md',
    'docs/helm.md',
    'docs/kro.md',
    'docs/kube-crd.1',
    'docs/kustomize.md',
    'docs/library.md',
    'docs/limits.md',
    'docs/markers.md',
    'docs/playground.md',
    'docs/policies.md',
    'docs/rules.md',
    'docs/serve.md',
    'docs/settings.md',
    'docs/testing.md',
    'node/serve.d.ts',
    'node/serve.js',
    'package.json',
    'python/kube_crd.py',
  ]);
  const { dependencies, scripts } = JSON.parse(
    readFileSync(path.join(project, 'node_modules/kube-crd/package.json'), 'utf8'),
  );
  assert.equal(dependencies, undefined);
  for (const step of ['preinstall', 'install', 'postinstall']) assert.equal(scripts[step], undefined, step);
});

test('what the README of the package explains is in the package', () => {
  const files = new Set(packed.files.map((file: { path: string }) => file.path));
  const pages = linksOf('README.md').filter(({ file }) => /^docs\/[\w-]+\.md$/.test(file));
  assert.ok(pages.length > 10);
  const left = pages.filter(({ file }) => !files.has(file)).map(({ file }) => file);
  // It is for who changes the program.
  assert.deepEqual([...new Set(left)], ['docs/style.md']);
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

test('the sizes in docs/library.md are those of what is built', () => {
  const row = /^\| `kube-crd(?:\/(\w+))?` \| ([\d,]+) kB \| (\d+) kB \|$/gm;
  const told = [...readFileSync('docs/library.md', 'utf8').matchAll(row)].map(([, entry = 'index', ...sizes]) => ({
    entry,
    sizes,
  }));
  assert.deepEqual(
    told.map(({ entry }) => entry),
    ['index', 'cel', 'yaml'],
  );
  for (const { entry, sizes } of told) {
    const bytes = readFileSync(`dist/library/${entry}.js`);
    for (const [i, size] of [bytes.length, gzipSync(bytes).length].entries()) {
      const kilobytes = Number(sizes[i]!.replace(',', ''));
      assert.ok(
        Math.abs(kilobytes - size / 1000) < kilobytes / 20,
        `${entry}: ${kilobytes} kB, and it is ${size} bytes`,
      );
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
