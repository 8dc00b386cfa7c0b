/** What kustomizations say in their patches, as text: whether they may change something that is read here. */
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Value } from '../../base/value.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { Delivery } from './index.ts';

const head = /^([ \t]*)patches[A-Za-z0-9]*:/;

/** The lists of patches of a file, each with its lines. */
const patchesOfFile = memo(({ text }: SourceFile): readonly string[] => {
  if (!text.includes('patches')) return [];
  const found: string[][] = [];
  let column: number | undefined;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    // Items of a list may begin where its key does.
    const isInside =
      column !== undefined && (indent === -1 || indent > column || (indent === column && line[indent] === '-'));
    if (!isInside) column = head.exec(line)?.[1]?.length;
    if (isInside) found.at(-1)!.push(line);
    else if (column !== undefined) found.push([line]);
  }
  return found.map((lines) => lines.join('\n'));
});

/** All patches. */
export const patchesIn = memo(({ files }: Delivery): readonly string[] => files.flatMap(patchesOfFile));

const adding = ['patches', 'patchesStrategicMerge', 'patchesJson6902', 'components'];

/** The folders, as they are written, whose builds are patched once more where they are applied. */
const patchedPaths = memo(({ objects }: Delivery): readonly string[] =>
  objects.flatMap(({ manifest }) => pathsIn(manifest.value).map((path) => path.replace(/^\.?\//, ''))),
);

/** Flux has the path beside the patches, Argo CD above them. */
function pathsIn(value: Value): string[] {
  if (isList(value)) return value.flatMap(pathsIn);
  if (!isMap(value)) return [];
  const [path, kustomize] = [value.get('path'), value.get('kustomize')];
  const isPatched = [value, kustomize].some((one) => isMap(one) && adding.some((key) => one.has(key)));
  const own = isString(path) && isPatched ? [path] : [];
  return [...own, ...[...value.values()].flatMap(pathsIn)];
}

/** Whether whoever applies what a folder is built to adds to it. */
export function isPatchedLater(delivery: Delivery, folder: string): boolean {
  return patchedPaths(delivery).some((path) => path === '' || folder.endsWith(`/${path.replace(/\/$/, '')}`));
}

/** Whether some patch may change the objects themselves that say what is built, so that others do more than they say. */
export function areAppliersPatched(delivery: Delivery, by: 'flux' | 'argo'): boolean {
  return patchesIn(delivery).some((text) => appliers[by].test(text));
}

const appliers = {
  flux: /kustomize\.toolkit\.fluxcd\.io|kind["']?: *["']?Kustomization/,
  argo: /argoproj\.io|kind["']?: *["']?Application/,
};
