import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startClient } from '../protocol/client.ts';
import { goTypes } from '../support/goTypes.ts';
import { goProgram } from './supportPeers.ts';

// A key in a rule of a Go file with 3,000 lines of types, over standard input and output: the time to the diagnostics of
// all CRDs that come of it. Beside it, what people do without us: a run of controller-gen, which does not look at rules.

const lines = 3_000;
const keys = 200;

export async function bench(): Promise<void> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
  try {
    const folder = path.join(home, 'api/v1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(home, 'go.mod'), goMod);
    const text = goTypes(lines);
    writeFileSync(path.join(folder, 'types.go'), text);
    const { first, times } = await typed(path.join(folder, 'types.go'), text);
    const at = (share: number) => times[Math.floor(share * times.length)]!;
    console.log(`  ${text.split('\n').length} lines of Go, ${keys} keys in a rule`);
    console.log(`  open → diagnostics       ${first.toFixed(0)} ms`);
    console.log(`  key → diagnostics        p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`);
    const theirs = controllerGen(home);
    if (theirs !== undefined) {
      const ratio = (theirs / at(0.5)).toFixed(0);
      console.log(`  controller-gen, a run    ${theirs.toFixed(0)} ms: ${ratio} × the time of a key`);
    }
  } finally {
    rmSync(home, { recursive: true });
  }
}

const goMod = 'module example.com/bench\n\ngo 1.24\n\nrequire k8s.io/apimachinery v0.34.0\n';

async function typed(file: string, text: string): Promise<{ first: number; times: readonly number[] }> {
  const client = startClient();
  const uri = pathToFileURL(file).href;
  const diagnosed = () => client.request('textDocument/diagnostic', { textDocument: { uri } });
  await client.request('initialize', { processId: null, capabilities: { textDocument: { diagnostic: {} } } });
  client.notify('initialized', {});
  const from = performance.now();
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'go', version: 1, text } });
  await diagnosed();
  const first = performance.now() - from;
  const at = text.indexOf('self.most"', text.length / 2) + 'self.most'.length;
  const before = text.slice(0, at).split('\n');
  const place = { line: before.length - 1, character: before.at(-1)!.length };
  const after = { ...place, character: place.character + 1 };
  const times: number[] = [];
  for (let i = 0; i < keys; i++) {
    const isUndo = i % 2 === 1;
    const change = { range: { start: place, end: isUndo ? after : place }, text: isUndo ? '' : 'x' };
    const start = performance.now();
    client.notify('textDocument/didChange', { textDocument: { uri, version: i + 2 }, contentChanges: [change] });
    await diagnosed();
    times.push(performance.now() - start);
    await setTimeout(40);
  }
  await client.end();
  return { first, times: times.sort((a, b) => a - b) };
}

/** Milliseconds of the best of three runs; undefined where there is no Go. */
function controllerGen(home: string): number | undefined {
  const program = goProgram('sigs.k8s.io/controller-tools/cmd/controller-gen@v0.23.0');
  if (program === undefined) return undefined;
  const modules = spawnSync('go', ['mod', 'tidy'], { cwd: home, encoding: 'utf8' });
  if (modules.status !== 0) {
    console.log(`  controller-gen is left out: ${modules.stderr.trim().split('\n').at(-1)}`);
    return undefined;
  }
  const times = [1, 2, 3].map(() => {
    const from = performance.now();
    const { status, stderr } = spawnSync(program, ['crd', 'paths=./api/v1', 'output:stdout'], {
      cwd: home,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - from;
  });
  return Math.min(...times);
}
