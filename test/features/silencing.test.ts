import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixesFor, silencingFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
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

test('a directive that is half typed has no effect', () => {
  const wrong = widget('  size: 0\n');
  assert.deepEqual(codes(`# kube-crd: ignore\n${wrong}`), []);
  for (const begun of ['i', 'ignor', 'ignore ', 'ignore\t', 'ignore cr', 'ignore cr/mini', 'ignore-obj']) {
    for (const eol of ['\n', '\r\n']) {
      const found = codes(`# kube-crd: ${begun}${eol}${wrong}`);
      assert.deepEqual(found.sort(), ['cr/minimum', 'yaml/directive'], begun);
    }
  }
  assert.deepEqual(codes(widget('  size: 0 # kube-crd: ignore \n')).sort(), ['cr/minimum', 'yaml/directive']);
});

test('a rule that does not exist is found in a directive, with the nearest one as the fix', () => {
  const text = `# kube-crd: ignore  cr/enmu, please\n${widget('  size: 3\n')}`;
  const snapshot = snapshotOf([crd, { uri, text }]);
  const [found, ...more] = diagnose(snapshot, uri);
  assert.ok(found && more.length === 0);
  assert.equal(text.slice(found.range.start, found.range.end), 'cr/enmu,');
  const [fix] = fixesFor(snapshot, uri, found);
  assert.match(applyEdits(text, fix!.edits), /^# kube-crd: ignore {2}cr\/enum please/);
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
      const [here, object, file, ...more] = silencingFor(snapshot, uri, { code, key });
      assert.ok(here && object && file && more.length === 0);
      assert.deepEqual(codes(applyEdits(text, file.edits)), []);
      assert.ok(codes(applyEdits(text, here.edits)).length < found.length, `${code} at ${range.start}`);
      assert.ok(codes(applyEdits(text, object.edits)).length < found.length, `${code} at ${range.start}`);
    }
  });
}
