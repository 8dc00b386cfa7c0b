import { memo } from '../../base/memo.ts';
import { type BuiltResource, placesOf, textOfResource } from '../../kustomize/build.ts';
import { BuiltPlaces, placeAt } from '../projections/kustomization.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import type { BuildMemory, FolderBuild } from './kustomizeFiles.ts';

/** What a folder is built to: each resource as a file that is nowhere but in memory. */
export interface MadeBuild {
  readonly root: string;
  readonly build: FolderBuild;
  readonly sources: readonly SourceFile[];
  readonly places: BuiltPlaces;
}

export const madeBuild = memo((build: FolderBuild, root: string, memory: BuildMemory): MadeBuild => {
  const sources = build.resources.map((resource, i) => {
    const text = textOfResource(resource);
    return memory.sources.of(uriOfMade(root, resource), text, `${root}#${i}`);
  });
  return { root, build, sources, places: new BuiltPlaces(root, build) };
});

/** It is judged by the settings of the file that it comes from. */
function uriOfMade(root: string, { root: { origin } }: BuiltResource): string {
  const [first] = placesOf(origin);
  return `${first ? placeAt(root, first).uri : `${root}/kustomization.yaml`}#build`;
}

/** Characters of the texts that are kept with what was read of them. */
const mostCharacters = 8_000_000;

/** What was read of texts that are built: overlays that leave a resource as it is have the same. */
export class BuiltSources {
  private readonly byText = new Map<string, SourceFile>();
  /** By its place in a build: of what did not change of it nothing is read again. */
  private readonly before = new Map<string, SourceFile>();
  private left = mostCharacters;

  of(uri: string, text: string, place: string): SourceFile {
    const key = `${uri}\n${text}`;
    const known = this.byText.get(key);
    const source = known ?? sourceFile(uri, text, { made: true, previous: this.previous(uri, place) });
    if (!known) this.take(text.length);
    this.byText.set(key, source);
    this.before.set(place, source);
    return source;
  }

  private take(characters: number): void {
    this.left -= characters;
    if (this.left > 0) return;
    this.byText.clear();
    this.before.clear();
    this.left = mostCharacters;
  }

  private previous(uri: string, place: string): SourceFile | undefined {
    const previous = this.before.get(place);
    return previous?.uri === uri ? previous : undefined;
  }
}
