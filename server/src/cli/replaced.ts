import { isScript } from '../workspace/fileNames.ts';
import type { Files } from '../workspace/files.ts';
import { folderOf, isInside } from '../workspace/uri.ts';
import { textsIn } from './beside.ts';

// `sed "s/HOSTNAME/$host/" pod.yaml | kubectl apply -f -`: what is in the file is not what is applied.

const mostScripts = 20;

/** Of words in capitals and variables, those that a script beside a file, or around it in a folder that is checked, replaces. */
export async function replacedWords(
  files: Files,
  uri: string,
  folders: readonly string[],
  words: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  return await saidByScripts(files, uri, folders, words, replacedIn);
}

/** The files that a script around one that names them writes: `kustomize build > all.yaml`, `cp base.yaml all.yaml`. */
export async function writtenByScripts(
  files: Files,
  uri: string,
  folders: readonly string[],
  names: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  return await saidByScripts(files, uri, folders, names, (text) => writtenIn(text, names));
}

/** Which of these words are among those of the scripts beside a file, or around it in a folder that is checked. */
async function saidByScripts(
  files: Files,
  uri: string,
  folders: readonly string[],
  words: ReadonlySet<string>,
  wordsOf: (script: string) => readonly string[],
): Promise<ReadonlySet<string>> {
  const said = new Set<string>();
  let left = mostScripts;
  for (let at = folderOf(uri); said.size < words.size && left > 0; at = folderOf(at)) {
    if (!folders.some((folder) => at === folder || isInside(at, folder))) break;
    for await (const text of textsIn(files, at, isScript, left)) {
      left--;
      for (const word of wordsOf(text)) if (words.has(word)) said.add(word);
    }
  }
  return said;
}

function writtenIn(text: string, names: ReadonlySet<string>): string[] {
  const lines = text.split('\n').filter((line) => [...names].some((name) => line.includes(name)));
  return lines.flatMap((line) => {
    const words = line.trim().split(/[\s"']+/);
    const written = words.filter((_, i) => isTarget(words, i)).map(lastStep);
    const [, variable, file] = /^\s*(?:(?:export|local|readonly) )?(\w{1,60})=["']?([^\s"']{1,400})/.exec(line) ?? [];
    return variable !== undefined && isWrittenTo(text, variable) ? [...written, lastStep(file!)] : written;
  });
}

const lastStep = (way: string) => way.slice(way.lastIndexOf('/') + 1);

/** Whether something is written to what a variable says: `> "${NAME}"`. */
function isWrittenTo(text: string, variable: string): boolean {
  return [`$${variable}`, `\${${variable}}`].some((one) => text.includes(`> ${one}`) || text.includes(`> "${one}"`));
}

/** Whether a word is where something is written to. */
function isTarget(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? '';
  const command = words.findLastIndex((one, i) => i < at && ['cp', 'mv'].includes(one));
  const named = command === -1 ? [] : words.slice(command + 1, at).filter((one) => !one.startsWith('-'));
  return named.length === 1 || ['>', '>>', 'tee', '-o', '--output'].includes(before) || words[at]!.startsWith('>');
}

/** As sed and bash write it, and as methods of strings are called. */
const replacements = [
  /\bs[/|,#@~%!:](?:\\b)?([A-Z]\w{0,63})(?:\\b)?[/|,#@~%!:]/g,
  /\$\{\w{1,64}\/\/?([A-Z]\w{0,63})\//g,
  /\.replace(?:All)?\(["']([A-Z]\w{0,63})["'],/g,
];

/** The words that a script puts other ones in place of, and the variables that it gives to envsubst, as `$zone`. */
function replacedIn(text: string): string[] {
  const words = replacements.flatMap((one) => Array.from(text.matchAll(one), ([, word]) => word!));
  if (!/\benvsubst\b/.test(text)) return words;
  const names = text.split('=').map((before) => before.slice(-64).split(/\W/).at(-1)!);
  return [...words, ...names.map((name) => `$${name}`)];
}

/** The words in capitals of a text that something may put other ones in place of, and what begins with a dollar sign. */
export function wordsIn(text: string): string[] {
  const variables = text.match(/\$[a-z]\w{0,63}/g) ?? [];
  return [...variables, ...text.split(/[^A-Za-z0-9_]/).filter((one) => /^[A-Z][A-Z0-9_]{1,63}$/.test(one))];
}
