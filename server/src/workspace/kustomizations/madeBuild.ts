import { memo } from '../../base/memo.ts';
import { isMap } from '../../base/value.ts';
import { type BuiltNode, type BuiltResource, type Origin, placesOf, textOfResource } from '../../kustomize/build.ts';
import type { Filling } from '../delivery/filling.ts';
import { builtMark } from '../kustomized.ts';
import { BuiltPlaces } from '../projections/kustomization.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { BuildMemory, FolderBuild } from './kustomizeFiles.ts';
import { uriOf } from './paths.ts';

/** What a folder is built to: each resource as a file that is nowhere but in memory, once somebody asks for it. */
export class MadeBuild {
  readonly root: string;
  readonly build: FolderBuild;
  readonly places: BuiltPlaces;
  /** What is filled in before it is applied. */
  readonly filling: Filling | undefined;
  private readonly memory: BuildMemory;
  private readonly known: WeakMap<BuiltResource, SourceFile>;

  constructor(build: FolderBuild, root: string, memory: BuildMemory, filling: Filling | undefined) {
    this.root = root;
    this.build = build;
    this.places = new BuiltPlaces(root, build.resources, build.pieces);
    this.filling = filling;
    this.memory = memory;
    this.known = sourcesIn(memory, root);
  }

  source(i: number): SourceFile {
    const resource = this.build.resources[i]!;
    const source =
      this.known.get(resource) ??
      this.memory.sources.of(uriOfMade(this.root, resource), textOfResource(resource), `${this.root}#${i}`);
    this.known.set(resource, source);
    return source;
  }

  /** All of it. */
  get sources(): readonly SourceFile[] {
    return this.build.resources.map((_, i) => this.source(i));
  }

  /** What is judged by the CRDs of its kinds. */
  get objects(): readonly SourceFile[] {
    return this.build.resources.flatMap((one, i) => (one.isPartial || isCrd(one) ? [] : [this.source(i)]));
  }
}

export const madeBuild = memo(
  (build: FolderBuild, root: string, memory: BuildMemory, filling: Filling | undefined): MadeBuild =>
    new MadeBuild(build, root, memory, filling),
);

// Not a memo: there are many resources in few folders.
/** Builds that leave a resource as it was have the same one. */
const sourcesIn = memo((_memory: BuildMemory, _root: string) => new WeakMap<BuiltResource, SourceFile>());

/** It is judged by the settings of the file that it comes from. */
function uriOfMade(root: string, { root: { origin } }: BuiltResource): string {
  const [first] = placesOf(origin);
  return `${first ? uriOf(first.file, root) : `${root}/kustomization.yaml`}${builtMark}`;
}

export function isCrd({ value }: BuiltResource): boolean {
  return isMap(value) && value.get('kind') === 'CustomResourceDefinition';
}

/** Whether all of a resource is as a file of the workspace has it, so that what is wrong with it is found there. */
export function isAsWritten({ root, touched }: BuiltResource): boolean {
  const [place] = placesOf(root.origin);
  const isPlain = touched.every(({ what }) => what === 'resource' || what === 'kustomization');
  return isPlain && place !== undefined && isFrom(root, place.file);
}

function isFrom(node: BuiltNode, file: string): boolean {
  if (node.kind === 'scalar') return isWrittenIn(node.origin, file);
  if (node.kind === 'list') return node.items.every((item) => isFrom(item, file));
  return node.entries.every(({ keyOrigin, value }) => isWrittenIn(keyOrigin, file) && isFrom(value, file));
}

function isWrittenIn(origin: Origin | undefined, file: string): boolean {
  return origin?.how === 'written' && origin.over === undefined && origin.place.file === file;
}
