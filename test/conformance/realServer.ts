import { spawn } from 'node:child_process';
import http from 'node:http';
import https from 'node:https';
import { createInterface } from 'node:readline';

// A real API server with its store in one process (test/conformance/apiserver), as tests talk to it.

interface Ready {
  readonly address: string;
  readonly store: string;
  readonly token: string;
  readonly version: string;
}

export interface Reply {
  readonly code: number;
  readonly body: string;
  /** What the headers warn of. */
  readonly warnings: readonly string[];
}

export interface RealServer {
  readonly version: string;
  send(
    method: string,
    target: string,
    body?: string,
    headers?: Readonly<Record<string, string | string[]>>,
  ): Promise<Reply>;
  /** Puts an object into the store, whatever the server would say of it. */
  store(key: string, object: unknown): Promise<void>;
  unstore(key: string): Promise<void>;
  end(): void;
}

export async function startServer(binary: string): Promise<RealServer> {
  const child = spawn(binary, ['--until-eof'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the API server ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
  });
  const agent = new https.Agent({ rejectUnauthorized: false, keepAlive: true });
  const usual = {
    authorization: `Bearer ${ready.token}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const etcd = (op: string, body: object) =>
    exchange(http, `${ready.store}/v3/kv/${op}`, 'POST', {}, JSON.stringify(body));
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    version: ready.version,
    send: (method, target, body, headers = {}) =>
      exchange(https, ready.address + target, method, { ...usual, ...headers }, body, agent),
    store: async (key, object) => {
      const reply = await etcd('put', { key: base64(key), value: base64(JSON.stringify(object)) });
      if (reply.code !== 200) throw new Error(`the store answers ${reply.code}: ${reply.body}`);
    },
    unstore: async (key) => {
      await etcd('deleterange', { key: base64(key) });
    },
    end: () => child.stdin.end(),
  };
}

function exchange(
  by: typeof http | typeof https,
  address: string,
  method: string,
  headers: Readonly<Record<string, string | string[]>>,
  body: string | undefined,
  agent?: https.Agent,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = by.request(address, { method, headers: { ...headers }, ...(agent && { agent }) }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part) => parts.push(part));
      reply.on('end', () => {
        const warned = [reply.headers.warning ?? []]
          .flat()
          .flatMap((one) => [...one.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]);
        const warnings = warned.map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
        resolve({ code: reply.statusCode ?? 0, body: Buffer.concat(parts).toString(), warnings });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
