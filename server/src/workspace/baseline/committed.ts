import { type Value, valueAt } from '../../base/value.ts';
import type { Limits } from '../limits.ts';
import { type Manifest, metadataText } from '../manifest.ts';
import { textOf } from '../scan.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import { nearness } from '../uri.ts';
import { objectKey, type Since, storageVersions } from './baseline.ts';
import type { Repository } from './history.ts';

/** Reads objects out of commits of one repository. What a content holds never changes, so it is read once. */
export interface CommittedObjects {
  readonly repository: Repository;
  /** The same object in this file of the commit, else in the nearest one that has it. */
  find(commit: string, path: string, like: Manifest): Promise<Found | undefined>;
  /** The CRD of a kind in this file of the commit. */
  crdOfKind(commit: string, path: string, kind: string): Promise<Manifest | undefined>;
  /** The versions that commits up to this one marked as storage in a CRD's file, with the newest such commit. */
  storageIn(commit: string, path: string, like: Manifest): Promise<StorageHistory>;
}

export interface StorageHistory {
  readonly versions: ReadonlyMap<string, string>;
  /** Since when the file has the storage version that it has in the newest of them. */
  readonly since: Since | undefined;
}

export const noHistory: StorageHistory = { versions: new Map(), since: undefined };

export interface Found {
  readonly path: string;
  readonly manifest: Manifest;
}

/** Words of a content that may be an object's kind or name: enough to pass it over without parsing. */
interface Words {
  readonly kinds: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

const noWords: Words = { kinds: new Set(), names: new Set() };

/** How many commits of a file are looked at for storage versions. */
const mostCommits = 50;
/** How many parsed files are kept. */
const mostFiles = 200;

export function committedObjects(repository: Repository, limits: Limits): CommittedObjects {
  const parsed = new Map<string, Promise<SourceFile | undefined>>();
  const words = new Map<string, Promise<Words>>();
  const textAt = async (name: string) => textOf(await repository.read(name, limits.fileBytes));
  const fileOf = (name: string, path: string): Promise<SourceFile | undefined> => {
    const known = parsed.get(name);
    if (known) return known;
    const read = textAt(name).then((text) => (text === undefined ? undefined : sourceFile(path, text, { limits })));
    parsed.set(name, read);
    for (const oldest of [...parsed.keys()].slice(0, parsed.size - mostFiles)) parsed.delete(oldest);
    return read;
  };
  const wordsOf = (content: string): Promise<Words> => {
    const known = words.get(content) ?? textAt(content).then(wordsIn);
    words.set(content, known);
    return known;
  };
  return {
    repository,
    find: async (commit, path, like) => {
      const here = objectIn(await fileOf(`${commit}:${path}`, path), like);
      if (here) return { path, manifest: here };
      for (const [file, content] of nearestFirst(await repository.filesOf(commit), path).slice(0, limits.files)) {
        const { kinds, names } = await wordsOf(content);
        const mayHold = kinds.has(like.kind) && names.has(metadataText(like, 'name'));
        const found = mayHold ? objectIn(await fileOf(content, file), like) : undefined;
        if (found) return { path: file, manifest: found };
      }
      return undefined;
    },
    crdOfKind: async (commit, path, kind) => {
      const file = await fileOf(`${commit}:${path}`, path);
      return file?.manifests.find((one) => one.role === 'crd' && isJudgeable(one) && definedKind(one) === kind);
    },
    storageIn: async (commit, path, like) => {
      const versions = new Map<string, string>();
      const states: { readonly stored: string; readonly time: number }[] = [];
      for (const { commit: one, time } of await repository.commitsThatChanged(path, commit, mostCommits)) {
        const crd = objectIn(await fileOf(`${one}:${path}`, path), like);
        const stored = crd ? storageVersions(crd) : [];
        for (const version of stored) if (!versions.has(version)) versions.set(version, one);
        states.push({ stored: stored.join(), time });
      }
      const another = states.findIndex(({ stored }) => stored !== states[0]?.stored);
      const first = another === -1 ? states.at(-1) : states[another - 1];
      const orEarlier = another === -1 && states.length === mostCommits;
      return { versions, since: first && { time: first.time, orEarlier } };
    },
  };
}

/** The kind that a CRD defines. */
export function definedKind({ value }: Manifest): Value | undefined {
  return valueAt(value, ['spec', 'names', 'kind']);
}

function nearestFirst(files: ReadonlyMap<string, string>, path: string): [path: string, content: string][] {
  return [...files].sort(([a], [b]) => nearness(b, path) - nearness(a, path) || (a < b ? -1 : 1));
}

/** The same object in another file, as far as that is judged at all. */
export function objectIn(file: SourceFile | undefined, like: Manifest): Manifest | undefined {
  if (!file || file.template || file.ignored) return undefined;
  const key = objectKey(like);
  return file.manifests.find((manifest) => isJudgeable(manifest) && objectKey(manifest) === key);
}

/** The text of a refused document has no object that a server could hold. */
function isJudgeable({ document }: Manifest): boolean {
  return document.readerError === undefined;
}

const kindWord = /["']?\bkind["']?\s*:\s*["']?([^\s"',}#]+)/g;
const nameWord = /["']?\bname["']?\s*:\s*["']?([^\s"',}#]+)/g;

function wordsIn(text: string | undefined): Words {
  if (text === undefined || !text.includes('apiVersion')) return noWords;
  const all = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map((match) => match[1]!));
  return { kinds: all(kindWord), names: all(nameWord) };
}
