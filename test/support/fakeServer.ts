import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonMap } from './fakeServer/json.ts';
import { FakeServer } from './fakeServer/server.ts';

/** An HTTP face of the engine: CRDs and custom resources as the API server serves them, in memory, for clients in tests. */
export interface RunningFake {
  readonly address: string;
  /** A kubeconfig that leads there. */
  readonly kubeconfig: string;
  readonly send: Send;
  stop(): Promise<void>;
}

/** A request in JSON, and what came back. */
export type Send = (
  method: string,
  path: string,
  body?: string,
  type?: string,
) => Promise<{ readonly code: number; readonly body: string }>;

export async function startFakeServer(): Promise<RunningFake> {
  const fake = new FakeServer();
  const server = http.createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send: Send = async (method, path, body, type = 'application/json') => {
    const response = await fetch(address + path, {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    });
    return { code: response.status, body: await response.text() };
  };
  return { address, kubeconfig: kubeconfigFor(address), send, stop: () => stopped(server) };
}

function stopped(server: http.Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(fake: FakeServer, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
  const { 'content-type': type = 'application/json', accept = '' } = request.headers;
  const body = Buffer.concat(chunks).toString('utf8');
  const asked = { method: request.method ?? 'GET', path: pathname, query: searchParams, body, type, accept };
  const watch = asked.method === 'GET' ? fake.watch(asked) : undefined;
  if (watch) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const tell = (event: JsonMap) => void response.write(`${JSON.stringify(event)}\n`);
    for (const event of watch.events) tell(event);
    response.on('close', watch.listen(tell));
    return;
  }
  const reply = fake.handle(asked);
  response.setHeader('content-type', typeof reply.body === 'string' ? 'text/plain' : 'application/json');
  // Headers hold bytes.
  const inBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  const warnings = (reply.warnings ?? []).map((text) => `299 - ${inBytes(JSON.stringify(text))}`);
  if (warnings.length > 0) response.setHeader('warning', warnings);
  response.writeHead(reply.code);
  response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
}

function kubeconfigFor(server: string): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'fake',
    clusters: [{ name: 'fake', cluster: { server } }],
    users: [{ name: 'fake', user: {} }],
    contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake', namespace: 'default' } }],
  };
  return JSON.stringify(config);
}
