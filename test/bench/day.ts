import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Client, startProgram } from '../protocol/client.ts';
import { fleetCrd } from '../support/fleetCrd.ts';
import { type Random, seeded } from '../support/random.ts';

// A day of work in one server: what it holds at the end beside what it held after the first hour.

const edits = 30_000;
const filesOpened = 200;
const settingsChanged = 50;
const hours = 8;

interface Position {
  readonly line: number;
  readonly character: number;
}

/** Typed keys that are taken back at the latest when there are this many: nobody leaves a file full of slips. */
const slips = 20;

interface Open {
  readonly uri: string;
  text: string;
  version: number;
  /** What takes the typed keys back, the last one at the end. */
  readonly undo: Key[];
}

interface Key {
  readonly at: number;
  readonly removed: number;
  readonly put: string;
}

export async function bench(): Promise<void> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
  const heap = path.join(home, 'heap');
  let settings = {};
  const client = startProgram(
    process.execPath,
    [
      ...['--expose-gc', '--require', path.resolve('test/bench/supportHeap.cjs')],
      ...[path.resolve('dist/server/main.cjs'), 'server', '--stdio'],
    ],
    { 'workspace/configuration': ({ items }: { items: unknown[] }) => items.map(() => settings) },
    { ...process.env, KUBE_CRD_HEAP: heap },
  );
  const capabilities = { textDocument: { diagnostic: {} }, workspace: { configuration: true } };
  await client.request('initialize', { processId: null, capabilities });
  client.notify('initialized', {});
  const random = seeded(41);
  const crd = open(client, 'file:///fleets.yaml', fleetCrd(200_000));
  open(client, 'file:///databases.yaml', readFileSync('examples/crds/databases.yaml', 'utf8'));
  // What is known of built-in kinds is read with the first of them, and stays.
  open(client, 'file:///web.yaml', 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n');
  const held: number[] = [];
  let file = open(client, 'file:///0.yaml', database(random));
  for (let i = 0; i < edits; i++) {
    if (i % (edits / filesOpened) === 0) file = nextFile(client, file, i, random);
    if (i % (edits / settingsChanged) === 0) {
      settings = { kubernetesVersion: random.pick(['1.33', '1.35', '1.37', '1.34..1.36']) };
      client.notify('workspace/didChangeConfiguration', { settings: null });
    }
    await type(client, random.chance(0.4) ? crd : file, random);
    if (i % (edits / hours) !== edits / hours - 1) continue;
    // What is held is compared where the same files are open with the same text and the same settings.
    settings = {};
    client.notify('workspace/didChangeConfiguration', { settings: null });
    await takeBack(client, crd);
    file = nextFile(client, file, i, seeded(1));
    await press(client, file, { at: 0, removed: 0, put: '\n' });
    held.push(await heldBy(client, heap));
  }
  await client.end();
  rmSync(home, { recursive: true });
  const [first, last] = [held[0]!, held.at(-1)!];
  console.log(`  heap in use, hour by hour: ${held.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')} MB`);
  console.log(
    `  after ${edits} edits, ${filesOpened} files and ${settingsChanged} changes of settings: ${(last / first).toFixed(2)} × the first hour`,
  );
}

function open(client: Client, uri: string, text: string): Open {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  return { uri, text, version: 1, undo: [] };
}

function nextFile(client: Client, { uri }: Open, nth: number, random: Random): Open {
  client.notify('textDocument/didClose', { textDocument: { uri } });
  return open(
    client,
    `file:///${nth + 1}.yaml`,
    random.chance(0.5) ? database(random) : fleetCrd(20_000).replaceAll('fleet', `f${nth}`),
  );
}

function database(random: Random): string {
  const users = Array.from({ length: 100 }, (_, i) => `    - name: user-${i}-${random.below(1_000)}\n`).join('');
  return `apiVersion: storage.example.com/v1\nkind: Database\nmetadata:\n  name: orders\nspec:\n  engine: postgres\n  storage:\n    size: 3\n  replicas: 1\n  users:\n${users}`;
}

/** A key is typed or taken back, and what an editor asks for then is asked. */
async function type(client: Client, file: Open, random: Random): Promise<void> {
  const isUndo = file.undo.length > 0 && (file.undo.length === slips || random.chance(0.5));
  const key = isUndo ? file.undo.pop()! : slip(file, random);
  const textDocument = { uri: file.uri };
  const position = await press(client, file, key);
  if (random.chance(0.1)) await client.request('textDocument/completion', { textDocument, position });
  if (random.chance(0.1)) await client.request('textDocument/hover', { textDocument, position });
}

/** A character to put in or to take out; what takes it back is kept. */
function slip(file: Open, random: Random): Key {
  const at = random.below(file.text.length);
  const isPut = random.chance(0.5) || file.text[at] === '\n';
  const put = isPut ? random.pick(['a', ' ', ':', '1', '-', '"']) : '';
  const removed = isPut ? 0 : 1;
  file.undo.push({ at, removed: put.length, put: file.text.slice(at, at + removed) });
  return { at, removed, put };
}

async function takeBack(client: Client, file: Open): Promise<void> {
  for (let key = file.undo.pop(); key !== undefined; key = file.undo.pop()) await press(client, file, key);
}

async function press(client: Client, file: Open, { at, removed, put }: Key): Promise<Position> {
  const before = file.text.slice(0, at).split('\n');
  const start = { line: before.length - 1, character: before.at(-1)!.length };
  const end = { ...start, character: start.character + removed };
  file.text = file.text.slice(0, at) + put + file.text.slice(at + removed);
  file.version++;
  const textDocument = { uri: file.uri, version: file.version };
  const contentChanges = [{ range: { start, end }, text: put }];
  client.notify('textDocument/didChange', { textDocument, contentChanges });
  await client.request('textDocument/diagnostic', { textDocument });
  return start;
}

/** Bytes in use after a collection. */
async function heldBy(client: Client, file: string): Promise<number> {
  await setTimeout(500);
  rmSync(file, { force: true });
  process.kill(client.pid!, 'SIGUSR2');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await setTimeout(20);
  return Number(readFileSync(file, 'utf8'));
}
