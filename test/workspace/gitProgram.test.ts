import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gitHistory } from '../../server/src/git/history.ts';
import { gitProgram } from '../../server/src/git/program.ts';
import { endWithUs } from '../../server/src/programs/programs.ts';
import { hungGit } from '../support/hungGit.ts';

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(path.join(tmpdir(), 'git-program-')));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function withPath(t: TestContext, value: string): void {
  const before = process.env.PATH;
  process.env.PATH = value;
  t.after(() => {
    process.env.PATH = before;
  });
}

test('Windows never runs a git.exe of the working folder, only one of a folder in PATH', (t) => {
  const [repository, programs] = [folder(t), folder(t)];
  for (const place of [repository, programs]) writeFileSync(path.join(place, 'git.exe'), '');
  const before = { folder: process.cwd(), platform: process.platform };
  t.after(() => {
    process.chdir(before.folder);
    Object.defineProperty(process, 'platform', { value: before.platform });
  });
  process.chdir(repository);
  Object.defineProperty(process, 'platform', { value: 'win32' });
  withPath(t, ['', '.', 'git.exe', folder(t), programs].join(path.delimiter));
  assert.equal(gitProgram(), path.join(programs, 'git.exe'));
});

test('git is asked once where a folder is, and not at all outside of repositories', async (t) => {
  const [repository, programs, outside] = [folder(t), folder(t), folder(t)];
  mkdirSync(path.join(repository, '.git'));
  const calls = path.join(programs, 'calls');
  writeFileSync(calls, '');
  const answers = [repository, path.join(repository, '.git'), path.join(repository, '.git'), ''];
  const print = answers.map((answer) => `echo '${answer}'`).join('\n');
  writeFileSync(path.join(programs, 'git'), `#!/bin/sh\necho "$@" >> '${calls}'\n${print}\n`);
  chmodSync(path.join(programs, 'git'), 0o755);
  withPath(t, `${programs}${path.delimiter}${process.env.PATH}`);
  const history = gitHistory();
  t.after(() => history.close());
  for (let i = 0; i < 3; i++) assert.ok(await history.repositoryOf(pathToFileURL(repository).href));
  assert.equal(await history.repositoryOf(pathToFileURL(outside).href), undefined);
  const asked = readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line.includes('rev-parse'));
  assert.equal(asked.length, 1);
});

test('a git that hangs is ended when the process ends', async () => {
  const before = process.listeners('exit');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  endWithUs(child);
  const atExit = process.listeners('exit').filter((listener) => !before.includes(listener));
  assert.equal(atExit.length, 1);
  atExit[0]!(0);
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGKILL');
  assert.deepEqual(process.listeners('exit'), before);
});

test('a git that hangs, and does not end when it is asked to, is given up after its time', async (t) => {
  const repository = folder(t);
  mkdirSync(path.join(repository, '.git'));
  const hung = hungGit(repository);
  t.after(hung.remove);
  withPath(t, hung.path);
  const history = gitHistory(300);
  t.after(() => history.close());
  const placed = await history.repositoryOf(pathToFileURL(repository).href);
  assert.ok(placed);
  assert.equal(await placed.repository.commitOf('HEAD'), undefined);
  assert.equal((await placed.repository.filesOf('HEAD')).size, 0);
  assert.equal(await placed.repository.read('HEAD:a.yaml', 1000), undefined);
  const pids = await hung.ended();
  assert.equal(pids.length, 3);
});
