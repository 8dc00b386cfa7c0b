import path from 'node:path';
import { addressOf } from '../files/address.ts';
import { kindNow } from '../files/folders.ts';
import { gitHistory } from '../git/history.ts';
import { nearestNames } from '../rules/fixing/nearest.ts';
import type { PlacedFolder, Repository } from '../workspace/baseline/history.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { listingAt, readable, sourcesAt } from './inputs.ts';
import { complain } from './terminal.ts';

/** A state of some files: as they are on disk, or as a commit has them. */
export interface Side {
  /** What it is called in sentences. */
  readonly name: string;
  /** The path on disk that it is, or that the commit's files have there. */
  readonly path: string;
  readonly isCommit: boolean;
  readonly files: readonly SourceFile[];
  /** How many could not be read. */
  readonly unread: number;
}

interface Commit {
  readonly ref: string;
  readonly path: string;
}

/** `REF:PATH`, unless there is a file of that name. */
function commitIn(argument: string): Commit | undefined {
  if (argument === '-' || kindNow(argument) !== undefined || /^[A-Za-z]:[\\/]/.test(argument)) return undefined;
  if (/^merge-base:[^:]+$/.test(argument)) return { ref: argument, path: '.' };
  const { ref = '', path: below = '' } = /^(?<ref>(?:merge-base:)?[^:]+):(?<path>.*)$/s.exec(argument)?.groups ?? {};
  return ref === '' ? undefined : { ref, path: below || '.' };
}

/** What an argument names: a file, a folder, or one of these in a commit, as `main:config/crd`. */
export async function readSide(argument: string): Promise<Side> {
  const commit = commitIn(argument);
  return commit ? inCommit(commit) : onDisk(argument);
}

async function onDisk(argument: string): Promise<Side> {
  let unread = 0;
  const files: SourceFile[] = [];
  const listing = await listingAt([argument]);
  if (listing.cut) complain(`more than ${defaultLimits.files} files at ${argument}; the rest are left out`);
  for await (const file of readable(sourcesAt([argument], listing), () => unread++))
    if (isOfUse(file)) files.push(file);
  return { name: `\`${path.basename(argument) || argument}\``, path: argument, isCommit: false, files, unread };
}

const isOfUse = ({ template, manifests }: SourceFile) => !template && manifests.length > 0;

async function inCommit({ ref, path: below }: Commit): Promise<Side> {
  const history = gitHistory();
  try {
    const folder = await history.repositoryOf(addressOf(process.cwd()));
    if (!folder) throw new Error(`${ref}:${below}: ${process.cwd()} is not in a git repository`);
    const commit = await commitOf(folder.repository, ref);
    return { name: ref, path: below, isCommit: true, ...(await filesIn(folder, commit, below, ref)) };
  } finally {
    history.close();
  }
}

const mergeBase = /^merge-base:(.+)$/;

async function commitOf(repository: Repository, ref: string): Promise<string> {
  if (/^(merge-base:)?-/.test(ref)) throw new Error(`${ref} is not a git ref`);
  const branch = mergeBase.exec(ref)?.[1];
  const commit = await (branch === undefined ? repository.commitOf(ref) : repository.mergeBaseWith(branch));
  if (commit === undefined) throw new Error(await unknownRef(repository, ref));
  return commit;
}

function unknownRef(repository: Repository, ref: string): Promise<string> {
  return meantRefs(repository, ref).then((hint) => `git has no commit ${ref}${hint}`);
}

/** The names that one that git does not know may be meant for, as the end of a sentence. */
export async function meantRefs(repository: Repository, ref: string): Promise<string> {
  const name = mergeBase.exec(ref)?.[1] ?? ref;
  const known = await repository.refNames();
  const near = nearestNames(name, known);
  const sameEnd = known.filter((one) => one.endsWith(`/${name}`));
  const meant = [...new Set([...sameEnd, ...near])].slice(0, 3);
  return meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`;
}

async function filesIn({ repository, prefix }: PlacedFolder, commit: string, below: string, ref: string) {
  const target = path.posix.normalize(`${prefix}${below}`).replace(/\/$/, '');
  const all = [...(await repository.filesOf(commit))];
  const wanted = all.filter(([file]) => target === '.' || file === target || file.startsWith(`${target}/`));
  if (wanted.length === 0) throw new Error(`${ref} has no YAML files at ${below}`);
  const files: SourceFile[] = [];
  let unread = 0;
  for (const [file, content] of wanted.slice(0, defaultLimits.files)) {
    const text = textOf(await repository.read(content, defaultLimits.fileBytes));
    if (text === undefined) {
      unread++;
      complain(`${ref}:${file}: cannot be read`);
      continue;
    }
    const source = sourceFile(repository.uriOf(file), text, { named: true });
    if (isOfUse(source)) files.push(source);
  }
  return { files, unread };
}
