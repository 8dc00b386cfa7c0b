import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixAll } from '../../server/src/features/mend/fixAll.ts';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import type { Fix } from '../../server/src/rules/model/diagnostic.ts';
import { applyEdits, sharedFile, snapshotOf } from '../support/workspace.ts';

const uri = 'file:///main.yaml';
const widget = (spec: string) => `apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec: ${spec}
`;
const snapshotWith = (text: string) =>
  snapshotOf([
    { uri: 'file:///crd.yaml', text: sharedFile('widgets') },
    { uri, text },
  ]);

function fixesIn(text: string, code: string): readonly Fix[] {
  const snapshot = snapshotWith(text);
  return diagnose(snapshot, uri)
    .filter((one) => one.code === code)
    .flatMap(({ key }) => fixesFor(snapshot, uri, { code, key }));
}

const shown = (fixes: readonly Fix[]) => fixes.map(({ title, safe }) => (safe ? `${title} (preferred)` : title));

test('a fix that leaves an error comes last, says so, and is not preferred', () => {
  assert.deepEqual(shown(fixesIn(widget('{size: 3, colour: gray}'), 'cr/unknown-field')), [
    'Remove `colour`',
    'Rename to `color` (then: a value that is not one of the allowed values)',
  ]);
  assert.deepEqual(shown(fixesIn(widget('{size: 3, colour: green}'), 'cr/unknown-field')), [
    'Rename to `color` (preferred)',
    'Remove `colour`',
  ]);
});

test('a fix that only makes another error is not offered beside one that makes none', () => {
  assert.deepEqual(shown(fixesIn(widget('{size: 3, shiny: no}'), 'yaml/reads-as')), ['Write it as `false`']);
});

test('all at once are tried together: two keys that would become the same one', () => {
  const text = widget('{size: 3, colour: green, coler: red, shiny: "true"}');
  const all = fixAll(snapshotWith(text), uri);
  assert.ok(all);
  const after = applyEdits(text, all.edits);
  assert.equal(after, widget('{size: 3, color: green, coler: red, shiny: true}'));
  assert.equal(fixAll(snapshotWith(after), uri), undefined);
});

test('what is quoted stays as it is written, whatever the order of the fields and the line breaks', () => {
  const crd = sharedFile('gizmos').replaceAll('maxLength: 5', 'maxLength: 20').replaceAll('^[a-z]+$', '.*');
  const head = 'apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {name: a}\nspec:\n';
  for (const written of ['1.10', '012', 'no', '1.0', '0x1F', '1_000', 'true', '1e3', '-.5', '+12']) {
    const rows = [`  name: ${written} # one`, '  code: abc', `  tags: [a, ${written}]`];
    for (const eol of ['\n', '\r\n']) {
      for (const ordered of [rows, [...rows].reverse()]) {
        const text = `${head}${ordered.join('\n')}\n`.replaceAll('\n', eol);
        const snapshot = snapshotOf([
          { uri: 'file:///crd.yaml', text: crd },
          { uri, text },
        ]);
        const all = fixAll(snapshot, uri);
        const quoted = text.replaceAll(written, `"${written}"`);
        assert.equal(all && applyEdits(text, all.edits), quoted);
      }
    }
  }
});

test('the first limit that is offered for an expensive rule leaves room', () => {
  const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            outer:
              type: array
              items: {type: object, properties: {inner: {type: array, items: {type: array, items: {type: string}}}}}
              x-kubernetes-validations:
                - {rule: "self.all(o, o.inner.all(i, i.all(j, self.exists(p, p == o))))", message: same}
`;
  const snapshot = snapshotOf([{ uri, text }]);
  const found = diagnose(snapshot, uri).find(({ code }) => code === 'crd/rule-cost')!;
  const fixes = fixesFor(snapshot, uri, found);
  const codesAfter = fixes.map(({ edits }) =>
    diagnose(snapshotOf([{ uri, text: applyEdits(text, edits) }], { lints: 'on' }), uri).map(({ code }) => code),
  );
  assert.match(fixes[0]!.title, /`outer`.*, which takes half of the budget$/);
  assert.ok(!codesAfter[0]!.includes('lint/rule-cost-high'));
  assert.match(fixes[1]!.title, /the largest value within the budget$/);
  assert.ok(codesAfter[1]!.includes('lint/rule-cost-high'));
});

test('a kind and a version are never changed without being chosen', () => {
  const misspelled = widget('{size: 3}').replace('Widget', 'Widgte');
  const other = widget('{size: 3}').replace('/v1', '/v7');
  for (const [text, code] of [
    [misspelled, 'cr/kind-misspelled'],
    [other, 'cr/no-such-version'],
  ] as const) {
    assert.notDeepEqual(fixesIn(text, code), [], code);
    assert.deepEqual(
      fixesIn(text, code).filter(({ safe }) => safe),
      [],
    );
    assert.equal(fixAll(snapshotWith(text), uri), undefined);
  }
  assert.equal(fixAll(snapshotWith(misspelled), uri, { unsafe: true }), undefined);
});

test('a fix that takes a comment away, or a status, is a choice', () => {
  const text = widget('\n  size: 3\n  colour: red').replace('colour: red', 'extra: {a: 1} # why');
  assert.deepEqual(shown(fixesIn(text, 'cr/unknown-field')), ['Remove `extra`']);
  const twice = `${widget('{size: 3}')}metadata: {name: a} # the same\n`;
  assert.deepEqual(
    fixesIn(twice, 'yaml/duplicate-key').filter(({ safe }) => safe),
    [],
  );
  assert.equal(fixAll(snapshotWith(twice), uri), undefined);
});

test('a fix that shows more errors than it mends is a choice', () => {
  const crd = (type: string) =>
    sharedFile('widgets')
      .replace(/served: true/, 'served: "true"')
      .replaceAll('type: integer', `type: ${type}`);
  const offered = (type: string) => {
    const snapshot = snapshotOf([{ uri, text: crd(type) }]);
    const found = diagnose(snapshot, uri).filter(({ code }) => code === 'crd/decode');
    return found.flatMap(({ key }) => shown(fixesFor(snapshot, uri, { code: 'crd/decode', key })));
  };
  assert.deepEqual(offered('integer'), ['Remove the quotes (preferred)']);
  assert.deepEqual(offered('whole'), ['Remove the quotes']);
});
