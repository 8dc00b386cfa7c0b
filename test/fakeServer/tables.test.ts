import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetesVersion } from '../../server/src/kubernetes/releases/all.ts';
import { startServer } from '../support/apiServer.ts';
import { startFakeServer } from '../support/fakeServer.ts';
import { tables } from './tables.ts';

// What a whole kube-apiserver shows of built-in objects is recorded with `RECORD_FROM` set to its program.

const file = 'test/fakeServer/tables.json';

if (process.env.RECORD_FROM) {
  const server = await startServer(process.env.RECORD_FROM);
  const answers = await tables(server.send);
  await server.stop();
  writeFileSync(file, `${JSON.stringify({ version: server.version, answers }, null, 1)}\n`);
}

test('built-in objects are shown in tables as by a whole API server', async () => {
  const { answers } = JSON.parse(readFileSync(file, 'utf8'));
  const server = await startFakeServer(kubernetesVersion('1.36'));
  try {
    const ours = await tables(server.exchange);
    for (const [path, wanted] of Object.entries(answers)) assert.deepEqual(ours[path], wanted, path);
    assert.equal(Object.keys(ours).length, Object.keys(answers).length);
  } finally {
    await server.stop();
  }
});
