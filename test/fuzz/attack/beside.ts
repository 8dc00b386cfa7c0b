// Files beside a manifest that `check` asks what is meant by it: scripts, Go files, documents, all hostile. Whatever they
// hold, an answer comes, of words that were asked for, with no more reading than docs/limits.md says, and what a plain
// file says is heard among them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isEmbedded } from '../../../server/src/cli/meant/embedded.ts';
import { installedVersions } from '../../../server/src/cli/meant/installed.ts';
import { replacedWords, writtenByScripts } from '../../../server/src/cli/meant/replaced.ts';
import type { Files } from '../../../server/src/workspace/files.ts';
import { nodeFiles } from '../../../server/src/workspace/sources/nodeFiles.ts';
import type { Random } from '../../support/random.ts';
import { type Attack, inTime } from './part.ts';

const endings = ['.sh', '.py', '.mk', '.go', '.md', '.ps1'];
const names = ['a', '__proto__', '-rf', '$(touch x)', '%2e%2e', '%', '#', '?', 'a b', '😀', '\u202e', 'x'.repeat(240)];

/** Pieces that the readers look for, that begin like those, and that make their patterns look for long. */
const pieces: readonly string[] = [
  's/WORD/x/',
  'kubectl kustomize . > made.yaml',
  'cp a made.yaml',
  '> > >',
  '-o "\'',
  's|WORD|',
  's/',
  's/\\bWORD',
  '${a/WORD/b}',
  '${a//',
  `\${${'a'.repeat(70)}/WORD/`,
  '.replace("WORD",',
  '.replaceAll(',
  '//go:embed manifests/*.yaml',
  '//go:embed all:"',
  '//go:embed [',
  '//go:embed *',
  '//go:embed ../../..',
  'the `example.com/v1` CRDs',
  'CustomResourceDefinition example.com/v1',
  'CRDs: constructor/v1 __proto__/v1',
  '\0',
  '\r\n',
  '\n',
  '\t',
  '\ud800',
];

function hostileText(random: Random): string {
  const many = random.chance(0.05) ? 4_000 : 12;
  return Array.from({ length: random.below(many) }, () => {
    const piece = random.pick(pieces);
    return random.chance(0.03) ? piece.repeat(5_000) : piece;
  }).join(random.pick(['', ' ', '\n']));
}

type Put = (file: string, random: Random) => void;

const puts: readonly Put[] = [
  ...Array.from({ length: 8 }, (): Put => (file, random) => writeFileSync(file, hostileText(random))),
  (file) => mkdirSync(file),
  (file) => symlinkSync(path.basename(file), file),
  (file) => symlinkSync('/dev/zero', file),
  (file) => symlinkSync('/nowhere/at/all', file),
  (file) => execFileSync('mkfifo', ['--', file]),
  (file) => {
    writeFileSync(file, '');
    truncateSync(file, 20_000_000_000);
  },
];

/** What the readers together may read, by docs/limits.md: scripts twice, Go files of three folders, documents of two. */
const mostReads = 2 * 20 + 3 * 30 + 2 * 5;
const mostBytes = 200_000;
/** Milliseconds until an answer counts as not coming. */
const patience = 30_000;

export const attackBeside: Attack = async ({ cases, random, failed }) => {
  let entries = 0;
  for (let i = 0; i < cases; i++) {
    const root = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
    try {
      entries += fill(path.join(root, 'in/deploy/manifests'), random);
      const wrong = await inTime(wrongIn(path.join(root, 'in')), patience, 'no answer comes');
      if (wrong !== undefined) failed(`case ${i}: ${wrong}`);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return { folders: cases, entries };
};

/** Files in a folder and the two around it; three of them say something plainly. */
function fill(folder: string, random: Random): number {
  mkdirSync(folder, { recursive: true });
  const around = [folder, path.dirname(folder), path.dirname(path.dirname(folder))];
  const count = random.chance(0.05) ? 200 : random.below(25);
  for (let i = 0; i < count; i++) {
    const name = `${random.pick(names)}${i}${random.pick(endings)}`.slice(-80);
    random.pick(puts)(path.join(random.pick(around), name), random);
  }
  // Their names come before all others.
  const [beside, around1] = around as [string, string];
  writeFileSync(path.join(beside, '!plain.sh'), 'sed "s/PLAIN/$plain/" pod.yaml > plain.yaml\n');
  writeFileSync(path.join(around1, '!plain.go'), 'package deploy\n\n//go:embed manifests/*.yaml\nvar files embed.FS\n');
  writeFileSync(path.join(beside, '!plain.md'), 'Install the `plain.example.com/v1` CRDs first.\n');
  return count + 3;
}

/** Reads as the disk does, and counts. */
function counting(): { files: Files; reads: () => number; tooLong: () => boolean } {
  let [reads, isTooLong] = [0, false];
  const files: Files = {
    ...nodeFiles,
    read: (uri, most) => {
      reads++;
      isTooLong ||= most > mostBytes;
      return nodeFiles.read(uri, most);
    },
  };
  return { files, reads: () => reads, tooLong: () => isTooLong };
}

async function wrongIn(home: string): Promise<string | undefined> {
  const uri = pathToFileURL(path.join(home, 'deploy/manifests/pod.yaml')).href;
  const { files, reads, tooLong } = counting();
  const words = new Set(['PLAIN', 'WORD', 'NOWHERE']);
  const versions = new Set(['plain.example.com/v1', 'example.com/v1', 'nowhere.example.com/v1']);
  try {
    const replaced = await replacedWords(files, uri, [pathToFileURL(home).href], words);
    const names = new Set(['plain.yaml', 'made.yaml', 'nowhere.yaml']);
    const written = await writtenByScripts(files, uri, [pathToFileURL(home).href], names);
    const installed = await installedVersions(files, uri, versions);
    if (!(await isEmbedded(files, uri))) return 'a plain line of Go is not seen';
    if (!replaced.has('PLAIN') || replaced.has('NOWHERE')) return `replaced: ${[...replaced]}`;
    if (!written.has('plain.yaml') || written.has('nowhere.yaml')) return `written: ${[...written]}`;
    if (!installed.has('plain.example.com/v1') || installed.has('nowhere.example.com/v1'))
      return `installed: ${[...installed]}`;
    if (![...replaced].every((one) => words.has(one)) || ![...installed].every((one) => versions.has(one)))
      return `what was not asked for: ${[...replaced, ...installed]}`;
    return reads() > mostReads || tooLong() ? `${reads()} reads` : undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
