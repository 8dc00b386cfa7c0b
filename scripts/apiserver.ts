// npm run apiserver [-- --build]: builds a real API server for CRDs and custom resources, and starts it.
import { spawn } from 'node:child_process';
import { buildServer, serverBinary } from '../test/support/apiServer.ts';

if (!buildServer()) process.exit(1);
if (!process.argv.includes('--build')) {
  const server = spawn(serverBinary, process.argv.slice(2), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
  server.on('exit', (code) => process.exit(code ?? 1));
}
