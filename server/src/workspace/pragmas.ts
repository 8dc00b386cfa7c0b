import { isMap, type Value } from '../base/value.ts';
import type { Manifest } from './manifest.ts';
import { baseName } from './uri.ts';

// Not everything that looks like an object is one: patches and test expectations hold parts of objects, and to say
// what is missing in them would be wrong.

/** Files that test tools (kuttl, chainsaw) compare with what a cluster holds. */
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

/** Whether a manifest is a part of an object rather than one: a patch, or the bare beginning of a CRD. */
export function isPartial({ role, value }: Manifest): boolean {
  if (value.has('$patch')) return true;
  return role === 'crd' && !hasAny(value.get('spec'), ['group', 'names', 'versions']);
}

function hasAny(spec: Value | undefined, keys: readonly string[]): boolean {
  return isMap(spec) && keys.some((key) => spec.has(key));
}
