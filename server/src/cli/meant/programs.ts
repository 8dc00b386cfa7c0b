import { memo } from '../../base/memo.ts';
import type { Files, Listing } from '../../workspace/files.ts';
import { folderOf, isInside } from '../../workspace/uri.ts';
import { textBeside, upToRepository } from './beside.ts';

// What the programs of a repository do with its manifests and CRDs, as far as their sources say it in so many words.

const mostSources = 1500;
const mostFolders = 1500;

/** What all sources of a repository say. */
interface Said {
  /** What they put something in place of: `<ReleaseName>`. */
  readonly placeholders: ReadonlySet<string>;
  /** The words of each source that answers requests for conversions, or gives CRDs the webhook that does. */
  readonly converters: readonly ReadonlySet<string>[];
  /** The groups of API types in Go: `// +groupName=example.com`. */
  readonly groups: ReadonlySet<string>;
  /** Whether no source was left out. */
  readonly isWhole: boolean;
  /** Whether YAML is read so that a number or `true` counts as a text where one is wanted. */
  readonly readsTexts: boolean;
}

const isSource = (name: string) => /\.(?:go|rs|java|kt|py|ts)$/.test(name) && !/_test\.go$/.test(name);

/** Where nobody keeps sources of their own. */
const isPassedOver = (name: string) => /^(?:\..*|node_modules|vendor|third_party|target|build|dist)$/.test(name);

/** Names in angle brackets that nobody writes but for a program: long, with a capital. */
function placeholdersIn(text: string): string[] {
  return (text.match(/<[A-Za-z]\w{4,80}>/g) ?? []).filter((one) => /[A-Z]/.test(one));
}

/** Answers to requests for conversions, and what a controller puts into a CRD when it runs. */
const conversion = /\b(?:Conversion(?:Review|Webhook)|CustomResourceConversion(?:Builder)?|WebhookConverter)\b/;

const readingTexts = /"(?:sigs\.k8s\.io|github\.com\/ghodss)\/yaml"/;

/** Whether a program here puts something in the place of what is in angle brackets in a file, and reads texts loosely. */
export async function isCompletedByProgram(
  files: Files,
  { uri, text }: { readonly uri: string; readonly text: string },
  listing: Listing,
  folders: readonly string[],
): Promise<boolean> {
  const wanted = placeholdersIn(text);
  if (wanted.length === 0) return false;
  const { placeholders, readsTexts } = await saidAround(files, uri, listing, folders);
  return readsTexts && wanted.some((one) => placeholders.has(one));
}

/** Whether a program here converts objects of a kind: then it gives the CRD the webhook that does. */
export async function isConverted(
  files: Files,
  uri: string,
  kind: string,
  listing: Listing,
  folders: readonly string[],
): Promise<boolean> {
  const { converters } = await saidAround(files, uri, listing, folders);
  return converters.some((words) => words.has(kind));
}

/** Whether Go sources here have API types, and none of them in one of these groups. */
export async function hasTypesOfOthersOnly(
  files: Files,
  uri: string,
  wanted: readonly string[],
  listing: Listing,
  folders: readonly string[],
): Promise<boolean> {
  const { groups, isWhole } = await saidAround(files, uri, listing, folders);
  return isWhole && groups.size > 0 && wanted.length > 0 && !wanted.some((group) => groups.has(group));
}

/** The sources of a repository are read once for all files of a run. */
const saidIn = memo((_: Listing) => new Map<string, Promise<Said>>());

async function saidAround(files: Files, uri: string, listing: Listing, folders: readonly string[]): Promise<Said> {
  const root = (await repositoryOf(files, uri)) ?? folders.find((folder) => isInside(uri, folder)) ?? folderOf(uri);
  const known = saidIn(listing);
  const said = known.get(root) ?? readAll(files, root);
  known.set(root, said);
  return await said;
}

async function repositoryOf(files: Files, uri: string): Promise<string | undefined> {
  for await (const { folder, names } of upToRepository(files, uri, [])) if (names.includes('.git')) return folder;
  return undefined;
}

async function readAll(files: Files, root: string): Promise<Said> {
  const placeholders = new Set<string>();
  const converters: ReadonlySet<string>[] = [];
  const groups = new Set<string>();
  let readsTexts = false;
  let left = mostSources;
  for await (const { text } of sourcesIn(files, root, isSource, mostSources)) {
    left--;
    for (const [, group] of text.matchAll(/\+groupName=([\w.-]{1,253})/g)) groups.add(group!);
    for (const one of placeholdersIn(text)) placeholders.add(one);
    if (conversion.test(text)) converters.push(new Set(text.match(/\b[A-Z]\w{1,80}/g)));
    readsTexts ||= readingTexts.test(text);
  }
  return { placeholders, converters, groups, isWhole: left > 0, readsTexts };
}

interface Source {
  readonly uri: string;
  readonly text: string;
}

/** The sources below a folder that are called so, as many as there may be, those at the top first. */
export async function* sourcesIn(
  files: Files,
  root: string,
  isWanted: (name: string) => boolean,
  most: number,
): AsyncGenerator<Source> {
  const folders = [root];
  let left = most;
  for (let at = 0; at < folders.length && at < mostFolders && left > 0; at++) {
    for (const { name, isFolder } of await files.entries(folders[at]!)) {
      const uri = `${folders[at]}/${encodeURIComponent(name)}`;
      if (isFolder && !isPassedOver(name)) folders.push(uri);
      if (isFolder || !isWanted(name) || left-- <= 0) continue;
      yield { uri, text: (await textBeside(files, uri)) ?? '' };
    }
  }
}
