import os from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where this program keeps things on this machine for its user: what was fetched on command, and compiled code. */
export function cacheFolder(env: Environment = process.env, home = os.homedir(), platform = process.platform): string {
  if (env.KUBE_CRD_CACHE) return env.KUBE_CRD_CACHE;
  const local = platform === 'win32' ? env.LOCALAPPDATA : undefined;
  return path.join(env.XDG_CACHE_HOME || local || usualCache(env, home, platform), 'kube-crd');
}

export function usualCache(env: Environment, home: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches');
  return platform === 'win32' ? (env.TEMP ?? os.tmpdir()) : path.join(home, '.cache');
}

/** Where compiled code is kept between runs, by what tells Node where to keep its own; undefined where that is off. */
export function compiledFolder(env: Environment = process.env): string | undefined {
  const { NODE_COMPILE_CACHE: ofNode, NODE_DISABLE_COMPILE_CACHE: isOff } = env;
  const folder = ofNode ? path.join(ofNode, 'kube-crd') : path.join(cacheFolder(env), 'compiled');
  return isOff || !path.isAbsolute(folder) ? undefined : folder;
}
