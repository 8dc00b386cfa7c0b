import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { counted } from '../base/text.ts';
import { unknownMark } from '../base/value.ts';
import { type FoundInBuild, foundInBuild } from '../features/kustomizations/diagnoseBuild.ts';
import { addressOf } from '../files/address.ts';
import { print } from '../kustomize/build.ts';
import { kustomizationNames } from '../workspace/fileNames.ts';
import {
  buildOf,
  folderOfRoot,
  foldersUnseen,
  madeOf,
  rootsWith,
  wantedOf,
} from '../workspace/kustomizations/builds.ts';
import { changedCrds, crdsBuiltTo, rootsOfKinds } from '../workspace/kustomizations/builtCrds.ts';
import { BuildMemory, KustomizeFiles } from '../workspace/kustomizations/kustomizeFiles.ts';
import { readForBuild, readPlaces } from '../workspace/kustomizations/readBuilds.ts';
import { emptySnapshot, type Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { homesFor, type Workspace } from './workspace.ts';

/** What was built, by the folder, with what was found: what it was built to is not kept. */
export type Builds = Map<string, FoundInBuild & { readonly objects: number }>;

/** The snapshot with all that the builds take which a file has a part in, and the CRDs of what they come to. */
export async function withBuildsOf(
  snapshot: Snapshot,
  uri: string,
  builds: Builds,
  { knowing, homesOf }: Pick<Workspace, 'knowing' | 'homesOf'>,
): Promise<Snapshot> {
  const building = { builds, begun: new Set<string>(), knowing, homesOf };
  const known = await withFolders(snapshot, uri, homesOf);
  return await withRoots(known, rootsWith(known, uri), building);
}

interface Building extends Pick<Workspace, 'knowing' | 'homesOf'> {
  readonly builds: Builds;
  /** Two roots may have the CRDs of each other's objects. */
  readonly begun: Set<string>;
}

/** The snapshot with the CRDs of a file's kinds as kustomizations build them, and what is found in those builds. */
export async function withCrdsBuilt(
  snapshot: Snapshot,
  files: readonly SourceFile[],
  builds: Builds,
  { knowing, homesOf }: Pick<Workspace, 'knowing' | 'homesOf'>,
): Promise<Snapshot> {
  // What builds is not even loaded where there is nothing to build.
  if (snapshot.kustomizations.all.size === 0) return snapshot;
  const building = { builds, begun: new Set<string>(), knowing, homesOf };
  return await withRoots(snapshot, rootsOfKinds(snapshot, files), building);
}

async function withRoots(snapshot: Snapshot, roots: readonly string[], building: Building): Promise<Snapshot> {
  let known = snapshot;
  for (const root of roots) {
    if (building.builds.has(root) || building.begun.has(root)) continue;
    building.begun.add(root);
    known = await withRoot(known, root, building);
  }
  return known;
}

async function withRoot(snapshot: Snapshot, root: string, building: Building): Promise<Snapshot> {
  let known = await withBuild(snapshot, root, await building.homesOf(folderOfRoot(root)));
  const { objects, build } = madeOf(known, root)!;
  for (const source of objects) known = await building.knowing(known, source);
  known = withCrdsOf(known, root);
  known = await withRoots(known, rootsOfKinds(known, objects), building);
  building.builds.set(root, { ...foundInBuild(known, root)!, objects: build.resources.length });
  return known;
}

function withCrdsOf(snapshot: Snapshot, root: string): Snapshot {
  const crds = changedCrds(snapshot, root, crdsBuiltTo(snapshot, root)!);
  return { ...snapshot, builtCrds: new Map(snapshot.builtCrds).set(root, crds) };
}

/** With what is known of the folders that Kustomizations of Flux in a file name. */
async function withFolders(snapshot: Snapshot, uri: string, homesOf: Workspace['homesOf']): Promise<Snapshot> {
  const [first, ...others] = foldersUnseen(snapshot, uri);
  if (first === undefined) return snapshot;
  const { entries, notes } = await readPlaces(promptFiles, [first, ...others], await homesOf(first));
  return { ...snapshot, kustomize: knownFiles(snapshot).with(entries, notes) };
}

function knownFiles({ kustomize }: Snapshot): KustomizeFiles {
  return kustomize ?? new KustomizeFiles(new Map(), [], new BuildMemory(true));
}

/** What was built, by the folder: how many objects, or none where kustomize cannot build it. */
export type BuiltCounts = ReadonlyMap<string, { readonly objects: number; readonly isBuilt: boolean }>;

async function withBuild(snapshot: Snapshot, root: string, homes: readonly string[]): Promise<Snapshot> {
  const known = knownFiles(snapshot);
  const { entries, notes } = await readForBuild(promptFiles, snapshot, wantedOf(snapshot, root), known, homes);
  return { ...snapshot, kustomize: known.with(entries, notes) };
}

/** What was built, in one line; none where there is no kustomization. */
export function buildsText(counts: BuiltCounts): string[] {
  if (counts.size === 0) return [];
  const failed = [...counts.values()].filter(({ isBuilt }) => !isBuilt).length;
  const objects = [...counts.values()].reduce((sum, one) => sum + one.objects, 0);
  const rest = failed === 0 ? '' : `; ${failed} cannot be built`;
  return [`${counted(counts.size, 'kustomization')}: ${counted(objects, 'object')}${rest}`];
}

/** The folder with a kustomization that a path is. */
export async function kustomizationAt(named: string): Promise<string | undefined> {
  const uri = addressOf(path.resolve(named));
  const names = (await promptFiles.entries(uri)).filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  return names.some((name) => kustomizationNames.includes(name)) ? uri : undefined;
}

/** What kustomize prints of a folder; or its error. What was left out is said in any case. */
export async function builtText(
  root: string,
  anyFile: boolean,
): Promise<{ readonly text?: string; readonly said: readonly string[]; readonly isWhole: boolean }> {
  const homes = await homesFor({ paths: [fileURLToPath(root)] })(root);
  const known = await withBuild(emptySnapshot, root, homes);
  const [build, kustomize] = [buildOf(known, root)!, known.kustomize!];
  const said = build.leftOut.map(({ what }) => `not built: ${what}`);
  if (build.outside)
    return { said: [`${build.outside.uri} is outside of this repository and is not read`], isWhole: false };
  if (build.restricted && !anyFile) return { said: [`Error: ${build.restricted.message}`], isWhole: false };
  if (build.error) return { said: [...kustomize.notes, ...said, `Error: ${build.error.message}`], isWhole: false };
  // What a chart makes by chance has no text of its own.
  const text = print(build).text.replaceAll(unknownMark, 'unknown');
  return { text, said: [...kustomize.notes, ...said], isWhole: build.leftOut.length === 0 };
}
