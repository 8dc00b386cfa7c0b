import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetesVersion } from '../../server/src/kubernetes/releases/all.ts';
import { startServer } from '../support/apiServer.ts';
import { startFakeServer } from '../support/fakeServer.ts';
import { listings } from './listing.ts';

// What a whole kube-apiserver answers is recorded with `RECORD_FROM` set to its program; ours has to answer the same.

const file = 'test/fakeServer/listing.json';

if (process.env.RECORD_FROM) {
  const server = await startServer(process.env.RECORD_FROM);
  const answers = await listings(server.send, () => new Promise((resolve) => setTimeout(resolve, 3_000)));
  await server.stop();
  writeFileSync(file, `${JSON.stringify({ version: server.version, answers }, null, 1)}\n`);
}

test('lists and watches are answered as by a whole API server', async () => {
  const recorded = JSON.parse(readFileSync(file, 'utf8'));
  const server = await startFakeServer(kubernetesVersion('1.36'));
  try {
    const ours = await listings(server.exchange, async () => {});
    // As JSON has them: what is undefined is null in lists.
    assert.deepEqual(JSON.parse(JSON.stringify(ours)), recorded.answers);
  } finally {
    await server.stop();
  }
});
