// Folders that hold what no workspace should: names that mean something to shells, terminals, addresses or JavaScript,
// links that lead round or nowhere or to devices, pipes that nobody writes to, folders called like files.
import { execFileSync } from 'node:child_process';
import {
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NotWritten, writeWhole } from '../../../server/src/files/write.ts';
import type { Files } from '../../../server/src/workspace/files.ts';
import { defaultLimits } from '../../../server/src/workspace/limits.ts';
import { loadWorkspace } from '../../../server/src/workspace/loader.ts';
import { newMentions } from '../../../server/src/workspace/mentions.ts';
import { confined } from '../../../server/src/workspace/sources/confined.ts';
import { nodeFiles } from '../../../server/src/workspace/sources/nodeFiles.ts';
import type { Random } from '../../support/random.ts';
import { bases, edited, randomEdit } from './documents.ts';
import { type Attack, inTime } from './part.ts';

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

type Put = (file: string, random: Random, outside: string) => void;

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
  (file) => symlinkSync('/proc/self/pagemap', file),
  (file, _, outside) => symlinkSync(path.join(outside, 'secret.yaml'), file),
  (file, _, outside) => symlinkSync(outside, file),
  (file, _, outside) => symlinkSync(path.join(outside, 'new.yaml'), file),
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
/** Cases for which there is one folder. */
const casesPerFolder = 5;
/** Milliseconds until a folder counts as not read. */
const patience = 30_000;

/** Reads hostile folders, with trust and without, and writes over all that is in them: nothing outside may be touched. */
export const attackFiles: Attack = async ({ cases, random, failed }) => {
  const folders = Math.ceil(cases / casesPerFolder);
  for (let i = 0; i < folders; i++) {
    const root = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
    try {
      const faults = await inTime(attackFolder(root, random), patience, ['a folder is still being read']);
      for (const fault of faults) failed(fault);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return { folders, entries: folders * entriesPerFolder };
};

const secret = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {names: {kind: Stolen}}\n';

async function attackFolder(root: string, random: Random): Promise<readonly string[]> {
  const [home, outside] = [path.join(root, 'in'), path.join(root, 'out')];
  for (const folder of [home, outside]) mkdirSync(folder);
  writeFileSync(path.join(outside, 'secret.yaml'), secret);
  const odd = fill(home, outside, random);
  const said = (what: string) => `${what}: ${odd.map((name) => JSON.stringify(name)).join(', ')}`;
  try {
    const trusted = await load(home, nodeFiles);
    const address = pathToFileURL(home).href;
    const alone = await load(
      home,
      confined(nodeFiles, () => [address]),
    );
    const written = await writeOver(home, odd);
    return [
      ...[trusted, alone].flatMap((read) =>
        read.names.includes('good.yaml') ? [] : [said('a good file is not read')],
      ),
      ...(alone.text.includes('Stolen') ? [said('what is outside is read without trust')] : []),
      ...(readFileSync(path.join(outside, 'secret.yaml'), 'utf8') === secret
        ? []
        : [said('what is outside is changed')]),
      ...(readdirSync(outside).length === 1 ? [] : [said('a file is written outside')]),
      ...written.map(said),
    ];
  } catch (error) {
    return [said(error instanceof Error ? (error.stack ?? error.message) : String(error))];
  }
}

/** Puts entries of all kinds into a folder and its folders; gives their names. */
function fill(home: string, outside: string, random: Random): string[] {
  const placed: string[] = [];
  const within = [home];
  for (let i = 0; i < entriesPerFolder; i++) {
    const name = `${random.pick(names)}${i}${random.pick(['.yaml', '.yml', '.YAML', ''])}`.slice(-255);
    const file = path.join(random.pick(within), name);
    if (random.chance(0.2)) {
      mkdirSync(file);
      within.push(file);
    } else random.pick(puts)(file, random, outside);
    placed.push(path.relative(home, file));
  }
  // Other systems refuse such names.
  if (process.platform === 'linux')
    mkdirSync(Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0x66, 0xff, 0x2e])]));
  writeFileSync(path.join(home, 'good.yaml'), bases[0]!);
  return placed;
}

/** The files that define kinds, and all that was read of any. */
async function load(home: string, files: Files): Promise<{ names: string[]; text: string }> {
  const listing = await files.list(pathToFileURL(home).href, defaultLimits.files);
  const mentions = newMentions();
  const options = { limits: defaultLimits, cancelled: () => false, mentions };
  const loaded = await loadWorkspace(files, { own: [listing], named: [] }, options);
  const names = loaded.files.map(({ uri }) => path.relative(home, fileURLToPath(uri)));
  return { names, text: [...mentions.byFile.values()].flat().join(' ') };
}

/** Writes over everything; gives what became another kind of thing by it. */
async function writeOver(home: string, names: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const name of names) {
    const file = path.join(home, name);
    const kind = (at: string) => lstatSync(at).mode & constants.S_IFMT;
    const before = kind(file);
    await writeWhole(file, 'written\n', home).catch((error: unknown) => {
      if (!(error instanceof NotWritten)) throw error;
    });
    if (kind(file) !== before) faults.push(`${JSON.stringify(name)} became another kind of thing`);
  }
  return faults;
}
