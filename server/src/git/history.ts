import { execFile } from 'node:child_process';
import type { FSWatcher } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { answered } from '../files/answers.ts';
import { kindNow, realPath } from '../files/folders.ts';
import { watched } from '../files/watch.ts';
import { endWithUs } from '../programs/programs.ts';
import type { DatedCommit, History, PlacedFolder, Repository } from '../workspace/baseline/history.ts';
import { isYaml } from '../workspace/fileNames.ts';
import { type ObjectReader, objectReader } from './objects.ts';
import { gitArguments, gitEnvironment, gitProgram, patienceMs } from './program.ts';

// Git's plumbing, asked without a shell. Nothing here writes, locks, fetches or asks the user.

const mostOutput = 256_000_000;

/** The output of a git command; undefined where it fails, as it does where there is no repository or no git. */
async function git(folder: string, args: readonly string[], patience: number): Promise<string | undefined> {
  const output = await run(folder, args, patience);
  return output !== undefined && isOfCommit(args) ? output : answered(output, (text) => text, 'git', folder, ...args);
}

/** Whether it is asked of a commit by its hash, for which the answer is always the same. */
function isOfCommit(args: readonly string[]): boolean {
  return args[0] === 'ls-tree' && args.some((arg) => /^[0-9a-f]{40,64}$/.test(arg));
}

/** Asks the same again. */
export async function askGit(folder: string, args: readonly string[]): Promise<void> {
  await git(folder, args, patienceMs);
}

function run(folder: string, args: readonly string[], patience: number): Promise<string | undefined> {
  const bounds = { maxBuffer: mostOutput, timeout: patience, killSignal: 'SIGKILL' } as const;
  const options = { env: gitEnvironment(), windowsHide: true, ...bounds };
  // No argument of a program can hold a NUL.
  if ([folder, ...args].some((arg) => arg.includes('\0'))) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const done = (error: Error | null, output: string) => resolve(error ? undefined : output);
    endWithUs(execFile(gitProgram(), gitArguments(folder, args), options, done));
  });
}

function firstLine(output: string | undefined): string | undefined {
  return output?.split('\n')[0] || undefined;
}

export function gitHistory(patience = patienceMs): History {
  const repositories = new Map<string, GitRepository>();
  const places = new Map<string, Where>();
  const tops = new Map<string, Promise<Where | undefined>>();
  return {
    repositoryOf: async (folder) => {
      if (!folder.startsWith('file:')) return undefined;
      // A folder without a repository may get one.
      const where = places.get(folder) ?? (await locateIn(tops, fileURLToPath(folder), patience));
      if (!where) return undefined;
      places.set(folder, where);
      const repository = repositories.get(where.root) ?? openRepository(where, patience);
      repositories.set(where.root, repository);
      return { repository, prefix: where.prefix } satisfies PlacedFolder;
    },
    close: () => {
      for (const repository of repositories.values()) repository.close();
      repositories.clear();
      places.clear();
      tops.clear();
    },
  };
}

interface Where {
  readonly root: string;
  readonly prefix: string;
  /** The folders whose files move with refs: a linked worktree has one of its own beside the common one. */
  readonly gitFolders: readonly string[];
}

/** Git is asked once for all folders of a working tree, which has thousands; of one behind a link it is asked by itself. */
async function locateIn(
  tops: Map<string, Promise<Where | undefined>>,
  folder: string,
  patience: number,
): Promise<Where | undefined> {
  const top = topAround(folder);
  // Outside of repositories no process is started.
  if (top === undefined) return undefined;
  const known = tops.get(top) ?? locate(top, patience);
  tops.set(top, known);
  const where = await known;
  if (!where) tops.delete(top);
  const within = path.relative(top, folder);
  const isPlain = where?.prefix === '' && !within.split(path.sep).includes('.git');
  if (!isPlain || (await realPath(folder)) !== path.join(where.root, within)) return await locate(folder, patience);
  return { ...where, prefix: within === '' ? '' : `${within.split(path.sep).join('/')}/` };
}

async function locate(folder: string, patience: number): Promise<Where | undefined> {
  const asked = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir', '--show-prefix'];
  const lines = (await git(folder, ['rev-parse', ...asked], patience))?.split('\n');
  const [root, own, common, prefix = '', ...rest] = lines ?? [];
  // A folder's name may hold a line break: then nobody can tell where one answer ends.
  if (!root || !own || !common || rest.length > 1) return undefined;
  return { root, prefix, gitFolders: [...new Set([own, path.resolve(folder, common)])] };
}

/** The folder, of this one and those around it, that is the top of a working tree. */
function topAround(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (kindNow(path.join(at, '.git')) !== undefined) return at;
    if (path.dirname(at) === at) return undefined;
  }
}

interface GitRepository extends Repository {
  close(): void;
}

function openRepository({ root, gitFolders }: Where, patience: number): GitRepository {
  const objects = objectReader(root, patience);
  const ask = (...args: string[]) => git(root, args, patience);
  const moves = movesOf(gitFolders);
  return {
    root,
    commitOf: async (ref) => firstLine(await ask('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)),
    mergeBaseWith: async (ref) => firstLine(await ask('merge-base', 'HEAD', ref)),
    refNames: async () => (await ask('for-each-ref', '--format=%(refname:short)'))?.split('\n').filter(Boolean) ?? [],
    filesOf: async (commit) => yamlFiles(await ask('ls-tree', '-r', '-z', '--full-tree', commit)),
    read: (name, mostBytes) => objects.read(name, mostBytes),
    commitsThatChanged: async (file, commit, most) => {
      const output = await ask('rev-list', '--timestamp', `--max-count=${most}`, commit, '--', file);
      return output?.split('\n').filter(Boolean).map(datedCommit) ?? [];
    },
    uriOf: (file) => pathToFileURL(path.join(root, file)).href,
    onMoved: moves.listen,
    close: () => closeAll(objects, moves),
  };
}

/** A row of `rev-list --timestamp`. */
function datedCommit(row: string): DatedCommit {
  const [time, commit = ''] = row.split(' ');
  return { commit, time: Number(time) };
}

function closeAll(objects: ObjectReader, moves: Moves): void {
  objects.close();
  moves.close();
}

/** Rows of `ls-tree -z`: mode, type, name of the content, a tab, the path. */
function yamlFiles(output = ''): Map<string, string> {
  const files = new Map<string, string>();
  for (const row of output.split('\0')) {
    const tab = row.indexOf('\t');
    const [, type, content] = row.slice(0, tab).split(' ');
    const file = row.slice(tab + 1);
    if (type === 'blob' && content && isYaml(file)) files.set(file, content);
  }
  return files;
}

interface Moves {
  listen(listener: () => void): void;
  close(): void;
}

/** Every command that moves a ref writes something next to it: HEAD, the index, FETCH_HEAD, packed-refs, a reflog. */
function movesOf(gitFolders: readonly string[]): Moves {
  const listeners: (() => void)[] = [];
  const watchers: FSWatcher[] = [];
  const begin = () => {
    const folders = gitFolders.flatMap((folder) => [
      folder,
      path.join(folder, 'logs'),
      path.join(folder, 'refs/heads'),
    ]);
    const tell = () => listeners.map((listener) => listener());
    for (const folder of folders) {
      const watcher = watched(folder, tell, { persistent: false });
      if (watcher) watchers.push(watcher);
    }
  };
  return {
    listen: (listener) => {
      if (listeners.length === 0) begin();
      listeners.push(listener);
    },
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}
