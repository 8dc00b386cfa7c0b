import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { type Random, seeded } from '../support/random.ts';
import { applyEdits, snapshotOf } from '../support/workspace.ts';

// A rule is marked where it fails with "no such key" on some object, and nothing else can come of it. The objects show
// that it does; after the fix they are accepted.

const crd = (rule: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
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
          required: [spec]
          properties:
            spec:
              type: object
              required: [kind, parts, box]
              properties:
                kind: {type: string, maxLength: 10}
                least: {type: integer}
                most: {type: integer}
                count: {type: integer, default: 1}
                namespace: {type: string, maxLength: 10}
                box:
                  type: object
                  properties:
                    width: {type: integer}
                    lid:
                      type: object
                      required: [open]
                      properties: {open: {type: boolean}, color: {type: string, maxLength: 10}}
                parts:
                  type: array
                  maxItems: 3
                  items:
                    type: object
                    required: [name]
                    properties: {name: {type: string, maxLength: 10}, size: {type: integer}}
              x-kubernetes-validations:
                - rule: ${JSON.stringify(rule)}
                  message: must hold
`;

const object = (spec: string) => `apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {kind: a, parts: [{name: x}], box: {}${spec}}
`;

/** Rules that fail, with what has to be added to the object for it. */
const failing: readonly (readonly [rule: string, spec: string])[] = [
  ['self.least > 0', ''],
  ['self.least <= self.most', ''],
  ['self.least <= self.most', ', least: 1'],
  ['!has(self.least) || self.least <= self.most', ', least: 1'],
  ['self.count > 0 && self.least > 0', ''],
  ['self.least > 0 && self.kind == "a"', ''],
  ['!(self.least > 5)', ''],
  ['self.__namespace__ == "x"', ''],
  ['self.box.width > 1', ''],
  ['self.box.lid.open', ''],
  ['has(self.box.lid.color)', ''],
  ['self.parts.all(p, p.size > 1)', ''],
  ['self.parts.exists(p, p.size > 1)', ''],
  ['self.parts.filter(p, p.size > 1).size() < 9', ''],
  ['[self.least, self.count].exists(x, x > 0)', ''],
  ['self.least > 0 ? true : true', ''],
];

/** Rules that some guard, or some other part, keeps from failing for sure. */
const sound = [
  'self.count > 0',
  'self.kind == "a"',
  '!has(self.least) || self.least > 0',
  'has(self.least) ? self.least > 0 : true',
  'has(self.least) && self.least > 0',
  'self.least > 0 || !has(self.least)',
  'has(self.least) && has(self.most) ? self.least <= self.most : true',
  '!(has(self.least) && has(self.most)) || self.least <= self.most',
  'has(self.least) == has(self.most)',
  'self.kind != "b" || self.least > 0',
  'self.kind == "b" ? self.least > 0 : true',
  'self.?least.orValue(1) > 0',
  '!self.?least.hasValue() || self.least > 0',
  'self.?least.hasValue() ? self.least > 0 : true',
  'self == self || self.least > 0',
  'self.parts.all(p, !has(p.size) || p.size > 1)',
  'self.parts.filter(p, has(p.size)).all(p, p.size > 1)',
  'self.parts.exists(p, p.name == "x" || p.size > 1)',
  '!has(self.box.lid) || self.box.lid.open',
  '!has(self.box.lid) || !has(self.box.lid.color) || self.box.lid.color == "red"',
  'has(self.most) || self.least > 0',
  'self.parts.all(p, p.name != "x" || self.least > 0)',
  'self.parts.size() == 0 || self.parts[0].size > 1',
];

const uri = 'file:///main.yaml';
const marked = (text: string) =>
  diagnose(snapshotOf([{ uri, text }], { lints: 'on' }), uri).filter(({ code }) => code === 'lint/rule-optional-field');

function errorsOf(crdText: string, objectText: string): string[] {
  const served = serveCrd(valueOf(parseDocument(crdText))!, newestVersion);
  assert.ok('versions' in served);
  return createResource(valueOf(parseDocument(objectText))!, served).errors.map(({ message }) => message);
}

for (const [rule, spec] of failing) {
  test(`marked, and guarded by the fix: ${rule}${spec}`, () => {
    const text = crd(rule);
    const [found] = marked(text);
    assert.ok(found);
    assert.match(errorsOf(text, object(spec)).join('\n'), /no such key/);
    const snapshot = snapshotOf([{ uri, text }], { lints: 'on' });
    const fixes = fixesFor(snapshot, uri, found);
    const [accepting, rejecting] = ['accept', 'reject'].map((word) => {
      const fix = fixes.find(({ title }) => title.includes(`: ${word} `));
      assert.ok(fix, fixes.map(({ title }) => title).join(' | '));
      return applyEdits(text, fix.edits);
    });
    assert.deepEqual(marked(accepting!), [], accepting);
    assert.deepEqual(errorsOf(accepting!, object(spec)), []);
    assert.deepEqual(marked(rejecting!), [], rejecting);
    const filters = rule.includes('.filter(');
    assert.match(errorsOf(rejecting!, object(spec)).join('\n'), filters ? /^$/ : /must hold/);
  });
}

test('what is no condition is marked, and has no fix', () => {
  const text = crd('self.parts.map(p, p.size).size() < 9');
  const [found] = marked(text);
  assert.ok(found);
  assert.deepEqual(fixesFor(snapshotOf([{ uri, text }], { lints: 'on' }), uri, found), []);
});

test('not marked where another rule demands the field', () => {
  const other = '\n                - {rule: has(self.least), message: least is required}\n';
  assert.deepEqual(marked(crd('self.least > 0').trimEnd() + other), []);
});

for (const rule of sound) {
  test(`not marked: ${rule}`, () => {
    assert.deepEqual(
      marked(crd(rule)).map(({ message }) => message),
      [],
    );
  });
}

// Any rule: where it is marked, no object without the field is accepted, whatever else it holds.

const integers = ['self.least', 'self.most', 'self.count', 'self.box.width', 'self.?least.orValue(2)', '3'];
const conditions = [
  ...['least', 'most', 'count', 'box.width', 'box.lid', 'box.lid.color'].map((field) => `has(self.${field})`),
  'self.?least.hasValue()',
  'self.kind == "a"',
  'self.box.lid.open',
  'self.box == self.box',
  'self.parts.all(p, p.size > 1)',
  'self.parts.all(p, !has(p.size) || p.size > 1)',
  'self.parts.all(p, p.size > self.least)',
  'self.parts.exists(p, p.name == "x" && p.size > 2)',
  'self.parts.filter(p, p.size > 1).size() > 0',
];

function condition(random: Random, depth: number): string {
  const below = () => condition(random, depth - 1);
  const integer = () => random.pick(integers);
  if (depth === 0 || random.chance(0.2)) {
    return random.chance(0.5) ? random.pick(conditions) : `${integer()} ${random.pick(['<', '==', '!='])} ${integer()}`;
  }
  return random.pick([
    () => `(${below()} && ${below()})`,
    () => `(${below()} || ${below()})`,
    () => `!(${below()})`,
    () => `(${below()} ? ${below()} : ${below()})`,
    () => `(${below()} == ${below()})`,
  ])();
}

/** An object with everything but one field. */
function objectWithout(absent: string, random: Random): string {
  const field = (name: string, value: string) => (name === absent ? '' : `${name}: ${value}, `);
  const number = () => String(random.below(7));
  const part = `{${field('size', number())}name: ${random.pick(['x', 'z'])}}`;
  const lid = field('lid', `{${field('color', 'red')}open: ${random.chance(0.5)}}`);
  const rest = `count: ${number()}, box: {${field('width', number())}${lid}}`;
  return `apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {kind: ${random.pick(['a', 'b'])}, ${field('least', number())}${field('most', number())}parts: [${part}], ${rest}}
`;
}

test('what is marked refuses every object without the field', () => {
  const random = seeded(1);
  let count = 0;
  for (let i = 0; i < 300; i++) {
    const text = crd(condition(random, 3));
    for (const field of marked(text).flatMap(({ related }) => related)) {
      const object = objectWithout(field.message.split(' ')[0]!, random);
      assert.notDeepEqual(errorsOf(text, object), [], `${text}${object}`);
      count++;
    }
  }
  assert.ok(count > 100, `${count} were marked`);
});
