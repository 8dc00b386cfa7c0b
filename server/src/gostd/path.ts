/** Go's package path. */
import { runAtEnd } from '../base/text.ts';

export function cleanPath(path: string): string {
  if (path === '') return '.';
  const isRooted = path.startsWith('/');
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (!isRooted) out.push('..');
  }
  return (isRooted ? '/' : '') + out.join('/') || '.';
}

export function basePath(path: string): string {
  if (path === '') return '.';
  const end = path.slice(0, runAtEnd(path, /\//));
  return end === '' ? '/' : end.slice(end.lastIndexOf('/') + 1);
}

export function dirPath(path: string): string {
  return cleanPath(path.slice(0, path.lastIndexOf('/') + 1));
}

export function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}
