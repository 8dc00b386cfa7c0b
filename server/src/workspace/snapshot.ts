import { memo } from '../base/memo.ts';
import { SortedMap } from '../base/sortedMap.ts';
import type { BuiltinFile } from '../kubernetes/builtin/file.ts';
import { newestVersion } from '../kubernetes/releases/all.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Baseline, type Committed, objectKey } from './baseline/baseline.ts';
import type { ChartFolder } from './charts/chartFolder.ts';
import { type Config, layersFor } from './config.ts';
import { type Definitions, indexDefinitions, reindexed } from './definitions.ts';
import type { Filling } from './delivery/filling.ts';
import { type DeliveryOnDisk, nothingDelivered } from './delivery/onDisk.ts';
import type { Absent } from './kinds.ts';
import { type KustomizationGraph, noKustomizations } from './kustomizations/graph.ts';
import type { CrdsOfBuild, KustomizeFiles } from './kustomizations/kustomizeFiles.ts';
import type { Kustomized } from './kustomized.ts';
import type { GoFolder } from './languages/goFolder.ts';
import type { OpenText } from './languages/openText.ts';
import type { MadeRole, Manifest } from './manifest.ts';
import type { Mutator } from './mutators.ts';
import { isBroughtIn } from './origin.ts';
import { defaultSettings, type Settings } from './settings.ts';
import type { SourceFile } from './sourceFile.ts';
import { folderOf } from './uri.ts';
import type { Variables } from './variables.ts';
import { crdsFrom } from './xrd.ts';

/** All that is known at one moment. A change makes a new snapshot, which shares whatever did not change. */
export interface Snapshot {
  /** YAML files that are open in the editor. */
  readonly open: ReadonlyMap<string, SourceFile>;
  /** The other files that are open there. */
  readonly others: ReadonlyMap<string, OpenText>;
  /** Go packages of open files, and of the types that open CRDs were generated from, by their folder. */
  readonly go: ReadonlyMap<string, GoFolder>;
  /** Charts of open files, by their folders. */
  readonly charts: ReadonlyMap<string, ChartFolder>;
  /** Files on disk that define kinds, open ones excepted. */
  readonly onDisk: ReadonlyMap<string, SourceFile>;
  readonly definitions: Definitions;
  /** Kinds in their versions that were looked for everywhere in vain, with what could have told and is not here. */
  readonly missing: ReadonlyMap<string, readonly Absent[]>;
  /** The kinds that Kubernetes has built in, in all releases; undefined until one of them is met. */
  readonly builtin: BuiltinFile | undefined;
  /** Whether something else beside us looks after built-in kinds, unless the settings give them to us. */
  readonly builtinElsewhere: boolean;
  /** Whether another extension judges those in templates of charts. */
  readonly templatesElsewhere: boolean;
  /** Files that some kustomization applies as patches: they hold parts of objects. */
  readonly patches: ReadonlySet<string>;
  /** Files whose objects some kustomization puts into another namespace. */
  readonly placed: ReadonlySet<string>;
  /** Which kustomizations name which files. */
  readonly kustomizations: KustomizationGraph;
  /** What was read for the builds that open files have a part in; undefined where nothing was. */
  readonly kustomize: KustomizeFiles | undefined;
  readonly kustomized: Kustomized;
  /** By root: the CRDs that it builds, where what it builds is not kept itself. */
  readonly builtCrds?: ReadonlyMap<string, CrdsOfBuild>;
  /** The root whose build is judged. */
  readonly builtBy?: string;
  /** By file: what a kustomization fills in there. */
  readonly variables: ReadonlyMap<string, Variables>;
  /** By kustomization: the files and folders that it takes objects from. */
  readonly resources: ReadonlyMap<string, readonly string[]>;
  /** The workspace's own webhooks that may add to objects before the API server judges them. */
  readonly mutators: readonly Mutator[];
  /** What is known of the disk about what is applied, and with which values. */
  readonly delivery: DeliveryOnDisk;
  /** What is filled in what is built, where it is that which is judged. */
  readonly filling?: Filling | undefined;
  /** By file: what was committed of its objects. */
  readonly baselines: ReadonlyMap<string, Baseline>;
  /** Files of which advice is not worked out yet: what the API server says of them comes first. */
  readonly adviceLater: ReadonlySet<string>;
  readonly settings: FolderSettings;
}

export interface FolderSettings {
  readonly all: Settings;
  readonly folders: ReadonlyMap<string, Settings>;
  /** By folder, what its `.kube-crd.yaml` says. The nearest one of a file holds above its folder's settings. */
  readonly configs: ReadonlyMap<string, Config>;
  /** What holds above all that. */
  readonly over?: Partial<Settings>;
  /** The one version, of those that a file is judged for, that is of interest now. */
  readonly version?: string;
}

/** The same settings for all files. */
export function settingsOf(all: Settings): FolderSettings {
  return { all, folders: new Map(), configs: new Map() };
}

export const emptySnapshot: Snapshot = {
  open: new Map(),
  others: new Map(),
  go: new Map(),
  charts: new Map(),
  onDisk: new Map(),
  definitions: new Map(),
  missing: new Map(),
  builtin: undefined,
  builtinElsewhere: false,
  templatesElsewhere: false,
  patches: new Set(),
  placed: new Set(),
  kustomizations: noKustomizations,
  kustomize: undefined,
  kustomized: { completed: new Set(), patched: new Set(), listed: new Set(), folders: new Set() },
  variables: new Map(),
  resources: new Map(),
  mutators: [],
  delivery: nothingDelivered,
  baselines: new Map(),
  adviceLater: new Set(),
  settings: settingsOf(defaultSettings),
};

/** The settings for a file: its folder's, and what it says of itself. */
export function settingsFor(snapshot: Snapshot, uri: string): Settings {
  const settings = settingsAt(snapshot.settings, uri);
  const kubernetes = snapshot.settings.version ?? fileAt(snapshot, uri)?.kubernetes;
  return kubernetes === undefined || kubernetes === settings.kubernetesVersion
    ? settings
    : inVersion(settings, kubernetes);
}

/** The Kubernetes versions whose API servers judge a file, newest first. */
export function versionsFor(snapshot: Snapshot, uri: string): readonly KubernetesVersion[] {
  return versionsIn(settingsFor(snapshot, uri));
}

const versionsIn = memo((settings: Settings) => versionsNamed(settings.kubernetesVersion) ?? [newestVersion]);

/** The newest of them: what is completed and explained is what it offers. */
export function kubernetesFor(snapshot: Snapshot, uri: string): KubernetesVersion {
  return newestOf(settingsFor(snapshot, uri));
}

export function newestOf(settings: Settings): KubernetesVersion {
  return versionsIn(settings)[0] ?? newestVersion;
}

/** The snapshot in which files are judged for one version alone. */
export const atVersion = memo((snapshot: Snapshot, version: string): Snapshot => {
  return { ...snapshot, settings: { ...snapshot.settings, version } };
});

/** The same settings but for the version; the same object each time, since verdicts rest on it. */
const inVersion = memo((settings: Settings, kubernetesVersion: string): Settings => {
  return { ...settings, kubernetesVersion };
});

/** The settings for a place, whatever is in the file there. */
export const settingsAt = memo(({ all, folders, configs, over }: FolderSettings, uri: string): Settings => {
  const config = configFor(configs, uri);
  const layers = config ? layersFor(config, uri) : [];
  const chosen = [...layers.map((layer) => layer.chosen), ...(over ? [over] : [])];
  return chosen.reduce<Settings>((settings, one) => withChosen(settings, one), nearest(folders, uri) ?? all);
});

/** The config that is nearest to a file. */
export function configFor(configs: FolderSettings['configs'], uri: string): Config | undefined {
  return nearest(configs, uri);
}

/** Where CRDs are, as a folder's settings say it. */
export interface NamedCrds {
  readonly folder: string;
  readonly crds: readonly string[];
}

/** What the settings of folders name as CRDs outside the workspace. */
export function crdsOfFolders({ folders }: FolderSettings): NamedCrds[] {
  return [...folders].map(([folder, { crds }]) => ({ folder, crds }));
}

/** What configs, which are files of the workspace, name as CRDs. */
export function crdsOfConfigs({ configs }: FolderSettings): NamedCrds[] {
  return [...configs.values()].flatMap(({ folder, layers }) =>
    layers.map(({ chosen }) => ({ folder, crds: chosen.crds ?? [] })),
  );
}

/** What belongs to the innermost folder around a file. */
function nearest<T>(byFolder: ReadonlyMap<string, T>, uri: string): T | undefined {
  if (byFolder.size === 0) return undefined;
  for (let at = folderOf(uri); at !== ''; at = folderOf(at)) {
    const found = byFolder.get(at) ?? byFolder.get(`${at}/`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Settings with some of them chosen anew; rules that are not named stay as they were. The same object each time. */
const withChosen = memo((settings: Settings, chosen: Partial<Settings>): Settings => {
  const rules = new Map([...settings.rules, ...(chosen.rules ?? [])]);
  return { ...settings, ...chosen, rules };
});

/** With a chart as it is in this folder. */
export function withChartFolder(snapshot: Snapshot, folder: ChartFolder): Snapshot {
  return { ...snapshot, charts: new Map(snapshot.charts).set(folder.root, folder) };
}

export function withOpen(snapshot: Snapshot, file: SourceFile): Snapshot {
  const before = snapshot.open.get(file.uri) ?? snapshot.onDisk.get(file.uri);
  const open = SortedMap.of(snapshot.open).with(file.uri, file);
  return withDefinitions({ ...snapshot, open }, before, file);
}

export function withoutOpen(snapshot: Snapshot, uri: string): Snapshot {
  const open = SortedMap.of(snapshot.open).without(uri);
  return withDefinitions(
    { ...withBaseline(snapshot, uri, undefined), open },
    snapshot.open.get(uri),
    snapshot.onDisk.get(uri),
  );
}

/** Takes in what a file on disk holds now; undefined where it is gone or defines nothing. */
export function withDisk(snapshot: Snapshot, uri: string, file: SourceFile | undefined): Snapshot {
  const before = SortedMap.of(snapshot.onDisk);
  const onDisk = file ? before.with(uri, file) : before.without(uri);
  const next = { ...snapshot, onDisk };
  return snapshot.open.has(uri) ? next : withDefinitions(next, snapshot.onDisk.get(uri), file);
}

/** Takes in all of what is on disk at once, in place of what was known before. */
export function withWholeDisk(snapshot: Snapshot, files: readonly SourceFile[]): Snapshot {
  const next = { ...snapshot, onDisk: SortedMap.of(new Map(files.map((file) => [file.uri, file]))) };
  return { ...next, definitions: indexDefinitions(allFiles(next)) };
}

/** Forgets what was brought in for kinds that the workspace does not define, and which were looked for in vain. */
export function withoutBroughtIn(snapshot: Snapshot): Snapshot {
  let next: Snapshot = { ...snapshot, missing: new Map() };
  for (const [uri, { origin }] of snapshot.onDisk) if (isBroughtIn(origin)) next = withDisk(next, uri, undefined);
  return next;
}

/** Takes in what was committed of a file's objects; undefined where nothing is known of it any more. */
export function withBaseline(snapshot: Snapshot, uri: string, baseline: Baseline | undefined): Snapshot {
  if (snapshot.baselines.get(uri) === baseline) return snapshot;
  const before = SortedMap.of(snapshot.baselines);
  return { ...snapshot, baselines: baseline ? before.with(uri, baseline) : before.without(uri) };
}

/** The object as it is committed; undefined where it is new, or nothing is known. */
export function committedObject(snapshot: Snapshot, uri: string, manifest: Manifest): Committed | undefined {
  const { madeOf } = manifest;
  if (madeOf) {
    const before = committedObject(snapshot, uri, madeOf.manifest);
    return before && madeThen(before, madeOf.role);
  }
  const { baselines } = snapshot;
  const objects = baselines.get(uri)?.objects;
  const key = objects && objectKey(manifest);
  return key === undefined ? undefined : objects?.get(key);
}

/** The CRD that was made of a committed object: the same as long as that is. */
const madeThen = memo((before: Committed, role: MadeRole): Committed | undefined => {
  const crd = crdsFrom(before.manifest).find(({ madeOf }) => madeOf?.role === role);
  return crd && { ...before, manifest: crd, crd: undefined };
});

/** The name that a CRD has in the commit, where that is another. */
export function formerName({ baselines }: Snapshot, uri: string, manifest: Manifest): string | undefined {
  const renamed = baselines.get(uri)?.renamed;
  const key = renamed && objectKey(manifest);
  return key === undefined ? undefined : renamed?.get(key);
}

/** The current file: the editor's unsaved text rather than the disk's. */
export function fileAt(snapshot: Snapshot, uri: string): SourceFile | undefined {
  return snapshot.open.get(uri) ?? snapshot.onDisk.get(uri);
}

/** The index changes only where a file that defines kinds, or did, has changed, and only in that file's kinds. */
function withDefinitions(next: Snapshot, before: SourceFile | undefined, after: SourceFile | undefined): Snapshot {
  if (!before?.definesKinds && !after?.definesKinds) return next;
  return { ...next, definitions: reindexed(next.definitions, before, after) };
}

function* allFiles({ open, onDisk }: Snapshot): Generator<SourceFile> {
  yield* open.values();
  for (const [uri, file] of onDisk) if (!open.has(uri)) yield file;
}
