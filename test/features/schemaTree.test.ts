import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindAt, type SchemaRow, schemaRows } from '../../server/src/features/views/schemaTree.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { emptySnapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { boxCrd } from '../support/boxCrd.ts';

const uri = 'file:///crd.yaml';
const crd = boxCrd(`
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [size]
              description: What it should be.
              x-kubernetes-validations:
                - {rule: self.size < 10, message: too large}
              properties:
                least: {type: integer, minimum: 1, default: 2}
                size: {type: integer}
                parts:
                  type: array
                  items:
                    type: object
                    x-kubernetes-validations:
                      - rule: self.name != ''
                    properties:
                      name: {type: string, maxLength: 20}
            status: {type: object}`);
const snapshot = withOpen(emptySnapshot, sourceFile(uri, crd));
const kind = { uri, group: 'example.com', kind: 'Box', version: 'v1' };
const rowsOf = (names: readonly string[], filter?: string) =>
  schemaRows(snapshot, kind, names, { filter, kubernetes: newestVersion });
const shown = (rows: readonly SchemaRow[]) =>
  rows.map(({ what, name, detail, hasMore }) => `${what} ${name}: ${detail}${hasMore ? ' +' : ''}`);

test('each level has its rules and fields, the required ones first', () => {
  assert.deepEqual(shown(rowsOf([])), ['field spec: object · required +', 'field status: object']);
  assert.deepEqual(shown(rowsOf(['spec'])), [
    'rule self.size < 10: too large',
    'field size: integer · required',
    'field least: integer · default 2 · at least 1',
    'field parts: []object +',
  ]);
  assert.deepEqual(shown(rowsOf(['spec', 'parts'])), [
    "rule self.name != '': ",
    'field name: string · at most 20 characters',
  ]);
  assert.deepEqual(rowsOf(['spec', 'gone']), []);
});

test('a row knows its path, and where the CRD declares it', () => {
  const [rule, name] = rowsOf(['spec', 'parts']);
  assert.equal(name!.path, 'spec.parts[].name');
  assert.equal(crd.slice(name!.place!.range.start, name!.place!.range.end), 'name');
  assert.equal(crd.slice(rule!.place!.range.start, rule!.place!.range.end), "self.name != ''");
  assert.match(rule!.description, /% of the budget of one rule/);
});

test('a filter leaves what has the text, and what leads to it', () => {
  assert.deepEqual(shown(rowsOf([], 'NAME')), ['field spec: object · required +']);
  assert.deepEqual(shown(rowsOf(['spec'], 'name')), ['field parts: []object +']);
  assert.deepEqual(shown(rowsOf(['spec'], 'too large')), ['rule self.size < 10: too large']);
  assert.deepEqual(rowsOf([], 'nowhere'), []);
});

test('a kind is found in its CRD and in its resources', () => {
  assert.deepEqual(kindAt(snapshot, uri, crd.indexOf('least')), kind);
  assert.deepEqual(kindAt(snapshot, uri, 3), kind);
  const resource = 'apiVersion: example.com/v1\nkind: Box\nspec: {}\n';
  const more = withOpen(snapshot, sourceFile('file:///a.yaml', resource));
  assert.deepEqual(kindAt(more, 'file:///a.yaml', resource.length - 2), kind);
  assert.equal(kindAt(withOpen(snapshot, sourceFile('file:///b.yaml', 'a: 1\n')), 'file:///b.yaml', 1), undefined);
});
