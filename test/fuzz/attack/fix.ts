// Fixes on texts of all encodings, and programs that are killed while they write.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { fixAll } from '../../../server/src/features/mend/fixAll.ts';
import { changeText } from '../../../server/src/files/change.ts';
import { NotWritten } from '../../../server/src/files/write.ts';
import { decodeText } from '../../../server/src/workspace/scan.ts';
import { emptySnapshot, withOpen } from '../../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../../server/src/workspace/sourceFile.ts';
import type { Random } from '../../support/random.ts';
import { applyEdits } from '../../support/workspace.ts';
import { bases, edited, randomEdit } from './documents.ts';
import type { Attack } from './part.ts';

/** Cases for which there is one kill. */
const casesPerKill = 5;

export const attackFix: Attack = async ({ cases, random, failed }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
  try {
    let written = 0;
    for (let i = 0; i < cases; i++) written += await attackText(path.join(folder, 'a.yaml'), random, failed);
    const kills = Math.ceil(cases / casesPerKill);
    await attackWriting(path.join(folder, 'kills'), kills, random, failed);
    return { texts: cases, written, kills };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Fixes a text as bytes; gives whether it was written. What was not meant to change is there to the byte. */
async function attackText(file: string, random: Random, failed: (what: string) => void): Promise<number> {
  const bytes = hostileBytes(random);
  const read = decodeText(bytes);
  if (read.kind !== 'text') return 0;
  const uri = 'file:///a.yaml';
  const all = fixAll(withOpen(emptySnapshot, sourceFile(uri, read.text)), uri);
  // Most have nothing to fix: then something is put at the end.
  const after = all ? applyEdits(read.text, all.edits) : `${read.text}# end\n`;
  writeFileSync(file, bytes);
  const isWritten = await changeText(file, read.text, after, path.dirname(file)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotWritten) return false;
      throw error;
    },
  );
  const now = readFileSync(file);
  if (!isWritten && !now.equals(bytes)) failed(`not written, and changed: ${bytes.toString('base64')}`);
  if (!isWritten) return 0;
  const again = decodeText(now);
  if (again.kind !== 'text' || again.text !== after) failed(`not what was to be written: ${bytes.toString('base64')}`);
  const shared = commonStart(read.text, after);
  const start = encodedLength(bytes, read.text.slice(0, shared));
  if (!now.subarray(0, start).equals(bytes.subarray(0, start))) failed(`other bytes: ${bytes.toString('base64')}`);
  return 1;
}

function hostileBytes(random: Random): Buffer {
  let text = random.pick(bases);
  for (let edits = random.below(4); edits > 0; edits--) text = edited(text, randomEdit(random, text));
  if (random.chance(0.3)) text = text.replaceAll('\n', '\r\n');
  text += random.pick(['', '# caf\u00e9\n', '# \u{1f600}\n', '# \ufffd\n']);
  const encoded = random.pick([
    () => Buffer.from(text),
    () => Buffer.from(text, 'latin1'),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    () => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  ])();
  for (let flips = random.chance(0.2) ? random.below(4) : 0; flips > 0 && encoded.length > 0; flips--)
    encoded[random.below(encoded.length)] = random.below(256);
  return random.chance(0.1) ? encoded.subarray(0, random.below(encoded.length + 1)) : encoded;
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  // Half of a pair is no character yet.
  return /[\ud800-\udbff]/.test(a[at - 1] ?? '') ? at - 1 : at;
}

function encodedLength(bytes: Buffer, text: string): number {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isWide ? 2 + 2 * text.length : Buffer.byteLength(text);
}

/** Ends a program that does nothing but write, at any moment: a file is there as it was, or as it was to be. */
async function attackWriting(
  folder: string,
  kills: number,
  random: Random,
  failed: (what: string) => void,
): Promise<void> {
  mkdirSync(folder);
  const outfile = path.join(path.dirname(folder), 'writer.mjs');
  const entryPoints = ['test/fuzz/attack/writer.ts'];
  buildSync({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const file = path.join(folder, 'a.yaml');
  for (let i = 0; i < kills; i++) {
    writeFileSync(file, 'a'.repeat(100_000), { mode: 0o640 });
    const writer = spawn(process.execPath, [outfile, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, random.next() * 20));
    await killed(writer);
    const text = readFileSync(file, 'latin1');
    if (!/^(?:a{100000}|b{2000000})$/.test(text)) failed(`cut at ${text.length} characters`);
    if ((statSync(file).mode & 0o777) !== 0o640) failed('another mode');
    for (const name of readdirSync(folder).filter((one) => one !== 'a.yaml')) rmSync(path.join(folder, name));
  }
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}
