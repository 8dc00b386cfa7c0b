import { firstFound } from '../../base/firstFound.ts';
import type { GeneratedCrd } from '../../controllergen/crd/model.ts';
import { goMarkers } from '../goMarkers.ts';
import type { GoView } from '../projections/goTypes.ts';
import { type Snapshot, settingsFor, withOpen } from '../snapshot.ts';
import { folderOf } from '../uri.ts';
import type { GoFolder } from './goFolder.ts';
import type { Language } from './language.ts';
import type { FileName } from './openText.ts';

/** Go files with types that CRDs come of. Of a package they are read together, and those on disk by `goReader.ts`. */
export const go: Language = {
  isOf: ({ uri, languageId }: FileName) => languageId === 'go' || uri.endsWith('.go'),
  isKnownOnDisk: false,
  withText: (snapshot, file) => withOthers(snapshot, new Map(snapshot.others).set(file.uri, file)),
  without: (snapshot, uri) => withOthers(snapshot, new Map([...snapshot.others].filter(([other]) => other !== uri))),
  textAt: ({ others, go: folders }, uri) => {
    const open = others.get(uri)?.text;
    return open ?? firstFound(folders.values(), (folder) => folder.textOf(uri));
  },
};

function withOthers(snapshot: Snapshot, others: Snapshot['others']): Snapshot {
  const next = { ...snapshot, others };
  const folders = Array.from(snapshot.go, ([uri, folder]): [string, GoFolder] => [
    uri,
    folder.withOpen(openTexts(next, folder.folders)),
  ]);
  return { ...next, go: new Map(folders) };
}

/** The open files of some folders, as they are in the editor. */
export function openTexts({ others }: Snapshot, folders: readonly string[]): Map<string, string> {
  const texts = [...others.values()].filter((file) => go.isOf(file) && folders.includes(folderOf(file.uri)));
  return new Map(texts.map(({ uri, text }) => [uri, text]));
}

/** Takes in the packages of a folder. */
export function withGoFolder(snapshot: Snapshot, uri: string, folder: GoFolder): Snapshot {
  return { ...snapshot, go: new Map(snapshot.go).set(uri, folder) };
}

/** Whether something is said of an open Go file: it has markers, and the settings want it. */
export function isWantedGo(snapshot: Snapshot, uri: string): boolean {
  const file = snapshot.others.get(uri);
  return file !== undefined && go.isOf(file) && goMarkers.test(file.text) && settingsFor(snapshot, uri).go;
}

/** An open Go file with what is made of it; undefined where that is not wanted, or not known yet. */
export function goViewAt(snapshot: Snapshot, uri: string): GoView | undefined {
  return isWantedGo(snapshot, uri) ? goViewIn(snapshot, uri) : undefined;
}

/** What is made of a Go file whose package was read, be the file open or not. */
export function goViewIn(snapshot: Snapshot, uri: string): GoView | undefined {
  return snapshot.go.get(folderOf(uri))?.view(uri);
}

/** The CRDs of all Go types that are known, as they are in the editor, for a file that they are looked at beside. */
export function goCrdsFor(snapshot: Snapshot, uri: string): readonly GeneratedCrd[] {
  if (snapshot.go.size === 0 || !settingsFor(snapshot, uri).go) return [];
  return foldersOnce(snapshot).flatMap(({ crds }) => crds?.result.crds ?? []);
}

/** Versions of a group that are beside each other are read together, for each of their folders. */
export function foldersOnce(snapshot: Snapshot): readonly GoFolder[] {
  return [...new Map(Array.from(snapshot.go.values(), (one) => [one.folders.join(' '), one])).values()];
}

/** A snapshot in which the CRDs of Go types are a file like others. */
export function withMade(snapshot: Snapshot, { source }: Pick<GoView, 'source'>): Snapshot {
  return withOpen(snapshot, source);
}
