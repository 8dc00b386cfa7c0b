import { append } from '../base/append.ts';
import type { Difference } from '../base/text.ts';
import { ruleTitles } from '../rules/model/registry.ts';
import { configsAround, isConfig, loadConfigs } from '../workspace/config.ts';
import type { Definitions } from '../workspace/definitions.ts';
import { namesRead, withDeliveryFile, withSetFiles } from '../workspace/delivery/onDisk.ts';
import { matterToSets } from '../workspace/delivery/setFiles.ts';
import { withGiven } from '../workspace/delivery/uses.ts';
import { isLead, isTestFile, mayHoldManifests } from '../workspace/fileNames.ts';
import { type Files, isAddress, type Listing } from '../workspace/files.ts';
import type { KeptValues } from '../workspace/keptValues.ts';
import type { Reader } from '../workspace/languages/language.ts';
import { languageOf } from '../workspace/languages/languages.ts';
import { defaultLimits, sourceLimits } from '../workspace/limits.ts';
import { type Loaded, type LoadedFile, loadFile, loadWorkspace, withLoaded } from '../workspace/loader.ts';
import { type Library, noLibrary } from '../workspace/lookUp.ts';
import { filesNaming, type Mentions, mention, newMentions } from '../workspace/mentions.ts';
import { listedByConfigs } from '../workspace/namedByConfigs.ts';
import type { Origin } from '../workspace/origin.ts';
import { combined, type SaysOfOthers, saysNothing } from '../workspace/parts.ts';
import { textOf } from '../workspace/scan.ts';
import { readSettings, type Settings, settingsTable } from '../workspace/settings.ts';
import {
  crdsOfFolders,
  emptySnapshot,
  type Snapshot,
  settingsAt,
  withDisk,
  withoutBroughtIn,
} from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { libraryOf } from '../workspace/sources/library.ts';
import { type Homes, homesIn, namedByFiles } from '../workspace/sources/named.ts';
import type { Caches, Leads } from '../workspace/sources/places.ts';
import { releaseLike, withCluster, withoutCluster } from '../workspace/storedCrds.ts';
import { isInside } from '../workspace/uri.ts';
import type { OpenDocument } from './documents.ts';
import type { Position } from './protocol.ts';
import { pauses } from './steps.ts';
import type { Typing } from './typing.ts';

/** The server's only mutable state: the newest snapshot and what it was made from. */
export interface Session {
  snapshot: Snapshot;
  readonly documents: Map<string, OpenDocument>;
  folders: readonly string[];
  /** Those of them that nobody opened: the repositories around files that were opened without a folder. */
  around: readonly string[];
  trusted: boolean;
  /** Counts loads: an older one that is still reading gives up. */
  load: number;
  /** Resolves when the newest load is over. */
  loaded: Promise<void>;
  saidOfOthers: Map<string, SaysOfOthers>;
  /** The workspace is not read yet, or is being read anew. */
  loading: boolean;
  /** For how many files that were opened alone the repository around is looked for. */
  looking: number;
  /** What knows the CRDs of kinds that no file of the workspace defines. Another one after each load. */
  library: Library;
  /** What leads to CRDs that are not in the workspace. */
  leads: Leads;
  /** Where other programs keep what they fetched. */
  caches: Caches;
  /** What is kept of the values of large files from one run to the next. */
  kept: KeptValues | undefined;
  /** The search for kinds of open files that is under way, and the files that wait for the next one. */
  learning: Promise<void> | undefined;
  unlearned: Set<string> | 'all';
  /** How many answers have waited for such a search: each wait has a name of its own. */
  waits: number;
  mentions: Mentions;
  /** Where the user is typing; undefined after a pause or any other change. */
  typing: Typing | undefined;
  /** Files that are not open and whose diagnostics were sent all the same. */
  readonly published: Set<string>;
  /** The open files that the client was last told are ours. */
  served: ReadonlySet<string>;
  /** The definitions by which all resources were last judged, where all are and others have come since. */
  checkedBy: Definitions | undefined;
  /** Counts checks of the whole workspace: a newer one ends an older. */
  check: number;
  /** The same for searches for an object that breaks a rule. */
  search: number;
  /** The Kubernetes versions that open files were last judged for. */
  readonly versions: Map<string, string>;
  /** How long it took to find the diagnostics of an open file the last time, where the client does not ask for them. */
  readonly took: Map<string, number>;
  /** Counts diagnostic reports, to name them. */
  results: number;
  /** The newest report of each open file, with its name: an equal one is not sent again. */
  readonly reported: Map<string, { readonly resultId: string; readonly content: string }>;
  /** What of the open files is judged, and what is not, by file, as the client was last told. */
  readonly judged: Map<string, string>;
  readonly notJudged: Map<string, string>;
  /** The open files with objects whose rules wait until other errors are gone. */
  readonly rulesWait: Set<string>;
  /** What was last shown as different in fetched CRDs. */
  changes: { readonly uri: string; readonly text: string } | undefined;
  /** What was last said of what clusters store, by the addresses of its pages. */
  readonly clusterPages: Map<string, string>;
  /** The cluster that files are judged as, on the user's command; undefined where they are judged by what is known here. */
  cluster: JudgedAs | undefined;
  /** The resource whose values are shown in the rules of a CRD's file: where it is. */
  shownValues: { readonly crd: string; readonly uri: string; readonly position: Position } | undefined;
  /** What is wrong with the settings. */
  complaints: readonly string[];
  /** The files of tests on disk, as far as they were read; undefined until somebody asks for them. */
  tests: Map<string, SourceFile | undefined> | undefined;
  /** Where files are from that are not of the workspace itself. */
  named: ReadonlyMap<string, Origin>;
  /** What was left out while reading the workspace. */
  notes: readonly string[];
  /** What reads the files that open ones need beside themselves. */
  readers: readonly Reader[];
  /** Globs of files that the client was asked to tell of, for what was read. */
  readonly watched: Set<string>;
  /** What the log says already was left out of the sources of CRDs. */
  readonly logged: Set<string>;
}

/** A cluster whose verdicts are given. */
export interface JudgedAs {
  readonly context: string;
  /** As it says of itself, such as `v1.34.2`. */
  readonly version: string;
  readonly crds: readonly SourceFile[];
}

export function newSession(): Session {
  return {
    snapshot: emptySnapshot,
    documents: new Map(),
    folders: [],
    around: [],
    trusted: false,
    load: 0,
    loaded: Promise.resolve(),
    saidOfOthers: new Map(),
    loading: true,
    looking: 0,
    library: noLibrary(),
    leads: { workspace: [], settings: [], catalogues: [] },
    caches: { goModules: undefined, helm: undefined, fetched: undefined },
    kept: undefined,
    learning: undefined,
    unlearned: new Set(),
    waits: 0,
    mentions: newMentions(),
    typing: undefined,
    published: new Set(),
    checkedBy: undefined,
    versions: new Map(),
    took: new Map(),
    check: 0,
    search: 0,
    served: new Set(),
    results: 0,
    reported: new Map(),
    judged: new Map(),
    notJudged: new Map(),
    rulesWait: new Set(),
    changes: undefined,
    clusterPages: new Map(),
    cluster: undefined,
    shownValues: undefined,
    complaints: [],
    tests: undefined,
    named: new Map(),
    notes: [],
    readers: [],
    watched: new Set(),
    logged: new Set(),
  };
}

/** Whether there may be more on disk than is known by now. */
export function isLoading({ loading, looking }: Session): boolean {
  return loading || looking > 0;
}

/** Whether a file is in no folder that is open, as none is. */
export function isAlone({ folders, around }: Session, uri: string): boolean {
  const isFile = uri.startsWith('file:') && mayHoldManifests(uri);
  return isFile && folders.length === around.length && !folders.some((folder) => isInside(uri, folder));
}

/** Takes in an opened or changed document; `difference` is from its text before, where that is known. */
export function update(session: Session, document: OpenDocument, difference?: Difference): void {
  const before = session.documents.get(document.uri)?.text;
  const edit = difference && before !== undefined ? { before, ...difference, edited: document.edited } : undefined;
  session.documents.set(document.uri, document);
  const { uri, languageId, text } = document;
  const origin = session.named.get(uri) ?? session.snapshot.onDisk.get(uri)?.origin;
  session.snapshot = languageOf(document).withText(session.snapshot, { uri, languageId, text, origin }, edit);
}

export function close(session: Session, uri: string): void {
  const document = session.documents.get(uri);
  session.documents.delete(uri);
  session.versions.delete(uri);
  session.reported.delete(uri);
  session.took.delete(uri);
  session.snapshot = languageOf(document ?? { uri }).without(session.snapshot, uri);
}

/** Reads the workspace from disk again. Returns false if a later load has taken over. */
export async function loadAll(session: Session, files: Files): Promise<boolean> {
  const turn = ++session.load;
  const cancelled = () => session.load !== turn;
  session.loading = true;
  const pause = pauses(() => false);
  try {
    const own = await listFolders(session, files);
    await pause();
    const configNotes = await takeConfigs(session, files, own);
    await pause();
    const listings = { own, named: await listNamed(session, files) };
    const helm = session.trusted ? session.caches.helm : undefined;
    const mentions = newMentions();
    const loaded = await loadWorkspace(files, listings, {
      limits: defaultLimits,
      cancelled,
      helm,
      kept: session.kept,
      mentions,
      pause,
    });
    if (cancelled()) return false;
    session.mentions = mentions;
    takeIn(session, files, { ...loaded, notes: [...configNotes, ...loaded.notes] });
  } finally {
    if (!cancelled()) session.loading = false;
  }
  return !cancelled();
}

/** From now on files are judged as a cluster would judge them; by what is known here, where none is given. */
export function judgeAs(session: Session, cluster: JudgedAs | undefined): void {
  const bare = withoutCluster(session.snapshot, session.cluster?.crds ?? []);
  const { over: _, ...settings } = bare.settings;
  const over = cluster && { over: { kubernetesVersion: releaseLike(cluster.version).release.name } };
  session.cluster = cluster;
  session.snapshot = withCluster({ ...bare, settings: { ...settings, ...over } }, cluster?.crds ?? []);
}

/** What knows of other CRDs; without trust that is only what the workspace itself holds. */
function libraryFor(session: Session, files: Files): Library {
  const { leads, caches, folders, trusted } = session;
  const off = workspaceSettings(session).sources;
  return libraryOf(files, leads, { caches: trusted ? caches : undefined, folders, off });
}

/** Something that leads to CRDs has changed: everything is looked for again. */
export function renewLibrary(session: Session, files: Files): void {
  session.snapshot = withCluster(withoutBroughtIn(session.snapshot), session.cluster?.crds ?? []);
  session.library = libraryFor(session, files);
}

function takeIn(session: Session, files: Files, loaded: Loaded): void {
  session.snapshot = withCluster(withLoaded(session.snapshot, loaded), session.cluster?.crds ?? []);
  session.leads = loaded.leads;
  session.named = loaded.named;
  session.library = libraryFor(session, files);
  session.saidOfOthers = new Map(loaded.said);
  session.tests = undefined;
  session.notes = loaded.notes;
}

async function listFolders(session: Session, files: Files): Promise<Listing[]> {
  const own: Listing[] = [];
  for (const folder of session.folders) {
    const walk = session.around.includes(folder) ? { folders: sourceLimits.foldersAround } : undefined;
    own.push(await files.list(folder, defaultLimits.files, walk));
  }
  return own;
}

/** Takes in what configs say, and gives what is wrong with them. Without trust nothing outside the workspace is read. */
async function takeConfigs(session: Session, files: Files, own: readonly Listing[]): Promise<readonly string[]> {
  const { folders, trusted } = session;
  const above = trusted ? await configsAround(files, folders) : [];
  const uris = new Set([...own.flatMap(({ uris }) => uris.filter(isConfig)), ...above]);
  const { configs, notes, leftOut } = await loadConfigs(files, uris, { table, trusted });
  session.snapshot = { ...session.snapshot, settings: { ...session.snapshot.settings, configs } };
  return [...notes, ...leftOut];
}

/** The settings for the workspace as a whole. */
export function workspaceSettings({ snapshot: { settings }, folders: [first] }: Session): Settings {
  return settingsAt(settings, `${first ?? ''}/`);
}

/** The files that settings name. */
async function listNamed(session: Session, files: Files): Promise<Listing[]> {
  const { snapshot, folders, trusted } = session;
  if (!trusted) return [];
  const { settings } = snapshot;
  const ofUser = [{ folder: folders[0], crds: settings.all.crds }, ...crdsOfFolders(settings)];
  const named: Listing[] = [];
  const add = async (from: Files, folder: string | undefined, crds: readonly string[]) => {
    for (const pattern of crds.filter((one) => !isAddress(one)))
      named.push(await from.expand(pattern, folder, defaultLimits.files));
  };
  for (const { folder, crds } of ofUser) await add(files, folder, crds);
  const contained = filesNamedIn(session, files);
  const { listings, configs } = await listedByConfigs(settings.configs, contained);
  session.snapshot = { ...session.snapshot, settings: { ...settings, configs } };
  return [...named, ...listings];
}

/** Files whose patterns come from files of the workspace: what they name lies in it, or where the user's settings are. */
export function filesNamedIn(session: Session, files: Files): Files {
  return namedByFiles(files, homesFor(session, files));
}

/** The folders in which what files of the workspace name may lie. */
export function homesFor({ snapshot: { settings }, folders, trusted }: Session, files: Files): Homes {
  const ofUser = trusted ? [{ folder: folders[0], crds: settings.all.crds }, ...crdsOfFolders(settings)] : [];
  const named = ofUser.flatMap(({ folder, crds }) =>
    crds.filter((one) => !isAddress(one)).map((pattern) => files.startOf(pattern, folder)),
  );
  return homesIn(files, { folders, named, repository: trusted });
}

/** Takes in what files on disk hold now. */
export async function reload(session: Session, files: Files, uris: readonly string[]): Promise<void> {
  const leads = new Set(session.leads.workspace);
  const notes: string[] = [];
  let areOthers = false;
  const lead = (uri: string, isThere: boolean) => {
    areOthers = true;
    if (isThere) leads.add(uri);
    else leads.delete(uri);
  };
  for (const uri of uris) {
    if (isLead(uri)) {
      lead(uri, (await files.read(uri, 0)) !== undefined);
      continue;
    }
    const found = await reloadFile(session, files, uri);
    append(notes, found.notes);
    if (found.names || leads.has(uri)) lead(uri, found.names);
  }
  const gone = new Set(uris);
  session.notes = [...session.notes.filter((note) => !gone.has(aboutOf(note))), ...notes];
  session.snapshot = { ...session.snapshot, ...combined(session.saidOfOthers) };
  if (!areOthers) return;
  session.leads = { ...session.leads, workspace: [...leads].sort() };
  renewLibrary(session, files);
}

/** The file that a note is about; it begins with its address. */
function aboutOf(note: string): string {
  const [address = ''] = note.split(' ', 1);
  return address.endsWith(':') ? address.slice(0, -1) : address;
}

/** What ApplicationSets look for may be others now. */
export async function renewSetFiles(session: Session, files: Files, uris: readonly string[]): Promise<void> {
  const { delivery } = session.snapshot;
  const isAsking = uris.some((uri) => delivery.files.has(uri)) || matterToSets(delivery.setFiles, uris);
  const now = isAsking ? await withSetFiles(files, delivery) : delivery;
  if (now !== delivery) session.snapshot = withGiven({ ...session.snapshot, delivery: now });
}

async function reloadFile(session: Session, files: Files, uri: string): Promise<LoadedFile> {
  if (isTestFile(uri)) session.tests?.set(uri, undefined);
  const names = namesRead(session.snapshot.delivery.files.values());
  const found = await loadFile(files, uri, defaultLimits, { origin: session.named.get(uri), names });
  const delivery = withDeliveryFile(session.snapshot.delivery, uri, found.delivery);
  if (delivery !== session.snapshot.delivery) session.snapshot = withGiven({ ...session.snapshot, delivery });
  mention(session.mentions, uri, found.words);
  session.snapshot = withDisk(session.snapshot, uri, found.file?.definesKinds ? found.file : undefined);
  if (found.said === saysNothing) session.saidOfOthers.delete(uri);
  else session.saidOfOthers.set(uri, found.said);
  return found;
}

const table = settingsTable(ruleTitles);

/** Takes in settings: those of all, and those of each folder. Gives what is wrong with them. */
export function configure(session: Session, all: unknown, folders: ReadonlyMap<string, unknown>): readonly string[] {
  const read = readSettings(all, table);
  const complaints = [...read.complaints];
  const byFolder = new Map<string, Settings>();
  for (const [folder, sent] of folders) {
    const one = readSettings(sent, table);
    byFolder.set(folder, one.settings);
    complaints.push(...one.complaints.map((complaint) => `${folder}: ${complaint}`));
  }
  const { settings } = session.snapshot;
  session.snapshot = { ...session.snapshot, settings: { ...settings, all: read.settings, folders: byFolder } };
  session.complaints = [...new Set(complaints)];
  return session.complaints;
}

/**
 * Every file of the workspace whose text passes a test, parsed; open ones as they are in the editor. `seen` is told how many
 * files were looked at, of how many.
 */
export async function* filesThat(
  session: Session,
  files: Files,
  passes: (text: string) => boolean,
  seen: (done: number, total: number) => void = () => {},
  isAsked: (uri: string) => boolean = () => true,
): AsyncGenerator<SourceFile> {
  const { open } = session.snapshot;
  const listings = await Promise.all(session.folders.map((folder) => files.list(folder, defaultLimits.files)));
  const closed = listings.flatMap(({ uris }) => uris.filter((uri) => !open.has(uri) && isAsked(uri)));
  const total = open.size + closed.length;
  let done = 0;
  for (const file of open.values()) {
    seen(++done, total);
    if (passes(file.text)) yield file;
  }
  for (const uri of closed) {
    seen(++done, total);
    const text = textOf(await files.read(uri, defaultLimits.fileBytes));
    if (text !== undefined && passes(text)) yield sourceFile(uri, text);
  }
}

/** The files of the workspace's folders that name a kind, as `filesThat` finds them by reading all. */
export async function* filesWithKind(
  session: Session,
  files: Files,
  kind: string,
  passes: (text: string) => boolean,
): AsyncGenerator<SourceFile> {
  const { open } = session.snapshot;
  for (const file of open.values()) if (passes(file.text)) yield file;
  for (const uri of filesNaming(session.mentions, kind)) {
    if (open.has(uri) || !session.folders.some((folder) => isInside(uri, folder))) continue;
    const known = session.snapshot.onDisk.get(uri);
    const text = known?.text ?? textOf(await files.read(uri, defaultLimits.fileBytes));
    if (text !== undefined && passes(text)) yield known ?? sourceFile(uri, text);
  }
}
