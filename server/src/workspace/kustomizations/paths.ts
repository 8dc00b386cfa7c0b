import { decode, resolve } from '../uri.ts';

/** What is in front of all paths of files that are where this one is. */
export function originOf(uri: string): string {
  return /^[^/]*:\/\/[^/]*/.exec(uri)?.[0] ?? '';
}

/** Behind the address of a folder: that of the chart in it. */
export const chartMark = '/**chart';

/** A path as programs of the disk know it. */
export function pathOf(uri: string): string {
  return decode(uri.slice(originOf(uri).length));
}

/** The address of a path of where another address is. */
export function uriOf(path: string, beside: string): string {
  return resolve(originOf(beside), path);
}
