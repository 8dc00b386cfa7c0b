import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeServer } from '../support/fakeServer.ts';
import { upstreamCases, upstreamVerdicts } from './upstream.ts';

const folder = upstreamCases();
const why = 'Go has no k8s.io/apiextensions-apiserver in its module cache';
if (folder === undefined) console.error(`\nSKIPPED: ${why}: its integration tests are not run\n`);

test("the API server's own integration cases", { skip: folder === undefined && why }, async () => {
  const server = await startFakeServer();
  try {
    const verdicts = await upstreamVerdicts(folder!, server.send);
    const created = verdicts.filter(({ old }) => old === undefined);
    const count = (valid: boolean) => created.filter((one) => one.valid === valid).length;
    assert.ok(count(true) >= 49 && count(false) >= 29, `${count(true)} valid, ${count(false)} invalid`);
    for (const { what, valid, code } of created) assert.equal(code, valid ? 201 : 422, what);
    // What takes the place of a valid object has nothing to be forgiven but what stays as it was: nothing.
    const updated = verdicts.filter(({ old }) => old !== undefined);
    assert.ok(updated.length > 2000, `${updated.length} updates`);
    for (const { what, valid, code } of updated) assert.equal(code, valid ? 200 : 422, what);
  } finally {
    await server.stop();
  }
});
