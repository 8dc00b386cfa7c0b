import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/diagnose.ts';
import { silencingFor } from '../../server/src/features/fixes.ts';
import { applyEdits, sharedFile, snapshotOf } from '../support/workspace.ts';

const crd = { uri: 'mem:/crd.yaml', text: sharedFile('widgets') };
const uri = 'mem:/cr.yaml';
const widget = (spec: string) => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n${spec}`;
const codes = (text: string) => diagnose(snapshotOf([crd, { uri, text }]), uri).map(({ code }) => code);

test('a comment above a line, or behind it, silences the rules that it names there', () => {
  assert.deepEqual(codes(widget('  size: 0\n  color: pink\n')), ['cr/minimum', 'cr/enum']);
  assert.deepEqual(codes(widget('  size: 0 # kube-crd: ignore cr/minimum\n  color: pink\n')), ['cr/enum']);
  assert.deepEqual(codes(widget('  # kube-crd: ignore cr/enum cr/minimum\n  # why\n\n  size: 0\n  color: pink\n')), [
    'cr/enum',
  ]);
  assert.deepEqual(codes(widget('  size: 0 # kube-crd: ignore cr/enum\n')), ['cr/minimum']);
  assert.deepEqual(codes(`# kube-crd: ignore-object\n${widget('  size: 0\n')}---\n${widget('  size: 0\n')}`), [
    'cr/minimum',
  ]);
});

for (const eol of ['\n', '\r\n']) {
  test(`every way to silence a diagnostic does so, line ends ${JSON.stringify(eol)}`, () => {
    const text =
      `${widget('  size: 0\n  color: pink\n  parts: [{nme: x}]\n')}---\n${widget('  shiny: 1\n')}`.replaceAll(
        '\n',
        eol,
      );
    const snapshot = snapshotOf([crd, { uri, text }]);
    const found = diagnose(snapshot, uri);
    assert.ok(found.length > 4);
    for (const { code, key, range } of found) {
      const [here, object, file, ...more] = silencingFor(snapshot, uri, code, key);
      assert.ok(here && object && file && more.length === 0);
      assert.deepEqual(codes(applyEdits(text, file.edits)), []);
      assert.ok(codes(applyEdits(text, here.edits)).length < found.length, `${code} at ${range.start}`);
      assert.ok(codes(applyEdits(text, object.edits)).length < found.length, `${code} at ${range.start}`);
    }
  });
}
