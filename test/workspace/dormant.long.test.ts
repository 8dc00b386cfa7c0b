import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { emptyListing, type Files } from '../../server/src/workspace/files.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import { loadWorkspace } from '../../server/src/workspace/loader.ts';
import { emptySnapshot, withDisk, withOpen } from '../../server/src/workspace/snapshot.ts';
import { type SourceOptions, sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { rangeOf } from '../../server/src/yaml/place.ts';
import { documentVerdict, holdValues, toJson, valueOf } from '../../server/src/yaml/value.ts';
import { sharedFile } from '../support/workspace.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What nothing but a weak reference holds is gone after this. */
async function forget(): Promise<void> {
  await setTimeout(0);
  collect();
}

const widgets = sharedFile('widgets');
const misspelled = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 1, sise: 3}\n';
const crd = (options: SourceOptions) => sourceFile('file:///crd.yaml', `# first\n---\n${widgets}`, options);
const rootsOf = ({ stream }: ReturnType<typeof crd>) => stream.documents.map(({ document }) => document.root);

test('the tree of a file that is there to define kinds is given back, and made anew as it was', async () => {
  const [file, awake] = [crd({ dormant: true }), crd({})];
  const trees = rootsOf(file).map((root) => root && new WeakRef(root));
  assert.ok(trees.at(-1));
  await forget();
  assert.deepEqual(
    trees.map((tree) => tree?.deref()),
    trees.map(() => undefined),
  );
  assert.deepEqual(rootsOf(file), rootsOf(awake));
  for (const [i, { document }] of file.stream.documents.entries()) {
    const expected = awake.stream.documents[i]!.document;
    await forget();
    assert.equal(document.text, expected.text);
    assert.deepEqual(valueOf(document), valueOf(expected));
    await forget();
    assert.equal(toJson(document), toJson(expected));
    assert.deepEqual(documentVerdict(document), documentVerdict(expected));
    await forget();
    assert.deepEqual(rangeOf(document, ['spec', 'names'], 'value'), rangeOf(expected, ['spec', 'names'], 'value'));
  }
  assert.deepEqual(
    file.manifests.map(({ value, kind }) => ({ value, kind })),
    awake.manifests.map(({ value, kind }) => ({ value, kind })),
  );
});

test('resources are judged by a file whose tree was given back as by one that kept it', async () => {
  const open = sourceFile('file:///a.yaml', misspelled);
  const over = (options: SourceOptions) => withOpen(withDisk(emptySnapshot, 'file:///crd.yaml', crd(options)), open);
  const expected = diagnose(over({}), open.uri);
  const snapshot = over({ dormant: true });
  await forget();
  assert.deepEqual(diagnose(snapshot, open.uri), expected);
  assert.ok(expected.length > 0);
});

test('a program that ends soon may hold more values', async () => {
  const isHeld = async (characters: number) => {
    holdValues(characters);
    const padded = `# ${'x'.repeat(1_000_000)}\n${widgets}`;
    const files = Array.from({ length: 12 }, (_, i) => sourceFile(`file:///${i}.yaml`, padded, { dormant: true }));
    const looked = files.map(({ manifests }) => new WeakRef(manifests[0]!.value));
    await forget();
    const first = looked[0]!.deref() !== undefined;
    assert.equal(files[0]!.manifests[0]!.kind, 'CustomResourceDefinition');
    return first;
  };
  assert.equal(await isHeld(20_000_000), true);
  assert.equal(await isHeld(4_000_000), false);
});

test('a file with an alias, a key set twice or a syntax error keeps its tree', async () => {
  for (const text of ['a: &a [1]\nb: *a\n', 'a: 1\na: 2\n', 'a: [1\n']) {
    const file = sourceFile('file:///a.yaml', text, { dormant: true });
    const tree = new WeakRef(file.stream.documents[0]!.document.root!);
    await forget();
    assert.ok(tree.deref(), text);
    assert.deepEqual(documentVerdict(file.stream.documents[0]!.document).strict.length, text.includes('a: 2') ? 1 : 0);
  }
});

test('of the CRDs of a workspace the texts are kept, and the values of those looked at last', async () => {
  const properties = Array.from({ length: 8_000 }, (_, i) => `p${i}: {type: string, description: about p${i}}`);
  const size = '                size:\n';
  const text = widgets.replace(
    size,
    `                extra: {type: object, properties: {${properties.join(', ')}}}\n${size}`,
  );
  assert.ok(text.length > 300_000);
  const count = 60;
  const uris = Array.from({ length: count }, (_, i) => `mem:/${i}.yaml`);
  const files: Files = {
    list: async () => ({ ...emptyListing, uris }),
    read: async () => new TextEncoder().encode(text),
    expand: async () => emptyListing,
    isInside: async () => true,
    startOf: (pattern) => pattern,
    entries: async () => [],
  };
  const options = { limits: defaultLimits, cancelled: () => false };
  await forget();
  const before = process.memoryUsage().heapUsed;
  const loaded = await loadWorkspace(files, { own: [await files.list('mem:/', 100)], named: [] }, options);
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  assert.equal(loaded.files.length, count);
  assert.ok(loaded.files[0]!.definesKinds);
  assert.ok(kept < 4 * count * text.length, `${kept} bytes for ${count * text.length}`);
});
