import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap, type Value } from '../../server/src/base/value.ts';
import { readJson } from '../../server/src/gostd/json.ts';
import { type Crd, scaleStruct } from '../../server/src/kubernetes/api/crd.ts';
import { keywordDoc, structNode } from '../../server/src/kubernetes/api/editor.ts';
import { integerPointer, list, structItem, text } from '../../server/src/kubernetes/api/goTypes.ts';
import { printStruct } from '../../server/src/kubernetes/api/print.ts';
import { ruleStruct } from '../../server/src/kubernetes/api/schema.ts';
import { storeStruct } from '../../server/src/kubernetes/api/store.ts';
import { type ObjectOf, optional, required, struct } from '../../server/src/kubernetes/api/struct.ts';
import { createCrd, prepareForCreate } from '../../server/src/kubernetes/crd/create.ts';
import { readCrd } from '../../server/src/kubernetes/crd/read.ts';
import { storedCrd } from '../../server/src/kubernetes/crd/stored.ts';
import { decodeInto } from '../../server/src/kubernetes/decode.ts';
import { goJson, goSyntax } from '../../server/src/kubernetes/goValue.ts';
import { kubernetesVersions, newestVersion } from '../../server/src/kubernetes/releases/all.ts';

/** A table with fields that Kubernetes does not have: one row each, and everything knows them. */
const fields = {
  ...scaleStruct.fields,
  pace: optional(integerPointer(32), {
    json: 'x-pace',
    go: 'XPace',
    printedAfter: 'SpecReplicasPath',
    text: 'How fast it goes.',
    demands: 'Not too fast.',
    example: 'x-pace: 3',
    since: '1.99',
  }),
  steps: required(list(structItem(ruleStruct)), {
    text: 'One after the other.',
    demands: 'At least one.',
    example: 'steps: []',
  }),
  hint: optional(text(), { knownIn: (release) => release === newestVersion }),
};
type Fictitious = ObjectOf<typeof fields>;
const fictitious = struct<Fictitious>('v1.Fictitious', () => ({}), fields);

function json(source: string): Value {
  const read = readJson(source);
  assert.ok(!('error' in read));
  return read.json as Value;
}

function decoded(source: string, release = newestVersion) {
  const object: Fictitious = {};
  return { object, ...decodeInto(fictitious.decoding, object, json(source), release) };
}

const source = '{"specReplicasPath":".spec.size","x-pace":3,"steps":[{"rule":"true"}],"hint":"slow"}';

test('a field of the table is decoded', () => {
  const { object, strict, error } = decoded(source);
  assert.equal(error, undefined);
  assert.deepEqual(strict, []);
  assert.deepEqual(object, { specReplicasPath: '.spec.size', pace: 3n, steps: [{ rule: 'true' }], hint: 'slow' });
  assert.equal(
    decoded('{"x-pace":"fast"}').error?.message,
    'json: cannot unmarshal string into Go struct field Fictitious.x-pace of type int32',
  );
});

test('a field that a release does not know is unknown to it', () => {
  const { object, strict } = decoded(source, kubernetesVersions.at(-1));
  assert.equal(object.hint, undefined);
  assert.deepEqual(
    strict.map(({ message }) => message),
    ['unknown field "hint"'],
  );
});

test('a field of the table is stored', () => {
  const options = { zeroTimestamp: false };
  assert.deepEqual(
    [...storeStruct(fictitious, decoded(source).object, options)].map(([name]) => name),
    ['specReplicasPath', 'statusReplicasPath', 'x-pace', 'steps', 'hint'],
  );
  assert.deepEqual(
    [...storeStruct(fictitious, {}, options)],
    [
      ['specReplicasPath', ''],
      ['statusReplicasPath', ''],
      ['steps', null],
    ],
  );
});

test('a field of the table is printed as Go prints it', () => {
  const printed = printStruct(fictitious, { pace: 3n });
  assert.equal(
    goJson(printed),
    '{"SpecReplicasPath":"","XPace":3,"StatusReplicasPath":"","LabelSelectorPath":null,"Steps":null,"Hint":""}',
  );
  assert.equal(
    goSyntax(printed),
    'apiextensions.Fictitious{SpecReplicasPath:"", XPace:(*int32)(0xc000000000), StatusReplicasPath:"", ' +
      'LabelSelectorPath:(*string)(nil), Steps:[]apiextensions.ValidationRule(nil), Hint:""}',
  );
});

test('a field of the table is completed and documented, if something is said of it', () => {
  const node = structNode(fictitious, 'A fiction.', new Map());
  const properties = node.get('properties');
  assert.ok(isMap(properties));
  assert.deepEqual([...properties.keys()], [...Object.keys(scaleStruct.fields), 'x-pace', 'steps']);
  assert.deepEqual(node.get('required'), ['specReplicasPath', 'statusReplicasPath', 'steps']);
  assert.deepEqual(keywordDoc(node, 'x-pace'), {
    text: 'How fast it goes.',
    demands: 'Not too fast.',
    example: 'x-pace: 3',
    since: '1.99',
  });
  assert.equal(keywordDoc(node, 'steps')?.since, '1.16');
  assert.equal(keywordDoc(node, 'hint'), undefined);
});

test('the types of objects come from the table', () => {
  const good: Fictitious = { pace: 3n };
  // @ts-expect-error: the table has an integer there.
  const bad: Fictitious = { pace: 'fast' };
  // @ts-expect-error: what Go holds by value is always there.
  const partial: Crd = { metadata: {}, spec: { names: {} } };
  assert.ok(good && bad && partial);
});

const withDefault = `{
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "samples.example.com"},
  "spec": {
    "group": "example.com", "scope": "Namespaced", "names": {"plural": "samples", "kind": "Sample"},
    "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
      "type": "object", "properties": {"spec": {"type": "object", "properties": {"template": {
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "default": {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": "b"}, "no-such-field": 1}}
      }}}}
    }}}]
  }
}`;

test('storing alone gives what storing after validation gives', () => {
  for (const release of kubernetesVersions) {
    const read = readCrd(json(withDefault), release);
    assert.ok(!('error' in read));
    prepareForCreate(read.crd);
    const alone = storedCrd(read.crd, release);
    const validated = createCrd(json(withDefault), { kubernetes: release });
    assert.deepEqual(alone, validated.stored);
    assert.deepEqual(alone, storedCrd(read.crd, release));
    assert.doesNotMatch(JSON.stringify(plain(alone)), /no-such-field/);
    assert.match(JSON.stringify(plain(alone)), /"labels":\{"a":"b"\}/);
  }
});

function plain(value: Value): unknown {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? Number(value) : value;
}

test('the defaults of a schema that is wrong elsewhere are stored as they are written', () => {
  for (const release of kubernetesVersions) {
    const read = readCrd(json(withDefault.replace('"properties": {', '"properties": {"other": {}, ')), release);
    assert.ok(!('error' in read));
    assert.match(JSON.stringify(plain(storedCrd(read.crd, release))), /"no-such-field":1/);
  }
});
