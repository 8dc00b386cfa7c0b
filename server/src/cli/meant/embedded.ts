import type { Files } from '../../workspace/files.ts';
import { decode, folderOf } from '../../workspace/uri.ts';
import { textsIn } from './beside.ts';

// What Go files say of files: a program completes what it has inside before it applies that, `//go:embed files/*`, and a test reads
// what is just enough for it.

const mostLevels = 3;
const mostGoFiles = 30;

/** Whether a Go file beside a file, or in a folder around it, embeds it. */
export async function isEmbedded(files: Files, uri: string): Promise<boolean> {
  let at = folderOf(uri);
  for (let level = 0; level < mostLevels; level++, at = folderOf(at)) {
    const way = decode(uri.slice(at.length + 1));
    for await (const text of textsIn(files, at, (name) => name.endsWith('.go'), mostGoFiles)) {
      if (patternsIn(text).some((pattern) => takes(pattern, way))) return true;
    }
  }
  return false;
}

/** What is behind `//go:embed` in each line that begins so. */
function patternsIn(text: string): string[] {
  if (!text.includes('//go:embed ')) return [];
  const lines = text.split('\n').filter((line) => line.startsWith('//go:embed '));
  const all = lines.flatMap((line) => line.trim().split(/[ \t]/).slice(1));
  return all.map((pattern) => pattern.replace(/^["`]?(?:all:)?/, '').replace(/["`]$/, ''));
}

/** A file, all that is below a folder, and what a pattern with a wildcard begins with. */
function takes(pattern: string, way: string): boolean {
  const wild = pattern.search(/[*?[]/);
  if (wild === -1) return pattern !== '' && (way === pattern || way.startsWith(`${pattern}/`));
  const start = pattern.slice(0, wild);
  const isDeep = way.slice(start.length).includes('/');
  return way.startsWith(start) && (!isDeep || start.includes('/'));
}

/** Whether a test in a Go file beside a folder around a file names the folder that it is in: `"./given/boxes/" + name`. */
export async function isReadByTest(files: Files, uri: string): Promise<boolean> {
  const own = folderOf(uri);
  let at = folderOf(own);
  for (let level = 0; level < mostLevels; level++, at = folderOf(at)) {
    const way = decode(own.slice(at.length + 1));
    for await (const text of textsIn(files, at, (name) => name.endsWith('_test.go'), mostGoFiles))
      if ([`"./${way}/`, `"${way}/`].some((start) => text.includes(start))) return true;
  }
  return false;
}
