import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import type { Diagnostic } from '../../server/src/rules/model/diagnostic.ts';
import { sharedFile, snapshotOf } from '../support/workspace.ts';

const crd = { uri: 'mem:/crd.yaml', text: sharedFile('widgets') };
const uri = 'mem:/cr.yaml';
const lead = 'Once the other errors are fixed: ';

const specs = [
  '{size: 0, color: pink}',
  '{size: "3", parts: [{nme: x}]}',
  '{shiny: 1}',
  '{parts: {name: a}}',
  '{size: 3}',
  '5',
];

/** Metadata that cannot be decoded, and the same where it can. */
const metadata: readonly (readonly [string, string])[] = [
  ['{name: a, labels: {b: 1}}', '{name: a, labels: {b: "1"}}'],
  ['{name: a, labels: {b: 1, c: true}, annotations: [x]}', '{name: a, labels: {b: "1", c: "true"}}'],
  ['{name: 5}', '{name: "5"}'],
  ['{name: A_B, finalizers: [1]}', '{name: A_B, finalizers: [a.example/b]}'],
  ['{name: a, ownerReferences: [{name: b, uid: 1}]}', '{name: a, ownerReferences: [{name: b, uid: "1"}]}'],
  ['{name: a, creationTimestamp: soon}', '{name: a}'],
];

function found(meta: string, spec: string) {
  const text = `apiVersion: example.com/v1\nkind: Widget\nmetadata: ${meta}\nspec: ${spec}\n`;
  return diagnose(snapshotOf([crd, { uri, text }]), uri);
}

for (const [wrong, right] of metadata) {
  test(`what is told behind ${wrong} is what is said once it can be decoded`, () => {
    for (const spec of specs) {
      const all = found(wrong, spec).map(({ code, severity, message }) => ({ code, severity, message }));
      assert.deepEqual(
        all.filter(({ severity }) => severity === 'error').map(({ code }) => code),
        ['cr/decode'],
      );
      const later = all.filter(({ code, message }) => message.startsWith(lead) && code !== 'cr/decode');
      const isSaid = ({ severity, message }: Diagnostic) => severity === 'error' || message.startsWith(lead);
      const said = found(right, spec).filter((one) => isSaid(one) && one.code !== 'cr/rule');
      assert.deepEqual(
        later.map(({ code, message }) => `${code} ${message.slice(lead.length)}`).sort(),
        said.map(({ code, message }) => `${code} ${message.replace(lead, '')}`).sort(),
        `${wrong} ${spec}`,
      );
    }
  });
}
