import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { progressOn } from '../../server/src/cli/progress.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { runProgram } from '../support/program.ts';
import { watching } from '../support/watching.ts';

// How a run goes about its files: in threads, in parts, again and again.

const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-runs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const crd = boxCrd('{type: object, properties: {size: {type: integer}, color: {enum: [red, blue], type: string}}}');
// One object in several files would be told of once.
const box = (more: string, name = 'a') => `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: ${name}}\n${more}\n`;
const files = 150;

mkdirSync(path.join(folder, 'boxes'));
writeFileSync(path.join(folder, 'crd.yaml'), crd);
for (let i = 0; i < files; i++) {
  const more = i % 3 === 0 ? 'sise: 3' : i % 7 === 0 ? 'size: x' : 'size: 1';
  writeFileSync(path.join(folder, 'boxes', `${String(i).padStart(3, '0')}.yaml`), box(more, `b${i}`));
}

const run = (...args: string[]) => runProgram(folder, ['check', '--crds', 'crd.yaml', ...args]);
const withoutTime = (text: string) => text.replace(/\(\d+\.\d s\)/, '');

test('however many jobs there are, the findings are the same, in the same order', () => {
  const alone = run('boxes');
  for (const jobs of ['2', '3', '16']) {
    const shared = run('--jobs', jobs, 'boxes');
    assert.deepEqual([shared.status, shared.stdout], [1, alone.stdout], jobs);
    assert.equal(withoutTime(shared.stderr), withoutTime(alone.stderr), jobs);
  }
  const each = run('--format', 'concise', 'boxes').stdout;
  assert.equal(each.match(/\[cr\/unknown-field\]/g)?.length, files / 3);
});

test('the shards of a run have all files between them, each once', () => {
  const checked = ['1/3', '2/3', '3/3'].map((shard) =>
    Number(/(\d+) files? for/.exec(run('--shard', shard, 'boxes').stderr)?.[1]),
  );
  assert.equal(
    checked.reduce((sum, count) => sum + count),
    files,
  );
  assert.ok(
    checked.every((count) => count > 0),
    checked.join(),
  );
  const foundIn = (...args: string[]) =>
    run('--format', 'concise', ...args, 'boxes').stdout.match(/^boxes\/\d+/gm) ?? [];
  const found = ['1/2', '2/2'].flatMap((shard) => foundIn('--shard', shard));
  assert.deepEqual(found.sort(), foundIn());
});

test('a shard without files passes, numbers without a meaning are refused', () => {
  assert.equal(run('--shard', '9/9', 'boxes').status, 0);
  for (const args of [
    ['--shard', '0/2'],
    ['--shard', '3/2'],
    ['--shard', '1'],
    ['--jobs', '0'],
    ['--jobs', '1000'],
    ['--unsafe-fixes'],
  ]) {
    const { status, stdout, stderr } = run(...args, 'boxes');
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^kube-crd: --\S+ (takes|goes) /);
  }
});

test('what is not there cannot be watched', () => {
  const { status, stderr } = runProgram(folder, ['check', '--watch', 'nope']);
  assert.deepEqual([status, stderr], [2, 'kube-crd: nothing found at nope\n']);
});

test('a job that fails ends the run', () => {
  const { status, stderr } = run('--jobs', '2', '--without', 'moon', 'boxes');
  assert.equal(status, 2);
  assert.match(stderr, /there is no source moon/);
});

test('statistics say what took time and what was found most often', () => {
  const { stderr } = run('--stats', 'boxes');
  assert.match(
    stderr,
    /^kube-crd: reading the CRDs \d+\.\d\d s, reading and judging files \d+\.\d\d s, memory \d+ MB$/m,
  );
  assert.equal(stderr.match(/^kube-crd: slowest: boxes\//gm)?.length, 5);
  assert.match(stderr, /^kube-crd: found: cr\/unknown-field 50$/m);
});

test('fixes that are a choice are made where that is asked for', () => {
  const file = path.join(folder, 'choice.yaml');
  writeFileSync(file, box('color: green'));
  const { stdout } = run('--fix', '--dry-run', 'choice.yaml');
  assert.equal(stdout, '');
  const unsafe = run('--fix', '--unsafe-fixes', '--dry-run', 'choice.yaml');
  assert.match(unsafe.stdout, /^-color: green\n\+color: red$/m);
});

test('on a terminal the count of files is shown from the first second on, and makes room for findings', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let written = '';
  const show = (text = '') => {
    written += `<${text}>`;
  };
  const progress = progressOn(40, show);
  now = 900;
  progress.step();
  progress.clear();
  assert.equal(written, '');
  now = 1_100;
  progress.step();
  progress.step();
  assert.equal(written, '<2 of 40 files>');
  progress.clear();
  progress.clear();
  assert.equal(written, '<2 of 40 files><>');
});

test('with --watch files are checked again when they change', async () => {
  const watched = path.join(folder, 'watched');
  mkdirSync(watched);
  writeFileSync(path.join(watched, 'crd.yaml'), crd);
  writeFileSync(path.join(watched, 'box.yaml'), box('size: 1'));
  const { child, said, rounds } = watching(watched, ['check', '--watch', '.']);
  await rounds(1);
  assert.equal(said.stdout, '');
  writeFileSync(path.join(watched, 'box.yaml'), box('sise: 1'));
  await rounds(2);
  assert.match(said.stdout, /box\.yaml:4:1: error: unknown field "sise"/);
  child.kill();
});
