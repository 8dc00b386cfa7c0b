import { isList, isMap, isString, type Value, type ValueMap } from '../base/value.ts';
import { valueOf } from '../yaml/value.ts';
import type { SourceFile } from './sourceFile.ts';
import { resolve } from './uri.ts';

/**
 * The files that another one says hold parts of objects, in which nothing is missing: what a kustomization applies as
 * patches, and what a chainsaw test compares with what a cluster holds.
 */
export function partsNamedBy(file: SourceFile, folder: string): string[] {
  return file.stream.documents.flatMap(({ document }) => {
    const root = valueOf(document);
    if (!isMap(root)) return [];
    const paths = isChainsawTest(root) ? expectationPaths(root) : patchPaths(root);
    return paths.map((path) => resolve(folder, path));
  });
}

function isChainsawTest(root: ValueMap): boolean {
  const apiVersion = root.get('apiVersion');
  return isString(apiVersion) && apiVersion.startsWith('chainsaw.kyverno.io/');
}

/** `file` below `assert` and `error`, wherever in the steps of a test. */
function expectationPaths(value: Value): string[] {
  if (isList(value)) return value.flatMap(expectationPaths);
  if (!isMap(value)) return [];
  return [...value].flatMap(([key, inner]) => {
    const file = (key === 'assert' || key === 'error') && isMap(inner) ? inner.get('file') : undefined;
    return isString(file) ? [file] : expectationPaths(inner);
  });
}

function patchPaths(root: ValueMap): string[] {
  const listed = (key: string): readonly Value[] => {
    const list = root.get(key);
    return isList(list) ? list : [];
  };
  const named = [...listed('patches'), ...listed('patchesJson6902')].map((patch) =>
    isMap(patch) ? patch.get('path') : undefined,
  );
  // A strategic merge patch may stand inline; then it is no path.
  const merges = listed('patchesStrategicMerge').filter((entry) => isString(entry) && !entry.includes('\n'));
  return [...named, ...merges].filter(isString);
}
