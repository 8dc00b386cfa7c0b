import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { contentsOf, isInside } from '../../server/src/files/folders.ts';
import { readRegular, readRegularNow } from '../../server/src/files/read.ts';

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kube-crd-files-')));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const isLinux = process.platform === 'linux';
const both = [readRegular, async (file: string, most: number) => readRegularNow(file, most)];

test('a file is read up to the limit, whatever its size', async (t) => {
  const at = path.join(folder(t), 'a');
  writeFileSync(at, 'abc');
  for (const read of both) {
    assert.deepEqual(await read(at, 3), Buffer.from('abc'));
    assert.equal(await read(at, 2), 'too-large');
    assert.equal(await read(`${at}b`, 2), undefined);
    assert.equal(await read(`${at}/b`, 2), undefined);
  }
  truncateSync(at, 20_000_000_000);
  for (const read of both) assert.equal(await read(at, 8_000_000), 'too-large');
});

test('what says that it is empty is read no further than the limit', { skip: !isLinux }, async (t) => {
  const link = path.join(folder(t), 'a.yaml');
  symlinkSync('/proc/self/pagemap', link);
  for (const read of both) {
    // Entries of eight bytes, of which only whole ones can be read.
    assert.equal(await read(link, 8 * 100_000 - 1), 'too-large');
    assert.ok(((await read('/proc/self/status', 1_000_000)) as Uint8Array).length > 100);
  }
});

test('pipes, devices and folders are not opened; what the system refuses is said of one file', {
  skip: !isLinux,
}, async (t) => {
  const home = folder(t);
  const pipe = path.join(home, 'pipe.yaml');
  execFileSync('mkfifo', [pipe]);
  for (const read of both) {
    for (const place of [pipe, '/dev/zero', home]) assert.equal(await read(place, 100), undefined, place);
    const refused = await read('/proc/self/mem', 100);
    assert.ok(refused && typeof refused === 'object' && 'why' in refused && refused.why.startsWith('EIO'));
  }
});

test('a name that is not UTF-8 is noted', { skip: !isLinux }, async (t) => {
  const home = folder(t);
  mkdirSync(Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0x66, 0xff])]));
  mkdirSync(path.join(home, 'true \ufffd'));
  const { entries, notes } = await contentsOf(home);
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['true \ufffd'],
  );
  assert.match(notes.join(), /has 1 name that is not UTF-8; what it names was not read$/);
});

test('what is inside of a folder is so with all links followed', async (t) => {
  const home = folder(t);
  const [inner, outer] = [path.join(home, 'inner'), path.join(home, 'inner2')];
  mkdirSync(inner);
  mkdirSync(outer);
  writeFileSync(path.join(inner, '..a'), '');
  symlinkSync(outer, path.join(inner, 'out'));
  symlinkSync('..a', path.join(inner, 'in'));
  const within = async (name: string) => await isInside(path.join(inner, name), inner);
  assert.deepEqual(await Promise.all(['', '..a', 'in'].map(within)), [true, true, true]);
  assert.deepEqual(await Promise.all(['out', '..', '../inner2', 'gone'].map(within)), [false, false, false, false]);
});
