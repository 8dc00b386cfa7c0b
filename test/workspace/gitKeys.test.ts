import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gitHistory } from '../../server/src/git/history.ts';
import { ignoredByGit } from '../../server/src/git/ignored.ts';

// A repository's configuration can name programs. Whoever made the folder made the configuration.

/** Keys of git's whose value is a command, a program or a place of programs, as `git help --config` lists them. */
const programKeys = [
  ...['core.fsmonitor', 'core.alternateRefsCommand', 'core.askPass', 'core.editor', 'core.gitProxy', 'core.pager'],
  ...['core.sshCommand', 'credential.helper', 'diff.external', 'gpg.program', 'gpg.ssh.program', 'sequence.editor'],
  ...['gpg.ssh.defaultKeyCommand', 'interactive.diffFilter', 'uploadpack.packObjectsHook', 'web.browser', 'man.viewer'],
  ...[
    'remote.origin.uploadpack',
    'remote.origin.receivepack',
    'remote.origin.vcs',
    'trailer.a.cmd',
    'trailer.a.command',
  ],
  ...['diff.a.command', 'diff.a.textconv', 'filter.a.clean', 'filter.a.smudge', 'filter.a.process', 'merge.a.driver'],
  ...[
    'pager.rev-parse',
    'pager.ls-tree',
    'pager.cat-file',
    'pager.rev-list',
    'pager.check-ignore',
    'pager.for-each-ref',
  ],
  ...[
    'alias.rev-parse',
    'alias.ls-tree',
    'alias.cat-file',
    'alias.rev-list',
    'alias.check-ignore',
    'sendemail.smtpserver',
  ],
  ...['browser.a.cmd', 'difftool.a.cmd', 'mergetool.a.cmd', 'guitool.a.cmd', 'man.a.cmd', 'tar.tar.gz.command'],
];

const hooks = ['post-index-change', 'reference-transaction', 'post-checkout', 'fsmonitor-watchman', 'query-watchman'];

/** A program that leaves a file behind when it is run, whatever it is run with. */
function trap(home: string): { readonly program: string; readonly ran: () => string[] } {
  const left = path.join(home, 'left');
  mkdirSync(left);
  const program = path.join(home, 'trap');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" > "${left}/$$"\nexit 1\n`);
  chmodSync(program, 0o755);
  return { program, ran: () => readdirSync(left) };
}

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  return execFileSync('git', ['-C', folder, ...identity, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function repository(folder: string): void {
  mkdirSync(folder);
  git(folder, 'init', '-q');
  writeFileSync(path.join(folder, 'a.yaml'), 'a: 1\n');
  writeFileSync(path.join(folder, '.gitattributes'), '* filter=a diff=a merge=a\n');
  writeFileSync(path.join(folder, '.gitignore'), 'ignored.yaml\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'one');
}

function configure(gitFolder: string, program: string): void {
  const config = path.join(gitFolder, 'config');
  for (const key of programKeys) {
    const value = key.startsWith('alias.') ? `!${program}` : program;
    execFileSync('git', ['config', '--file', config, key, value]);
  }
  // Nothing of a promised object is here: git would fetch it.
  const rows = [
    ['core.repositoryformatversion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', `ext::${program}`],
    ['protocol.ext.allow', 'always'],
    ['protocol.file.allow', 'always'],
    ['core.hooksPath', path.join(gitFolder, 'own-hooks')],
    ['log.showSignature', 'true'],
  ];
  for (const [key, value] of rows) execFileSync('git', ['config', '--file', config, key!, value!]);
  for (const folder of ['hooks', 'own-hooks']) {
    mkdirSync(path.join(gitFolder, folder), { recursive: true });
    for (const hook of hooks) {
      writeFileSync(path.join(gitFolder, folder, hook), `#!/bin/sh\nexec "${program}"\n`);
      chmodSync(path.join(gitFolder, folder, hook), 0o755);
    }
  }
}

/** Everything that we ask of git. */
async function askAll(folder: string): Promise<void> {
  ignoredByGit(folder, [path.join(folder, 'a.yaml'), path.join(folder, 'ignored.yaml')]);
  const history = gitHistory(5_000);
  try {
    const placed = await history.repositoryOf(pathToFileURL(folder).href);
    if (!placed) return;
    const { repository: one } = placed;
    const commit = (await one.commitOf('HEAD')) ?? 'HEAD';
    await one.mergeBaseWith('HEAD');
    await one.refNames();
    await one.filesOf(commit);
    await one.commitsThatChanged('a.yaml', commit, 5);
    for (const name of ['HEAD:a.yaml', '0123456789012345678901234567890123456789']) await one.read(name, 1000);
  } finally {
    history.close();
  }
}

function home(t: TestContext): string {
  const made = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kube-crd-git-')));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const options = { skip: process.platform === 'win32' };

test('git as anybody runs it would run the trap', options, (t) => {
  const folder = home(t);
  const { program, ran } = trap(folder);
  const clone = path.join(folder, 'clone');
  repository(clone);
  configure(path.join(clone, '.git'), program);
  spawnSync('git', ['-C', clone, 'status'], { stdio: 'ignore' });
  assert.notDeepEqual(ran(), []);
});

test('no key of a configuration makes git run a program', options, async (t) => {
  const folder = home(t);
  const { program, ran } = trap(folder);
  const clone = path.join(folder, 'clone');
  repository(clone);
  configure(path.join(clone, '.git'), program);
  await askAll(clone);
  assert.deepEqual(ran(), []);
});

test('an object that only a remote has is not fetched', options, async (t) => {
  const folder = home(t);
  const { program, ran } = trap(folder);
  const clone = path.join(folder, 'clone');
  repository(clone);
  const blob = git(clone, 'rev-parse', 'HEAD:a.yaml').trim();
  rmSync(path.join(clone, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  for (const url of [`ext::${program}`, folder, 'ssh://localhost/x']) {
    configure(path.join(clone, '.git'), program);
    git(clone, 'config', 'remote.origin.url', url);
    await askAll(clone);
    assert.deepEqual(ran(), [], url);
  }
});

test('a bare repository inside of a clone is not taken for the one around it', options, async (t) => {
  const folder = home(t);
  const { program, ran } = trap(folder);
  const clone = path.join(folder, 'clone');
  repository(clone);
  const inner = path.join(clone, 'charts');
  repository(path.join(folder, 'other'));
  renameSync(path.join(folder, 'other/.git'), inner);
  git(inner, 'config', 'core.bare', 'false');
  git(inner, 'config', 'core.worktree', clone);
  configure(inner, program);
  await askAll(inner);
  assert.deepEqual(ran(), []);
  assert.ok(existsSync(path.join(inner, 'HEAD')));
});

test('files that git ignores are told, and a git that hangs is not waited for', options, async (t) => {
  const clone = path.join(home(t), 'clone');
  repository(clone);
  const files = ['a.yaml', 'ignored.yaml'].map((name) => path.join(clone, name));
  assert.deepEqual([...(ignoredByGit(clone, files) ?? [])], [files[1]]);
  rmSync(path.join(clone, '.gitignore'));
  execFileSync('mkfifo', [path.join(clone, '.gitignore')]);
  assert.equal(ignoredByGit(clone, files, 300), undefined);
});
