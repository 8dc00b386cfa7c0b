import { baseName } from './uri.ts';

// What a file says of itself, by its name or by a comment in its first lines.

/** Files that test tools (kuttl, chainsaw) compare with what a cluster holds: parts of objects, which lack the rest. */
const expectation = /(^|[-_.\d])(assert|errors?)([-_.\d]|$)/i;

/** A line by which an author excludes a file. */
const excluded = /^[ \t]*#[ \t]*kube-crd:[ \t]*ignore[ \t]*$/m;

/** A line by which an author names the Kubernetes version that a file is for. */
const version = /^[ \t]*#[ \t]*kube-crd:[ \t]*kubernetes[ \t]+(\S+)[ \t]*$/m;

const headLength = 2_000;

/** Whether a file's name or its first lines say that its objects are not to be judged. */
export function isIgnored(uri: string, text: string): boolean {
  return expectation.test(baseName(uri)) || excluded.test(text.slice(0, headLength));
}

/** What a comment at the top names as the file's Kubernetes version, whether there is such a one or not, and where. */
export function namedKubernetes(text: string): { readonly name: string; readonly start: number } | undefined {
  const found = version.exec(text.slice(0, headLength));
  return found ? { name: found[1]!, start: found.index + found[0].lastIndexOf(found[1]!) } : undefined;
}
