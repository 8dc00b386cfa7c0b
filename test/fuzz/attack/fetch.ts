// Servers on this machine that cut off, lie about lengths, lead astray or never end: what is taken of them is the whole, or
// nothing.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fetchCrds } from '../../../server/src/fetch/fetch.ts';
import { fetchLimits } from '../../../server/src/fetch/fetching.ts';
import { download } from '../../../server/src/fetch/https.ts';
import { keep } from '../../../server/src/fetch/store.ts';
import { FetchFailure } from '../../../server/src/workspace/fetcher.ts';
import type { FetchSource } from '../../../server/src/workspace/sources/lock.ts';
import { tgz } from '../../support/archives.ts';
import { crdText } from '../../support/crdTexts.ts';
import { caFile } from '../../support/httpsServer.ts';
import type { Random } from '../../support/random.ts';
import { type RawReply, rawServer } from '../../support/rawServer.ts';
import type { Attack } from './part.ts';

const crd = crdText('Box', 'size: {type: integer, description: "Of what is in it."}');
const bodies: readonly Uint8Array[] = [
  Buffer.from(crd),
  Buffer.from(`${crd}---\n${crdText('Lid', '')}`),
  Buffer.from(JSON.stringify({ kind: 'List', items: [] })),
  tgz([{ name: 'boxes/crds/box.yaml', content: crd }]),
];

/** What is sent, and the content if that is all there and said to be. */
interface Sent {
  readonly reply: RawReply;
  readonly whole: Uint8Array | undefined;
}

function sent(random: Random): Sent {
  const body = random.pick(bodies);
  const framed = random.pick([withLength, inChunks, withoutEnd])(body, random);
  const ending = random.pick(['end', 'cut', 'keep'] as const);
  const oddities = random.chance(0.25) ? [random.pick(odd)] : [];
  const head = `${random.pick(statuses)}\r\n${[...framed.head, ...oddities].map((line) => `${line}\r\n`).join('')}\r\n`;
  const all = Buffer.concat([Buffer.from(head, 'latin1'), framed.body]);
  const isCut = random.chance(0.6);
  const bytes = isCut ? all.subarray(0, random.below(all.length)) : all;
  const pieces = random.chance(0.3)
    ? [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)]
    : [bytes];
  return { reply: { pieces, ending }, whole: isCut || !framed.isWhole ? undefined : body };
}

interface Framed {
  readonly head: readonly string[];
  readonly body: Buffer;
  readonly isWhole: boolean;
}

const withLength = (body: Uint8Array, random: Random): Framed => {
  const more = random.chance(0.3) ? 1 + random.below(1_000) : 0;
  return { head: [`Content-Length: ${body.length + more}`], body: Buffer.from(body), isWhole: more === 0 };
};

function inChunks(body: Uint8Array, random: Random): Framed {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Math.min(1 + random.below(300), body.length - at);
    chunks.push(
      Buffer.from(`${size.toString(16)}\r\n`),
      Buffer.from(body.subarray(at, at + size)),
      Buffer.from('\r\n'),
    );
    at += size;
  }
  const isWhole = random.chance(0.7);
  const last = isWhole
    ? ['0\r\n\r\n']
    : [random.pick(['', '0', '0\r\n', '5\r\nabc', 'x\r\n', '-1\r\n', 'fffffffffffffffff\r\n'])];
  return { head: ['Transfer-Encoding: chunked'], body: Buffer.concat([...chunks, Buffer.from(last[0]!)]), isWhole };
}

const withoutEnd = (body: Uint8Array): Framed => ({ head: [], body: Buffer.from(body), isWhole: false });

const statuses: readonly string[] = [
  ...Array<string>(8).fill('HTTP/1.1 200 OK'),
  ...[
    'HTTP/1.0 200 OK',
    'HTTP/1.1 206 Partial Content',
    'HTTP/1.1 204 No Content',
    'HTTP/1.1 500 Oops',
    'HTTP/9.9 200 OK',
  ],
  ...[
    'HTTP/1.1 302 Found\r\nLocation: /again',
    'HTTP/1.1 301 Gone\r\nLocation: http://localhost/',
    'HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd',
  ],
  ...[
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK',
    `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)}HTTP/1.1 200 OK`,
    'ICY 200 OK',
    '',
  ],
];

const odd: readonly string[] = [
  ...['Content-Length: -1', 'Content-Length: 1e9', 'Content-Length: 99999999999999999999', 'Content-Length:'],
  ...[
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding : chunked',
    'Content-Encoding: gzip',
  ],
  ...[
    'Connection: close',
    'Connection: Upgrade\r\nUpgrade: h2c',
    'Trailer: X',
    ' folded',
    'Set-Cookie: a\u0000b',
    `X: ${'x'.repeat(20_000)}`,
  ],
];

/** Of silent servers nothing more comes: that is known soon. */
const limits = { ...fetchLimits, milliseconds: 150 };
const patience = 5_000;

export const attackFetch: Attack = async ({ cases, random, failed }) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
  const replies = new Map<string, RawReply>();
  const { address, close } = await rawServer(replies);
  let taken = 0;
  try {
    for (let i = 0; i < cases; i++) {
      const { reply, whole } = sent(random);
      replies.set('/a.yaml', reply);
      replies.set('/again', reply);
      const wrong = await outcome(`${address}/a.yaml`, reply, home);
      if (wrong instanceof Uint8Array) {
        taken++;
        if (!whole || !Buffer.from(whole).equals(wrong)) failed(`taken: ${shown(reply)}`);
      } else if (wrong !== undefined) failed(`${wrong}: ${shown(reply)}`);
    }
  } finally {
    close();
    rmSync(home, { recursive: true, force: true });
  }
  return { requests: cases, taken };
};

const shown = ({ pieces, ending }: RawReply) =>
  `${JSON.stringify(pieces.map((piece) => Buffer.from(piece).toString('latin1')).join('')).slice(0, 2_000)}, then ${ending}`;

/** The content that was taken, what went wrong, or undefined where it was refused as it should be. */
async function outcome(url: string, { ending }: RawReply, home: string): Promise<Uint8Array | string | undefined> {
  const tools = { signal: new AbortController().signal, network: { caFile }, say: () => {} };
  const start = performance.now();
  try {
    const bytes = await download(url, tools, limits);
    // What was sent once is sent again: nothing but the whole is kept of it.
    if (ending === 'end') await kept({ from: 'url', url }, home);
    return bytes;
  } catch (error) {
    if (!(error instanceof FetchFailure))
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (/[\r\n]/.test(error.message)) return `a message of several lines, ${JSON.stringify(error.message)}`;
    if (readdirSync(home).length > 0) return 'something of it is kept';
    return performance.now() - start > patience ? 'it takes too long' : undefined;
  } finally {
    for (const name of readdirSync(home)) rmSync(path.join(home, name), { recursive: true });
  }
}

async function kept(source: FetchSource, home: string): Promise<void> {
  const tools = { signal: new AbortController().signal, network: { caFile }, say: () => {} };
  try {
    await keep(await fetchCrds(source, [], tools), source, { cache: home });
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
  }
}
