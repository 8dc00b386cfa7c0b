import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownKinds } from '../../server/src/features/navigate/knownKinds.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { definitionsFor } from '../../server/src/workspace/definitions.ts';
import {
  emptySnapshot,
  type Snapshot,
  withDisk,
  withOpen,
  withoutOpen,
  withWholeDisk,
} from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { type Random, seeded } from '../support/random.ts';

// What is known of kinds is a function of the files as they are, however they came to be so.

const uris = ['a', 'b', 'c/a', 'c/b', 'testdata/a', 'z'].map((name) => `file:///w/${name}.yaml`);
const crd = (group: string, size: string) =>
  boxCrd(`{type: object, properties: {spec: {type: object, properties: {size: {type: ${size}}}}}}`).replaceAll(
    'example.com',
    group,
  );
const resource = (group: string) =>
  `apiVersion: ${group}/v1\nkind: Box\nmetadata: {name: a, namespace: b}\nspec: {size: 1}\n`;
const groups = ['example.com', 'b.example.com', 'c.example.org'];

function someText(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    const group = random.pick(groups);
    if (random.chance(0.3)) return resource(group);
    const whole = crd(group, random.pick(['string', 'integer']));
    return random.chance(0.2) ? whole.slice(0, random.below(whole.length)) : whole;
  });
  return parts.join('---\n');
}

interface Files {
  readonly open: Map<string, string>;
  readonly disk: Map<string, string>;
}

/** One random change of the files, in the snapshot and beside it. */
function changed(snapshot: Snapshot, { open, disk }: Files, random: Random): Snapshot {
  const uri = random.pick(uris);
  const text = someText(random);
  if (random.chance(0.25)) {
    open.delete(uri);
    return withoutOpen(snapshot, uri);
  }
  if (random.chance(0.5)) {
    open.set(uri, text);
    return withOpen(snapshot, sourceFile(uri, text, { previous: snapshot.open.get(uri) }));
  }
  const file = sourceFile(uri, text);
  if (file.definesKinds && random.chance(0.8)) disk.set(uri, text);
  else disk.delete(uri);
  return withDisk(snapshot, uri, disk.has(uri) ? file : undefined);
}

/** The same files, read and opened as they are. */
function fresh({ open, disk }: Files, random: Random): Snapshot {
  const shuffled = <T>(all: Iterable<T>) =>
    [...all]
      .map((one) => ({ one, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  let snapshot = withWholeDisk(
    emptySnapshot,
    shuffled(disk).map(([uri, text]) => sourceFile(uri, text)),
  );
  for (const [uri, text] of shuffled(open)) snapshot = withOpen(snapshot, sourceFile(uri, text));
  return snapshot;
}

function said(snapshot: Snapshot) {
  const place = (one: { readonly file: { readonly uri: string }; readonly group: string; readonly kind: string }) =>
    `${one.file.uri} ${one.group}/${one.kind}`;
  return {
    definitions: [...snapshot.definitions].map(([key, all]) => [key, all.map(place)]),
    kinds: knownKinds(snapshot),
    open: [...snapshot.open.keys()],
    nearest: uris.flatMap((uri) =>
      groups.map((group) =>
        definitionsFor(snapshot.definitions, { apiVersion: `${group}/v1`, kind: 'Box' }, uri).map(place),
      ),
    ),
    diagnostics: [...snapshot.open.keys()].map((uri) => diagnose(snapshot, uri)),
  };
}

test('after random edits in any order everything is known as if the files had been opened as they are', () => {
  const random = seeded(13);
  for (let round = 0; round < 60; round++) {
    const files: Files = { open: new Map(), disk: new Map() };
    let snapshot = emptySnapshot;
    for (let edits = 1 + random.below(25); edits > 0; edits--) snapshot = changed(snapshot, files, random);
    assert.deepEqual(said(snapshot), said(fresh(files, random)), `round ${round}`);
  }
});
