// Messages that no client of a language model would send: broken, odd, cut anywhere; and names of files that lead out of the
// workspace. Each request is answered once, in JSON, and nothing outside is named.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { refuseOutside, refuseOutsideOfCommit } from '../../../server/src/cli/toolCall.ts';
import { linesOf } from '../../../server/src/mcp/lines.ts';
import { serverOf } from '../../../server/src/mcp/messages.ts';
import { commandLine, tools } from '../../../server/src/mcp/tools.ts';
import type { Random } from '../../support/random.ts';
import type { Attack } from './part.ts';

const odd: readonly unknown[] = [
  ...['', 'x', '--fix', '-', '--output-file=x', '__proto__', 'constructor', '\u0000', '../..', '/etc/passwd'],
  ...[null, true, -1, 0.5, 1e99, [], {}, [[]], ['..'], { toString: 1 }, { a: [{}] }, 'ü'.repeat(2_000)],
];
const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'toString', '__proto__', ''],
  ...['notifications/cancelled', 'notifications/initialized', 'resources/list'],
];

function message(random: Random): Record<string, unknown> {
  const some = (usual: unknown) => (random.chance(0.2) ? random.pick(odd) : usual);
  const { name, inputs } = random.pick(tools);
  const given = Object.keys(inputs).flatMap((key) => (random.chance(0.5) ? [[key, random.pick(odd)] as const] : []));
  return {
    jsonrpc: some('2.0'),
    ...(random.chance(0.8) && { id: some(random.below(5)) }),
    ...(random.chance(0.9) && { method: some(random.pick(methods)) }),
    params: some({
      name: some(name),
      arguments: some(Object.fromEntries(given)),
      protocolVersion: some('2025-06-18'),
      requestId: some(random.below(5)),
      _meta: some({ 'io.modelcontextprotocol/protocolVersion': some('2026-07-28') }),
    }),
  };
}

export const attackMcp: Attack = async ({ cases, random, failed }) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-mcp-'));
  const root = path.join(home, 'root');
  mkdirSync(path.join(root, 'in'), { recursive: true });
  mkdirSync(path.join(home, 'out'));
  for (const file of ['root/in/a.yaml', 'out/b.yaml']) writeFileSync(path.join(home, file), 'kind: A\n');
  symlinkSync('../out', path.join(root, 'link'));
  let [replies, calls, refused] = [0, 0, 0];
  const handle = serverOf({
    version: '1',
    answer: async (tool, values) => {
      calls++;
      const { args } = commandLine(tool, values);
      const behind = args.indexOf('--');
      const options = args.slice(1, behind).filter((one) => !/^--[a-z-]+(=|$)|^(json|markdown)$/s.test(one));
      if (behind < 0 || options.length > 0) failed(`taken for an option: ${JSON.stringify(args)}`);
      return { text: 'yes', failed: false };
    },
  });
  try {
    for (let i = 0; i < cases; i++) {
      const whole = JSON.stringify(message(random));
      const line = random.chance(0.8) ? whole : whole.slice(0, random.below(whole.length));
      const reply = await handle(line).catch((error) => failed(`message ${line.slice(0, 500)}: ${error}`));
      if (reply === undefined) continue;
      replies++;
      const { jsonrpc, result, error } = JSON.parse(reply);
      if (jsonrpc !== '2.0' || (result === undefined) === (error === undefined)) failed(`${line}\n${reply}`);
      if (reply.includes('\n')) failed(`two lines: ${reply}`);
    }
    const parts = ['..', '.', '', 'in', 'link', 'out', 'root', '*', '{a,..}', '[.]', '~', 'HEAD:', 'C:', home, '\\'];
    for (let i = 0; i < cases; i++) {
      const names = Array.from({ length: 1 + random.below(5) }, () => random.pick(parts));
      const named = names.join(random.pick(['/', '/', ':', '']));
      for (const [refuse, mayBeOfCommit] of [
        [refuseOutside, false],
        [refuseOutsideOfCommit, true],
      ] as const) {
        const why = await refuse(named, root).catch((error: Error) => error);
        if (why !== undefined) refused++;
        else if (leadsOut(named, root, mayBeOfCommit)) failed(`let through: ${named}`);
      }
    }
    await lines(cases, random, failed);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return { messages: cases, replies, calls, 'names refused': refused };
};

/** Whether a name that was let through leads out, by where its file is once it is there. */
function leadsOut(named: string, root: string, mayBeOfCommit: boolean): boolean {
  const inCommit = mayBeOfCommit ? /^(?:merge-base:)?[^:]+:(.*)$/s.exec(named)?.[1] : undefined;
  const place = path.resolve(root, inCommit ?? named);
  const link = path.join(root, 'link');
  const isIn = (folder: string) => place === folder || place.startsWith(folder + path.sep);
  return !isIn(root) || (inCommit === undefined && isIn(link));
}

/** Lines come whole, however the stream was cut. */
async function lines(cases: number, random: Random, failed: (what: string) => void): Promise<void> {
  for (let i = 0; i < cases / 100; i++) {
    const wanted = Array.from({ length: random.below(6) }, () => 'x'.repeat(random.below(9)));
    const text = wanted.join('\n');
    const chunks: string[] = [];
    for (let at = 0; at < text.length; ) {
      const next = at + 1 + random.below(5);
      chunks.push(text.slice(at, next));
      at = next;
    }
    const found: unknown[] = [];
    for await (const line of linesOf(stream(chunks))) found.push(line);
    const left = wanted.at(-1) === '' ? wanted.slice(0, -1) : wanted;
    if (found.join('\n') !== left.join('\n')) failed(`lines of ${JSON.stringify(chunks)}: ${JSON.stringify(found)}`);
  }
}

async function* stream(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}
