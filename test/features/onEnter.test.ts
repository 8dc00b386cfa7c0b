import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complete } from '../../server/src/features/complete/complete.ts';
import { onEnter } from '../../server/src/features/complete/onEnter.ts';
import { applyEdits, sharedFile, snapshotOf } from '../support/workspace.ts';

const uri = 'file:///a.yaml';
const head = 'apiVersion: example.com/v1\r\nkind: Widget\r\n';
const files = (text: string) => [
  { uri: 'file:///crd.yaml', text: sharedFile('widgets') },
  { uri, text },
];

test('Enter in a file with CRLF', () => {
  const text = `${head}spec:\r\n\r\nmetadata: {name: a}\r\n`;
  const offset = text.indexOf('spec:') + 7;
  const edits = onEnter(snapshotOf(files(text)), uri, offset);
  assert.equal(applyEdits(text, edits), text.replace('spec:\r\n', 'spec:\r\n  '));
});

test('a key in the column of its parent, in a file with CRLF', () => {
  const text = `${head}spec:\r\nsi`;
  const item = complete(snapshotOf(files(text)), uri, text.length).find(({ label }) => label === 'size');
  assert.equal(item?.text, '  size: ${1}');
});

test('Enter once more leaves what stands above', () => {
  const text = 'apiVersion: example.com/v1\nkind: Widget\nspec:\n\n\n';
  assert.deepEqual(onEnter(snapshotOf(files(text)), uri, text.length), []);
});

test('Enter in a file of no kind', () => {
  const text = 'jobs:\n';
  assert.deepEqual(onEnter(snapshotOf(files(text)), uri, text.length), []);
});

/** What files of ours, which hold no object, are after Enter where `|` is. */
const ownFiles: readonly (readonly [name: string, text: string, entered: string])[] = [
  ['a.crdtest.yaml', 'crd: crd.yaml\ncases:\n|', 'crd: crd.yaml\ncases:\n  '],
  ['a.crdtest.yaml', 'crd: crd.yaml\nbases:\n|', 'crd: crd.yaml\nbases:\n  '],
  ['a.crdtest.yaml', 'cases:\n  - name: a\n  |', 'cases:\n  - name: a\n    '],
  ['a.crdtest.yaml', 'cases:\n  - name: a\n    create:\n    |', 'cases:\n  - name: a\n    create:\n      '],
  ['a.crdtest.yaml', 'crd: crd.yaml\n|', 'crd: crd.yaml\n'],
  ['.kube-crd.yaml', 'overrides:\n|', 'overrides:\n  '],
  ['.kube-crd.yaml', 'overrides:\n  - files: [a]\n  |', 'overrides:\n  - files: [a]\n    '],
];

for (const [name, marked, entered] of ownFiles) {
  test(`Enter in ${name}: ${marked.trim().split('\n').at(-2)}`, () => {
    const uri = `file:///${name}`;
    const text = marked.replace('|', '');
    const crd = { uri: 'file:///crd.yaml', text: sharedFile('widgets') };
    const edits = onEnter(snapshotOf([crd, { uri, text }]), uri, marked.indexOf('|'));
    assert.equal(applyEdits(text, edits), entered);
  });
}
