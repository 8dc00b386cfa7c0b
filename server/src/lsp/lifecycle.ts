import type {
  DidChangeConfigurationParams,
  DidChangeWatchedFilesParams,
  InitializeParams,
  InitializeResult,
  WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver';
import { counted } from '../base/text.ts';
import { isConfig } from '../workspace/config.ts';
import { isOtherJson, isTestFile, readGlobs } from '../workspace/fileNames.ts';
import { skippedFolders } from '../workspace/files.ts';
import { languageOf } from '../workspace/languages/languages.ts';
import { crdsOfConfigs, crdsOfFolders } from '../workspace/snapshot.ts';
import { editorFiles, filesByScheme } from '../workspace/sources/editorFiles.ts';
import { isFetched } from '../workspace/sources/lock.ts';
import { followBaselines, lookUpBaselines } from './baselines.ts';
import { initializeResult } from './capabilities.ts';
import { checkAllLater, checkClosed, checkKindsLater } from './checkWorkspace.ts';
import { foldersOf, readClient, withoutSlash } from './clientCapabilities.ts';
import { type Context, editorRequests, withinTrust } from './context.ts';
import { guardedNotification } from './guard.ts';
import { refreshLensesLater } from './lenses.ts';
import {
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  FileChangeType,
  ResponseError,
} from './library.ts';
import { forgetRead, startReaders, watchForSets } from './reading.ts';
import { lookForKinds, refresh, reportAfterReading, sendServed, sendStatus } from './reporting.ts';
import { configure, loadAll, reload, renewLibrary, renewSetFiles, type Session, workspaceSettings } from './session.ts';

const section = 'kubeCrd';

export function initialize(context: Context, params: InitializeParams): InitializeResult {
  const { session, host, connection } = context;
  if (context.phase !== 'new') throw new ResponseError(ErrorCodes.InvalidRequest, 'the server is already initialized');
  context.phase = 'running';
  context.client = readClient(params);
  session.folders = foldersOf(params);
  session.trusted = context.client.options.trusted ?? true;
  const { builtinElsewhere = false, templatesElsewhere = false } = context.client.options;
  session.snapshot = { ...session.snapshot, builtinElsewhere, templatesElsewhere };
  if (context.client.options.files && host.disk) {
    const all = filesByScheme(host.disk, editorFiles(editorRequests(connection)));
    context.files = withinTrust(all, session);
  }
  startReaders(context);
  configure(session, context.client.options.settings, new Map());
  return initializeResult(context.client, {
    version: host.version,
    canFetch: host.fetcher !== undefined,
    canAskClusters: host.clusters !== undefined,
  });
}

export function startBaselines(context: Context): void {
  followBaselines(context, {
    changed: () => context.host.debounce('refresh', 0, () => refresh(context)),
    complained: () => sendStatus(context),
  });
}

export async function initialized(context: Context): Promise<void> {
  const { client, connection, log } = context;
  // The library lets only clients that can send it be listened to, once they are known.
  if (client.folders) {
    const handler = (event: WorkspaceFoldersChangeEvent) => foldersChanged(context, event);
    connection.workspace.onDidChangeWorkspaceFolders(guardedNotification('didChangeWorkspaceFolders', log, handler));
  }
  await register(context);
  await askForSettings(context);
  if (client.options.trusted === undefined) {
    connection.console.info('The editor does not say whether the workspace is trusted, so it is treated as trusted.');
  }
  startBaselines(context);
  await loadWorkspace(context);
}

async function register({ connection, client }: Context): Promise<void> {
  if (client.registersWatchers) {
    // One glob each: some editors know no asterisks in braces.
    const watchers = readGlobs.map((glob) => ({ globPattern: `**/${glob}` }));
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
  if (client.registersConfiguration) {
    await connection.client.register(DidChangeConfigurationNotification.type, { section });
  }
}

async function foldersChanged(context: Context, { added, removed }: WorkspaceFoldersChangeEvent): Promise<void> {
  const gone = new Set(removed.map(({ uri }) => withoutSlash(uri)));
  const { session } = context;
  const opened = session.folders.filter((folder) => !session.around.includes(folder));
  session.around = [];
  session.folders = [...opened.filter((folder) => !gone.has(folder)), ...added.map(({ uri }) => withoutSlash(uri))];
  await askForSettings(context);
  await loadWorkspace(context);
}

/** Follows files of a folder that the editor does not have open, where it can. */
export function watchAround({ client, connection }: Context, folder: string): void {
  if (!client.watchesElsewhere) return;
  const watchers = readGlobs.map((glob) => ({ globPattern: { baseUri: folder, pattern: `**/${glob}` } }));
  void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
}

async function askForSettings({ session, client, connection }: Context): Promise<void> {
  if (!client.configuration) return;
  const items = [{ section }, ...session.folders.map((scopeUri) => ({ section, scopeUri }))];
  const [all, ...byFolder] = await connection.workspace.getConfiguration(items);
  const folders = new Map(session.folders.map((folder, i) => [folder, byFolder[i]]));
  for (const complaint of configure(session, all, folders)) connection.console.warn(complaint);
}

/** Reads the workspace's files anew. */
export function loadWorkspace(context: Context): Promise<void> {
  const load = readWorkspace(context);
  // What waits for it must not end with it.
  context.session.loaded = load.catch(() => {});
  return load;
}

async function readWorkspace(context: Context): Promise<void> {
  const { session, files, connection } = context;
  sendStatus(context, 'starting');
  if (!(await loadAll(session, files))) return;
  for (const note of session.notes) connection.console.warn(note);
  connection.console.info(whatWasRead(context));
  sendStatus(context);
  sendServed(context);
  lookUpBaselines(context);
  // What was said of an open file before the files around it were read is no reason to wait with what they say of it.
  session.took.clear();
  // Which charts and builds open files need is known now.
  reportAfterReading(context);
  watchForSets(context);
  lookForKinds(context);
  refresh(context);
  checkAllLater(context);
}

/** A log without a line would look like a server that never started. */
function whatWasRead({ session, host }: Context): string {
  const { definitions, onDisk } = session.snapshot;
  const { kubernetesVersion } = workspaceSettings(session);
  const kinds = `${counted(definitions.size, 'kind')} defined in ${counted(onDisk.size, 'file')}`;
  return `kube-crd ${host.version} has read the workspace: ${kinds}; it judges for Kubernetes ${kubernetesVersion}.`;
}

export async function configurationChanged(
  context: Context,
  { settings }: DidChangeConfigurationParams,
): Promise<void> {
  const { session, client, connection } = context;
  const before = namedCrds(session);
  if (client.configuration) await askForSettings(context);
  else for (const complaint of configure(session, sectionOf(settings), new Map())) connection.console.warn(complaint);
  if (namedCrds(session) !== before) await loadWorkspace(context);
  lookUpBaselines(context, 'again');
  sendStatus(context);
  refresh(context);
  checkAllLater(context);
}

/** What the settings say of CRDs outside the workspace, for all folders and for each. */
function namedCrds({ snapshot: { settings } }: Session): string {
  return JSON.stringify([
    settings.all.crds,
    [...settings.all.sources],
    crdsOfFolders(settings),
    crdsOfConfigs(settings),
  ]);
}

function sectionOf(settings: unknown): unknown {
  return typeof settings === 'object' && settings !== null && section in settings
    ? (settings as Readonly<Record<string, unknown>>)[section]
    : settings;
}

export async function watchedFilesChanged(context: Context, { changes }: DidChangeWatchedFilesParams): Promise<void> {
  const { session, files } = context;
  const { library } = session;
  const { definitions: before, delivery } = session.snapshot;
  if (changes.some(({ uri }) => isTestFile(uri))) refreshLensesLater(context);
  if (changes.some(({ uri }) => isConfig(uri))) return await loadWorkspace(context);
  const uris = changes.map(({ uri }) => uri);
  if (forgetRead(context, uris)) reportAfterReading(context);
  const ours = changes
    // Other JSON is at most read by an ApplicationSet.
    .filter(({ uri }) => languageOf({ uri }).isKnownOnDisk && (!isOtherJson(uri) || session.named.has(uri)))
    .filter(({ uri }) => !uri.split('/').some((folder) => skippedFolders.has(folder)));
  await reload(
    session,
    files,
    ours.map(({ uri }) => uri),
  );
  await renewSetFiles(session, files, uris);
  watchForSets(context);
  if (changes.some(({ uri }) => isFetched(uri))) renewLibrary(session, files);
  if (session.snapshot.definitions !== before || session.library !== library) lookForKinds(context);
  for (const { uri } of ours) await checkClosed(context, uri);
  if (session.snapshot.delivery !== delivery) {
    reportAfterReading(context);
    refresh(context);
  }
  // An object may have moved from one file to another.
  if (ours.some(({ type }) => type !== FileChangeType.Changed)) lookUpBaselines(context, 'again');
  if (session.library !== library) {
    refresh(context);
    checkAllLater(context);
  } else if (session.snapshot.definitions !== before) {
    refresh(context);
    checkKindsLater(context, before);
  }
  sendStatus(context);
}
