import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { atOnce } from '../../server/src/base/steps.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { newCaseAt, writeNewCase } from '../../server/src/features/tests/newCase.ts';
import { applyEdits, snapshotOf } from '../support/workspace.ts';

const crd = { uri: 'file:///w/crds/databases.yaml', text: readFileSync('examples/crds/databases.yaml', 'utf8') };
const resource = {
  uri: 'file:///w/orders.yaml',
  text: `apiVersion: storage.example.com/v1
kind: Database
metadata: {name: orders, namespace: shop}
spec: {engine: postgres, storage: {size: 20}}
`,
};

/** The file of tests after a case was written at a text of a file; what it says about itself must be nothing. */
function written(files: readonly { uri: string; text: string }[], uri: string, at: string) {
  const snapshot = snapshotOf(files);
  const offset = files.find((file) => file.uri === uri)!.text.indexOf(at);
  const tests = [...snapshot.open.values()].filter((file) => file.uri.endsWith('.crdtest.yaml'));
  const result = atOnce(writeNewCase(snapshot, uri, offset, tests));
  if (typeof result === 'string') return result;
  const before = files.find((file) => file.uri === result.uri)?.text ?? '';
  const text = 'text' in result ? result.text : applyEdits(before, result.edits);
  const others = files.filter((file) => file.uri !== result.uri);
  const problems = diagnose(snapshotOf([...others, { uri: result.uri, text }]), result.uri);
  assert.deepEqual(
    problems.map(({ message }) => message),
    [],
  );
  return { uri: result.uri, text };
}

test('a test from a resource starts a file beside the CRD', () => {
  assert.deepEqual(written([crd, resource], resource.uri, 'kind'), {
    uri: 'file:///w/crds/databases.crdtest.yaml',
    text: `crd: databases.yaml
bases:
  orders:
    apiVersion: storage.example.com/v1
    kind: Database
    metadata:
      name: orders
      namespace: shop
    spec:
      engine: postgres
      storage:
        size: 20
cases:
  - name: orders is accepted
    create: {}
`,
  });
});

const base = `crd: ../crds/databases.yaml # the CRD
bases:
  orders: {apiVersion: storage.example.com/v1, kind: Database, metadata: {name: orders, namespace: shop}, spec: {engine: postgres, storage: {size: 20}}}
cases:
  # first of all
  - name: orders is accepted
    create: {}
`;
const tests = { uri: 'file:///w/tests/all.crdtest.yaml', text: base };

test('a file with tests of the CRD gets one more, and keeps what it has', () => {
  const broken = { ...resource, text: resource.text.replace('postgres', 'oracle') };
  assert.deepEqual(written([crd, broken, tests], broken.uri, 'kind'), {
    uri: tests.uri,
    text: `${base}  - name: orders is refused
    create:
      apiVersion: storage.example.com/v1
      kind: Database
      metadata:
        name: orders
        namespace: shop
      spec:
        engine: oracle
        storage:
          size: 20
    errors:
      - field: spec.engine
        message: "Unsupported value: \\"oracle\\": supported values: \\"postgres\\", \\"mysql\\", \\"sqlite\\""
`,
  });
});

test('a case that breaks a rule says what is different in the base', () => {
  assert.deepEqual(written([crd, tests], crd.uri, 'self.replicas <= '), {
    uri: tests.uri,
    text: `${base}  - name: "refused: there cannot be more replicas than maxReplicas"
    create:
      with:
        spec.replicas: 4
    errors:
      - field: spec
        contains: there cannot be more replicas than maxReplicas
`,
  });
});

test('a rule about changes is broken by an update', () => {
  assert.deepEqual(written([crd, tests], crd.uri, 'self == oldSelf'), {
    uri: tests.uri,
    text: `${base}  - name: "refused: the engine cannot be changed"
    update:
      from: {}
      to:
        with:
          spec.engine: mysql
    errors:
      - field: spec.engine
        contains: the engine cannot be changed
`,
  });
});

test('without tests a case that breaks a rule starts a file, with whole objects', () => {
  const result = written([crd], crd.uri, 'self.storage.size >= oldSelf');
  assert.ok(typeof result === 'object');
  assert.match(
    result.text,
    /^crd: databases\.yaml\ncases:\n {2}- name: "refused: storage can grow, but never shrink"\n {4}update:\n/,
  );
});

test('where nothing breaks the rule, that is said', () => {
  const always = {
    ...crd,
    text: crd.text.replace('self.replicas <= self.maxReplicas', 'self.replicas == self.replicas'),
  };
  const why = written([always], crd.uri, 'self.replicas == ');
  assert.match(String(why), /^No object was found that breaks this rule and is right otherwise: none of \d+ objects/);
});

test('it is offered at the kind of a resource and at a rule, and nowhere else', () => {
  const snapshot = snapshotOf([crd, resource]);
  const offered = ({ uri, text }: typeof crd, at: string) => newCaseAt(snapshot, uri, text.indexOf(at))?.of;
  assert.equal(offered(resource, 'Database'), 'resource');
  assert.equal(offered(resource, 'postgres'), undefined);
  assert.equal(offered(crd, 'self.replicas'), 'rule');
  assert.equal(offered(crd, 'message: there'), 'rule');
  assert.equal(offered(crd, 'properties:'), undefined);
  assert.equal(newCaseAt(snapshotOf([resource]), resource.uri, resource.text.indexOf('Database')), undefined);
});
