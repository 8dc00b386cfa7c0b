import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { printable } from '../base/printable.ts';
import { emptyListing, type Listing } from '../workspace/files.ts';
import { globOf } from '../workspace/glob.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { decodeText } from '../workspace/scan.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { gitEnvironment, gitProgram } from '../workspace/sources/gitProgram.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { complain, nameOf } from './report.ts';

export interface InputOptions {
  /** Globs of files that are left out, unless they are named. */
  readonly exclude: readonly string[];
  /** Whether what git ignores is left out. */
  readonly gitignore: boolean;
}

/** What arguments name: files, folders, globs. */
export async function expandAll(
  patterns: readonly string[],
  options?: InputOptions,
  mayBeEmpty: (pattern: string) => boolean = () => false,
): Promise<Listing> {
  const here = pathToFileURL(process.cwd()).href;
  const found: Listing[] = [];
  for (const pattern of patterns) {
    const one = await promptFiles.expand(pattern, here, defaultLimits.files);
    if (one.uris.length + one.leads.length + one.catalogues.length === 0 && !mayBeEmpty(pattern))
      throw new Error(`nothing found at ${pattern}`);
    found.push(one);
  }
  const all = (pick: (listing: Listing) => readonly string[]) => [...new Set(found.flatMap(pick))];
  const uris = all((listing) => listing.uris);
  return {
    ...emptyListing,
    uris: options ? wanted(uris, namedBy(patterns), options) : uris,
    leads: all(({ leads }) => leads),
    catalogues: all(({ catalogues }) => catalogues),
    notes: all(({ notes }) => notes),
    cut: found.some(({ cut }) => cut),
  };
}

export function namedBy(patterns: readonly string[]): ReadonlySet<string> {
  return new Set(patterns.map((pattern) => pathToFileURL(path.resolve(pattern)).href));
}

/** A file that is named is meant, whatever else says that files like it are not. */
export function wanted(
  uris: readonly string[],
  named: ReadonlySet<string>,
  { exclude, gitignore }: InputOptions,
): string[] {
  const excludes = exclude.map((glob) => globOf(glob.includes('/') ? glob : `**/${glob}`));
  const kept = uris.filter((uri) => named.has(uri) || !excludes.some((matches) => matches(nameOf(uri))));
  const ignored = gitignore ? ignoredByGit(kept.filter((uri) => !named.has(uri))) : new Set<string>();
  return kept.filter((uri) => !ignored.has(uri));
}

/** Git is asked, since only it reads all that says what it ignores. Without git or a repository nothing is ignored. */
function ignoredByGit(uris: readonly string[]): ReadonlySet<string> {
  if (uris.length === 0) return new Set();
  // The paths come from standard input, and check-ignore refuses to run where pathspecs are to be literal.
  const { GIT_LITERAL_PATHSPECS: _, ...env } = gitEnvironment();
  const { stdout } = spawnSync(gitProgram(), ['check-ignore', '-z', '--stdin'], {
    input: uris.map((uri) => `${fileURLToPath(uri)}\0`).join(''),
    env,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const files = (stdout ?? '').split('\0').filter(Boolean);
  return new Set(files.map((file) => pathToFileURL(file).href));
}

/** A file to check, or why it cannot be. */
export async function readSource(uri: string, named: boolean): Promise<SourceFile | string> {
  const bytes = await promptFiles.read(uri, defaultLimits.fileBytes);
  if (bytes === undefined) return `${nameOf(uri)}: cannot be read`;
  return bytes === 'too-large'
    ? `${nameOf(uri)}: larger than ${defaultLimits.fileBytes} bytes, not checked`
    : sourceOf(uri, bytes, named);
}

/** Files that are named, one at a time. */
export async function* namedSources(uris: readonly string[]): AsyncGenerator<SourceFile | string> {
  for (const uri of uris) yield await readSource(uri, true);
}

/** Those that can be read; the others are complained of. */
export async function* readable(
  sources: AsyncIterable<SourceFile | string>,
  onUnread: () => void,
): AsyncGenerator<SourceFile> {
  for await (const file of sources) {
    if (typeof file !== 'string') yield file;
    else {
      onUnread();
      complain(printable(file));
    }
  }
}

function sourceOf(uri: string, bytes: Uint8Array, named: boolean): SourceFile | string {
  const content = decodeText(bytes);
  return content.kind === 'binary'
    ? `${nameOf(uri)}: not a text file, not checked`
    : sourceFile(uri, content.text, { named });
}

/** What is piped in, under a name that its findings show. */
export async function readStandardInput(name: string): Promise<SourceFile | string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.length > defaultLimits.fileBytes)
    return `${name}: larger than ${defaultLimits.fileBytes} bytes, not checked`;
  return sourceOf(pathToFileURL(path.resolve(name)).href, bytes, true);
}
