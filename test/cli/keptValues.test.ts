import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { isMap, valueAt } from '../../server/src/base/value.ts';
import { ValuesIn } from '../../server/src/cli/keptValues.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { emptySnapshot, withDisk, withOpen } from '../../server/src/workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { rangeOf } from '../../server/src/yaml/place.ts';
import { documentVerdict, toJson, valueOf } from '../../server/src/yaml/value.ts';
import { callsOf } from '../support/calls.ts';
import { fleetCrd } from '../support/fleetCrd.ts';
import { seeded } from '../support/random.ts';

// Values of large texts, kept from one run to the next.

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-values-'));
after(() => rmSync(home, { recursive: true, force: true }));

const program = 'this one';
const uri = 'file:///fleets.yaml';
const fleets = (mark: string) => `# ${mark} 👋\r\n---\n${fleetCrd(60_000)}`;

/** The file as a run reads it that comes after another one which kept its values, and where they were kept. */
async function readTwice(
  name: string,
  text: string,
): Promise<{ first: SourceFile; again: SourceFile; folder: string }> {
  const folder = path.join(home, name);
  const first = await readAndKept(folder, text);
  return { first, again: readIn(folder, text).file, folder };
}

const readIn = (folder: string, text: string) => {
  const kept = new ValuesIn(folder, program);
  const found = kept.find(text) !== undefined;
  return { found, file: sourceFile(uri, text, { dormant: true, kept }) };
};

async function readAndKept(folder: string, text: string): Promise<SourceFile> {
  const values = new ValuesIn(folder, program);
  const waits: Promise<void>[] = [];
  const kept = {
    find: (of: string) => values.find(of),
    keep: (of: string, documents: Parameters<ValuesIn['keep']>[1]) => {
      const wait = values.keep(of, documents);
      waits.push(wait);
      return wait;
    },
  };
  const file = sourceFile(uri, text, { dormant: true, kept });
  await Promise.all(waits);
  return file;
}

const only = (folder: string) => {
  const [name, ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  return path.join(folder, name!);
};

test('what is equal in a text is kept once, and read as one object', async () => {
  const part = `{ list: [a, b], map: { long: ${'x'.repeat(30_000)} } }`;
  const crd = `${fleetCrd(60_000)}parts:\n  a: ${part}\n  b: ${part}\n`;
  const { again, folder } = await readTwice('once', crd);
  assert.ok(readFileSync(only(folder)).length < crd.length);
  const parts = valueAt(valueOf(again.stream.documents[0]!.document), ['parts']);
  const [a, b] = isMap(parts) ? parts.values() : [];
  assert.ok(isMap(a));
  assert.equal(a, b);
});

test('a file of which the values were kept is as one that was read anew', async () => {
  const { first, again } = await readTwice('same', fleets('same'));
  assert.equal(again.stream.documents.length, 2);
  for (const [i, { document, start }] of again.stream.documents.entries()) {
    const expected = first.stream.documents[i]!;
    assert.equal(start, expected.start);
    assert.equal(document.text, expected.document.text);
    assert.deepEqual(document.comments, expected.document.comments);
    assert.equal(document.rootStart, expected.document.rootStart);
    assert.deepEqual(valueOf(document), valueOf(expected.document));
    assert.deepEqual(documentVerdict(document), documentVerdict(expected.document));
    assert.equal(toJson(document), toJson(expected.document));
    assert.deepEqual(document.root, expected.document.root);
    const path = ['spec', 'names'];
    assert.deepEqual(rangeOf(document, path, 'value'), rangeOf(expected.document, path, 'value'));
  }
  assert.deepEqual(
    again.manifests.map(({ role, kind, value }) => ({ role, kind, value })),
    first.manifests.map(({ role, kind, value }) => ({ role, kind, value })),
  );
});

test('resources are judged by it alike, with the same places in the CRD', async () => {
  const { first, again } = await readTwice('judged', fleets('judged'));
  const text = 'apiVersion: example.com/v1alpha1\nkind: Fleet\nmetadata: {name: a}\nspec: {generator0: {oops: 1}}\n';
  const open = sourceFile('file:///a.yaml', text);
  const [expected, found] = [first, again].map((crd) =>
    diagnose(withOpen(withDisk(emptySnapshot, uri, crd), open), open.uri),
  );
  assert.ok(expected!.length > 0);
  assert.deepEqual(found, expected);
});

test('its text is not parsed', async () => {
  const folder = path.join(home, 'unparsed');
  const text = fleets('unparsed');
  await readAndKept(folder, text);
  const parsed = async (run: () => unknown) => (await callsOf(run))('parseAnew');
  assert.equal(await parsed(() => sourceFile(uri, `${text}# more\n`, { dormant: true })), 2);
  assert.equal(await parsed(() => readIn(folder, text)), 0);
});

test('another text is read anew, and so is one of which more is to be said than its value', async () => {
  const text = fleets('other');
  const { folder } = await readTwice('other', text);
  assert.equal(readIn(folder, text).found, true);
  assert.equal(readIn(folder, text.replace('👋', '👌')).found, false);
  assert.equal(new ValuesIn(folder, 'a later one').find(text), undefined);
  for (const [name, broken] of Object.entries({
    twice: `${text}status: {}\nstatus: {}\n`,
    alias: `${text}status: &a {}\nmore: *a\n`,
    syntax: `${text}status: [\n`,
    separator: `${text}--- a\nb: 1\n`,
    small: 'a: 1\n',
    secret: `apiVersion: v1\nkind: Secret\nstringData: {a: ${'x'.repeat(60_000)}}\n`,
  })) {
    const place = path.join(home, name);
    await readAndKept(place, broken);
    assert.equal(readIn(place, broken).found, false, name);
  }
});

test('of what was changed, cut off or is of another text nothing is taken', async () => {
  const text = fleets('harmed');
  const { first, folder } = await readTwice('harmed', text);
  const file = only(folder);
  const whole = readFileSync(file);
  const random = seeded(4);
  const attack = (bytes: Uint8Array) => {
    writeFileSync(file, bytes);
    const { found, file: read } = readIn(folder, text);
    assert.equal(found, false);
    assert.deepEqual(read.manifests[0]!.value, first.manifests[0]!.value);
  };
  for (let i = 0; i < 12; i++) {
    const changed = Uint8Array.from(whole);
    const at = random.below(whole.length);
    changed[at] = changed[at]! ^ (1 + random.below(255));
    attack(changed);
    attack(whole.subarray(0, random.below(whole.length)));
  }
  const { folder: others } = await readTwice('others', fleets('others'));
  attack(readFileSync(only(others)));
  attack(new Uint8Array());
  writeFileSync(file, whole);
  assert.equal(readIn(folder, text).found, true);
});

test('nothing is taken from, or written to, what others may write to or a link leads to', async () => {
  const text = fleets('shared');
  const { folder } = await readTwice('shared', text);
  chmodSync(folder, 0o777);
  assert.equal(readIn(folder, text).found, false);
  const before = readFileSync(only(folder));
  await readAndKept(folder, fleets('shared too'));
  assert.deepEqual(readFileSync(only(folder)), before);
  chmodSync(folder, 0o755);
  const link = path.join(home, 'link');
  symlinkSync(folder, link);
  assert.equal(readIn(link, text).found, false);
});

test('what was kept a moment ago is not written over, what was kept long ago is', async () => {
  const folder = path.join(home, 'places');
  const text = fleets('places');
  await readAndKept(folder, text);
  const file = only(folder);
  const foreign = Buffer.from('of another text that has this place');
  writeFileSync(file, foreign);
  await readAndKept(folder, text);
  assert.deepEqual(readFileSync(file), foreign);
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 3600;
  utimesSync(file, twoDaysAgo, twoDaysAgo);
  await readAndKept(folder, text);
  assert.equal(readIn(folder, text).found, true);
});
