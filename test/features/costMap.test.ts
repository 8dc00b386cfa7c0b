import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../server/src/base/steps.ts';
import { costMap, fieldOfSchema } from '../../server/src/features/views/costMap.ts';
import { createCrd } from '../../server/src/kubernetes/crd/create.ts';
import { emptySnapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { boxCrd } from '../support/boxCrd.ts';

const uri = 'file:///crd.yaml';
const crd = (parts: number) =>
  boxCrd(`
          type: object
          properties:
            spec:
              type: object
              x-kubernetes-validations:
                - rule: self.size < 10
                  messageExpression: "'too ' + 'large'"
                - rule: self.sise < 10
              properties:
                size: {type: integer}
                parts:
                  type: array
                  maxItems: ${parts}
                  items:
                    type: string
                    maxLength: 100000
                    x-kubernetes-validations:
                      - rule: self.contains('abc')`);

const mapOf = (text: string) => atOnce(costMap(withOpen(emptySnapshot, sourceFile(uri, text)), uri));

test('a version costs what its fields cost, and these what their expressions do', () => {
  const text = crd(1000);
  const [version, ...others] = mapOf(text);
  assert.equal(others.length, 0);
  assert.equal(`${version!.kind} ${version!.version}, ${version!.unknown} unknown`, 'Box v1, 1 unknown');
  assert.deepEqual(
    version!.fields.map(({ field }) => field),
    ['spec.parts[]', 'spec'],
  );
  const [parts, spec] = version!.fields;
  assert.deepEqual(
    spec!.expressions.map(({ keyword }) => keyword),
    ['rule', 'messageExpression'],
  );
  const shares = version!.fields.map(({ share }) => share);
  assert.ok(Math.abs(version!.share - (shares[0]! + shares[1]!)) < 0.01);
  // The limit of one expression is a tenth of that of all.
  assert.ok(Math.abs(parts!.expressions[0]!.ofOne - parts!.share * 10) < 0.1);
  const { start, end } = parts!.expressions[0]!.place.range;
  assert.equal(text.slice(start, end), "self.contains('abc')");
  assert.match(parts!.expressions[0]!.explained, /One evaluation costs at most/);
});

test('the map says "too much" where the API server does', () => {
  // What the engine says of this is compared with the API server's own code in test/conformance.
  for (const parts of [500, 1000, 2000, 4000]) {
    const text = crd(parts).replace('- rule: self.sise < 10', '');
    const [version] = mapOf(text);
    const { errors } = createCrd(sourceFile(uri, text).manifests[0]!.value);
    const isTooMuch = errors.some(({ message }) => message.includes('estimated rule cost exceeds budget'));
    assert.equal(version!.fields[0]!.expressions[0]!.ofOne > 100, isTooMuch, `${parts}`);
  }
});

test('a file without a CRD has no map', () => {
  assert.deepEqual(mapOf('kind: A\napiVersion: a.example.com/v1\n'), []);
  assert.equal(fieldOfSchema(['properties', 'items', 'items', 'additionalProperties']), 'items[][*]');
});
