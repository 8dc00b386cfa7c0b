// What no client should send, in sessions with the built server: it must answer every request, in whatever way, and
// afterwards be able to do its work.

import { type Client, startClient } from '../../protocol/client.ts';
import type { Random } from '../../support/random.ts';
import { bases, edited, randomEdit } from './documents.ts';
import type { Attack } from './part.ts';

const requests = [
  ...['hover', 'completion', 'signatureHelp', 'definition', 'references', 'documentHighlight', 'documentSymbol'],
  ...['foldingRange', 'selectionRange', 'documentLink', 'semanticTokens/full', 'semanticTokens/range', 'inlayHint'],
  ...['codeAction', 'onTypeFormatting', 'diagnostic', 'rename', '__proto__'],
].map((name) => `textDocument/${name}`);
const otherRequests = [
  ...['workspace/symbol', 'workspace/executeCommand', 'codeAction/resolve', 'initialize', 'toString', '', '$/x'],
  ...['kubeCrd/check', 'kubeCrd/stored', 'kubeCrd/page', 'kubeCrd/rulePage'],
];
const notifications = [
  ...['textDocument/didOpen', 'textDocument/didChange', 'textDocument/didClose', 'textDocument/didSave'],
  ...['workspace/didChangeWatchedFiles', 'workspace/didChangeConfiguration', 'workspace/didChangeWorkspaceFolders'],
  ...['$/cancelRequest', '$/setTrace', '$/progress', 'kubeCrd/trusted', 'initialized', 'constructor'],
];
const uris = [
  ...['file:///a.yaml', 'file:///b.yaml', 'file:///c.yaml'],
  ...[
    '',
    'a',
    'file:',
    'file://%zz/a.yaml',
    'file:///%00.yaml',
    'untitled:x',
    '__proto__',
    '\ud800',
    'file:///a%2f..%2fb',
  ],
  ...[`file:///${'a/'.repeat(3000)}a.yaml`, 'http://example.com/a.yaml', 'kube-crd-stored:/a.yaml'],
];
const oddValues: readonly unknown[] = [
  ...[null, 0, -1, 1e9, 1.5, 2 ** 53, '', 'a', true, [], {}, [null], [[]], { __proto__: null }, '__proto__'],
];

function number(random: Random): unknown {
  return random.chance(0.1) ? random.pick(oddValues) : random.below(random.chance(0.1) ? 5000 : 30);
}

const position = (random: Random) => ({ line: number(random), character: number(random) });
const range = (random: Random) => ({ start: position(random), end: position(random) });

function text(random: Random): string {
  let now = random.pick(bases);
  for (let edits = random.below(6); edits > 0; edits--) now = edited(now, randomEdit(random, now));
  return now;
}

/** What any method might ask for, some of it wrong. */
function parameters(random: Random): unknown {
  if (random.chance(0.05)) return random.pick(oddValues);
  const uri = random.chance(0.7) ? random.pick(uris.slice(0, 3)) : random.pick(uris);
  const change = random.chance(0.3)
    ? { text: text(random) }
    : { range: range(random), text: random.pick(['', 'a', ': ']) };
  const diagnostic = { range: range(random), message: 'a', source: 'kube-crd', code: 'cr/unknown-field', data: {} };
  const all: Record<string, unknown> = {
    textDocument: { uri, languageId: 'yaml', version: number(random), text: text(random) },
    contentChanges: Array.from({ length: random.below(4) }, () => change),
    ...{ position: position(random), range: range(random), ch: '\n', options: {}, query: 'a', uri, code: 'cr/type' },
    positions: [position(random), position(random)],
    context: { includeDeclaration: true, diagnostics: [diagnostic], triggerKind: number(random) },
    changes: [{ uri, type: number(random) }],
    settings: { kubeCrd: { kubernetesVersion: random.pick(oddValues), exclude: [random.pick(oddValues)] } },
    event: { added: [{ uri, name: 'a' }], removed: random.chance(0.5) ? [] : [{ uri, name: 'b' }] },
    ...{ id: number(random), title: 'a', data: { uri, version: number(random), code: 'cr/type' } },
  };
  for (const key of Object.keys(all)) if (random.chance(0.03)) all[key] = random.pick(oddValues);
  return all;
}

const bodies = ['', '{', 'null', '[]', '0', '"a"', '{}', '[{}]', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":{}}'];
const hostileBodies = [...bodies, '{"jsonrpc":"2.0","method":1}', '\ud800', '{"__proto__":{"method":"x"}}'];

const messagesPerSession = 500;
/** Milliseconds until an answer counts as missing. */
const patience = 30_000;

/** One message per hundred cases. */
export const attackStreams: Attack = async ({ cases, random, failed }) => {
  const sessions = Math.ceil(cases / 100 / messagesPerSession);
  for (let i = 0; i < sessions; i++) {
    const client = startClient();
    await client.request('initialize', { processId: null, capabilities: { textDocument: { diagnostic: {} } } });
    client.notify('initialized', {});
    for (let sent = 0; sent < messagesPerSession; sent++) {
      const missing = await sendHostile(client, random);
      if (missing !== undefined) failed(`no answer to ${missing}`);
    }
    if (!(await works(client))) failed(`session ${i}: the server does not judge a file any more`);
    const code = await client.end().catch((error: Error) => error.message);
    if (code !== 0) failed(`session ${i}: the server ended with ${code}`);
  }
  return { sessions, messages: sessions * messagesPerSession };
};

/** Sends something; gives what was not answered. */
async function sendHostile(client: Client, random: Random): Promise<string | undefined> {
  const kind = random.next();
  if (kind < 0.05) client.raw(random.pick(hostileBodies));
  else if (kind < 0.4) client.notify(random.pick(notifications), parameters(random));
  else {
    const method = random.pick(random.chance(0.9) ? requests : otherRequests);
    const params = parameters(random);
    if (!(await isAnswered(client.request(method, params)))) return `${method} ${JSON.stringify(params)}`;
  }
  return undefined;
}

/** An error is an answer as well. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patience);
  });
  const answered = answer.then(
    () => true,
    () => true,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

async function works(client: Client): Promise<boolean> {
  const uri = 'file:///good.yaml';
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: 'on: 1\n' } });
  const report = client.request<{ items: { code: string }[] }>('textDocument/diagnostic', { textDocument: { uri } });
  return (await isAnswered(report)) && (await report).items.some(({ code }) => code === 'yaml/reads-as');
}
