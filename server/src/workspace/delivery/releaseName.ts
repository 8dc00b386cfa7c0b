import { utf8 } from '../../gostd/bytes.ts';
import { hexOf, sha256 } from '../../gostd/hash.ts';

const longest = 53;
const hashed = 12;

/** The name of a release as Flux gives it to Helm: a longer one is cut, and ends with a part of its hash. */
export function releaseName(name: string): string {
  if (name.length <= longest) return name;
  return `${name.slice(0, longest - hashed - 1)}-${hexOf(sha256(utf8(name))).slice(0, hashed)}`;
}
