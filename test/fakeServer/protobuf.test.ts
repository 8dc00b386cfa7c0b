import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { printJson } from '../../server/src/gostd/jsonPrint.ts';
import { builtinKindsOf } from '../../server/src/kubernetes/builtin/kinds.ts';
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
