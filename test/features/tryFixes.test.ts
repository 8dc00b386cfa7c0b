import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/diagnose.ts';
import { fixAll } from '../../server/src/features/fixAll.ts';
import { fixesFor } from '../../server/src/features/fixes.ts';
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
    .flatMap(({ key }) => fixesFor(snapshot, uri, code, key));
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
  const fixes = fixesFor(snapshot, uri, found.code, found.key);
  const codesAfter = fixes.map(({ edits }) =>
    diagnose(snapshotOf([{ uri, text: applyEdits(text, edits) }], { lints: 'on' }), uri).map(({ code }) => code),
  );
  assert.match(fixes[0]!.title, /`outer`.*, which takes half of the budget$/);
  assert.ok(!codesAfter[0]!.includes('lint/rule-cost-high'));
  assert.match(fixes[1]!.title, /the largest value within the budget$/);
  assert.ok(codesAfter[1]!.includes('lint/rule-cost-high'));
});
