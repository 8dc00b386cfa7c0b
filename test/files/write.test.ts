import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changeText } from '../../server/src/files/change.ts';
import { NotWritten, writeWhole } from '../../server/src/files/write.ts';
import { decodeText } from '../../server/src/workspace/scan.ts';

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kube-crd-files-')));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const isUnix = process.platform !== 'win32';

test('a file keeps its mode and owner, and nothing is left beside it', { skip: !isUnix }, async (t) => {
  const home = folder(t);
  const file = path.join(home, 'a/b/c.yaml');
  await writeWhole(file, 'one', home);
  chmodSync(file, 0o640);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(file, 1234, 1235);
  const before = statSync(file);
  await writeWhole(file, Buffer.from('two'), home);
  const after = statSync(file);
  assert.equal(readFileSync(file, 'utf8'), 'two');
  assert.deepEqual([after.mode, after.uid, after.gid], [before.mode, before.uid, before.gid]);
  assert.notEqual(after.ino, before.ino);
  assert.deepEqual(readdirSync(path.dirname(file)), ['c.yaml']);
});

test('a link is followed inside of the folder only, and stays a link', { skip: !isUnix }, async (t) => {
  const [home, outside] = [folder(t), folder(t)];
  const target = path.join(outside, 'a.yaml');
  writeFileSync(target, 'theirs');
  writeFileSync(path.join(home, 'own.yaml'), 'ours');
  symlinkSync(target, path.join(home, 'out.yaml'));
  symlinkSync(outside, path.join(home, 'way'));
  symlinkSync(path.join(outside, 'new'), path.join(home, 'nowhere.yaml'));
  symlinkSync('own.yaml', path.join(home, 'in.yaml'));
  for (const name of ['out.yaml', 'way/a.yaml', 'way/new/a.yaml', 'nowhere.yaml', '../x.yaml', '.', '..'])
    await assert.rejects(writeWhole(path.join(home, name), 'x', home), NotWritten, name);
  assert.equal(readFileSync(target, 'utf8'), 'theirs');
  assert.deepEqual(readdirSync(outside), ['a.yaml']);
  await writeWhole(path.join(home, 'in.yaml'), 'x', home);
  assert.equal(readFileSync(path.join(home, 'own.yaml'), 'utf8'), 'x');
  assert.ok(lstatSync(path.join(home, 'in.yaml')).isSymbolicLink());
});

test('what is not a file is not written over', async (t) => {
  const home = folder(t);
  mkdirSync(path.join(home, 'a'));
  await assert.rejects(writeWhole(path.join(home, 'a'), 'x', home), NotWritten);
  assert.deepEqual(readdirSync(home), ['a']);
});

test('a changed text has the encoding that the file had', async (t) => {
  const file = path.join(folder(t), 'a.yaml');
  const text = 'a: é😀\r\nb: 1\n';
  const all = {
    plain: Buffer.from(text),
    marked: Buffer.from(`\ufeff${text}`),
    wide: Buffer.from(`\ufeff${text}`, 'utf16le'),
    swapped: Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  };
  for (const [name, bytes] of Object.entries(all)) {
    writeFileSync(file, bytes);
    const read = decodeText(bytes);
    assert.ok(read.kind === 'text');
    await changeText(file, read.text, read.text.replace('b: 1', 'b: 2'), path.dirname(file));
    const now = decodeText(readFileSync(file));
    assert.deepEqual(now, { ...read, text: read.text.replace('b: 1', 'b: 2') }, name);
    assert.equal(readFileSync(file).length, bytes.length, name);
  }
});

test('bytes that are not text, or have changed since, are left as they are', async (t) => {
  const file = path.join(folder(t), 'a.yaml');
  const latin = Buffer.from('a: 1 # caf\u00e9\n', 'latin1');
  const unpaired = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a', 'utf16le'), Buffer.from([0x00, 0xd8])]);
  for (const bytes of [latin, unpaired]) {
    writeFileSync(file, bytes);
    const read = decodeText(bytes);
    assert.ok(read.kind === 'text');
    await assert.rejects(changeText(file, read.text, 'x', path.dirname(file)), /bytes that are not UTF-8/);
    assert.deepEqual(readFileSync(file), bytes);
  }
  writeFileSync(file, 'b: 1\n');
  await assert.rejects(changeText(file, 'a: 1\n', 'x', path.dirname(file)), /has changed since it was read/);
  assert.equal(readFileSync(file, 'utf8'), 'b: 1\n');
});
