import { memo } from '../../base/memo.ts';
import { type Build, print } from '../../kustomize/build.ts';
import { BuiltPlaces } from '../projections/kustomization.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import type { BuildMemory } from './kustomizeFiles.ts';

/** What a folder is built to, as a file that is nowhere but in memory: a document for each resource. */
export interface MadeBuild {
  readonly root: string;
  readonly build: Build;
  readonly source: SourceFile;
  readonly places: BuiltPlaces;
}

/** What was made of a folder before: what did not change of it is not read again. */
const earlier = memo((_: BuildMemory, __: string): { last?: SourceFile } => ({}));

export const madeBuild = memo((build: Build, root: string, memory: BuildMemory): MadeBuild => {
  const before = earlier(memory, root);
  const source = sourceFile(`${root}/#build`, print(build).text, { made: true, previous: before.last });
  before.last = source;
  return { root, build, source, places: new BuiltPlaces(root, build) };
});
