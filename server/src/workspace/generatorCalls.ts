import { append } from '../base/append.ts';
import { crdOptionsText, readCrdOptions } from '../controllergen/crd/options.ts';
import type { CrdOptions } from '../controllergen/crd/optionTypes.ts';
import { isBuildFile, isCallingScript } from './fileNames.ts';
import type { Entry, Files } from './files.ts';
import { textOf } from './scan.ts';
import { folderOf, isInside, resolve } from './uri.ts';

// Where a project calls controller-gen, and what it asks it for: make and task files, scripts and `//go:generate`. They
// are read as text, and nothing of them is run.

/** A line that has controller-gen make CRDs. */
export interface GeneratorCall {
  readonly options: CrdOptions;
  /** Whether these are all: there are no variables in them that nothing here gives. */
  readonly isWhole: boolean;
  /** Where it is written, with the line counted from 1; undefined where a setting says so. */
  readonly written: { readonly uri: string; readonly line: number } | undefined;
  /** The folder in which it runs. */
  readonly folder: string;
  /** The folders whose packages it reads, those below them as well where that is asked for. */
  readonly paths: readonly { readonly folder: string; readonly isDeep: boolean }[];
}

/** How many files are looked through for calls, and how many bytes each may have. */
export const mostOfCalls = { files: 60, bytes: 500_000, levels: 3, folders: 20, line: 4_000, variable: 500 };

/** Folders beside a go.mod that hold such scripts. */
const scriptFolders = ['hack', 'scripts', 'script', 'build', 'make', 'tools', 'api', 'apis', 'pkg'];

/** A folder with what is in it. */
interface Folder {
  readonly uri: string;
  readonly entries: readonly Entry[];
}

/** The calls for a module: beside its go.mod, and in the folders around as far as the repository goes. */
export async function generatorCalls(files: Files, module: string): Promise<GeneratorCall[]> {
  const found: GeneratorCall[] = [];
  let left = mostOfCalls.files;
  for (const start of await foldersAround(files, module)) {
    for (const folder of [start, ...(await scriptFoldersIn(files, start))]) {
      for (const { name, isFolder } of folder.entries) {
        if (isFolder || left === 0 || !(isBuildFile(name) || isCallingScript(name))) continue;
        left--;
        const uri = resolve(folder.uri, name);
        const text = textOf(await files.read(uri, mostOfCalls.bytes));
        // Make runs in the folder of its file, and scripts are run from the top.
        if (text !== undefined) append(found, callsIn(text, uri, (isCallingScript(name) ? start : folder).uri));
      }
    }
  }
  return found;
}

async function listed(files: Files, uri: string): Promise<Folder> {
  return { uri, entries: await files.entries(uri) };
}

/** The folder of a module, and those around it as far as its repository goes. */
async function foldersAround(files: Files, module: string): Promise<Folder[]> {
  const around = [await listed(files, module)];
  for (let level = 0; level <= mostOfCalls.levels; level++) {
    const { uri, entries } = around.at(-1)!;
    if (entries.some(({ name }) => name === '.git')) return around;
    const parent = folderOf(uri);
    if (level === mostOfCalls.levels || parent === uri || parent.endsWith('/')) break;
    around.push(await listed(files, parent));
  }
  // Without a repository around, nobody says that the folders above belong to it.
  return around.slice(0, 1);
}

/** Folders in which scripts are, and those directly in them. */
async function scriptFoldersIn(files: Files, start: Folder): Promise<Folder[]> {
  const found: Folder[] = [];
  const names = new Set(start.entries.map(({ name }) => name));
  for (const name of scriptFolders) {
    if (!names.has(name)) continue;
    const folder = await listed(files, resolve(start.uri, name));
    found.push(folder);
    const inner = folder.entries.filter(({ isFolder }) => isFolder).slice(0, mostOfCalls.folders);
    for (const entry of inner) found.push(await listed(files, resolve(folder.uri, entry.name)));
  }
  return found;
}

/** The calls of a file whose paths start at a folder. */
export function callsIn(text: string, uri: string, folder: string): GeneratorCall[] {
  const lines = joinedLines(text);
  const variables = variablesOf(lines);
  return lines.flatMap(({ text: raw, line }) => {
    // A Go file calls it in directives, and speaks of it elsewhere.
    if (uri.endsWith('.go') && !raw.startsWith('//go:generate ')) return [];
    if (/^\s*#/.test(raw) || raw.length > mostOfCalls.line) return [];
    const whole = expanded(raw, variables);
    const word = crdWord(whole);
    const read = word === undefined ? undefined : readCrdOptions(withoutVariables(word));
    if (!read || !isCall.test(whole)) return [];
    const start = uri.endsWith('.go') ? folderOf(uri) : startOf(whole, folder);
    const isWhole = !word!.includes('$') && read.mistake === undefined;
    return [{ options: read.options, isWhole, written: { uri, line }, folder: start, paths: pathsOf(whole, start) }];
  });
}

/** Other programs have arguments called `crd`. */
const isCall = /controller[-_]?gen|\bpaths=/i;

/** Options without those in which a variable is left. */
function withoutVariables(word: string): string {
  if (!word.includes('$')) return word;
  const known = word
    .slice('crd:'.length)
    .split(',')
    .filter((one) => !one.includes('$'));
  return known.length === 0 ? 'crd' : `crd:${known.join(',')}`;
}

/** The word of a shell's line that gives options for CRDs, without its quotes. */
function crdWord(text: string): string | undefined {
  const at = /(?:^|[\s"'`;])crd(?=[:\s"'`;]|$)/.exec(text);
  if (!at) return undefined;
  const start = at.index + at[0].length - 'crd'.length;
  let isQuoted = /["']/.test(text[start - 1] ?? '');
  let word = '';
  for (const character of text.slice(start)) {
    if (/[\s`]/.test(character) || (character === ';' && !isQuoted)) break;
    if (/["']/.test(character)) isQuoted = !isQuoted;
    else word += character;
  }
  return word;
}

const pathWord = /\bpaths=["']?([^\s"']+)/g;

interface Line {
  readonly text: string;
  readonly line: number;
}

/** Lines with those that a backslash joins to them. */
function joinedLines(text: string): Line[] {
  const found: Line[] = [];
  let open: { text: string; line: number } | undefined;
  for (const [i, own] of text.split(/\r?\n/).entries()) {
    const isOpen = own.endsWith('\\');
    const part = isOpen ? own.slice(0, -1) : own;
    if (open) open.text += ` ${part.trim()}`;
    else open = { text: part, line: i + 1 };
    if (isOpen) continue;
    found.push(open);
    open = undefined;
  }
  return open ? [...found, open] : found;
}

/** `CRD_OPTIONS: crd:…` under the `vars` of a Taskfile. */
const taskVariable = /^\s*(\w+):\s(\s*["']?)(crd:[^\s"']*)["']?\s*$/;

/** Variables that hold arguments for it. */
function variablesOf(lines: readonly Line[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { text } of lines) {
    if (text.length > mostOfCalls.line) continue;
    const [, ofTask, , words = ''] = taskVariable.exec(text) ?? [];
    if (ofTask !== undefined && words.length <= mostOfCalls.variable && !found.has(ofTask)) found.set(ofTask, words);
    const at = text.indexOf('=');
    const name =
      text
        .slice(0, at)
        .split(/[\s:?+]+/)
        .filter(Boolean)
        .at(-1) ?? '';
    const value = text.slice(at + 1).trim();
    if (at === -1 || value.length > mostOfCalls.variable) continue;
    if (!/^\w+$/.test(name) || found.has(name) || !/\bcrd\b|\bpaths=|\/\.\.\./.test(value)) continue;
    const isQuoted = value.length > 1 && /["']/.test(value[0]!) && value.endsWith(value[0]!);
    found.set(name, isQuoted ? value.slice(1, -1) : value);
  }
  return found;
}

function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:\((\w+)\)|\{\{?\.?(\w+)\}?\}|(\w+))|\{\{\s?\.(\w+)\s?\}\}/g, (whole, a, b, c, d) => {
    return variables.get(a ?? b ?? c ?? d) ?? whole;
  });
}

function startOf(text: string, folder: string): string {
  const into = /\bcd\s+["']?([\w./-]+)["']?\s*(?:&&|;)/.exec(text)?.[1];
  return into === undefined ? folder : resolve(folder, into);
}

/** What a call reads; everything where it says nothing that can be followed. */
function pathsOf(text: string, start: string): GeneratorCall['paths'] {
  const all = [...text.matchAll(pathWord)].flatMap(([, list = '']) => list.split(/[;,]/)).filter(Boolean);
  const known = all.filter((path) => !/[$`{]/.test(path) && !path.startsWith('/'));
  if (known.length === 0) return [{ folder: start, isDeep: true }];
  return known.map((path) => {
    const isDeep = path.endsWith('...');
    return { folder: resolve(start, isDeep ? path.replace(/\/?\.\.\.$/, '') || '.' : path), isDeep };
  });
}

/** What options hold, and where that is said. */
export function callText({ options, written, isWhole }: GeneratorCall, nameOf: (uri: string) => string): string {
  const where = written ? `${nameOf(written.uri)}:${written.line}` : 'the setting controllerGen';
  const rest = isWhole ? '' : ', as far as they can be read there; the setting controllerGen can give them whole';
  return `controller-gen's options are those of ${where}: ${crdOptionsText(options)}${rest}`;
}

/** The call that makes the CRDs of a folder: of several, the one that names it most closely, then the first. */
export function callFor(calls: readonly GeneratorCall[], folder: string): GeneratorCall | undefined {
  let best: { readonly call: GeneratorCall; readonly closeness: number } | undefined;
  for (const call of calls) {
    for (const { folder: named, isDeep } of call.paths) {
      if (named !== folder && !(isDeep && isInside(folder, named))) continue;
      if (!best || named.length > best.closeness) best = { call, closeness: named.length };
    }
  }
  return best?.call;
}
