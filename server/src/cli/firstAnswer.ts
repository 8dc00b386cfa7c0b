import path from 'node:path';
import { resultBefore } from '../lsp/capabilities.ts';
import { cacheFolder } from './cacheFolder.ts';
import { endWithReader } from './closedPipe.ts';

// A client does nothing before it has the answer to `initialize`, and that rests on little: it is given before the program
// is there. The program then gets the message as if nobody had looked at it, and its own answer is dropped
// (`commands/server.ts`). Whatever is not plainly a client's first message is left for the program to answer.

/** A client whose first message was looked at. */
export interface FirstClient {
  readonly transport: '--stdio' | '--node-ipc';
  /** The message that was answered; undefined where the program is to answer it. */
  readonly answered: number | string | undefined;
  /** Gives the program the message, once it listens. */
  readonly again: () => void;
}

/** Answers a client that has said who it is by now; undefined where the program is to begin as if there were none. */
export async function firstAnswer(args: readonly string[]): Promise<FirstClient | undefined> {
  const [transport, ...more] = args.filter((arg) => !arg.startsWith('--clientProcessId='));
  if (more.length > 0) return undefined;
  if (transport === '--stdio') return await answeredOnStreams();
  return transport === '--node-ipc' && process.send ? await answeredOnChannel() : undefined;
}

async function answeredOnStreams(): Promise<FirstClient | undefined> {
  const answer = answerTo(parsed(await textNow()));
  if (!answer) return undefined;
  endWithReader();
  const body = JSON.stringify(answer);
  const message = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  await new Promise((resolve) => process.stdout.write(message, resolve));
  return { transport: '--stdio', answered: answer.id, again: () => {} };
}

async function answeredOnChannel(): Promise<FirstClient> {
  const message = await messageNow();
  const answer = answerTo(message);
  if (answer) await new Promise((resolve) => process.send!(answer, resolve));
  return {
    transport: '--node-ipc',
    answered: answer?.id,
    again: () => void (message === undefined || process.emit('message', message, undefined)),
  };
}

/** The first message of standard input, if all of it is there by now. What was read is put back for the program. */
function textNow(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const look = () => {
      clearImmediate(late);
      process.stdin.off('readable', look);
      // To read where there is nothing would take the end of the input from the program.
      const bytes: Buffer | null = process.stdin.readableLength > 0 ? process.stdin.read() : null;
      if (bytes) process.stdin.unshift(bytes);
      resolve(bytes ? firstBody(bytes) : undefined);
    };
    process.stdin.on('readable', look);
    const late = setImmediate(look);
  });
}

/** The first message of the channel, if it is there by now. Node keeps those that come while nobody listens. */
function messageNow(): Promise<unknown> {
  return new Promise((resolve) => {
    const look = (message?: unknown) => {
      clearImmediate(late);
      process.off('message', look);
      resolve(message);
    };
    process.on('message', look);
    const late = setImmediate(look);
  });
}

/** The body of the message that bytes begin with; undefined if it is not whole. */
function firstBody(bytes: Buffer): string | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const head = end === -1 ? '' : bytes.toString('latin1', 0, end);
  const length = Number(/^Content-Length: (\d{1,7})$/.exec(head)?.[1]);
  const body = bytes.subarray(end + 4, end + 4 + length);
  return body.length === length ? body.toString() : undefined;
}

function parsed(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Answer {
  readonly jsonrpc: '2.0';
  readonly id: number | string;
  readonly result: object;
}

function answerTo(message: unknown): Answer | undefined {
  if (!isObject(message)) return undefined;
  const { id, method, params } = message;
  if (method !== 'initialize' || (typeof id !== 'number' && typeof id !== 'string') || !isObject(params))
    return undefined;
  const canFetch = path.isAbsolute(cacheFolder());
  const result = resultBefore(params, { version: VERSION, canFetch, canAskClusters: true });
  return result && { jsonrpc: '2.0', id, result };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
