import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** One request to an API server, over HTTP. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: string;
  /** The media type of the body, JSON without it. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** `code` is 0 where the connection closed without an answer, as it does when a handler panics. */
export interface ApiAnswer {
  readonly code: number;
  readonly body: string;
  readonly warnings: readonly string[];
}

/** A real API server in a process of its own, and its store. */
export interface ApiServer {
  readonly version: string;
  readonly kubeconfig: string;
  send(request: ApiRequest): Promise<ApiAnswer>;
  /** Puts an object into the store past all rules. */
  put(key: string, object: string): Promise<void>;
  /** Removes one object from the store. */
  remove(key: string): Promise<void>;
  /** Removes everything from the store whose key starts so. */
  drop(prefix: string): Promise<void>;
  stop(): Promise<void>;
}

const home = path.resolve('test/conformance/apiserver');
export const serverBinary = path.join(home, 'bin/apiserver');
/** Where CRDs are in the store; custom resources are beside it, under their group. */
export const storePrefix = '/registry/apiextensions.kubernetes.io';

/** Builds it if it is not there or older than its source; says whether there is one now. */
export function buildServer(): boolean {
  const sources = readdirSync(home).filter((file) => /\.(go|mod|sum)$/.test(file));
  const isFresh = (built: number) => sources.every((file) => statSync(path.join(home, file)).mtimeMs <= built);
  if (existsSync(serverBinary) && isFresh(statSync(serverBinary).mtimeMs)) return true;
  mkdirSync(path.dirname(serverBinary), { recursive: true });
  const [, version] = /k8s\.io\/apiextensions-apiserver v0\.(\S+)/.exec(
    readFileSync(path.join(home, 'go.mod'), 'utf8'),
  )!;
  console.error(`building an API server of Kubernetes 1.${version}, which takes some minutes the first time …`);
  const flags = `-X k8s.io/component-base/version.gitVersion=v1.${version}`;
  const result = spawnSync('go', ['build', '-p', '2', '-ldflags', flags, '-o', serverBinary, '.'], {
    cwd: home,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.error) console.error(`cannot run go: ${result.error.message}`);
  return result.status === 0;
}

interface Ready {
  readonly address: string;
  readonly kubeconfig: string;
  readonly store: string;
  readonly token: string;
  readonly version: string;
}

export async function startServer(binary = serverBinary): Promise<ApiServer> {
  const child = spawn(binary, ['--until-eof'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ready: Ready = JSON.parse(await firstLine(child));
  const [, ca] = /certificate-authority-data: "(.*?)"/.exec(readFileSync(ready.kubeconfig, 'utf8'))!;
  const agent = new https.Agent({ keepAlive: true, ca: Buffer.from(ca!, 'base64') });
  const store = async (operation: string, members: Readonly<Record<string, string>>) => {
    const body = JSON.stringify(inBase64(members));
    const answer = await send(`${ready.store}/v3/kv/${operation}`, { method: 'POST', body });
    if (answer.code !== 200) throw new Error(`the store answers ${answer.code}: ${answer.body}`);
  };
  return {
    version: ready.version,
    kubeconfig: ready.kubeconfig,
    send: ({ method, path, body, type = 'application/json', headers }) =>
      send(ready.address + path, {
        method,
        agent,
        ...(body !== undefined && { body }),
        headers: {
          authorization: `Bearer ${ready.token}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': type }),
          ...headers,
        },
      }),
    put: (key, value) => store('put', { key, value }),
    remove: (key) => store('deleterange', { key }),
    drop: (prefix) => store('deleterange', { key: prefix, range_end: after(prefix) }),
    stop: () => ended(child, agent),
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the API server ended before it was ready');
}

function ended(child: ChildProcess, agent: https.Agent): Promise<void> {
  agent.destroy();
  return new Promise((resolve) => {
    child.on('exit', () => resolve());
    child.stdin!.end();
  });
}

function inBase64(members: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
}

/** The first key behind all that start so. */
function after(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

type Options = https.RequestOptions & { readonly body?: string };

export function send(url: string, { body, ...options }: Options): Promise<ApiAnswer> {
  return new Promise((resolve) => {
    const client = url.startsWith('https:') ? https : http;
    const failed = (error: Error) => resolve({ code: 0, body: error.message, warnings: [] });
    // Node does not say how long the body of a deletion is.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = client.request(
      url,
      { ...options, headers: { ...options.headers, ...length } as http.OutgoingHttpHeaders },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () =>
          resolve({
            code: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            warnings: warningsOf(response),
          }),
        );
      },
    );
    request.on('error', failed);
    request.end(body);
  });
}

/** Each warning's text: `299 - "…"`, whose quotes and backslashes are escaped, in UTF-8. */
function warningsOf({ rawHeaders }: http.IncomingMessage): string[] {
  return rawHeaders.flatMap((name, i) => {
    if (i % 2 === 1 || name.toLowerCase() !== 'warning') return [];
    const text = Buffer.from(rawHeaders[i + 1]!, 'latin1').toString('utf8');
    return [text.slice(text.indexOf('"') + 1, -1).replace(/\\(.)/gs, '$1')];
  });
}
