// npm run fake-server: the engine behind an HTTP face of an API server, in memory, for clients that are pointed at it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startFakeServer } from '../test/support/fakeServer.ts';

const { address, kubeconfig } = await startFakeServer();
const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-fake-server-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit());
const file = path.join(folder, 'kubeconfig');
writeFileSync(file, kubeconfig);
console.log(JSON.stringify({ address, kubeconfig: file }));
