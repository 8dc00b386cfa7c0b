import os from 'node:os';
import path from 'node:path';
import { addressOf } from '../files/address.ts';
import { kindNow } from '../files/folders.ts';
import { configName } from '../workspace/fileNames.ts';
import { lockName } from '../workspace/sources/lock.ts';
import type { Caches } from '../workspace/sources/places.ts';
import { cacheFolder, type Environment, usualCache } from './cacheFolder.ts';

/** Where Go and Helm keep what they fetched on this machine, as they find it out themselves, and where we do. */
export function localCaches(env: Environment = process.env, home = os.homedir(), platform = process.platform): Caches {
  return {
    goModules: address(goModuleCache(env, home)),
    helm: address(helmRepositoryCache(env, home, platform)),
    fetched: address(cacheFolder(env, home, platform)),
  };
}

function goModuleCache(env: Environment, home: string): string {
  const [first] = (env.GOPATH ?? '').split(path.delimiter).filter(Boolean);
  return env.GOMODCACHE || path.join(first ?? path.join(home, 'go'), 'pkg', 'mod');
}

function helmRepositoryCache(env: Environment, home: string, platform: NodeJS.Platform): string {
  const cache = env.HELM_CACHE_HOME || path.join(env.XDG_CACHE_HOME || usualCache(env, home, platform), 'helm');
  return env.HELM_REPOSITORY_CACHE || path.join(cache, 'repository');
}

function address(folder: string): string | undefined {
  return path.isAbsolute(folder) ? addressOf(folder) : undefined;
}

/** The go.mod and lock files around a folder, up to the top of its repository: what is checked may be a part of it. */
export function leadsAround(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    for (const file of ['go.mod', lockName].map((name) => path.join(at, name)))
      if (kindNow(file) === 'file') found.push(addressOf(file));
    if (kindNow(path.join(at, '.git')) !== undefined || path.dirname(at) === at) return found;
  }
}

/**
 * The repositories around the files and folders that are named, or around the working folder for what is piped in: the
 * nearest folder above with a `.kube-crd.yaml` or a repository of git, unless that is named itself.
 */
export function rootsAround(paths: readonly string[]): string[] {
  const named = new Set(paths.map((one) => path.resolve(one)));
  const roots = paths.flatMap((one) => {
    const folder = folderNamed(one);
    return (folder !== undefined && rootAround(folder)) || [];
  });
  return [...new Set(roots)].filter((root) => !named.has(root)).map((root) => addressOf(root));
}

/** The folder that a path names, or that its file is in; a pattern names none. */
function folderNamed(one: string): string | undefined {
  if (one === '-') return process.cwd();
  const at = path.resolve(one);
  const kind = kindNow(at);
  if (kind === 'file') return path.dirname(at);
  return kind === 'folder' ? at : undefined;
}

/** The nearest folder from one upwards that is a repository, or says how it is to be judged. */
export function rootAround(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if ([configName, '.git'].some((name) => kindNow(path.join(at, name)) !== undefined)) return at;
    if (path.dirname(at) === at) return undefined;
  }
}
