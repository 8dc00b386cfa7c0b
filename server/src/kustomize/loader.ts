/** Files and folders as a kustomization may read them. */
import { cleanPath } from '../gostd/path.ts';
import { parseUrl } from '../gostd/url.ts';
import type { Context } from './context.ts';
import { asFailure, Failure, fail, prefixed } from './failure.ts';
import { isRepository } from './remote.ts';
import type { FileText } from './types.ts';

export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/** Whether a path is fetched from the web. */
export function isRemoteFile(path: string): boolean {
  if (!/^https?:/i.test(path)) return false;
  const parsed = parseUrl(path);
  return 'url' in parsed && (parsed.url.scheme === 'http' || parsed.url.scheme === 'https');
}

export function joinPath(folder: string, path: string): string {
  return path === '' ? cleanPath(folder) : cleanPath(`${folder}/${path}`);
}

export function isWithin(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

export class Loader {
  readonly context: Context;
  readonly root: string;
  /** The kustomization that named this one. */
  readonly referrer: Loader | undefined;
  readonly depth: number;
  /** Where charts go that do not say it: the namespace of the kustomization, or of what names it. */
  namespace: string | undefined;

  constructor(context: Context, root: string, referrer: Loader | undefined) {
    this.context = context;
    this.root = root;
    this.referrer = referrer;
    this.depth = referrer ? referrer.depth + 1 : 0;
    this.namespace = referrer?.namespace;
  }

  /** Where a file is, if it may be read. */
  private resolve(path: string): string {
    const absolute = path.startsWith('/') ? path : joinPath(this.root, path);
    if (this.context.options.anyFile) return absolute;
    const { folder, file } = this.context.find(absolute);
    if (file === undefined) fail(`'${absolute}' must resolve to a file`);
    if (!isWithin(folder, this.root)) fail(`security; file '${absolute}' is not in or below '${this.root}'`);
    return joinPath(folder, file);
  }

  load(path: string): { readonly path: string; readonly file: FileText } {
    if (isRemoteFile(path)) throw new Failure(path, undefined, 'unknown');
    const found = this.resolve(path);
    return { path: found, file: this.context.read(found) };
  }

  /** The loader of another kustomization. */
  enter(path: string): Loader {
    if (path === '') fail('new root cannot be empty');
    if (isRepository(path)) throw new Failure(path, undefined, 'unknown');
    if (path.startsWith('/')) fail(`new root '${path}' cannot be absolute`);
    const root = confirmFolder(this.context, joinPath(this.root, path));
    for (let at: Loader | undefined = this; at; at = at.referrer) {
      if (isWithin(at.root, root)) fail(`cycle detected: candidate root '${root}' contains visited root '${at.root}'`);
    }
    return new Loader(this.context, root, this);
  }
}

export function confirmFolder(context: Context, path: string): string {
  const words = 'must build at directory';
  if (path === '') fail(`${words}: directory path cannot be empty`);
  const found = (() => {
    try {
      return context.find(path);
    } catch (error) {
      throw prefixed(`${words}: not a valid directory`, asFailure(error));
    }
  })();
  if (found.file !== undefined) fail(`${words}: '${path}': file is not directory`);
  return found.folder;
}
