import { timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ApiServer } from './apiServer.ts';
import { type Audited, auditEvent } from './audit.ts';
import type { Certificates } from './certificate.ts';
import type { JsonMap } from './json.ts';
import { type Reply, status } from './replies.ts';
import { sentText } from './sent.ts';
import { agentOf, userOf } from './users.ts';

/** A server that listens on this machine alone. */
export interface Listening {
  readonly address: string;
  stop(): Promise<void>;
}

/** As the API server has it: a body that is larger is not read. */
const mostBody = 3 * 1024 * 1024;

/** How it is reached. */
export interface Doors {
  readonly port: number;
  /** Without them it speaks plain HTTP. */
  readonly certificates?: Certificates;
  /** What every request has to bear; without one all are let in. */
  readonly token?: string;
  /** Takes what was asked and what came of it. */
  audit?(event: JsonMap): void;
}

/** How often a watch that asks for bookmarks is told how far things are, as by an API server. */
const betweenBookmarks = 60_000;

/** A client that opens a connection and says nothing more is not waited for. */
const handshakeTimeout = 10_000;

/** `fault` is told what goes wrong where nothing may. */
export async function listen(api: ApiServer, doors: Doors, fault: (error: unknown) => void): Promise<Listening> {
  const listener: http.RequestListener = (request, response) => {
    answer(api, request, response, doors).catch((error: unknown) => {
      // A client may go away in the middle of its request.
      if (!request.complete) return;
      fault(error);
      if (response.headersSent) response.destroy();
      else send(response, status(500, 'InternalError', 'Internal error occurred'));
    });
  };
  const server = serverFor(doors, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(doors.port, '127.0.0.1', resolve);
  });
  const scheme = doors.certificates ? 'https' : 'http';
  const address = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, stop: () => stopped(server) };
}

function serverFor({ certificates }: Doors, listener: http.RequestListener): http.Server {
  if (!certificates) return http.createServer(listener);
  const { certificate: cert, key } = certificates;
  return https.createServer({ cert, key, handshakeTimeout, minVersion: 'TLSv1.2' }, listener);
}

function stopped(server: http.Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(
  api: ApiServer,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { token, audit }: Doors,
): Promise<void> {
  const received = Date.now();
  if (isForeign(request))
    return send(response, status(403, 'Forbidden', 'this server is for programs on this machine'));
  if (token !== undefined && !bears(request, token)) return send(response, unauthorized);
  const bytes = await bodyOf(request);
  if (bytes === undefined) return send(response, tooLarge);
  const { 'content-type': sentType = 'application/json', accept = '' } = request.headers;
  const sent = sentText(bytes, sentType, api.builtin);
  if ('code' in sent) return send(response, sent);
  if (isTooDeep(sent.body)) return send(response, tooDeep);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const asked = {
    method: request.method ?? 'GET',
    path: pathname,
    query: searchParams,
    ...sent,
    accept,
    user: userOf(request.headers),
    agent: agentOf(request.headers),
  };
  const id = api.newId();
  const audited = (reply: Pick<Reply, 'code' | 'body'>, stage: Audited['stage'] = 'ResponseComplete') => {
    const place = api.placeOf(asked.path);
    const [uri, userAgent] = [request.url ?? '/', request.headers['user-agent'] ?? ''];
    audit?.(auditEvent({ asked, uri, userAgent, place, reply, stage, id, received, answered: Date.now() }));
  };
  const watch = asked.method === 'GET' ? api.watch(asked) : undefined;
  if (!watch || 'code' in watch) {
    const reply = watch ?? (await api.handle(asked));
    await api.settled;
    audited(reply);
    return send(response, reply);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  audited({ code: 200, body: '' }, 'ResponseStarted');
  const write = (event: JsonMap) => void response.write(eventText(event));
  const tell = inOrder(write, () => api.settled);
  const ended = watch.listen(tell);
  if (watch.ends) return void response.end();
  const bookmarks = watch.bookmark && setInterval(() => tell(watch.bookmark!()), betweenBookmarks);
  response.on('close', () => {
    ended();
    clearInterval(bookmarks);
    audited({ code: 200, body: '' });
  });
  const seconds = Number(searchParams.get('timeoutSeconds') ?? 0);
  if (seconds > 0) setTimeout(() => response.end(), seconds * 1000).unref();
}

/** The object that a client was told of last, as text: others are told of it next. */
let last: { object: JsonMap; text: string } | undefined;

function eventText({ type, object }: JsonMap): string {
  if (last?.object !== object) last = { object: object as JsonMap, text: JSON.stringify(object) };
  return `{"type":${JSON.stringify(type)},"object":${last!.text}}\n`;
}

/** Each event once what it tells of lasts, and after those before it. */
function inOrder(write: (event: JsonMap) => void, settled: () => Promise<void> | undefined) {
  let before: Promise<void> | undefined;
  return (event: JsonMap): void => {
    const wait = settled();
    if (wait) before = Promise.all([before, wait]).then(() => write(event));
    else write(event);
  };
}

/** A page in a browser could send requests here, under whatever name it gives this machine. */
function isForeign({ headers }: http.IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return headers.origin !== undefined || !(host === '127.0.0.1' || host === 'localhost');
}

const unauthorized = status(401, 'Unauthorized', 'Unauthorized');

function bears({ headers }: http.IncomingMessage, token: string): boolean {
  const [given, wanted] = [headers.authorization ?? '', `Bearer ${token}`].map((text) => Buffer.from(text));
  return given!.length === wanted!.length && timingSafeEqual(given!, wanted!);
}

const tooLarge = status(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${mostBody}`);

/** What walks through objects goes down by recursion. */
const mostLevels = 1_000;

function isTooDeep(text: string): boolean {
  let [depth, inText] = [0, false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inText) {
      if (char === '\\') i++;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '[' || char === '{') {
      if (++depth > mostLevels) return true;
    } else if (char === ']' || char === '}') depth--;
  }
  return false;
}

const tooDeep = status(400, 'BadRequest', `the body is nested more than ${mostLevels} levels deep`);

async function bodyOf(request: http.IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= mostBody) chunks.push(chunk as Buffer);
  }
  return size > mostBody ? undefined : Buffer.concat(chunks);
}

function send(response: http.ServerResponse, reply: Reply): void {
  // Over what makes an API server panic, it sends nothing.
  if (reply.code === 0) return void response.destroy();
  const usual = typeof reply.body === 'string' ? 'text/plain' : 'application/json';
  response.setHeader('content-type', reply.type ?? usual);
  // Headers hold bytes.
  const inBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  // Nor are there warnings with control characters, in an API server either.
  const sayable = (reply.warnings ?? []).filter((text) => !/\p{Cc}/u.test(text));
  const warnings = sayable.map((text) => `299 - ${inBytes(JSON.stringify(text))}`);
  if (warnings.length > 0) response.setHeader('warning', warnings);
  response.writeHead(reply.code);
  response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
}

/** What clients read to find the server. */
export function kubeconfigFor(server: string, { certificates, token }: Omit<Doors, 'port'> = {}): string {
  const authority = certificates && Buffer.from(certificates.authority).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'kube-crd',
    clusters: [{ name: 'kube-crd', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'kube-crd', user: { token } }],
    contexts: [{ name: 'kube-crd', context: { cluster: 'kube-crd', user: 'kube-crd', namespace: 'default' } }],
  };
  return `${JSON.stringify(config)}\n`;
}
