import { memo } from '../../base/memo.ts';
import { equalValues, isString, type ValueMap } from '../../base/value.ts';
import { type Definition, type Definitions, definitionsFor } from '../definitions.ts';
import type { Files } from '../files.ts';
import type { Limits } from '../limits.ts';
import { type Manifest, metadataText } from '../manifest.ts';
import { textOf } from '../scan.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import { baseName, folderOf } from '../uri.ts';
import { valueMadeOf } from '../xrd.ts';
import { type Baseline, type Committed, objectKey } from './baseline.ts';
import { type CommittedObjects, committedObjects, definedKind, type Found, noHistory, objectIn } from './committed.ts';
import type { History, Repository } from './history.ts';

/** Finds for files what a commit holds of their objects. */
export interface BaselineReader {
  /** Knows of no object where there is no repository, or nothing that the setting names. */
  load(file: SourceFile, setting: string, definitions: Definitions, before?: Baseline): Promise<Baseline>;
  /**
   * The same for one of many files: of a file that is as it was committed, and whose CRDs are, nothing is looked up, for no
   * update is under way; nor is git asked for the history of other CRDs that are as they were, which takes a walk through all
   * commits for each.
   */
  loadOneOfMany(file: SourceFile, setting: string, definitions: Definitions): Promise<Baseline>;
  /** Refs may have moved: they are looked up again. */
  forget(): void;
}

/** Where a file is in its repository. */
interface Placed {
  readonly objects: CommittedObjects;
  readonly path: string;
}

const mergeBase = /^merge-base:(.+)$/;

/** The repositories that turn up are shown to `found`, once each. */
export function baselineReader(
  history: History,
  files: Pick<Files, 'read'>,
  limits: Limits,
  found: (one: Repository) => void,
): BaselineReader {
  const known = new Map<string, CommittedObjects>();
  const commits = new Map<string, Promise<string | undefined>>();
  const commitOf = (repository: Repository, setting: string) => {
    const key = `${setting} ${repository.root}`;
    const commit = commits.get(key) ?? findCommit(repository, setting);
    commits.set(key, commit);
    return commit;
  };
  const place = async (uri: string): Promise<Placed | undefined> => {
    const folder = await history.repositoryOf(folderOf(uri));
    if (!folder) return undefined;
    const { repository, prefix } = folder;
    if (!known.has(repository.root)) {
      known.set(repository.root, committedObjects(repository, limits));
      found(repository);
    }
    return { objects: known.get(repository.root)!, path: prefix + baseName(uri) };
  };
  const read = async (uri: string): Promise<SourceFile | undefined> => {
    const text = textOf(await files.read(uri, limits.fileBytes));
    return text === undefined ? undefined : sourceFile(uri, text, { limits });
  };
  const listings = new Map<string, ReturnType<Repository['filesOf']>>();
  const filesIn = (repository: Repository, commit: string) => {
    const key = `${commit} ${repository.root}`;
    const listing = listings.get(key) ?? repository.filesOf(commit);
    listings.set(key, listing);
    return listing;
  };
  const isAsCommitted = async (file: SourceFile, setting: string, definitions: Definitions): Promise<boolean> => {
    const files = [file, ...judgedObjects(file, definitions).flatMap(({ definition }) => definition?.file ?? [])];
    for (const one of new Set(files)) {
      const placed = await place(one.uri);
      // What is in no repository has no past.
      if (!placed) continue;
      const commit = await commitOf(placed.objects.repository, setting);
      const content = commit && (await filesIn(placed.objects.repository, commit)).get(placed.path);
      if (content === undefined || content !== (await contentName(one))) return false;
    }
    return true;
  };
  const unchanged = async (file: SourceFile, setting: string, definitions: Definitions): Promise<Baseline> => {
    const objects = new Map(judgedObjects(file, definitions).map(({ key }) => [key, undefined] as const));
    const repository = (await place(file.uri))?.objects.repository;
    const commit = (repository && (await commitOf(repository, setting))) ?? '';
    return { ref: setting, commit, isOutside: !repository, unknownRef: false, objects, renamed: new Map() };
  };
  const load = async (
    file: SourceFile,
    setting: string,
    definitions: Definitions,
    before: Baseline | undefined,
    wantsHistory: (like: Manifest, found: Manifest) => boolean,
  ): Promise<Baseline> => {
    const placed = setting === 'none' ? undefined : await place(file.uri);
    const commit = placed && (await commitOf(placed.objects.repository, setting));
    const objects = new Map<string, Committed | undefined>();
    const renamed = new Map<string, string>();
    for (const { key, manifest, definition } of judgedObjects(file, definitions)) {
      const asked = { like: manifest, definition, commit: commit ?? '', ref: setting, wantsHistory };
      const found = commit ? await committed(placed, asked, place, read) : undefined;
      objects.set(key, kept(before?.objects.get(key), found));
      const name = commit && !found ? await formerName(placed, commit, manifest, file) : undefined;
      if (name !== undefined) renamed.set(key, name);
    }
    // A repository without any commit has no HEAD, and that is not a mistake of the user's.
    const unknownRef = placed !== undefined && !commit && setting !== 'HEAD';
    return { ref: setting, commit: commit ?? '', isOutside: placed === undefined, unknownRef, objects, renamed };
  };
  const isChanged = (like: Manifest, { document }: Manifest) => like.document.text !== document.text;
  return {
    forget: () => {
      commits.clear();
      listings.clear();
    },
    load: (file, setting, definitions, before) => load(file, setting, definitions, before, () => true),
    loadOneOfMany: async (file, setting, definitions) =>
      setting !== 'none' && (await isAsCommitted(file, setting, definitions))
        ? await unchanged(file, setting, definitions)
        : await load(file, setting, definitions, undefined, isChanged),
  };
}

/** What git calls a content; a text that is not written as its bytes are, such as one in UTF-16, has another name. */
const contentName = memo(async ({ text }: SourceFile): Promise<string> => {
  const bytes = new TextEncoder().encode(text);
  const head = new TextEncoder().encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', whole));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
});

/** What has not been read again stays the same object, so that nothing that depends on it is judged again. */
function kept(before: Committed | undefined, now: Committed | undefined): Committed | undefined {
  const same = before && now && before.ref === now.ref && before.manifest === now.manifest && before.crd === now.crd;
  return same && before.storage.size === now.storage.size && before.storedSince?.time === now.storedSince?.time
    ? before
    : now;
}

/** What a CRD was called in the commit: the CRD of its kind there, which the file no longer has. */
async function formerName(
  { objects, path }: Placed,
  commit: string,
  manifest: Manifest,
  file: SourceFile,
): Promise<string | undefined> {
  const kind = manifest.role === 'crd' ? definedKind(manifest) : undefined;
  const former = isString(kind) ? await objects.crdOfKind(commit, path, kind) : undefined;
  return former && !objectIn(file, former) ? metadataText(former, 'name') : undefined;
}

interface JudgedObject {
  readonly key: string;
  readonly manifest: Manifest;
  readonly definition: Definition | undefined;
}

/** The named CRDs and custom resources of a file; what no CRD defines is nobody's to judge. */
function judgedObjects(file: SourceFile, definitions: Definitions): JudgedObject[] {
  return file.manifests.flatMap((manifest) => {
    const key = objectKey(manifest);
    const definition = definitionsFor(definitions, manifest, file.uri)[0];
    const judged = manifest.role === 'crd' || definition !== undefined;
    return key !== undefined && judged ? [{ key, manifest, definition }] : [];
  });
}

function findCommit(repository: Repository, setting: string): Promise<string | undefined> {
  const branch = mergeBase.exec(setting)?.[1];
  return branch === undefined ? repository.commitOf(setting) : repository.mergeBaseWith(branch);
}

interface Asked {
  readonly like: Manifest;
  readonly definition: Definition | undefined;
  readonly commit: string;
  readonly ref: string;
  /** Whether the history of a CRD is asked for, by what it is and what it was. */
  wantsHistory(like: Manifest, found: Manifest): boolean;
}

async function committed(
  { objects, path }: Placed,
  { like, definition, commit, ref, wantsHistory }: Asked,
  place: (uri: string) => Promise<Placed | undefined>,
  read: (uri: string) => Promise<SourceFile | undefined>,
): Promise<Committed | undefined> {
  const found = await objects.find(commit, path, like);
  if (!found || (await isAnother(found, objects.repository, path, like, read))) return undefined;
  const { manifest } = found;
  const isWanted = like.role === 'crd' && wantsHistory(like, manifest);
  const { versions, since } = isWanted ? await objects.storageIn(commit, path, like) : noHistory;
  const crd = definition && (await crdOf(objects, commit, definition, place));
  return { ref, manifest, crd, storage: versions, storedSince: since };
}

/**
 * Examples and tests give one name to many resources: one in another file that is still there is not this one. A CRD of
 * the same name is the same in every copy.
 */
async function isAnother(
  found: Found,
  repository: Repository,
  path: string,
  like: Manifest,
  read: (uri: string) => Promise<SourceFile | undefined>,
): Promise<boolean> {
  if (found.path === path || like.role === 'crd') return false;
  return objectIn(await read(repository.uriOf(found.path)), like) !== undefined;
}

/** The CRD as the same commit holds it; where it did not change, the very one that is known. */
async function crdOf(
  objects: CommittedObjects,
  commit: string,
  { file, manifest }: Definition,
  place: (uri: string) => Promise<Placed | undefined>,
): Promise<ValueMap | undefined> {
  const placed = await place(file.uri);
  // A CRD from elsewhere has no past here.
  if (placed?.objects !== objects) return undefined;
  const before = await objects.find(commit, placed.path, manifest.madeOf?.manifest ?? manifest);
  const value = before && crdValue(before.manifest, manifest);
  if (!value) return undefined;
  return equalValues(value, manifest.value) ? manifest.value : value;
}

/** Of a committed object: the CRD that it is, or that is made of it as another one is made. */
function crdValue(before: Manifest, { madeOf }: Manifest): ValueMap | undefined {
  return madeOf ? valueMadeOf(before, madeOf.role) : before.value;
}

/** Whether a baseline has looked for all that is judged in a file. */
export function covers(baseline: Baseline | undefined, file: SourceFile, definitions: Definitions): boolean {
  return judgedObjects(file, definitions).every(({ key }) => baseline?.objects.has(key) === true);
}
