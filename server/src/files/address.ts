import { pathToFileURL } from 'node:url';

/**
 * The address of a file or folder, each step of which is written as those that a manifest names (`resolve` in `uri.ts`):
 * addresses are compared as texts. Node leaves `+`, `@` and others as they are.
 */
export function addressOf(path: string): string {
  const [scheme, slash, host, ...steps] = pathToFileURL(path).href.split('/');
  return [scheme, slash, host, ...steps.map(writtenAlike)].join('/');
}

function writtenAlike(step: string, at: number): string {
  const isDrive = at === 0 && /^[A-Za-z]:$/.test(step);
  return isDrive || /^[\w.-]*$/.test(step) ? step : encodeURIComponent(decodeURIComponent(step));
}
