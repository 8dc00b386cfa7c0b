import { isList, isMap, isString, type Value, type ValueMap } from '../base/value.ts';
import { valueOf } from '../yaml/value.ts';
import type { SourceFile } from './sourceFile.ts';
import { resolve } from './uri.ts';

/** The files that a kustomization applies as patches: each holds part of an object, so nothing is missing in it. */
export function kustomizePatches(file: SourceFile, folder: string): string[] {
  return file.stream.documents.flatMap(({ document }) => {
    const root = valueOf(document);
    return isMap(root) ? patchPaths(root).map((path) => resolve(folder, path)) : [];
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
  // A strategic merge patch may be inline, and is then not a path.
  const merges = listed('patchesStrategicMerge').filter((entry) => isString(entry) && !entry.includes('\n'));
  return [...named, ...merges].filter(isString);
}
