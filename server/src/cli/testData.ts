import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBelow } from '../files/folders.ts';
import { testDataFolder } from '../workspace/uri.ts';

// What tests read is of no cluster, and its mistakes are often meant: who checks a folder does not ask for it.

/** A folder of test data, or objects that say that they are invalid. */
export type TestReason = 'test-data' | 'invalid';

/** Why a file is left to its tests; undefined where it is to be checked, as one that is named, or whose folder is. */
export function testReason(uri: string, paths: readonly string[]): TestReason | undefined {
  const file = fileURLToPath(uri);
  if (reasonIn(file) === undefined) return undefined;
  const ways = paths.map(withoutGlob).filter((one) => isBelow(file, one));
  const reasons = ways.map((folder) => reasonIn(path.relative(folder, file)));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

/** The folder that a path or glob begins with. */
function withoutGlob(pattern: string): string {
  const glob = pattern.search(/[*?{[]/);
  return path.resolve(glob === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', glob) + 1) || '.');
}

const mavenTests = path.join('src', 'test', 'resources', path.sep);
const tests = /^(?:tests?|e2e|conformance)$/i;
const invalid = /(?:^|[-_])invalid(?:[-_.]|$)/i;
const invalidFolder = /^invalid(?:[-_](?:examples?|manifests?|objects?|resources?|samples?))?$/i;

function reasonIn(way: string): TestReason | undefined {
  const steps = way.split(path.sep);
  // As Go, JavaScript and Maven call them.
  if (testDataFolder(steps.join('/')) !== undefined || way.includes(mavenTests)) return 'test-data';
  const isInTests = steps.slice(0, -1).some((step) => tests.test(step));
  if (isInTests && steps.some((step) => invalid.test(step))) return 'invalid';
  return steps.slice(0, -1).some((step) => invalidFolder.test(step)) ? 'invalid' : undefined;
}
