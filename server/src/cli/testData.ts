import path from 'node:path';
import { memo } from '../base/memo.ts';
import { addressOf } from '../files/address.ts';
import { type TestReason, testReasonIn } from '../workspace/testData.ts';

/** Why a file is left to its tests; undefined where it is to be checked, as one that is named, or whose folder is. */
export function testReason(uri: string, paths: readonly string[]): TestReason | undefined {
  return testReasonIn(uri, foldersOf(paths));
}

/** The addresses that paths and globs begin with. Remembered, since every file of a run asks. */
export const foldersOf = memo((paths: readonly string[]): readonly string[] => {
  return paths.map((one) => addressOf(withoutGlob(one)));
});

/** The folder that a path or glob begins with. */
function withoutGlob(pattern: string): string {
  const glob = pattern.search(/[*?{[]/);
  return path.resolve(glob === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', glob) + 1) || '.');
}
