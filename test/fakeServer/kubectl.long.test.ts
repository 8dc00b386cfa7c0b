import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startFakeServer } from '../support/fakeServer.ts';
import { hasKubectl, played } from './session.ts';

// kubectl.txt is what kubectl prints about a real API server: npm run test:cluster -- --update records it.

const skip = hasKubectl() ? false : 'there is no kubectl';
if (skip) console.error(`\nSKIPPED: ${skip}: nothing asks the face of the engine as a client\n`);

test('kubectl finds in the face of the engine what it finds in an API server', { skip }, async () => {
  const server = await startFakeServer();
  try {
    assert.equal(await played(server.kubeconfig), readFileSync('test/fakeServer/kubectl.txt', 'utf8'));
  } finally {
    await server.stop();
  }
});
