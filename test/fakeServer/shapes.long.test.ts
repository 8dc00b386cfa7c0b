import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetesVersion } from '../../server/src/kubernetes/releases/all.ts';
import { startServer } from '../support/apiServer.ts';
import { startFakeServer } from '../support/fakeServer.ts';
import { shapes } from './shapes.ts';

// What a whole kube-apiserver answers to who wants tables or metadata is recorded with `RECORD_FROM` set to its program.

const file = 'test/fakeServer/shapes.json';

if (process.env.RECORD_FROM) {
  const server = await startServer(process.env.RECORD_FROM);
  const answers = await shapes(server.send, () => new Promise((resolve) => setTimeout(resolve, 3_000)));
  await server.stop();
  writeFileSync(file, `${JSON.stringify({ version: server.version, answers }, null, 1)}\n`);
}

test('tables and metadata alone are answered as by a whole API server', async () => {
  const { answers } = JSON.parse(readFileSync(file, 'utf8'));
  const server = await startFakeServer(kubernetesVersion('1.36'));
  try {
    const ours = await shapes(server.exchange, async () => {});
    for (const [asked, wanted] of Object.entries(answers)) assert.deepEqual(ours[asked], wanted, asked);
    assert.equal(Object.keys(ours).length, Object.keys(answers).length);
  } finally {
    await server.stop();
  }
});
