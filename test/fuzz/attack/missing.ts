// All missing kinds asked of catalogues on this machine that answer with anything: what is brought is what was sent whole, no
// answer ends the others, and no more is asked than the bounds say.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fetchMissing } from '../../../server/src/fetch/missing.ts';
import { keep } from '../../../server/src/fetch/store.ts';
import { type Brought, FetchFailure } from '../../../server/src/workspace/fetcher.ts';
import type { WantedKind } from '../../../server/src/workspace/kinds.ts';
import { kindOf } from '../../../server/src/workspace/sources/lock.ts';
import { caFile } from '../../support/httpsServer.ts';
import type { Random } from '../../support/random.ts';
import { type RawReply, rawServer } from '../../support/rawServer.ts';
import type { Attack } from './part.ts';

const schema = '{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"}}}}}';

/** Schemas, and texts that are none. */
const bodies: readonly string[] = [
  schema,
  '',
  'null',
  '[]',
  '{"type":',
  `${'{"properties":{"a":'.repeat(5_000)}1`,
  `${'['.repeat(50_000)}`,
  `{"type":"object","properties":{${Array.from({ length: 20_000 }, (_, i) => `"p${i}":{"type":"string"}`).join()}}}`,
  '{"__proto__":{"type":"object"},"type":"object","$ref":"#"}',
  'apiVersion: v1\nkind: List\n',
];

const schemas: ReadonlySet<string> = new Set([schema, bodies[7]!, bodies[8]!]);

const words = ['box', 'lid', 'constructor', 'cert-manager', 'a', 'xn--9', '0'];
const odd = ['..', '../../x', '__proto__', 'Ä', 'a b', '%2e%2e', 'a\r\nHost: b', ''];

function kindsOf(random: Random): WantedKind[] {
  const name = () => (random.chance(0.1) ? random.pick(odd) : random.pick(words));
  const count = random.chance(0.02) ? 600 : 1 + random.below(8);
  return Array.from({ length: count }, (_, i) => ({
    group: `${name()}.example.com`,
    version: random.pick(['v1', 'v1beta1', '..', 'v1/../x']),
    kind: `${random.pick(['Box', 'Lid', '__proto__', 'A-b'])}${count > 100 ? i : ''}`,
  }));
}

interface Answer {
  readonly reply: RawReply;
  readonly isSchema: boolean;
}

function answer(random: Random): Answer | undefined {
  if (random.chance(0.2)) return undefined;
  const body = random.chance(0.5) ? schema : random.pick(bodies);
  const length = random.chance(0.15) ? body.length + 1 + random.below(9) : body.length;
  const status = random.chance(0.9) ? '200 OK' : random.pick(['500 Oops', '302 Found\r\nLocation: http://localhost/']);
  const head = `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n\r\n`;
  const isWhole = status === '200 OK' && length === body.length;
  return {
    reply: { pieces: [head, body], ending: random.pick(['end', 'cut']) },
    isSchema: isWhole && schemas.has(body),
  };
}

const mostAsked = 500;

export const attackMissing: Attack = async ({ cases, random, failed }) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
  let asked: string[] = [];
  const answers = new Map<string, Answer | undefined>();
  const replies = {
    get: (path: string) => {
      asked.push(path);
      if (!answers.has(path)) answers.set(path, answer(random));
      return answers.get(path)?.reply;
    },
  } as ReadonlyMap<string, RawReply>;
  const { address, close } = await rawServer(replies);
  let brought = 0;
  try {
    for (let i = 0; i < cases; i++) {
      answers.clear();
      asked = [];
      const kinds = kindsOf(random);
      const got = await outcome(kinds, address, home);
      const wrong = typeof got === 'string' ? got : wrongIn(got, kinds, answers, asked);
      if (wrong !== undefined) failed(`${wrong}: ${JSON.stringify(kinds).slice(0, 1_000)}`);
      if (typeof got !== 'string') for (const { crds } of got.brought) brought += crds.length;
      for (const name of readdirSync(home)) rmSync(path.join(home, name), { recursive: true });
    }
  } finally {
    close();
    rmSync(home, { recursive: true, force: true });
  }
  return { runs: cases, brought };
};

async function outcome(kinds: readonly WantedKind[], address: string, home: string): Promise<Brought | string> {
  const tools = { signal: new AbortController().signal, network: { caFile }, say: () => {} };
  try {
    const sources = ['', '/other'].map((end) => ({ from: 'catalogue', url: `${address}${end}` }) as const);
    const got = await fetchMissing(sources, kinds, tools);
    for (const { crds, source } of got.brought) await keep(crds, source, { cache: home });
    const kept = readdirSync(home);
    return kept.every((name) => name === 'crds' || name === 'kube-crd.lock') ? got : `${kept.join(', ')} is written`;
  } catch (error) {
    if (error instanceof FetchFailure) return `it ends with ${error.message}`;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function wrongIn(
  { brought, left, failures }: Brought,
  kinds: readonly WantedKind[],
  answers: ReadonlyMap<string, Answer | undefined>,
  asked: readonly string[],
): string | undefined {
  const wanted = new Set(kinds.map(kindOf));
  const crds = brought.flatMap((one) => one.crds);
  const isSent = (crd: (typeof crds)[number]) =>
    (crd.fromSchema ?? []).every((version) =>
      ['', '/other'].some((end) => {
        return answers.get(`${end}/${crd.group}/${crd.kind.toLowerCase()}_${version}.json`)?.isSchema;
      }),
    );
  if (crds.some((crd) => !wanted.has(kindOf(crd)) || !isSent(crd))) return 'something is brought that was not sent';
  if (asked.length > 2 * mostAsked) return `${asked.length} requests`;
  if (failures.some((line) => /[\r\n]/.test(line))) return 'a message of several lines';
  const all = new Set([...crds, ...left].map(kindOf));
  return kinds.every((one) => all.has(kindOf(one))) ? undefined : 'a kind is neither brought nor left';
}
