import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Client, startClient } from '../protocol/client.ts';
import type { Edit } from '../support/fleetCrd.ts';
import { type Material, materials, schemaOf, writeLargeWorkspace } from './supportMaterial.ts';
import { type Page, writePage } from './supportPage.ts';
import { cpuOf, memoryOf, startYamlLanguageServer } from './supportPeers.ts';

// Our server beside yaml-language-server, over standard input and output, on the same files and with the same edits, in
// turns, so that a busy moment of the machine hits all alike. Times hold all that a person waits for: the pauses that a
// server makes before it looks count, too.

/** A server with one file open. */
interface Side {
  readonly name: 'asked' | 'sent' | 'theirs';
  readonly client: Client;
  readonly uri: string;
  version: number;
}

type Samples = Map<string, number[]>;

/** Latencies in milliseconds, by what was measured and for whom. */
interface Times {
  readonly asked: Samples;
  readonly sent: Samples;
  readonly theirs: Samples;
}

export async function bench(args: readonly string[]): Promise<void> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
  const page: Page = { sections: [], figures: new Map() };
  try {
    // As after all starts but the first, what that one compiled is there.
    process.env.KUBE_CRD_CACHE = path.join(home, 'cache');
    await starts(page);
    for (const material of materials()) await measure(page, material, home);
    await idle(page);
    await largeWorkspace(page, path.join(home, 'large'));
  } finally {
    rmSync(home, { recursive: true });
  }
  const text = writePage(page, args.includes('--write') ? 'docs/benchmarks.md' : undefined);
  console.log(text);
}

const pull = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } };
const push = { textDocument: { publishDiagnostics: { versionSupport: true } } };

async function start(client: Client, capabilities: object, folder?: string): Promise<void> {
  const workspaceFolders = folder === undefined ? null : [{ uri: pathToFileURL(folder).href, name: 'bench' }];
  await client.request('initialize', { processId: null, capabilities, workspaceFolders });
  client.notify('initialized', {});
}

/** The first start of a version, and later ones, which take up what it has compiled. */
async function starts(page: Page): Promise<void> {
  const times: Times = newTimes();
  const timed = async (samples: Samples, what: string, begin: () => Client | undefined) => {
    const from = performance.now();
    const client = begin();
    if (!client) return;
    await start(client, pull);
    add(samples, what, performance.now() - from);
    await client.end();
  };
  await withCode(startClient());
  for (let i = 0; i < 9; i++) {
    const off = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
    await timed(times.asked, 'first start → initialized', () => startClient(undefined, undefined, off));
    await timed(times.asked, 'start → initialized', () => startClient());
    await timed(times.theirs, 'start → initialized', () => startYamlLanguageServer({}));
  }
  report(page, 'Start', times);
}

/** A server that judges a CRD, and runs until it has kept what it has compiled, as that of a first session does. */
async function withCode(client: Client): Promise<void> {
  const folder = path.join(process.env.KUBE_CRD_CACHE!, 'compiled');
  await start(client, pull);
  const side: Side = { name: 'asked', client, uri: 'file:///first.yaml', version: 1 };
  open(
    client,
    side.uri,
    `${readFileSync('examples/crds/databases.yaml', 'utf8')}---\n${readFileSync('examples/database.yaml', 'utf8')}`,
  );
  await diagnosed(side);
  while (!existsSync(folder) || readdirSync(folder).filter((name) => !name.endsWith('.tmp')).length < 2)
    await setTimeout(500);
  await client.end();
}

function newTimes(): Times {
  return { asked: new Map(), sent: new Map(), theirs: new Map() };
}

function add(samples: Samples, what: string, time: number): void {
  const known = samples.get(what);
  if (known) known.push(time);
  else samples.set(what, [time]);
}

/** Opens a file in each server, and works in it. */
async function measure(page: Page, material: Material, home: string): Promise<void> {
  const times = newTimes();
  const sides = await openIn(material, home, times);
  const [first] = material.edits;
  for (const edit of material.edits) {
    for (let i = 0; i < material.rounds; i++) {
      // Theirs waits before it looks, and its times differ little.
      for (const side of sides) if (side.name !== 'theirs' || i < 8) await typed(side, material, edit, times);
    }
  }
  const cpu = new Map<string, number>();
  for (const side of sides) cpu.set(side.name, await processorPerKey(side, material, first!));
  for (const side of sides) await features(side, material, first!, times);
  report(page, material.name, times);
  const megabytes = sides.map(({ name, client }) => [name, memoryOf(client.pid, 'now')] as const);
  page.sections.at(-1)!.costs = { cpu, megabytes: new Map(megabytes) };
  for (const { client } of sides) await client.end();
}

/** How often a file is opened, each time in servers that have just started. */
const openings = 7;

/** The file open in a server of each kind: those of the last round. */
async function openIn(material: Material, home: string, times: Times): Promise<Side[]> {
  for (let round = 1; ; round++) {
    const sides: Side[] = [];
    for (const name of ['asked', 'sent', 'theirs'] as const) {
      const side = await openedIn(name, material, home, times[name]);
      if (side) sides.push(side);
      // No session is over at once: what one keeps for the next is written behind its answers.
      await setTimeout(500);
      if (round < openings) await side?.client.end();
    }
    if (round === openings) return sides;
  }
}

/** Starts a server and opens the file in it, while nothing else of ours is busy. */
async function openedIn(
  name: Side['name'],
  { file, text, beside }: Material,
  home: string,
  samples: Samples,
): Promise<Side | undefined> {
  const folder = beside === undefined ? undefined : folderWith(beside, path.join(home, `with ${file}`));
  const uri = pathToFileURL(path.join(folder ?? home, file)).href;
  const client = name === 'theirs' ? startTheirs(file, beside, home) : startClient();
  if (!client) return undefined;
  await start(client, name === 'asked' ? pull : push, folder);
  // What a server reads of the folder is a part of what the first file waits for.
  if (folder === undefined) await settled();
  const side = { name, client, uri, version: 1 };
  const from = performance.now();
  open(client, uri, text);
  await (folder === undefined ? diagnosed(side) : judged(side));
  add(samples, 'open → first diagnostics', performance.now() - from);
  return side;
}

function folderWith(crd: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'crd.yaml'), crd);
  return folder;
}

/** The mistake of a resource is found: before its CRD was read, nothing is. */
async function judged({ name, client, uri }: Side): Promise<void> {
  type Report = { readonly items: readonly unknown[] };
  if (name !== 'asked') {
    const isOfFile = (one: { uri: string; diagnostics: unknown[] }) => one.uri === uri && one.diagnostics.length > 0;
    await client.next('textDocument/publishDiagnostics', isOfFile);
    return;
  }
  for (;;) {
    const again = client.askedFor('workspace/diagnostic/refresh');
    const { items } = await client.request<Report>('textDocument/diagnostic', { textDocument: { uri } });
    if (items.length > 0) return;
    await again;
  }
}

function startTheirs(file: string, crd: string | undefined, home: string): Client | undefined {
  const schema = path.join(home, `${file}.schema.json`);
  if (crd !== undefined && !existsSync(schema)) writeFileSync(schema, schemaOf(crd, home));
  return startYamlLanguageServer(crd === undefined ? {} : { [pathToFileURL(schema).href]: file });
}

function open(client: Client, uri: string, text: string): void {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
}

function diagnosed({ name, client, uri, version }: Side): Promise<unknown> {
  if (name === 'asked') return client.request('textDocument/diagnostic', { textDocument: { uri } });
  return client.next<{ uri: string; version?: number }>(
    'textDocument/publishDiagnostics',
    (one) => one.uri === uri && (name === 'theirs' || one.version === version),
  );
}

/** What goes on behind an answer is not to slow the next one. */
function settled(): Promise<void> {
  return setTimeout(40);
}

/** An edit, and its undoing. */
async function typed(side: Side, material: Material, edit: Edit, times: Times): Promise<void> {
  for (const undo of [false, true]) {
    const from = performance.now();
    change(side, material, edit, undo);
    await diagnosed(side);
    const time = performance.now() - from;
    add(times[side.name], `key → diagnostics, ${edit.name}`, time);
    add(times[side.name], 'key → diagnostics', time);
    await settled();
    side.client.forget('textDocument/publishDiagnostics');
  }
}

function change(side: Side, { text }: Material, { at, put }: Edit, undo: boolean): void {
  const before = text.slice(0, at).split('\n');
  const lines = put.split('\n');
  const from = { line: before.length - 1, character: before.at(-1)!.length };
  const character = lines.length === 1 ? from.character + put.length : lines.at(-1)!.length;
  const to = { line: from.line + lines.length - 1, character };
  side.version++;
  side.client.notify('textDocument/didChange', {
    textDocument: { uri: side.uri, version: side.version },
    contentChanges: [
      undo ? { range: { start: from, end: to }, text: '' } : { range: { start: from, end: from }, text: put },
    ],
  });
}

/** Milliseconds of the processor for a key and all that follows from it. */
async function processorPerKey(side: Side, material: Material, edit: Edit): Promise<number> {
  const keys = 10;
  const from = cpuOf(side.client.pid);
  for (let i = 0; i < keys; i++) {
    change(side, material, edit, i % 2 === 1);
    await diagnosed(side);
    await settled();
    side.client.forget('textDocument/publishDiagnostics');
  }
  return (cpuOf(side.client.pid) - from) / keys;
}

const screen = 60;

/** What an editor asks for right after a key. */
async function features(side: Side, material: Material, edit: Edit, times: Times): Promise<void> {
  if (side.name === 'sent') return;
  const { line, character } = material;
  const textDocument = { uri: side.uri };
  const range = { start: { line, character: 0 }, end: { line: line + screen, character: 0 } };
  const asked: [what: string, method: string, params: object][] = [
    ['completion', 'textDocument/completion', { textDocument, position: { line, character } }],
    ['hover', 'textDocument/hover', { textDocument, position: { line, character } }],
    ['outline', 'textDocument/documentSymbol', { textDocument }],
    ['colours', 'textDocument/semanticTokens/range', { textDocument, range }],
    ['inlay hints', 'textDocument/inlayHint', { textDocument, range }],
  ];
  for (const [what, method, params] of asked) {
    if (side.name === 'theirs' && /semanticTokens|inlayHint/.test(method)) continue;
    for (let i = 0; i < material.rounds * 2; i++) {
      change(side, material, edit, i % 2 === 1);
      const from = performance.now();
      await side.client.request(method, params);
      add(times[side.name], `${what} after a key`, performance.now() - from);
      await settled();
    }
  }
}

/** Nothing of ours is open: the folder has notes alone. As after all starts but the first, what that one compiled is there. */
async function idle(page: Page): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
  writeFileSync(path.join(folder, 'notes.txt'), 'nothing');
  const client = startClient();
  await start(client, pull, folder);
  await setTimeout(1_000);
  const from = cpuOf(client.pid);
  await setTimeout(3_000);
  page.figures.set('idle: CPU', cpuOf(client.pid) - from);
  page.figures.set('idle: memory', memoryOf(client.pid, 'now') ?? 0);
  await client.end();
  rmSync(folder, { recursive: true });
}

async function largeWorkspace(page: Page, folder: string): Promise<void> {
  const { file, text } = writeLargeWorkspace(folder);
  const side: Side = { name: 'asked', client: startClient(), uri: pathToFileURL(file).href, version: 1 };
  const material = { text } as Material;
  const from = performance.now();
  await start(side.client, pull, folder);
  open(side.client, side.uri, text);
  const waits: number[] = [];
  let isKnown = false;
  for (let i = 0; !isKnown; i++) {
    const asked = performance.now();
    if (i > 0) change(side, material, { name: '', at: 0, put: '\n' }, i % 2 === 0);
    const { items } = (await diagnosed(side)) as { items: { code: string }[] };
    // The first answer is no key's: the program is still being made when it is asked for.
    if (i > 0) waits.push(performance.now() - asked);
    else page.figures.set('large workspace: first answer', performance.now() - from);
    isKnown = items.some(({ code }) => code === 'cr/unknown-field');
    await setTimeout(50);
  }
  page.figures.set('large workspace: all known', performance.now() - from);
  page.figures.set('large workspace: slowest key meanwhile', Math.max(...waits));
  page.figures.set('large workspace: memory', memoryOf(side.client.pid, 'peak') ?? 0);
  await side.client.end();
}

function report(page: Page, title: string, { asked, sent, theirs }: Times): void {
  const what = [...new Set([...asked.keys(), ...sent.keys(), ...theirs.keys()])];
  const rows = what.map((one) => ({
    what: one,
    asked: asked.get(one),
    sent: sent.get(one),
    theirs: theirs.get(one),
  }));
  page.sections.push({ title, rows });
  console.error(`  ${title}: done`);
}
