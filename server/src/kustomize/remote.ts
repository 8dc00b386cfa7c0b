/** Which paths kustomize takes for repositories that it would clone. */
import { cleanPath } from '../gostd/path.ts';

const schemes = ['ssh://', 'https://', 'http://', 'file://'];

export function isRepository(path: string): boolean {
  if (path.startsWith('/')) return false;
  const [whole] = path.split('?', 1);
  const plain = /^git::/i.test(whole!) ? whole!.slice(5) : whole!;
  const scheme = schemes.find((one) => plain.toLowerCase().startsWith(one)) ?? '';
  const behind = plain.slice(scheme.length);
  const user = /^[a-zA-Z][a-zA-Z0-9-]*@/.exec(behind)?.[0] ?? '';
  const rest = behind.slice(user.length);
  const isGithub = /^github\.com[/:]/i.test(rest);
  const isScp = scheme === '' && (user !== '' || isGithub);
  if (scheme === '' && !isScp) return false;
  if (scheme === 'file://') return repositoryPath(user + rest, true);
  const at = separator(rest, isScp);
  if (!isGithub && at < 0 && rest === '') return false;
  return repositoryPath(at < 0 ? '' : rest.slice(at + 1), false);
}

function separator(text: string, isScp: boolean): number {
  const slash = text.indexOf('/');
  if (!isScp) return slash;
  const colon = text.indexOf(':');
  return slash === -1 || (colon > 0 && colon < slash) ? colon : slash;
}

function repositoryPath(path: string, all: boolean): boolean {
  const [repository, inside] = splitPath(path, all) ?? ['', ''];
  if (repository === '') return false;
  return cleanPath(inside.replace(/^\//, '')).split('/')[0] !== '..';
}

function splitPath(path: string, all: boolean): readonly [string, string] | undefined {
  const git = path.indexOf('_git/');
  if (git >= 0) {
    const [first, ...rest] = path.slice(git + 5).split('/');
    return [path.slice(0, git + 5) + first, rest.join('/')];
  }
  const double = path.indexOf('//');
  if (double >= 0) return [path.slice(0, double), path.slice(double + 2)];
  const suffix = path.indexOf('.git');
  if (suffix >= 0) return [path.slice(0, suffix + 4), path.slice(suffix + 4)];
  if (all) return [path, ''];
  const parts = path.split('/');
  return parts.length >= 2 ? [parts.slice(0, 2).join('/'), parts.slice(2).join('/')] : undefined;
}
