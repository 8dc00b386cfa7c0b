import { append } from '../../base/append.ts';
import { goText } from '../../gostd/bytes.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { readChart } from '../charts/chartFiles.ts';
import { ChartFolder } from '../charts/chartFolder.ts';
import { isKustomization, isYaml, kustomizationNames } from '../fileNames.ts';
import type { Entry, Files } from '../files.ts';
import { defaultLimits } from '../limits.ts';
import { saidOfOthers } from '../parts.ts';
import type { Snapshot } from '../snapshot.ts';
import { sourceFile } from '../sourceFile.ts';
import { isAmong } from '../sources/named.ts';
import { folderOf, isInside, resolve } from '../uri.ts';
import type { KustomizationGraph } from './graph.ts';
import { belowMark, type KustomizeFiles, type OnDisk, type Wanted } from './kustomizeFiles.ts';
import { chartMark } from './paths.ts';

/** Files and folders that are looked at for one build, and the bytes of all of them. */
const mostAsked = 20_000;
const mostBytes = 128_000_000;

/** As long as a build goes on asking, at most so often. */
const mostRounds = 200;

/** What is read of the disk for builds. */
export interface ReadBuilds {
  readonly entries: ReadonlyMap<string, OnDisk>;
  readonly notes: readonly string[];
}

/**
 * Reads what a build asks for, which is known only while it is built: it is built again until nothing is missing. What lies
 * outside of some folders is not read, and is nothing to the build.
 */
export async function readForBuild(
  files: Files,
  { open, kustomizations }: Snapshot,
  wanted: Wanted,
  known: KustomizeFiles,
  homes: readonly string[],
): Promise<ReadBuilds> {
  const entries = new Map<string, OnDisk>();
  const notes: string[] = [];
  let left = mostBytes;
  const isFull = () => entries.size >= mostAsked || left <= 0;
  // A build ends at the first thing that is missing: what the kustomizations in it name is read with it, and so on.
  const take = async (uris: readonly string[]) => {
    const open = [...uris];
    for (let uri = open.pop(); uri !== undefined && !isFull(); uri = open.pop()) {
      if (entries.has(uri) || known.entries.has(uri)) continue;
      const found = await look(files, uri, homes, notes);
      if (typeof found === 'object') left -= sizeOf(found);
      entries.set(uri, found);
      append(open, likelyBehind(kustomizations, uri, found));
    }
  };
  await take([wanted.folder]);
  for (let round = 0; ; round++) {
    const { unread } = known.memory.build(wanted, open, known.with(entries, []));
    if (unread.length === 0) return { entries, notes };
    if (round < mostRounds && !isFull()) await take(unread);
    else {
      notes.push(`${wanted.folder}: too many files are read for one build; the rest is taken for missing`);
      for (const uri of unread) entries.set(uri, 'nothing');
    }
  }
}

/** What is at some addresses. */
export async function readPlaces(files: Files, uris: readonly string[], homes: readonly string[]): Promise<ReadBuilds> {
  const entries = new Map<string, OnDisk>();
  const notes: string[] = [];
  for (const uri of uris.slice(0, mostAsked)) entries.set(uri, await look(files, uri, homes, notes));
  return { entries, notes };
}

/** What kustomize looks for in a folder, and what a kustomization names. */
function likelyBehind({ all }: KustomizationGraph, uri: string, found: OnDisk): readonly string[] {
  if (found === 'folder') return kustomizationNames.map((name) => `${uri}/${name}`);
  if (typeof found !== 'object' || !('text' in found) || !isKustomization(uri)) return [];
  return (all.get(uri) ?? saidOfOthers(sourceFile(uri, found.text), folderOf(uri)).kustomization)?.names ?? [];
}

async function look(files: Files, uri: string, homes: readonly string[], notes: string[]): Promise<OnDisk> {
  if (uri.endsWith(belowMark)) return lookBelow(files, uri.slice(0, -belowMark.length), homes, notes);
  if (uri.endsWith(chartMark)) return lookForChart(files, uri.slice(0, -chartMark.length), homes, notes);
  // What is around a home is there, whatever else is in it.
  if (homes.some((home) => isInside(home, uri))) return 'folder';
  if (!(await isAmong(files, homes, uri))) {
    return 'outside';
  }
  const read = await files.read(uri, defaultLimits.fileBytes);
  if (read instanceof Uint8Array) return { text: goText(read) };
  if (read === undefined) return (await files.entries(uri)).length > 0 ? 'folder' : 'nothing';
  notes.push(read === 'too-large' ? `${uri} is too large to be read` : `${uri} could not be read: ${read.why}`);
  return 'nothing';
}

function sizeOf(found: Exclude<OnDisk, string>): number {
  if ('text' in found) return found.text.length;
  if ('below' in found) return found.below.length;
  return found.chart.files.reduce((sum, { text }) => sum + text.length, 0);
}

async function lookForChart(files: Files, root: string, homes: readonly string[], notes: string[]): Promise<OnDisk> {
  if (!(await isAmong(files, homes, root))) return 'outside';
  const chart = await readChart(files, root, undefined);
  append(
    notes,
    chart.notes.map((note) => `${root}: ${note}`),
  );
  return { chart: new ChartFolder(chart) };
}

const ignoring = '.sourceignore';

/** What Flux leaves out of each repository, of what could be manifests. */
const neverApplied: ReadonlySet<string> = new Set([
  ...['.git', '.github', '.circleci', '.travis.yml', '.gitlab-ci.yml', 'appveyor.yml', '.drone.yml', 'cloudbuild.yaml'],
  ...['codeship-services.yml', 'codeship-steps.yml', '.goreleaser.yml', '.sops.yaml', '.flux.yaml'],
]);

async function lookBelow(files: Files, folder: string, homes: readonly string[], notes: string[]): Promise<OnDisk> {
  const below = await filesBelow(files, folder, homes);
  const around = await Promise.all(homes.map((home) => files.entries(home)));
  const isFiltered =
    around.flat().some(({ name }) => name === ignoring) || below.some((path) => path.endsWith(ignoring));
  if (isFiltered) notes.push(`${folder}: what Flux applies of it is not known: ${ignoring} is not read`);
  return { below: below.filter((path) => !path.endsWith(ignoring)), isFiltered };
}

/** Files below one folder that somebody applies as a whole, and folders that are looked into for them. */
const mostBelow = 5_000;

/** All files below a folder, in the order of a walk; links to folders are not followed. */
async function filesBelow(files: Files, folder: string, homes: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  let looked = 0;
  const walk = async (at: string): Promise<void> => {
    const uri = at === '' ? folder : resolve(folder, at);
    if (looked++ >= mostBelow || !(await isAmong(files, homes, uri))) return;
    const entries = [...(await files.entries(uri))].sort(byName);
    for (const { name, isFolder } of entries) {
      const path = at === '' ? name : `${at}/${name}`;
      if (neverApplied.has(name)) continue;
      if (isFolder) await walk(path);
      else if ((isYaml(name) || isKustomization(name) || name === ignoring) && found.length < mostBelow)
        found.push(path);
    }
  };
  await walk('');
  return found;
}

function byName(a: Entry, b: Entry): number {
  return compareStrings(a.name, b.name);
}
