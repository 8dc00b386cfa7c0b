import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageLog, type PlacedPoint } from '../../server/src/crdtest/coverage.ts';
import { runFile } from '../../server/src/crdtest/runFile.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { boxCrd } from '../support/boxCrd.ts';

const crdOf = (schema: string, more = '') => `# a file may have other documents
kind: ConfigMap
---
${boxCrd(schema, more)}`;

/** What cases make of a CRD, and its text. */
async function covered(crd: string, cases: string) {
  const bytes = new TextEncoder().encode(crd);
  const files = {
    expand: async () => ({ uris: ['file:///crd.yaml'] }),
    read: async () => bytes,
  } as unknown as Parameters<typeof runFile>[1]['files'];
  const uri = 'file:///a.crdtest.yaml';
  const text = `crd: crd.yaml
bases: {box: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}}}
cases:
${cases}`;
  const coverage = coverageLog();
  const options = { files, uri, definitions: new Map(), usual: [newestVersion], wanted: () => true, coverage };
  for await (const { name, failures } of runFile(sourceFile(uri, text), options)) {
    assert.deepEqual([name, failures], [name, []]);
  }
  const [one, ...more] = coverage.all();
  assert.equal(more.length, 0);
  return one!.points();
}

const shown = ({ what, ways }: PlacedPoint) => `${what}: ${ways.map(({ name, hits }) => `${name} ${hits}`).join(', ')}`;
const of = (points: readonly PlacedPoint[], kind: PlacedPoint['kind']) =>
  points.filter((point) => point.kind === kind).map(shown);

test('rules and their branches', async () => {
  const rule = 'self.a > 3 || (has(self.b) && self.b.all(x, x.startsWith("y")))';
  const crd = crdOf(`
          type: object
          properties:
            a: {type: integer}
            b: {type: array, maxItems: 5, items: {type: string, maxLength: 5}}
          x-kubernetes-validations:
          - rule: |-
              ${rule.replace(' || ', '\n                || ')}
            message: wrong
          - {rule: 'self.a < 100 ? true : self.a > 200 ? self.a < 300 : has(self.b)', message: wrong}
`);
  const points = await covered(
    crd,
    `  - {name: a, create: {with: {a: 5}}}
  - {name: b, create: {with: {a: 1, b: [yy, yo]}}}
  - {name: c, create: {with: {a: 1, b: [nope]}}, errors: [wrong]}
  - {name: d, create: {with: {a: 400}}, errors: [wrong]}
`,
  );
  assert.deepEqual(
    of(points, 'rule').map((text) => text.replace(/\s+/g, ' ')),
    [`${rule}: true 3, false 1`, 'self.a < 100 ? true : self.a > 200 ? self.a < 300 : has(self.b): true 3, false 1'],
  );
  assert.deepEqual(of(points, 'branch'), [
    'self.a > 3: true 2, false 2',
    '(has(self.b) && self.b.all(x, x.startsWith("y"))): true 1, false 1',
    'has(self.b): true 2, false 0',
    'self.b.all(x, x.startsWith("y")): true 1, false 1',
    'x.startsWith("y"): true 2, false 1',
    'true: evaluated 3',
    'self.a > 200 ? self.a < 300 : has(self.b): true 0, false 1',
    'self.a < 300: true 0, false 1',
    'has(self.b): true 0, false 0',
  ]);
  for (const { kind, what, range } of points) {
    if (kind === 'branch') assert.equal(crd.slice(range.start, range.end), what);
  }
});

test('list types, with and without the same item twice', async () => {
  const keyed = 'items: {type: object, required: [k], properties: {k: {type: string}}}';
  const crd = crdOf(`
          type: object
          properties:
            set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
            map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], ${keyed}}
            plain: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}
`);
  const points = await covered(
    crd,
    `  - {name: a, create: {with: {set: [a, b], plain: [a, a]}}}
  - {name: b, create: {with: {set: [a, a]}}, errors: [{code: cr/list-duplicate}]}
  - {name: c, create: {with: {map: [{k: a}, {k: b}]}}}
  - {name: d, create: {with: {set: [a], map: [{k: a}, {k: a}]}}, errors: [{code: cr/list-duplicate}]}
  - {name: e, create: {with: {map: [a, a]}}, errors: [and more]}
`,
  );
  assert.deepEqual(
    of(points, 'bound').filter((text) => text.includes('list-type')),
    ['set x-kubernetes-list-type: met 2, crossed 1', 'map x-kubernetes-list-type: met 1, crossed 1'],
  );
  const texts = new Map(points.map(({ what, range }) => [what, crd.slice(range.start, range.end)]));
  assert.equal(texts.get('set x-kubernetes-list-type'), 'x-kubernetes-list-type: set');
});

test('bounds and fields, from both sides', async () => {
  const crd = crdOf(
    `
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [size, mode]
              properties:
                size: {type: integer, minimum: 1, maximum: 9, exclusiveMaximum: true, default: 3}
                mode: {type: string, enum: [a, b], pattern: '^[ab]$'}
                never: {type: string, maxLength: 3}
                list: {type: array, maxItems: 2, items: {type: object, properties: {in: {type: string, format: date}}}}
                map: {type: object, additionalProperties: {type: string, minLength: 2}}
                both: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
            status: {type: object, properties: {ready: {type: boolean}}}`,
    '      subresources: {status: {}}\n',
  );
  const points = await covered(
    crd,
    `  - {name: a, create: {with: {spec: {mode: a, map: {x: yy}}}}}
  - {name: b, create: {with: {spec: {mode: c, size: 9, both: x}}}, errors: [{code: cr/enum}, {code: cr/pattern}, {code: cr/maximum}]}
  - {name: c, create: {with: {spec: {size: 1, list: [{in: 2020-01-01}]}}}, errors: [spec.mode]}
  - {name: d, status: {from: {with: {spec: {mode: a}}}, to: {with: {status: {ready: true}}}}}
`,
  );
  assert.deepEqual(of(points, 'field'), [
    'spec: set 4',
    'spec.size: set 2',
    'spec.mode: set 3',
    'spec.never: set 0',
    'spec.list: set 1',
    'spec.list[*].in: set 1',
    'spec.map: set 1',
    'spec.both: set 1',
    'status: set 1',
    'status.ready: set 1',
  ]);
  assert.deepEqual(of(points, 'bound'), [
    'required spec: met 5, crossed 0',
    'spec required size: met 5, crossed 0',
    'spec required mode: met 4, crossed 1',
    'spec.size minimum: met 5, crossed 0',
    'spec.size maximum: met 4, crossed 1',
    'spec.mode enum: met 3, crossed 1',
    'spec.mode enum a: set 3',
    'spec.mode enum b: set 0',
    'spec.mode pattern: met 3, crossed 1',
    'spec.never maxLength: met 0, crossed 0',
    'spec.list maxItems: met 1, crossed 0',
    'spec.list[*].in format: met 1, crossed 0',
    'spec.map.* minLength: met 1, crossed 0',
    'spec.both anyOf[0]: met 0, crossed 1',
    'spec.both anyOf[1]: met 1, crossed 0',
  ]);
  const texts = new Map(points.map(({ what, range }) => [what, crd.slice(range.start, range.end)]));
  assert.equal(texts.get('spec.size maximum'), 'maximum: 9');
  assert.equal(texts.get('spec required mode'), 'mode');
  assert.equal(texts.get('spec.mode enum b'), 'b');
  assert.equal(texts.get('spec.never'), 'never');
  assert.equal(texts.get('spec.both anyOf[1]'), '{type: string}');
});

test('a patched CRD counts for what the patch leaves alone, and a rule alone for itself', async () => {
  const crd = crdOf(`
          type: object
          properties:
            size: {type: integer, minimum: 1}
            name: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf, message: stays}]}`);
  const points = await covered(
    crd,
    `  - {name: a, update: {from: {with: {size: 1}}, to: {with: {size: 2}}}, crd: {'spec.versions[0].schema.openAPIV3Schema.properties.size.minimum': 2}}
  - {name: b, rule: 'name.x-kubernetes-validations[0]', self: a, oldSelf: b, expect: false}
`,
  );
  assert.deepEqual(points.map(shown), [
    'size: set 2',
    'size minimum: met 1, crossed 0',
    'name: set 0',
    'name maxLength: met 0, crossed 0',
    'self == oldSelf: true 0, false 1',
  ]);
});
