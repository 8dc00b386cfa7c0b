import { baseName } from './uri.ts';

// What a file says of itself, by its name or by a comment in its first lines.

/** Steps of kuttl's tests that are compared with what a cluster holds: parts of objects, which lack the rest. */
const expectation = /^\d+-(?:assert|errors)(?:[-.].*)?\.ya?ml$/i;

/** A line by which an author excludes a file. */
const excluded = /^[ \t]*#[ \t]*kube-crd:[ \t]*ignore[ \t]*$/m;

/** A line by which an author names the Kubernetes version that a file is for. */
const version = /^[ \t]*#[ \t]*kube-crd:[ \t]*kubernetes[ \t]+(\S+)[ \t]*$/m;

const headLength = 2_000;

/**
 * Whether a file's name or its first lines say that its objects are not to be judged. Who names a file means it, whatever
 * it is called.
 */
export function isIgnored(uri: string, text: string, named: boolean): boolean {
  return (!named && expectation.test(baseName(uri))) || excluded.test(text.slice(0, headLength));
}

/** What a comment at the top names as the file's Kubernetes version, whether there is such a one or not, and where. */
export function namedKubernetes(text: string): { readonly name: string; readonly start: number } | undefined {
  const found = version.exec(text.slice(0, headLength));
  return found ? { name: found[1]!, start: found.index + found[0].lastIndexOf(found[1]!) } : undefined;
}
