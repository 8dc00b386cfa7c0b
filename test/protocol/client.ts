import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What the server may ask of us; the default for anything else is null. */
export type Replies = Readonly<Record<string, (params: never) => unknown>>;

/** A client that speaks raw JSON-RPC to the built server, so that nothing of the library is trusted. */
export interface Client {
  readonly pid: number | undefined;
  request<R = unknown>(method: string, params?: unknown): Promise<R>;
  notify(method: string, params?: unknown): void;
  /** Sends a body as it is, be it JSON or not. */
  raw(body: string): void;
  /** The next notification of a method that fits, also one that came already and was not taken. */
  next<P = unknown>(method: string, fits?: (params: P) => boolean): Promise<P>;
  /** Drops the notifications of a method that came and were not taken. */
  forget(method: string): void;
  /** Waits until the server sends a request of this method. */
  askedFor(method: string): Promise<void>;
  /** Ends the server as an editor does; gives its exit code. */
  end(): Promise<number | null>;
}

export function startClient(
  args: readonly string[] = ['server', '--stdio'],
  replies: Replies = {},
  env: NodeJS.ProcessEnv = process.env,
): Client {
  return startProgram(process.execPath, [path.resolve('dist/server/main.cjs'), ...args], replies, env);
}

/** The same with any server. */
export function startProgram(
  command: string,
  args: readonly string[],
  replies: Replies,
  env: NodeJS.ProcessEnv = process.env,
): Client {
  return connect(spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env }), replies);
}

/** Servers that run. None of them outlives its tests. */
const running = new Set<ChildProcessWithoutNullStreams>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/**
 * Lets a child keep this process only while somebody waits for it: a test that fails does not get to end its server, and
 * is to end all the same.
 */
function keptWhileAwaited(child: ChildProcessWithoutNullStreams) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref();
  child.unref();
  let waits = 0;
  return async <T>(promise: Promise<T>): Promise<T> => {
    if (waits++ === 0) child.ref();
    try {
      return await promise;
    } finally {
      if (--waits === 0) child.unref();
    }
  };
}

function connect(child: ChildProcessWithoutNullStreams, replies: Replies): Client {
  const pending = new Map<number | string, (message: Message) => void>();
  const arrived: Message[] = [];
  const waiting: { method: string; fits: (params: never) => boolean; take: (params: unknown) => void }[] = [];
  const awaited: { method: string; take: () => void }[] = [];
  const held = keptWhileAwaited(child);
  let lastId = 0;
  let errors = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });

  const send = (message: object) => raw(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const raw = (body: string) => {
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };

  const notified = (message: Message) => {
    const at = waiting.findIndex((one) => one.method === message.method && one.fits(message.params as never));
    if (at === -1) arrived.push(message);
    else waiting.splice(at, 1)[0]!.take(message.params);
  };

  readMessages(child, (message) => {
    if (message.method === undefined) pending.get(message.id!)?.(message);
    else if (message.id === undefined) notified(message);
    else {
      for (const one of awaited.filter(({ method }) => method === message.method)) one.take();
      send({ id: message.id, result: replies[message.method]?.(message.params as never) ?? null });
    }
  });

  return {
    pid: child.pid,
    askedFor: (method) => held(new Promise((take) => awaited.push({ method, take }))),
    notify: (method, params) => send({ method, params }),
    raw,
    request: <R>(method: string, params?: unknown) =>
      held(
        new Promise<R>((resolve, reject) => {
          const id = ++lastId;
          pending.set(id, ({ result, error }) => {
            pending.delete(id);
            if (error) reject(new Error(`${method}: ${error.code} ${error.message}`));
            else resolve(result as R);
          });
          send({ id, method, params });
        }),
      ),
    next: <P>(method: string, fits: (params: P) => boolean = () => true) => {
      const at = arrived.findIndex((message) => message.method === method && fits(message.params as P));
      if (at !== -1) return Promise.resolve(arrived.splice(at, 1)[0]!.params as P);
      return held(
        new Promise<P>((resolve) => {
          waiting.push({ method, fits: fits as (params: never) => boolean, take: (params) => resolve(params as P) });
        }),
      );
    },
    forget: (method) => {
      for (let at = arrived.length - 1; at >= 0; at--) if (arrived[at]!.method === method) arrived.splice(at, 1);
    },
    end: async () => {
      const shutDown = new Promise<void>((resolve) => {
        pending.set('end', () => resolve());
        send({ id: 'end', method: 'shutdown' });
      });
      await held(shutDown);
      send({ method: 'exit' });
      const code = await held(exited);
      if (errors !== '') throw new Error(`the server wrote to standard error: ${errors}`);
      return code;
    },
  };
}

function readMessages(child: ChildProcessWithoutNullStreams, take: (message: Message) => void): void {
  let buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, end))?.[1]);
      if (buffer.length < end + 4 + length) return;
      take(JSON.parse(buffer.toString('utf8', end + 4, end + 4 + length)));
      buffer = buffer.subarray(end + 4 + length);
    }
  });
}

/** What editors of today say of documents; without it a server has to do with less. */
export const modernDocument = {
  codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } } },
  completion: { completionItem: { documentationFormat: ['markdown', 'plaintext'] } },
  documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  hover: { contentFormat: ['markdown', 'plaintext'] },
  publishDiagnostics: {
    codeDescriptionSupport: true,
    dataSupport: true,
    relatedInformation: true,
    tagSupport: { valueSet: [1, 2] },
  },
};
