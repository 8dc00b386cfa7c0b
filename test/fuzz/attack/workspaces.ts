// Folders that hold what no workspace should: names that mean something to shells, terminals, addresses or JavaScript,
// links that lead round or nowhere or to devices, pipes that nobody writes to, folders called like files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defaultLimits } from '../../../server/src/workspace/limits.ts';
import { loadWorkspace } from '../../../server/src/workspace/loader.ts';
import { nodeFiles } from '../../../server/src/workspace/sources/nodeFiles.ts';
import type { Random } from '../../support/random.ts';
import { bases, edited, randomEdit } from './documents.ts';
import type { Attack } from './part.ts';

const names = [
  ...[
    'a',
    '__proto__',
    'constructor',
    '-rf',
    '--help',
    '$(touch x)',
    '`id`',
    'a b',
    ' ',
    '%',
    '%00',
    '%2e%2e',
    '#',
    '?',
  ],
  ...[
    'a\nb',
    '\u001b[31m',
    '\u202e',
    '\u2028',
    'é',
    'e\u0301',
    '😀',
    "'",
    '"',
    '\\',
    ';',
    '&&',
    '|',
    '*',
    '**',
    '{a,b}',
  ],
  ...['CON', '.hidden', '~', 'x'.repeat(250), '::error::a', '[a](command:b)', 'kustomization', '.git'],
];

type Put = (file: string, random: Random) => void;

const puts: readonly Put[] = [
  (file, random) => writeFileSync(file, hostileText(random)),
  (file, random) => writeFileSync(file, random.pick(bases)),
  (file) =>
    writeFileSync(
      file,
      Uint8Array.from({ length: 64 }, (_, i) => i * 7),
    ),
  (file) => mkdirSync(file),
  (file) => symlinkSync(path.basename(file), file),
  (file) => symlinkSync('..', file),
  (file) => symlinkSync('/nowhere/at/all', file),
  (file) => symlinkSync('/dev/zero', file),
  (file) => symlinkSync('/proc/self/mem', file),
  (file) => execFileSync('mkfifo', ['--', file]),
  (file) => {
    writeFileSync(file, '');
    truncateSync(file, 20_000_000_000);
  },
];

function hostileText(random: Random): string {
  let text = random.pick(bases);
  for (let edits = random.below(6); edits > 0; edits--) text = edited(text, randomEdit(random, text));
  return text;
}

const entriesPerFolder = 30;
/** Milliseconds until a folder counts as not read. */
const patience = 30_000;

/** A folder per thousand cases. */
export const attackWorkspaces: Attack = async ({ cases, random, failed }) => {
  const folders = Math.ceil(cases / 1000);
  for (let i = 0; i < folders; i++) {
    const root = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
    try {
      const odd = fill(root, random);
      const read = await Promise.race([load(root), late()]);
      if (typeof read === 'string') failed(`${read}: ${odd.map((name) => JSON.stringify(name)).join(', ')}`);
      else if (!read.includes(path.join(root, 'good.yaml'))) failed('a good file beside hostile ones is not read');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return { folders, entries: folders * entriesPerFolder };
};

/** Puts entries of all kinds into a folder and its folders; gives their names. */
function fill(root: string, random: Random): string[] {
  const placed: string[] = [];
  const within = [root];
  for (let i = 0; i < entriesPerFolder; i++) {
    const name = `${random.pick(names)}${i}${random.pick(['.yaml', '.yml', '.YAML', ''])}`.slice(-255);
    const file = path.join(random.pick(within), name);
    if (random.chance(0.2)) {
      mkdirSync(file);
      within.push(file);
    } else random.pick(puts)(file, random);
    placed.push(path.relative(root, file));
  }
  writeFileSync(path.join(root, 'good.yaml'), bases[0]!);
  return placed;
}

/** The files that define kinds, or what went wrong. */
async function load(root: string): Promise<string[] | string> {
  try {
    const listing = await nodeFiles.list(pathToFileURL(root).href, defaultLimits.files);
    const listings = { own: [listing], named: [] };
    const { files } = await loadWorkspace(nodeFiles, listings, { limits: defaultLimits, cancelled: () => false });
    return files.map(({ uri }) => decodeURIComponent(new URL(uri).pathname));
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

async function late(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, patience).unref());
  return 'the folder is still being read';
}
