import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { printJson } from '../../server/src/gostd/jsonPrint.ts';
import { type BuiltinObject, builtinKindsOf } from '../../server/src/kubernetes/builtin/kinds.ts';
import { BrokenProtobuf, readProtobuf } from '../../server/src/kubernetes/builtin/protobuf.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { startFakeServer } from '../support/fakeServer.ts';
import { seeded } from '../support/random.ts';
import { builtinFile } from '../support/workspace.ts';

// Objects in protobuf and in JSON, both as Go writes them (test/conformance/oracle/builtin/wire; 1.37.2).

const kinds = builtinKindsOf(builtinFile(), newestVersion);
const file = process.env.WIRE ?? 'test/fakeServer/protobuf.jsonl';
const lines = readFileSync(file, 'utf8').trim().split('\n');
const bytesOf = (line: string) => Buffer.from(JSON.parse(line).protobuf, 'base64');

/** Numbers as they are written: JavaScript's would be rounded. */
function jsonIn(line: string): string {
  const read = readJson(line.slice(line.indexOf(',"json":') + 8, -1));
  assert.ok(!('error' in read));
  return printJson(plainValue(read.json));
}

test('an object in protobuf is what Go writes of it in JSON', () => {
  for (const line of lines) {
    const { value, apiVersion, kind } = readProtobuf(bytesOf(line), kinds);
    assert.equal(value && printJson(value), jsonIn(line), `${apiVersion}/${kind}`);
  }
  assert.ok(lines.length > 80);
});

test('bytes that are changed or cut are read as something or refused, in no time', () => {
  const random = seeded(7);
  const since = Date.now();
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const bytes = bytesOf(random.pick(lines));
    const at = 4 + random.below(bytes.length - 4);
    bytes[at] = random.below(256);
    try {
      readProtobuf(random.chance(0.3) ? bytes.subarray(0, at) : bytes, kinds);
    } catch (error) {
      assert.ok(error instanceof BrokenProtobuf, String(error));
      refused++;
    }
  }
  assert.ok(refused > 1000 && Date.now() - since < 20_000, `${refused} in ${Date.now() - since} ms`);
});

const block = (number: number, bytes: Uint8Array): Buffer => {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), bytes]);
};
const object = (apiVersion: string, kind: string, bytes: Uint8Array) => {
  const type = Buffer.concat([block(1, Buffer.from(apiVersion)), block(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), block(1, type), block(2, bytes)]);
};

test('a list of many items takes no longer than its bytes', () => {
  const finalizers = Buffer.alloc(160_000, block(14, Buffer.alloc(0)));
  const since = Date.now();
  const { value } = readProtobuf(object('v1', 'ConfigMap', block(1, finalizers)), kinds);
  const metadata = value?.get('metadata');
  assert.equal(metadata instanceof Map && (metadata.get('finalizers') as unknown[]).length, 80_000);
  assert.ok(Date.now() - since < 3_000);
});

test('messages in each other, and JSON in one, are read to a depth', () => {
  const itself: BuiltinObject = {
    name: 'Itself',
    text: '',
    wire: '+',
    fields: [{ name: 'inner', type: { is: 'object', id: 'itself' }, text: '', optional: true }],
  };
  let bytes: Buffer = Buffer.alloc(0);
  for (let i = 0; i < 20_000; i++) bytes = block(1, bytes);
  const nested = { ...kinds, object: () => itself };
  assert.throws(() => readProtobuf(object('v1', 'ConfigMap', bytes), nested), BrokenProtobuf);
  const raw = block(1, Buffer.from(`${'['.repeat(9_000)}${']'.repeat(9_000)}`));
  assert.throws(() => readProtobuf(object('apps/v1', 'ControllerRevision', block(2, raw)), kinds), BrokenProtobuf);
});

const server = await startFakeServer();
after(() => server.stop());

test('a built-in object is taken in protobuf, a custom resource is not', async () => {
  const lease = lines.find((line) => line.includes('"kind":"Lease"') && line.includes('"coordination.k8s.io/v1"'))!;
  const at = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const type = 'application/vnd.kubernetes.protobuf';
  // It means nothing, and every part of it has been read.
  const said = JSON.parse((await server.send('POST', at, bytesOf(lease), type)).body);
  assert.match(said.message, /^the namespace of the provided object does not match|is invalid: /);
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  assert.equal((await server.send('POST', crds, bytesOf(lease), type)).code, 400);
  const broken = await server.send('POST', at, 'k8s', type);
  assert.deepEqual([broken.code, JSON.parse(broken.body).reason], [400, 'BadRequest']);
});
