import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../server/src/base/steps.ts';
import type { Value } from '../../server/src/base/value.ts';
import { breakRule } from '../../server/src/crdtest/breakRule.ts';
import { rulePathOf } from '../../server/src/crdtest/rulePath.ts';
import { serving } from '../../server/src/crdtest/run.ts';
import { sizeOf } from '../../server/src/crdtest/size.ts';
import { leastValue, valuesFor } from '../../server/src/crdtest/values.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { renderFlow } from '../../server/src/yaml/render.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { costlyCrd } from '../support/costlyCrd.ts';

const rules = 'x-kubernetes-validations';

function sought(schema: string, rule: string, more = '') {
  const served = serving(valueOf(parseDocument(boxCrd(schema, more))) as Value, newestVersion);
  assert.ok('crd' in served, JSON.stringify(served));
  const found = atOnce(breakRule(served, served.crd.versions.get('v1')!, rulePathOf(rule)!, [], newestVersion));
  if ('why' in found) return found.why;
  const text = (value: ReadonlyMap<string, Value>) =>
    renderFlow(new Map([...value].filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key))));
  return [found.from && text(found.from), text(found.object)].filter((one) => one !== undefined).join(' -> ');
}

const cases: readonly (readonly [name: string, schema: string, rule: string, object: string, more?: string])[] = [
  [
    'a bound between two fields',
    `{type: object, ${rules}: [{rule: self.low <= self.high}], required: [low], properties: {low: {type: integer}, high: {type: integer, default: 5}}}`,
    `${rules}[0]`,
    '{low: 6}',
  ],
  [
    'a text that a rule names',
    `{type: object, properties: {mode: {type: string, ${rules}: [{rule: "self != 'off'"}]}}}`,
    `mode.${rules}[0]`,
    '{mode: "off"}',
  ],
  [
    'fields that exclude each other',
    `{type: object, ${rules}: [{rule: '!(has(self.a) && has(self.b))'}], properties: {a: {type: string}, b: {type: integer}}}`,
    `${rules}[0]`,
    '{a: a, b: 1}',
  ],
  [
    'an item of a list, with what is required beside it',
    `{type: object, properties: {ports: {type: array, maxItems: 5, items: {type: object, required: [name, port], properties: {name: {type: string, pattern: '^[a-z]+-[a-z]+$'}, port: {type: integer, minimum: 1, ${rules}: [{rule: self != 22}]}}}}}}`,
    `ports[*].port.${rules}[0]`,
    '{ports: [{name: a-b, port: 22}]}',
  ],
  [
    'a macro over a list',
    `{type: object, ${rules}: [{rule: 'self.ports.all(p, p.port > 80)'}], properties: {ports: {type: array, maxItems: 5, items: {type: object, required: [name], properties: {name: {type: string}, port: {type: integer, default: 90}}}}}}`,
    `${rules}[0]`,
    '{ports: [{name: a, port: 80}]}',
  ],
  [
    'a value of a map',
    `{type: object, properties: {limits: {type: object, maxProperties: 5, additionalProperties: {type: string, maxLength: 9, ${rules}: [{rule: "self.startsWith('a')"}]}}}}`,
    `limits.*.${rules}[0]`,
    '{limits: {a: "1"}}',
  ],
  [
    'what must not change',
    `{type: object, properties: {name: {type: string, enum: [red, blue], ${rules}: [{rule: self == oldSelf}]}}}`,
    `name.${rules}[0]`,
    '{name: red} -> {name: blue}',
  ],
  [
    'what must not shrink, where the smallest is stored first',
    `{type: object, required: [size], ${rules}: [{rule: self.size >= oldSelf.size}], properties: {size: {type: integer, minimum: 1}}}`,
    `${rules}[0]`,
    '{size: 2} -> {size: 1}',
  ],
  [
    'a rule on the status',
    `{type: object, properties: {status: {type: object, properties: {ready: {type: integer, ${rules}: [{rule: self >= 0}]}}}}}`,
    `status.ready.${rules}[0]`,
    '{} -> {status: {ready: -1}}',
    '      subresources: {status: {}}\n',
  ],
  [
    'other rules are kept',
    `{type: object, ${rules}: [{rule: self.a > 1}, {rule: self.b > 5}], required: [a, b], properties: {a: {type: integer}, b: {type: integer}}}`,
    `${rules}[1]`,
    '{a: 2, b: 1}',
  ],
];

for (const [name, schema, rule, object, more] of cases) {
  test(`an object that breaks a rule: ${name}`, () => assert.equal(sought(schema, rule, more), object));
}

test('where nothing breaks a rule alone, that is said', () => {
  const schema = `{type: object, ${rules}: [{rule: self.a == self.a}], required: [a], properties: {a: {type: integer}}}`;
  assert.match(sought(schema, `${rules}[0]`), /^none of \d+ objects breaks this rule and no other$/);
});

test('what a search comes to is bounded by work, an object at a time', () => {
  const served = serving(valueOf(parseDocument(costlyCrd)) as Value, newestVersion);
  assert.ok('crd' in served, JSON.stringify(served));
  const search = breakRule(served, served.crd.versions.get('v1')!, rulePathOf(`${rules}[0]`)!, [], newestVersion);
  let steps = 0;
  let step = search.next();
  for (; !step.done; step = search.next()) steps++;
  assert.deepEqual(step.value, { why: `judging ${steps} objects took too much, and none of them does` });
  // Those with a short list cost little.
  assert.ok(steps > 5 && steps < 300, `${steps} objects`);
});

test('lists in lists, of which each has to have many items, are not made in full', () => {
  const nested = Array.from({ length: 8 }).reduce<string>(
    (inside) => `{type: array, minItems: 50, maxItems: 60, items: ${inside}}`,
    '{type: integer}',
  );
  const found = leastValue(structuralOf(`{type: object, required: [a], properties: {a: ${nested}}}`));
  assert.ok(sizeOf(found).values < 20_000);
  const values = valuesFor(
    structuralOf(
      Array.from({ length: 60 }).reduce<string>((inside) => `{type: array, items: ${inside}}`, '{type: integer}'),
    ),
  );
  assert.ok(values.every((value) => sizeOf(value).values <= 20_000_000));
});

function structuralOf(schema: string) {
  const served = serving(
    valueOf(
      parseDocument(boxCrd(schema.startsWith('{type: object') ? schema : `{type: object, properties: {x: ${schema}}}`)),
    ) as Value,
    newestVersion,
  );
  assert.ok('crd' in served, JSON.stringify(served));
  const root = served.crd.versions.get('v1')!.structural!;
  return schema.startsWith('{type: object') ? root : root.properties!.get('x')!;
}
