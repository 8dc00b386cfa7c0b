import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { counted } from '../base/text.ts';
import { type FoundInBuild, foundInBuild } from '../features/kustomizations/diagnoseBuild.ts';
import { print } from '../kustomize/build.ts';
import { kustomizationNames } from '../workspace/fileNames.ts';
import { buildOf, rootsWith } from '../workspace/kustomizations/builds.ts';
import { KustomizeFiles } from '../workspace/kustomizations/kustomizeFiles.ts';
import { madeBuild } from '../workspace/kustomizations/madeBuild.ts';
import { readForBuild } from '../workspace/kustomizations/readBuilds.ts';
import { emptySnapshot, type Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { homesIn } from '../workspace/sources/named.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';

/** What was built, by the folder, with what was found: what it was built to is not kept. */
export type Builds = Map<string, FoundInBuild & { readonly objects: number }>;

/** The snapshot with all that the builds take which a file has a part in, and the CRDs of what they come to. */
export async function withBuildsOf(
  snapshot: Snapshot,
  uri: string,
  builds: Builds,
  knowing: (snapshot: Snapshot, source: SourceFile) => Promise<Snapshot>,
): Promise<Snapshot> {
  let known = snapshot;
  for (const root of rootsWith(snapshot, uri)) {
    if (builds.has(root)) continue;
    known = await withBuild(known, root);
    const build = buildOf(known, root)!;
    for (const source of madeBuild(build, root, known.kustomize.memory).sources) known = await knowing(known, source);
    builds.set(root, { ...foundInBuild(known, root)!, objects: build.resources.length });
  }
  return known;
}

/** What was built, by the folder: how many objects, or none where kustomize cannot build it. */
export type BuiltCounts = ReadonlyMap<string, { readonly objects: number; readonly isBuilt: boolean }>;

async function withBuild(snapshot: Snapshot, root: string): Promise<Snapshot> {
  const { entries, notes } = await readForBuild(promptFiles, snapshot, root, snapshot.kustomize, await homesOf(root));
  return { ...snapshot, kustomize: snapshot.kustomize.with(entries, notes) };
}

const homesOf = homesIn(promptFiles, { folders: [], named: [], repository: true });

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
  const uri = pathToFileURL(path.resolve(named)).href;
  const names = (await promptFiles.entries(uri)).filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  return names.some((name) => kustomizationNames.includes(name)) ? uri : undefined;
}

/** What kustomize prints of a folder; or its error. What was left out is said in any case. */
export async function builtText(
  root: string,
): Promise<{ readonly text?: string; readonly said: readonly string[]; readonly isWhole: boolean }> {
  const { kustomize } = await withBuild({ ...emptySnapshot, kustomize: new KustomizeFiles() }, root);
  const build = buildOf({ ...emptySnapshot, kustomize }, root)!;
  const said = build.leftOut.map(({ what }) => `not built: ${what}`);
  if (build.error) return { said: [...kustomize.notes, ...said, `Error: ${build.error.message}`], isWhole: false };
  return { text: print(build).text, said: [...kustomize.notes, ...said], isWhole: build.leftOut.length === 0 };
}
