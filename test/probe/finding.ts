import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Client, startClient } from '../protocol/client.ts';
import type { World } from './world.ts';

/** How long a kind of search takes, and how often it found what it was asked for first. */
export interface Timed {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
  readonly asked: number;
  readonly right: number;
}

/** References to kinds and workspace symbols, asked of the built server in a folder with all files. */
export async function probeFinding(world: World, most: number): Promise<Timed[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-probe-'));
  try {
    spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
    write(world, folder);
    return await inServer(world, folder, most);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write({ crds, resources }: World, folder: string): void {
  for (const name of ['crds', 'resources']) mkdirSync(path.join(folder, name));
  for (const { uri, text } of crds) writeFileSync(path.join(folder, 'crds', path.posix.basename(uri)), text);
  for (const { uri, text } of resources) writeFileSync(path.join(folder, 'resources', path.posix.basename(uri)), text);
}

async function inServer(world: World, folder: string, most: number): Promise<Timed[]> {
  const client = startClient();
  const root = pathToFileURL(folder).href;
  const workspaceFolders = [{ uri: root, name: 'probe' }];
  await client.request<unknown>('initialize', {
    processId: null,
    workspaceFolders,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  });
  client.notify('initialized', {});
  try {
    await loaded(client);
    const asked = world.crds.slice(0, most);
    return [await references(client, root, asked), await symbols(client, asked)];
  } finally {
    await client.end();
  }
}

/** The workspace is known once its kinds are found. */
async function loaded(client: Client): Promise<void> {
  for (;;) {
    const found = await client.request<unknown>('workspace/symbol', { query: 'Database' });
    if (Array.isArray(found) && found.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Files = World['crds'];

async function references(client: Client, root: string, crds: Files): Promise<Timed> {
  return timed('references to a kind', crds, async ({ uri, text }) => {
    const address = `${root}/crds/${path.posix.basename(uri)}`;
    client.notify('textDocument/didOpen', { textDocument: { uri: address, languageId: 'yaml', version: 1, text } });
    const lines = text.split('\n');
    const line = lines.findIndex((one) => /^ {4}kind: /.test(one));
    const start = performance.now();
    const result = await client.request<unknown>('textDocument/references', {
      textDocument: { uri: address },
      position: { line, character: 11 },
      context: { includeDeclaration: false },
    });
    return { took: performance.now() - start, right: Array.isArray(result) && result.length > 0 };
  });
}

async function symbols(client: Client, crds: Files): Promise<Timed> {
  return timed('workspace symbols', crds, async ({ text }) => {
    const kind = /^ {4}kind: (\w+)$/m.exec(text)![1]!;
    const start = performance.now();
    const result = await client.request<{ name: string }[]>('workspace/symbol', { query: kind });
    const took = performance.now() - start;
    return { took, right: result[0]?.name === kind };
  });
}

async function timed(
  what: string,
  crds: Files,
  ask: (crd: Files[number]) => Promise<{ took: number; right: boolean }>,
): Promise<Timed> {
  const times: number[] = [];
  let right = 0;
  for (const crd of crds) {
    const answer = await ask(crd);
    times.push(answer.took);
    right += Number(answer.right);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!;
  return { what, p50: at(0.5), p95: at(0.95), asked: times.length, right };
}
