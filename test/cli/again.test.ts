import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fleetCrd } from '../support/fleetCrd.ts';
import { box, crd, inRepeated, isRepeat, type Repeated, saidBy } from '../support/repeated.ts';

function git({ folder }: Repeated, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  const { status, stderr } = spawnSync('git', ['-C', folder, ...who, ...args], { encoding: 'utf8' });
  equal(status, 0, stderr);
}

test('a run in which nothing has changed says what the last one said', () => {
  inRepeated((here) => {
    here.write('boxes/two.yaml', box('two', 'large'));
    for (const args of [[], ['--format', 'json'], ['--rules', 'cr/type=off']]) {
      const first = here.check(...args);
      const second = here.check(...args);
      equal(isRepeat(first), false);
      equal(isRepeat(second), true, second.stderr);
      equal(saidBy(second), saidBy(first));
    }
    equal(here.check().status, 1);
    match(here.check('--color', 'always').stdout, /\u001b\[/);
  });
});

test('what is kept of a large CRD changes nothing of what is said, nor whether it is said again', () => {
  inRepeated((here) => {
    git(here, 'init', '--quiet');
    here.write('fleets.yaml', fleetCrd(60_000));
    const fleet = 'apiVersion: example.com/v1alpha1\nkind: Fleet\nmetadata: {name: a}\nspec: {generator0: {oops: 1}}\n';
    here.write('fleet.yaml', fleet);
    const first = here.check('fleet.yaml');
    match(first.stdout, /unknown field "spec\.generator0\.oops"/);
    equal(readdirSync(path.join(here.cache, 'values')).length, 1);
    equal(isRepeat(here.check('fleet.yaml')), true);
    const judged = here.check('fleet.yaml', '--no-cache');
    equal(isRepeat(judged), false);
    equal(saidBy(judged), saidBy(first));
  });
});

test('what is written to a file is written again', () => {
  inRepeated((here) => {
    const file = path.join(here.folder, '../findings.json');
    const args = ['--format', 'json', '--output-file', file];
    here.check(...args);
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    const second = here.check(...args);
    equal(isRepeat(second), true);
    equal(readFileSync(file, 'utf8'), text);
  });
});

/** What may change between two runs, each with what it changes of the verdict. */
const changes: Readonly<Record<string, (here: Repeated) => void>> = {
  'a value': (here) => here.write('boxes/one.yaml', box('one', 'wide')),
  'a value of the same length, with the time of before': (here) => {
    const file = path.join(here.folder, 'boxes/one.yaml');
    const { atime, mtime } = statSync(file);
    here.write('boxes/one.yaml', box('one', 'a'));
    utimesSync(file, atime, mtime);
  },
  'the CRD': (here) => here.write('crd.yaml', crd('string')),
  'a new file': (here) => here.write('boxes/new.yaml', box('new', 'wide')),
  'a new folder': (here) => here.write('more/new.yaml', box('new', 'wide')),
  'a file that is gone': ({ folder }) => rmSync(path.join(folder, 'crd.yaml')),
  'a file in the place of another': (here) => {
    here.write('other', box('one', 'wide'));
    renameSync(path.join(here.folder, 'other'), path.join(here.folder, 'boxes/one.yaml'));
  },
  'a link in the place of a file': (here) => {
    here.write('other', box('one', 'wide'));
    rmSync(path.join(here.folder, 'boxes/one.yaml'));
    symlinkSync('../other', path.join(here.folder, 'boxes/one.yaml'));
  },
  settings: (here) => here.write('.kube-crd.yaml', 'rules: {cr/unknown-kind: error}\nexclude: ["crd.yaml"]\n'),
  'what git ignores': (here) => here.write('.gitignore', 'untracked\n'),
  'what git has': (here) => {
    here.write('crd.yaml', crd('string'));
    git(here, 'commit', '--quiet', '--all', '--message', 'change');
    here.write('crd.yaml', crd('integer'));
  },
};

for (const [name, change] of Object.entries(changes)) {
  test(`judges anew after a change: ${name}`, () => {
    inRepeated((here) => {
      git(here, 'init', '--quiet');
      git(here, 'add', '--all');
      git(here, 'commit', '--quiet', '--message', 'first');
      here.write('untracked/bad.yaml', box('bad', 'wide'));
      const args = ['--severity', 'hint', '--baseline', 'HEAD'];
      const first = here.check(...args);
      equal(isRepeat(here.check(...args)), true);
      change(here);
      const second = here.check(...args);
      equal(isRepeat(second), false);
      equal(saidBy(second), saidBy(here.check(...args, '--no-cache')));
      equal(saidBy(second) === saidBy(first), false);
    });
  });
}

test('settings in a folder around are a change', () => {
  inRepeated((here) => {
    here.check();
    here.write('../.kube-crd.yaml', 'exclude: ["**/crd.yaml"]\n');
    equal(isRepeat(here.check()), false);
  });
});

test('what decides nothing is no change', () => {
  inRepeated((here) => {
    here.write('README.md', 'one');
    here.check();
    here.write('README.md', 'two');
    const now = Date.now() / 1000;
    utimesSync(path.join(here.folder, 'crd.yaml'), now, now);
    here.write('../beside.txt', 'not in the folder');
    equal(isRepeat(here.check()), true);
  });
});

test('what could not be looked at is looked at again', () => {
  inRepeated((here) => {
    equal(here.check('--baseline', 'no-such-ref', 'crd.yaml').status, 2);
    equal(isRepeat(here.check('--baseline', 'no-such-ref', 'crd.yaml')), false);
  });
});

test('what others wrote into the cache, or cut off, is not taken', () => {
  inRepeated((here) => {
    here.write('boxes/one.yaml', box('one', 'wide'));
    const said = saidBy(here.check());
    const runs = path.join(here.cache, 'runs');
    const [name = ''] = readdirSync(runs);
    const file = path.join(runs, name);
    // Its seal is of bytes.
    const text = readFileSync(file, 'latin1');
    equal(statSync(file).mode & 0o077, 0);
    const bad = [text.slice(0, -20), text.replace('"exitCode":1', '"exitCode":0'), '', '{}', `${text}\n`];
    for (const other of bad) {
      writeFileSync(file, other, 'latin1');
      const again = here.check();
      deepEqual([isRepeat(again), saidBy(again)], [false, said]);
    }
    // Where others may write as well.
    writeFileSync(file, text, 'latin1');
    equal(isRepeat(here.check()), true);
    chmodSync(runs, 0o777);
    equal(isRepeat(here.check()), false);
    rmSync(runs, { recursive: true });
    mkdirSync(path.join(runs, name), { recursive: true });
    deepEqual([saidBy(here.check()), saidBy(here.check())], [said, said]);
  });
});
