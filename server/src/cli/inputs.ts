import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { memo } from '../base/memo.ts';
import { addressOf } from '../files/address.ts';
import { readHeadNow } from '../files/read.ts';
import { ignoredByGit } from '../git/ignored.ts';
import { emptyListing, type Listing } from '../workspace/files.ts';
import { globOf } from '../workspace/glob.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { decodeText } from '../workspace/scan.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { nameOf } from './report.ts';
import { complain } from './terminal.ts';

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
  const here = addressOf(process.cwd());
  const found: Listing[] = [];
  for (const pattern of patterns) {
    const one = await promptFiles.expand(pattern, here, defaultLimits.files);
    const read = [one.uris, one.leads, one.catalogues, ...(options ? [one.json] : [])];
    if (read.every(({ length }) => length === 0) && !mayBeEmpty(pattern))
      throw new Error(`nothing found at ${pattern}`);
    found.push(one);
  }
  const all = (pick: (listing: Listing) => readonly string[]) => [...new Set(found.flatMap(pick))];
  const json = new Set(all((listing) => listing.json));
  const uris = all((listing) => [...listing.uris, ...(options ? listing.json : [])].sort());
  const isMeant = (uri: string) => !json.has(uri) || beginsAsManifest(uri);
  return {
    ...emptyListing,
    uris: options ? wanted(uris, namedBy(patterns), options).filter(isMeant) : uris,
    leads: all(({ leads }) => leads),
    catalogues: all(({ catalogues }) => catalogues),
    notes: all(({ notes }) => notes),
    cut: found.some(({ cut }) => cut),
  };
}

/** The addresses of the paths among what was named; patterns match none. Remembered, since every file of a run asks. */
export const namedBy = memo((patterns: readonly string[]): ReadonlySet<string> => {
  return new Set(patterns.map((pattern) => addressOf(path.resolve(pattern))));
});

/** JSON is mostly something else, and may be large: its beginning tells. */
function beginsAsManifest(uri: string): boolean {
  const read = readHeadNow(fileURLToPath(uri), headBytes);
  // What cannot be read is told of when the whole is read.
  if (!(read instanceof Uint8Array)) return read !== undefined;
  const head = new TextDecoder().decode(read);
  return /^\s*[[{]/.test(head) && /"apiVersion"\s*:\s*"/.test(head);
}

const headBytes = 4096;

/** A file that is named is meant, whatever else says that files like it are not. */
export function wanted(
  uris: readonly string[],
  named: ReadonlySet<string>,
  { exclude, gitignore }: InputOptions,
): string[] {
  const excludes = exclude.map((glob) => globOf(glob.includes('/') ? glob : `**/${glob}`));
  const kept = uris.filter((uri) => named.has(uri) || !excludes.some((matches) => matches(nameOf(uri))));
  const ignored = gitignore ? ignoredOf(kept.filter((uri) => !named.has(uri))) : new Set<string>();
  return kept.filter((uri) => !ignored.has(uri));
}

function ignoredOf(uris: readonly string[]): ReadonlySet<string> {
  const files = ignoredByGit(
    process.cwd(),
    uris.map((uri) => fileURLToPath(uri)),
  );
  if (!files) complain('git did not say in time what it ignores; files that it ignores are checked as well');
  return new Set([...(files ?? [])].map((file) => addressOf(file)));
}

/** A file to check, or why it cannot be. */
export async function readSource(uri: string, named: boolean): Promise<SourceFile | string> {
  const bytes = await promptFiles.read(uri, defaultLimits.fileBytes);
  if (bytes === undefined) return `${nameOf(uri)}: cannot be read`;
  if (bytes === 'too-large') return `${nameOf(uri)}: larger than ${defaultLimits.fileBytes} bytes, not checked`;
  return bytes instanceof Uint8Array ? sourceOf(uri, bytes, named) : `${nameOf(uri)}: cannot be read: ${bytes.why}`;
}

/** Files that are named, one at a time. */
export async function* namedSources(uris: readonly string[]): AsyncGenerator<SourceFile | string> {
  for (const uri of uris) yield await readSource(uri, true);
}

/** What paths name on disk. `-` is standard input, which `sourcesAt` reads. */
export async function listingAt(paths: readonly string[], mayBeEmpty = false): Promise<Listing> {
  const onDisk = paths.filter((one) => one !== '-');
  return await expandAll(onDisk, undefined, () => mayBeEmpty);
}

/** All that paths name, one at a time. */
export async function* sourcesAt(
  paths: readonly string[],
  { uris }: Pick<Listing, 'uris'>,
): AsyncGenerator<SourceFile | string> {
  if (paths.includes('-')) yield await readStandardInput('stdin.yaml');
  yield* namedSources(uris);
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
      complain(file);
    }
  }
}

/** How git-crypt begins a file that is locked. */
const gitCrypt = '\0GITCRYPT\0';
const encrypted = ': encrypted by git-crypt, not checked';

/** Whether a file could not be read since this clone of its repository is locked. */
export function isEncrypted(why: string): boolean {
  return why.endsWith(encrypted);
}

function sourceOf(uri: string, bytes: Uint8Array, named: boolean): SourceFile | string {
  if (Buffer.from(bytes.subarray(0, gitCrypt.length)).toString('latin1') === gitCrypt)
    return `${nameOf(uri)}${encrypted}`;
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
  return sourceOf(addressOf(path.resolve(name)), bytes, true);
}
