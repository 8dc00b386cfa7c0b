import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Client, startProgram } from '../protocol/client.ts';
import { type Material, materials, writeLargeWorkspace } from './supportMaterial.ts';

// Where the time of the three slowest paths goes: the processor's own time by folder of the source, from V8's profiler.
// `npm run bench -- profile [--program=PATH]`: another build, such as one of an earlier commit, is profiled the same way.

type Walk = (client: Client, home: string) => Promise<void>;

const all = materials();
const crd = all.find(({ name }) => name === 'a CRD of 1.4 MB');
const bundle = all.find(({ file }) => file === 'bundle.yaml');

const walks: Readonly<Record<string, Walk>> = {
  'a CRD of 1.4 MB is opened, 3 times': async (client) => {
    await start(client);
    for (let i = 0; i < 3; i++) await open(client, `file:///${i}.yaml`, crd!.text);
  },
  'a key in one of 60 CRDs of a file, 30 times': async (client) => {
    await start(client);
    await open(client, 'file:///bundle.yaml', bundle!.text);
    for (let i = 0; i < 30; i++) await key(client, 'file:///bundle.yaml', bundle!, i);
  },
  '2,000 CRDs and 20,000 manifests are read': async (client, home) => {
    const { file, text } = writeLargeWorkspace(path.join(home, 'large'));
    await start(client, path.join(home, 'large'));
    const uri = pathToFileURL(file).href;
    for (let i = 0, known = false; !known && i < 600; i++) {
      const items = await open(client, `${uri}.${i}.yaml`, text);
      known = items.some(({ code }) => code === 'cr/unknown-field');
      await setTimeout(100);
    }
  },
};

export async function bench(args: readonly string[]): Promise<void> {
  // Names of functions and files are what a minified build does not have.
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const [, program = 'dist/server/main.cjs'] = /--program=(\S+)/.exec(args.join(' ')) ?? [];
  for (const [name, walk] of Object.entries(walks)) {
    const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
    const profiles = path.join(home, 'profiles');
    const profiler = ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${profiles}`];
    const client = startProgram(process.execPath, [...profiler, path.resolve(program), 'server', '--stdio'], {});
    await walk(client, home);
    await client.end();
    console.log(`\n${name}\n${share(path.join(profiles, readdirSync(profiles)[0]!), path.resolve(program))}`);
    rmSync(home, { recursive: true });
  }
}

async function start(client: Client, folder?: string): Promise<void> {
  const capabilities = { textDocument: { diagnostic: {} } };
  const workspaceFolders = folder === undefined ? null : [{ uri: pathToFileURL(folder).href, name: 'bench' }];
  await client.request('initialize', { processId: null, capabilities, workspaceFolders });
  client.notify('initialized', {});
}

async function open(client: Client, uri: string, text: string): Promise<{ code: string }[]> {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  const { items } = await client.request<{ items: { code: string }[] }>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return items;
}

async function key(client: Client, uri: string, { text, edits }: Material, nth: number): Promise<void> {
  const { at, put } = edits[0]!;
  const before = text.slice(0, at).split('\n');
  const from = { line: before.length - 1, character: before.at(-1)!.length };
  const to = { line: from.line, character: from.character + put.length };
  const change =
    nth % 2 === 0 ? { range: { start: from, end: from }, text: put } : { range: { start: from, end: to }, text: '' };
  client.notify('textDocument/didChange', { textDocument: { uri, version: nth + 2 }, contentChanges: [change] });
  await client.request('textDocument/diagnostic', { textDocument: { uri } });
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The time of each folder, and the functions that take the most. */
function share(file: string, program: string): string {
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(file, 'utf8'));
  const fileAt = filesByLine(readFileSync(program, 'utf8'));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [folders, functions] = [new Map<string, number>(), new Map<string, number>()];
  let busy = 0;
  for (const [i, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id)!;
    const time = timeDeltas[i]! / 1000;
    if (functionName === '(idle)' || functionName === '(root)') continue;
    const source = url.endsWith(path.basename(program)) ? fileAt(lineNumber) : undefined;
    const folder = source ? path.dirname(source) : functionName.startsWith('(') ? functionName : 'Node.js';
    busy += time;
    folders.set(folder, (folders.get(folder) ?? 0) + time);
    const name = source ? `${functionName || '(anonymous)'} (${source})` : folder;
    functions.set(name, (functions.get(name) ?? 0) + time);
  }
  const rows = (of: ReadonlyMap<string, number>, count: number) =>
    [...of]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(
        ([name, time]) =>
          `  ${((time / busy) * 100).toFixed(0).padStart(3)} %  ${time.toFixed(0).padStart(6)} ms  ${name}`,
      );
  return [`  ${busy.toFixed(0)} ms of the processor`, ...rows(folders, 8), '  by function', ...rows(functions, 6)].join(
    '\n',
  );
}

/** The file of the source that a line of the bundle is from: esbuild names each above its code. */
function filesByLine(bundle: string): (line: number) => string | undefined {
  const starts: { readonly line: number; readonly file: string }[] = [];
  for (const [line, text] of bundle.split('\n').entries()) {
    const [, file] = /^\/\/ (?:server\/src\/|node_modules\/)(\S+)$/.exec(text) ?? [];
    if (file) starts.push({ line, file });
  }
  return (line) => starts.findLast((one) => one.line <= line)?.file;
}
