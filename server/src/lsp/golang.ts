import { DidChangeWatchedFilesNotification } from 'vscode-languageserver';
import { valueAt } from '../base/value.ts';
import { crdsOf, type GoCrds, type GoView, viewOf } from '../features/golang/view.ts';
import { generatorOf } from '../features/golang/written.ts';
import { goMarkers } from '../workspace/goMarkers.ts';
import { GoPackages } from '../workspace/goPackages.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { settingsFor } from '../workspace/snapshot.ts';
import { folderOf } from '../workspace/uri.ts';
import type { Context } from './context.ts';
import type { OpenDocument } from './documents.ts';
import type { GoState, Made } from './goState.ts';

export function isGo({ languageId, uri }: Pick<OpenDocument, 'languageId' | 'uri'>): boolean {
  return languageId === 'go' || uri.endsWith('.go');
}

/** Begins to read what an open Go file needs, where it has markers. `then` is called when there is something new. */
export function readGo(context: Context, uri: string, then: () => void): void {
  const document = wantedDocument(context, uri);
  if (!document) return;
  const state = goState(context);
  const folder = folderOf(uri);
  if (state.pending.has(folder)) return;
  const reading = read(context, state, folder).finally(() => state.pending.delete(folder));
  state.pending.set(folder, reading);
  void reading.then(then, (error: Error) => context.log(error.stack ?? error.message));
}

async function read({ session }: Context, state: GoState, folder: string): Promise<void> {
  const folders = await state.packages.versionsBeside(folder);
  await state.packages.generate(folders, openTexts(session.documents, folders));
  state.versions.set(folder, folders);
  state.made.delete(folder);
}

/** Begins to look for the types that the CRDs of an open YAML file were generated from. */
export function readGoBehind(context: Context, uri: string, then: () => void): void {
  const { session } = context;
  const file = session.snapshot.open.get(uri);
  if (!file || !settingsFor(session.snapshot, uri).go) return;
  const groups = file.manifests.filter((manifest) => generatorOf(manifest) !== undefined).map(groupOf);
  const wanted = groups.filter((group) => group !== '' && !session.golang?.groups.has(group));
  if (wanted.length === 0) return;
  const state = goState(context);
  for (const group of wanted) state.groups.add(group);
  const reading = readGroups(context, state, folderOf(uri), wanted).finally(() => state.pending.delete(uri));
  state.pending.set(uri, reading);
  void reading.then(then, (error: Error) => context.log(error.stack ?? error.message));
}

async function readGroups(context: Context, state: GoState, from: string, groups: readonly string[]): Promise<void> {
  for (const folder of await state.packages.foldersOf(from, groups)) {
    if (!state.versions.has(folder)) await read(context, state, folder);
  }
}

function groupOf({ value }: Manifest): string {
  const group = valueAt(value, ['spec', 'group']);
  return typeof group === 'string' ? group : '';
}

/** The CRDs of all Go types that are known, as they are in the editor, for a file that they are looked at beside. */
export function goCrds({ session }: Context, uri: string): GoCrds['result']['crds'] {
  const { golang, documents, snapshot } = session;
  if (!golang || !settingsFor(snapshot, uri).go) return [];
  const read = new Map([...golang.versions].map(([folder, folders]) => [folders.join(' '), { folder, folders }]));
  return [...read.values()].flatMap(
    ({ folder, folders }) => madeOf(golang, documents, folder, folders)?.crds.result.crds ?? [],
  );
}

/** Resolves when what an open Go file needs was read. */
export async function goSettled({ session }: Context, uri: string): Promise<void> {
  await session.golang?.pending.get(folderOf(uri));
  await session.golang?.pending.get(uri);
}

/** A Go file on disk has changed; says whether that matters. */
export function goChanged({ session: { golang } }: Context, uri: string): boolean {
  if (!golang?.packages.forget(uri)) return false;
  golang.versions.clear();
  golang.groups.clear();
  golang.made.clear();
  return true;
}

/** An open Go file with what is made of it; undefined where that is not wanted, or not known yet. */
export function goView(context: Context, uri: string): GoView | undefined {
  return context.session.golang && wantedDocument(context, uri) ? goViewOf(context, uri) : undefined;
}

/** What is made of a Go file that was read, be it open or not. */
export function goViewOf({ session: { golang, documents } }: Context, uri: string): GoView | undefined {
  const folder = folderOf(uri);
  const folders = golang?.versions.get(folder);
  const made = golang && folders && madeOf(golang, documents, folder, folders);
  if (!made) return undefined;
  if (!made.views.has(uri)) made.views.set(uri, viewOf(made.crds, uri));
  return made.views.get(uri);
}

/** Whether packages are imported now that were not read. */
export function wantsMore({ session: { golang } }: Context, uri: string): boolean {
  return (golang?.made.get(folderOf(uri))?.crds.result.wanted.size ?? 0) > 0;
}

function madeOf(
  golang: GoState,
  documents: ReadonlyMap<string, OpenDocument>,
  folder: string,
  folders: readonly string[],
): Made | undefined {
  const open = openTexts(documents, folders);
  const kept = golang.made.get(folder);
  return kept && sameTexts(kept.open, open) ? kept : make(golang, folder, folders, open, kept);
}

function make(
  golang: GoState,
  folder: string,
  folders: readonly string[],
  open: ReadonlyMap<string, string>,
  before: Made | undefined,
): Made | undefined {
  const result = golang.packages.generateNow(folders, open);
  if (!result) return undefined;
  const made = { open, crds: crdsOf(result, folder, before?.crds.source), views: new Map() };
  golang.made.set(folder, made);
  return made;
}

function wantedDocument({ session }: Context, uri: string): OpenDocument | undefined {
  const document = session.documents.get(uri);
  if (!document || !isGo(document) || !goMarkers.test(document.text)) return undefined;
  return settingsFor(session.snapshot, uri).go ? document : undefined;
}

function goState(context: Context): GoState {
  const { session, files, client, connection } = context;
  if (session.golang) return session.golang;
  const cache = session.trusted ? session.caches.goModules : undefined;
  session.golang = {
    packages: new GoPackages(files, cache),
    versions: new Map(),
    made: new Map(),
    pending: new Map(),
    groups: new Set(),
  };
  if (client.registersWatchers) {
    const watchers = [{ globPattern: '**/*.go' }];
    void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
  return session.golang;
}

function openTexts(documents: ReadonlyMap<string, OpenDocument>, folders: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const document of documents.values()) {
    if (isGo(document) && folders.includes(folderOf(document.uri))) texts.set(document.uri, document.text);
  }
  return texts;
}

function sameTexts(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([uri, text]) => b.get(uri) === text);
}
