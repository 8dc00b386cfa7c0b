import { memo } from '../../base/memo.ts';
import { type BuiltResource, placesOf, textOfResource } from '../../kustomize/build.ts';
import type { Filling } from '../delivery/filling.ts';
import { builtMark } from '../kustomized.ts';
import { BuiltPlaces, placeAt } from '../projections/kustomization.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { BuildMemory, FolderBuild } from './kustomizeFiles.ts';

/** What a folder is built to: each resource as a file that is nowhere but in memory. */
export interface MadeBuild {
  readonly root: string;
  readonly build: FolderBuild;
  readonly sources: readonly SourceFile[];
  readonly places: BuiltPlaces;
  /** What is filled in before it is applied. */
  readonly filling: Filling | undefined;
}

export const madeBuild = memo(madeFrom);

function madeFrom(build: FolderBuild, root: string, memory: BuildMemory, filling: Filling | undefined): MadeBuild {
  const known = sourcesIn(memory, root);
  const sources = build.resources.map((resource, i) => {
    const source =
      known.get(resource) ?? memory.sources.of(uriOfMade(root, resource), textOfResource(resource), `${root}#${i}`);
    known.set(resource, source);
    return source;
  });
  return { root, build, sources, places: new BuiltPlaces(root, build.resources), filling };
}

// Not a memo: there are many resources in few folders.
/** Builds that leave a resource as it was have the same one. */
const sourcesIn = memo((_memory: BuildMemory, _root: string) => new WeakMap<BuiltResource, SourceFile>());

/** It is judged by the settings of the file that it comes from. */
function uriOfMade(root: string, { root: { origin } }: BuiltResource): string {
  const [first] = placesOf(origin);
  return `${first ? placeAt(root, first).uri : `${root}/kustomization.yaml`}${builtMark}`;
}
