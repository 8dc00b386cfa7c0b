import { fileURLToPath } from 'node:url';
import { linesAround, type Range } from '../../base/text.ts';
import { isString, valueAt } from '../../base/value.ts';
import { ignoredByGit } from '../../git/ignored.ts';
import { firstValue } from '../../workspace/delivery/setGit.ts';
import type { Files } from '../../workspace/files.ts';
import { folderOf, isInside, resolve, withFolders } from '../../workspace/uri.ts';
import { textBeside } from './beside.ts';
import { scriptsAround } from './scripts.ts';

// `{{ .Files.Get "certs/tls.pem" }}` is empty until something has made the file.

/** Whether what a finding is about is read from a file of the chart that something makes before the chart is used. */
export async function isOfFileMadeLater(
  files: Files,
  { uri, text }: { readonly uri: string; readonly text: string },
  range: Range,
  folders: readonly string[],
): Promise<boolean> {
  const named = namedFiles(linesOf(text, range));
  if (named.length === 0) return false;
  const root = await chartAround(files, uri);
  if (root === undefined) return false;
  const values = firstValue((await textBeside(files, `${root}/values.yaml`)) ?? '');
  for (const one of named) {
    const way = one.startsWith('.Values.') ? valueAt(values ?? null, one.split('.').slice(2)) : one;
    if (isString(way) && way !== '' && (await isMadeLater(files, root, way, folders))) return true;
  }
  return false;
}

/** The lines that a finding is in, with the first of a text that begins below `key: |`. */
function linesOf(text: string, range: Range): string {
  const lines = linesAround(text, range);
  if (!/[|>][-+]?[ \t]*$/.test(lines)) return lines;
  const below = text.slice(text.indexOf(lines, Math.max(0, range.start - lines.length)) + lines.length);
  return `${lines}\n${below.split('\n', 2)[1] ?? ''}`;
}

/** What `.Files.Get` is given: a text, or the way to one in the values. */
function namedFiles(text: string): string[] {
  const calls = text.split('.Files.Get ').slice(1);
  return calls
    .flatMap((call) => /^\(?"([^"]{1,300})"|^\(?\$?(\.Values\.[\w.]{1,200})/.exec(call)?.slice(1) ?? [])
    .filter(isString);
}

/** The folder of the chart that a file is in. */
export async function chartAround(files: Files, uri: string): Promise<string | undefined> {
  for (const folder of withFolders(folderOf(uri)))
    if ((await files.entries(folder, ['Chart.yaml'])).some(({ name }) => name === 'Chart.yaml')) return folder;
  return undefined;
}

async function isMadeLater(files: Files, root: string, way: string, folders: readonly string[]): Promise<boolean> {
  const address = resolve(root, way);
  if (!isInside(address, root)) return false;
  if ((await files.entries(folderOf(address))).some(({ name }) => name === way.split('/').at(-1))) return false;
  const file = fileURLToPath(address);
  if (ignoredByGit(fileURLToPath(root), [file])?.has(file)) return true;
  const steps = way.split('/');
  // A script that makes the folder, or the file where that is in none.
  const made = steps.length > 1 ? steps.at(-2)! : steps[0]!;
  for await (const script of scriptsAround(files, `${root}/values.yaml`, folders)) if (makes(script, made)) return true;
  return false;
}

const making: ReadonlySet<string> = new Set(['mkdir', 'openssl', 'cfssl', 'cfssljson', 'cp', 'mv']);

/** Whether a script has a line that makes a folder, or writes a file. */
function makes(script: string, name: string): boolean {
  const isMaking = (line: string) => line.includes('>') || line.split(/[\s;&|()]/).some((word) => making.has(word));
  return script.split('\n').some((line) => line.includes(name) && isMaking(line));
}
