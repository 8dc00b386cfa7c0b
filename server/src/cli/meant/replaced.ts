import { isYaml } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { baseName, folderOf, isInside, resolve } from '../../workspace/uri.ts';
import { textBeside, textsIn } from './beside.ts';
import { scriptsAround } from './scripts.ts';

// `sed "s/HOSTNAME/$host/" pod.yaml | kubectl apply -f -`: what is in the file is not what is applied.

/** Playbooks beside a file, and files that they include. */
const mostPlaybooks = 20;

/** Of words in capitals and variables, those that a script beside a file, or around it in a folder that is checked, replaces. */
export async function replacedWords(
  files: Files,
  uri: string,
  folders: readonly string[],
  words: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  // A word in small letters may be in any script.
  const isSurely = (word: string, text: string) => /^[A-Z$]/.test(word) || isNamedIn(text, baseName(uri));
  const said = await saidByScripts(files, uri, folders, words, (text) =>
    replacedIn(text).filter((word) => isSurely(word, text)),
  );
  const left = new Set([...words].filter((word) => !said.has(word)));
  return new Set([...said, ...(await replacedByPlaybooks(files, uri, folders, left))]);
}

/**
 * The words that Ansible replaces in a file: a file beside it names it, and a playbook there, or what that includes, has a task of the
 * module `replace` for the word.
 */
async function replacedByPlaybooks(
  files: Files,
  uri: string,
  folders: readonly string[],
  words: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (words.size === 0) return [];
  const beside: string[] = [];
  for await (const text of textsIn(files, folderOf(uri), isYaml, mostPlaybooks)) beside.push(text);
  if (!beside.some((text) => isNamedIn(text, baseName(uri)))) return [];
  const texts = [...beside];
  for (const way of new Set(beside.flatMap(includedIn).slice(0, mostPlaybooks)))
    for (const folder of folders) texts.push(await textAt(files, folder, folderOf(uri), way));
  return texts.flatMap(replacedInTasks).filter((word) => words.has(word));
}

/** Whether a text names a file. */
export function isNamedIn(text: string, name: string): boolean {
  return text.split(name).some((before, i, all) => i < all.length - 1 && /[\s"'/]$/.test(before));
}

/** The files that tasks include, as they are named. */
function includedIn(text: string): string[] {
  const includes = /\b(?:include|include_tasks|import_tasks|import_playbook): *["']?([\w./-]{1,400})/g;
  return Array.from(text.matchAll(includes), ([, way]) => way!).filter(isYaml);
}

/** A file that is named from the top of what is checked, or beside the one that names it; nothing where it is elsewhere. */
async function textAt(files: Files, folder: string, own: string, way: string): Promise<string> {
  const uri = resolve(way.startsWith('/') ? folder : own, way.replace(/^\/+/, ''));
  if (!isInside(uri, folder)) return '';
  return (await textBeside(files, uri)) ?? '';
}

/** The words that tasks of the module `replace` put other ones in place of. */
function replacedInTasks(text: string): string[] {
  const tasks = text.split(/\breplace:[ \t]*\r?\n/).slice(1);
  const lines = tasks.flatMap((task) => task.split('\n', linesOfTask));
  return lines.flatMap((line) => /^[ \t]+regexp: *["']?(\w{2,64})["']?[ \t\r]*$/.exec(line)?.[1] ?? []);
}

/** How far below its name a module's arguments are looked at. */
const linesOfTask = 5;

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
  if (words.size === 0) return said;
  for await (const text of scriptsAround(files, uri, folders)) {
    for (const word of wordsOf(text)) if (words.has(word)) said.add(word);
    if (said.size === words.size) break;
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
  /\bs[/|,#@~%!:](?:\\b)?([A-Za-z]\w{0,63})(?:\\b)?[/|,#@~%!:]/g,
  /\$\{\w{1,64}\/\/?([A-Za-z]\w{0,63})\//g,
  /\.replace(?:All)?\(["']([A-Za-z]\w{0,63})["'],/g,
];

/** The words that a script puts other ones in place of, and the variables that it gives to envsubst, as `$zone`. */
function replacedIn(text: string): string[] {
  const words = replacements.flatMap((one) => Array.from(text.matchAll(one), ([, word]) => word!));
  if (!/\benvsubst\b/.test(text)) return words;
  const names = text.split('=').map((before) => before.slice(-64).split(/\W/).at(-1)!);
  return [...words, ...names.map((name) => `$${name}`)];
}

/**
 * The words in capitals of a value that something may put other ones in place of, what begins with a dollar sign, and the value itself
 * where it is one word.
 */
export function wordsIn(text: string): string[] {
  const variables = text.match(/\$[a-z]\w{0,63}/g) ?? [];
  const whole = /^["']?([a-z]\w{3,63})["']?$/.exec(text);
  return [
    ...(whole ? [whole[1]!] : []),
    ...variables,
    ...text.split(/[^A-Za-z0-9_]/).filter((one) => /^[A-Z][A-Z0-9_]{1,63}$/.test(one)),
  ];
}
