import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changesOf } from '../../server/src/fetch/changes.ts';
import { keep, keptText, readLock } from '../../server/src/fetch/store.ts';
import { type FetchSource, type LockRow, parseLock, printLock } from '../../server/src/workspace/sources/lock.ts';
import { crdText } from '../support/crdTexts.ts';

// What is kept of what was fetched, and what is different in it later.

function places(t: TestContext) {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kube-crd-store-')));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, 'workspace'));
  return { cache: path.join(home, 'cache'), workspace: path.join(home, 'workspace'), home };
}

const cluster: FetchSource = { from: 'cluster', context: 'a' };
const crd = (kind: string, fields = '') => ({ group: 'things.example.com', kind, text: crdText(kind, fields) });

test('a CRD is in the cache by its hash, and in a workspace by its name; each has a lock file', async (t) => {
  const at = places(t);
  await keep([crd('Box'), crd('Axe')], cluster, at);
  await keep([crd('Box', 'size: {type: integer}')], { from: 'url', url: 'https://a/b' }, at);
  const rows = await readLock(at.workspace);
  assert.deepEqual(rows, await readLock(at.cache));
  assert.deepEqual(
    rows.map(({ kind, source }) => [kind, source.from]),
    [
      ['Axe', 'cluster'],
      ['Box', 'url'],
    ],
  );
  const folder = path.join(at.workspace, '.kube-crd/things.example.com');
  assert.deepEqual(readdirSync(folder), ['axe.yaml', 'box.yaml']);
  assert.equal(readdirSync(path.join(at.cache, 'crds')).length, 3);
  for (const row of rows)
    assert.equal(await keptText(row, at), readFileSync(path.join(folder, `${row.kind.toLowerCase()}.yaml`), 'utf8'));
  // Git may change the ends of lines, but nobody anything else.
  const [axe] = rows as [LockRow];
  writeFileSync(path.join(folder, 'axe.yaml'), crdText('Axe', '').replaceAll('\n', '\r\n'));
  assert.ok((await keptText(axe, { ...at, cache: '/nowhere' }))?.includes('\r\n'));
  writeFileSync(path.join(folder, 'axe.yaml'), crdText('Axe', 'a: {type: string}'));
  assert.equal(await keptText(axe, { ...at, cache: '/nowhere' }), undefined);
  assert.equal(await keptText(axe, at), crdText('Axe', ''));
});

test('a lock file that cannot be read is not written over, but one in the cache is made anew', async (t) => {
  const at = places(t);
  const broken = '<<<<<<< HEAD\ncrds: []\n';
  writeFileSync(path.join(at.workspace, 'kube-crd.lock'), broken);
  await assert.rejects(keep([crd('Box')], cluster, at), /kube-crd\.lock: it cannot be read/);
  assert.equal(readFileSync(path.join(at.workspace, 'kube-crd.lock'), 'utf8'), broken);
  assert.ok(!existsSync(path.join(at.workspace, '.kube-crd')) && !existsSync(at.cache));
  mkdirSync(at.cache);
  writeFileSync(path.join(at.cache, 'kube-crd.lock'), broken);
  await keep([crd('Box')], cluster, { cache: at.cache });
  assert.equal((await readLock(at.cache)).length, 1);
});

test('links in a repository lead no writing out of it', { skip: process.platform === 'win32' }, async (t) => {
  for (const link of ['.kube-crd', '.kube-crd/things.example.com']) {
    const at = places(t);
    const outside = path.join(at.home, 'outside');
    mkdirSync(outside);
    mkdirSync(path.dirname(path.join(at.workspace, link)), { recursive: true });
    symlinkSync(outside, path.join(at.workspace, link));
    await assert.rejects(keep([crd('Box')], cluster, at), /is a link that leads out of/);
    assert.deepEqual(readdirSync(outside), []);
  }
  const at = places(t);
  mkdirSync(path.join(at.workspace, '.kube-crd/things.example.com'), { recursive: true });
  writeFileSync(path.join(at.home, 'profile'), 'precious');
  symlinkSync(path.join(at.home, 'profile'), path.join(at.workspace, '.kube-crd/things.example.com/box.yaml'));
  await assert.rejects(keep([crd('Box')], cluster, at), /is a link that leads out of/);
  assert.equal(readFileSync(path.join(at.home, 'profile'), 'utf8'), 'precious');
  assert.ok(!existsSync(path.join(at.workspace, 'kube-crd.lock')));
});

test('a CRD whose names would lead elsewhere is not kept', async (t) => {
  const at = places(t);
  for (const group of ['../../outside', '..', 'a.io/../..', '/etc', 'a..io', 'A.io', ''])
    await assert.rejects(keep([{ ...crd('Box'), group }], cluster, at), /is not a name of a kind/, group);
  for (const kind of ['../x', 'a/b', '..', '', 'A.b'])
    await assert.rejects(keep([{ ...crd('Box'), kind }], cluster, at), /is not a name of a kind/, kind);
  assert.deepEqual(readdirSync(at.home), ['workspace']);
  assert.deepEqual(readdirSync(at.workspace), []);
});

test('a lock file is sorted, one line a kind, and says again what it was told', () => {
  const rows: LockRow[] = [
    { group: 'b.io', kind: 'B', source: { from: 'cluster', context: 'a "quoted": {name}' }, sha256: 'b'.repeat(64) },
    {
      group: 'a.io',
      kind: 'A',
      source: { from: 'chart', chart: 'a', repository: 'https://charts.a.io', version: 'v1.2.3' },
      sha256: 'a'.repeat(64),
    },
    {
      group: 'c.io',
      kind: 'C',
      source: { from: 'catalogue', url: 'https://c' },
      sha256: 'c'.repeat(64),
      fromSchema: ['v1'],
    },
  ];
  const text = printLock(rows);
  assert.deepEqual(
    text
      .split('\n')
      .slice(2, -1)
      .map((line) => line.slice(0, 18)),
    ['  - {kind: "a.io/A', '  - {kind: "b.io/B', '  - {kind: "c.io/C'],
  );
  assert.deepEqual(parseLock(text), { rows: [rows[1], rows[0], rows[2]], faults: [] });
  assert.deepEqual(parseLock(printLock([])), { rows: [], faults: [] });
});

test('what is not a lock file, and names that would lead elsewhere, are refused', () => {
  const faultsOf = (text: string) => parseLock(text).faults;
  for (const text of ['', '[]', 'crds: 1', 'a: [', '<<<<<<< HEAD', '['.repeat(100_000)])
    assert.deepEqual(faultsOf(text), ['it cannot be read'], text.slice(0, 20));
  const row = (kind: string, sha = 'a'.repeat(64)) =>
    `crds:\n  - {kind: "${kind}", from: url, url: "https://a", sha256: "${sha}"}\n`;
  assert.deepEqual(faultsOf(row('a.io/A')), []);
  for (const kind of ['../../etc/A', 'a.io/../A', 'a.io/A/../../x', '/A', 'a/A', 'a..io/A', 'a.io/', 'a.io\\\\x/A'])
    assert.deepEqual(faultsOf(row(kind)), ['entry 1 cannot be read'], kind);
  for (const sha of ['', 'a', '../'.repeat(21), 'A'.repeat(64)])
    assert.deepEqual(faultsOf(row('a.io/A', sha)), ['entry 1 cannot be read'], sha);
  assert.deepEqual(faultsOf(row('a.io/A') + row('a.io/A').slice('crds:\n'.length)), ['a.io/A is in it twice']);
});

test('changes of a CRD are said by field', () => {
  const before = crdText(
    'Box',
    'size: {type: integer}, gone: {type: object, properties: {in: {type: string}}}, list: {type: array, items: {type: string}}',
  );
  const after = crdText(
    'Box',
    'size: {type: integer, maximum: 9}, new: {type: object, properties: {in: {type: string}}}, list: {type: array, items: {type: string, maxLength: 3}}',
  );
  assert.deepEqual(changesOf(before, after), [
    '~ v1 spec.size: maximum',
    '+ v1 spec.new',
    '~ v1 spec.list[]: maxLength',
    '- v1 spec.gone',
  ]);
  assert.deepEqual(changesOf(before, before.replace('scope: Namespaced', 'scope: Cluster')), ['~ spec: scope']);
  assert.deepEqual(changesOf(before, before.replace('served: true', 'served: false')), ['~ v1: served']);
  assert.deepEqual(changesOf(before, before.replace('name: v1', 'name: v2')), ['+ v2', '- v1']);
  assert.deepEqual(changesOf(before, `# A comment\n${before}`), ['~ the same schemas, written otherwise']);
  const many = Array.from({ length: 100 }, (_, i) => `f${i}: {type: string}`).join(', ');
  assert.deepEqual(changesOf(before, crdText('Box', many)).slice(-1), ['… and 53 more']);
});
