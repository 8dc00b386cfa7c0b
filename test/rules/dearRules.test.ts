import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { snapshotOf } from '../support/workspace.ts';

// Where rules cost too much together, the API server stops. Asked again and again, it names another place each time,
// since it takes the fields of a map in any order; in a list it is always the same.

const rule = 'self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > -1)))';
const part = `{type: object, properties: {l: {type: array, items: {type: integer}}}, x-kubernetes-validations: [{rule: "${rule}"}]}`;
const schema = (parts: string) => `{type: object, properties: {spec: ${parts}}}`;
const dear = `{l: [${Array.from({ length: 40 }, (_, i) => i).join(', ')}]}`;
const names = Array.from({ length: 18 }, (_, i) => `k${i}`);

function said(parts: string, spec: string): string[] {
  const uri = 'mem:/box.yaml';
  const crd = { uri: 'mem:/crd.yaml', text: boxCrd(schema(parts)) };
  const text = `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nspec: ${spec}\n`;
  return diagnose(snapshotOf([crd, { uri, text }]), uri)
    .filter(({ code }) => code === 'cr/rule')
    .map(({ message }) => message);
}

const anywhere = /running out of cost budget.*in any order: it may name another place/s;
const here = /running out of cost budget, no further validation rules will be run(?!.*any order)/s;

for (const [what, parts, spec, expected] of [
  ['a map', `{type: object, additionalProperties: ${part}}`, map(names), anywhere],
  ['fields', `{type: object, properties: ${map(names, part)}}`, map(names), anywhere],
  ['a list', `{type: array, items: ${part}}`, `[${names.map(() => dear).join(', ')}]`, here],
] as const) {
  test(`rules that cost too much below ${what}`, () => {
    const messages = said(parts, spec);
    assert.equal(messages.length, 1);
    assert.match(messages[0]!, expected);
  });
}

function map(keys: readonly string[], value = dear): string {
  return `{${keys.map((key) => `${key}: ${value}`).join(', ')}}`;
}
