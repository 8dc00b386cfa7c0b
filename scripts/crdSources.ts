// npm run crd-sources [-- --from FOLDER]: writes server/data/crdSources.json.gz, which says of the best-known API groups where
// their CRDs are published. Nothing in it is written by hand: each row is what the newest commit of a public repository
// holds. They are cloned, or read from FOLDER, which has each as a git directory called OWNER+NAME.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Evidence, publishedIn, rowsOf } from './generate/crdSources.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const list = readFileSync('scripts/generate/crdRepositories.txt', 'utf8')
  .split('\n')
  .map((line) => line.trim());
const names = list.filter((line) => line !== '' && !line.startsWith('#'));
const found: Evidence[] = [];
for (const line of names) {
  // Groups behind a name are those of a repository without Go code that would say so.
  const [name = '', ...own] = line.split(' ');
  const one = withRepository(name, (git) => publishedIn(name, own, git));
  console.log(`${name}: ${new Set(one.files.map(({ group }) => group)).size} groups`);
  found.push(one);
}
const rows = rowsOf(found);
const used = new Set(rows.map(({ repository }) => repository));
const commits = found
  .filter(({ repository }) => used.has(repository))
  .map(({ repository, commit }) => [repository, commit]);
const date = new Date().toISOString().slice(0, 10);
const table = JSON.stringify({ date, commits: Object.fromEntries(commits), groups: rows });
writeFileSync('server/data/crdSources.json.gz', gzipSync(table, { level: 9 }));
console.log(`${rows.length} groups of ${names.length} repositories`);

/** Runs something with a repository's git directory, cloned if no folder has it. */
function withRepository<T>(name: string, use: (git: (...args: string[]) => string) => T): T {
  const run = (at: string) => use((...args) => gitOutput(['--git-dir', at, ...args]));
  const kept = values.from && path.join(values.from, name.replace('/', '+'), 'repo');
  if (kept !== undefined && existsSync(kept)) return run(kept);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-sources-'));
  try {
    gitOutput(['clone', '--quiet', '--bare', '--depth', '1', `https://github.com/${name}`, folder]);
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What git prints; to find nothing is an answer. */
function gitOutput(args: readonly string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1) return '';
    throw error;
  }
}
