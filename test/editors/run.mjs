// npm test: other editors with the files of editors/, as users copy them: Neovim and Emacs, without a screen. An editor that
// cannot be had is said and counts as skipped; on Linux with CI=true that is a failure.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from '../../scripts/build.mjs';
import { installedProgram } from '../../scripts/editor.mjs';
import { root } from '../../scripts/setup.mjs';
import { attempt, counts, report } from '../support/attempts.mjs';
import { hosts, startHost, until } from './hosts.mjs';

/** What is tried in every editor, one after the other in the same session. */
const checks = {
  async 'problems are shown'({ ask, open }) {
    await open('database-mistakes.yaml');
    const shown = await until('an unknown field is reported', () => problemsWith(ask, 'unknown field "spec.replica"'));
    assert.ok(
      shown.some((message) => message.includes('unknown field "spec.storage.clas"')),
      shown.join('\n'),
    );
  },
  async 'a fix is applied, and its problem goes'({ ask }) {
    await ask('cursor', 9, 4);
    await ask('apply', 'Rename to `replicas`');
    await until('the field is renamed', async () => (await ask('text')).includes('\n  replicas: 2\n'));
    await until('the problem is gone', async () => {
      const shown = await ask('problems');
      return shown.length > 0 && !shown.some((message) => message.includes('spec.replica"'));
    });
  },
  async 'hover explains a field'({ ask }) {
    await ask('cursor', 9, 4);
    await ask('hover');
    await until('the card is there', async () => (await ask('card')).includes('How many copies of the database run.'));
    await ask('leave');
  },
  async 'completion offers the fields that are missing'({ ask }) {
    await ask('cursor', 9, 4);
    await ask('complete');
    const offered = await until('there are suggestions', async () => {
      const words = await ask('offered');
      return words.length > 0 && words;
    });
    await ask('leave');
    assert.ok(
      offered.some((word) => word.startsWith('maxReplicas')),
      offered.join('\n'),
    );
    assert.ok(!offered.some((word) => word.startsWith('replicas')), offered.join('\n'));
  },
  async 'rules show what they cost, as the settings ask'({ ask, open }) {
    await open('crds/databases.yaml');
    await ask('show_hints');
    const hints = await until('there are hints', async () => {
      const shown = await ask('hints');
      return shown.length > 0 && shown;
    });
    assert.match(hints.join('\n'), /%/);
  },
  async 'a field is renamed in the CRD and in resources'({ ask, open }) {
    await open('crds/databases.yaml');
    const line = (await ask('text')).split('\n').findIndex((text) => /^ +replicas:$/.test(text));
    await ask('cursor', line + 1, 18);
    await ask('rename', 'copies');
    const renamed = /specReplicasPath: \.spec\.copies\n.*rule: self\.copies <= self\.maxReplicas\n/s;
    await until('the CRD is changed', async () => renamed.test(await ask('text')));
    await open('database.yaml');
    await until('the resource is changed', async () => /\n {2}copies: 2\n/.test(await ask('text')));
  },
  async 'what changes in a CRD changes the problems of its resources'({ ask, open }) {
    await open('crds/databases.yaml');
    await ask('replace', 'class:', 'clas:');
    await open('database-mistakes.yaml');
    await until('the field is known', async () => {
      const shown = await ask('problems');
      return !shown.some((message) => message.includes('spec.storage.clas'));
    });
  },
};

/** What is tried where Go files are ours as well. */
const inGo = {
  async 'Go types are judged as the CRD that they become'({ ask, open }) {
    await open('queue-operator/api/v1/queue_types.go');
    await until('the cost of a rule is reported', () => problemsWith(ask, 'estimated rule cost exceeds budget'));
  },
};

const checksOf = ({ opensGo }) => Object.entries({ ...checks, ...(opensGo ? inGo : {}) });

async function problemsWith(ask, part) {
  const shown = await ask('problems');
  return shown.some((message) => message.includes(part)) && shown;
}

if (!process.env.COUNTS_FILE) await build();
for (const host of hosts) await tryHost(host);
report('other editors');
const mustBeThere = process.env.CI === 'true' && process.platform === 'linux';
process.exit(counts.failed > 0 || (mustBeThere && counts.skipped > 0) ? 1 : 0);

async function tryHost(host) {
  const found = host.find();
  if (typeof found === 'string') {
    console.log(`\nNO ${host.name.toUpperCase()}: ${found}. What editors/ has for it was NOT tried.`);
    counts.skipped += checksOf(host).length;
    return;
  }
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kube-crd-host-')));
  const folder = path.join(home, 'examples');
  cpSync(path.join(root, 'examples'), folder, { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  const editor = await startHost(host, found, { folder, home, bin: installedProgram(path.join(home, 'bin')) });
  const open = (file) => editor.ask('open', path.join(folder, file));
  try {
    for (const [name, check] of checksOf(host))
      await attempt(`${host.name}: ${name}`, () => check({ ask: editor.ask, open }));
  } finally {
    await editor.end();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
