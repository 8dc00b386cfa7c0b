import type { Connection, InitializeParams } from 'vscode-languageserver';
import { outlineAt } from '../features/navigate/builtinOutline.ts';
import type { History } from '../workspace/baseline/history.ts';
import type { BaselineReader } from '../workspace/baseline/load.ts';
import type { ClusterReader } from '../workspace/clusterReader.ts';
import type { CrdFetcher } from '../workspace/fetcher.ts';
import { readGlobs } from '../workspace/fileNames.ts';
import type { Entry, Files } from '../workspace/files.ts';
import type { KeptValues } from '../workspace/keptValues.ts';
import { textAt } from '../workspace/languages/languages.ts';
import type { DataFile } from '../workspace/packaged.ts';
import { confined } from '../workspace/sources/confined.ts';
import { type EditorRequests, editorFiles } from '../workspace/sources/editorFiles.ts';
import type { Caches } from '../workspace/sources/places.ts';
import { isShownUri } from '../workspace/sources/shown.ts';
import { type KnownClient, readClient } from './clientCapabilities.ts';
import type { Debounce } from './debounce.ts';
import { placesOf } from './documents.ts';
import type { Log } from './guard.ts';
import { positionsOf } from './position.ts';
import { listFilesRequest, readFileRequest, readFolderRequest, rulePageEnd, rulePageScheme } from './protocol.ts';
import { newSession, type Session } from './session.ts';
import type { Target } from './toProtocol.ts';

/** What the place that runs the server gives it. */
export interface Host {
  /** Files of the machine's disk; undefined in the browser. */
  readonly disk: Files | undefined;
  /** What version control knows; undefined in the browser. */
  readonly history: (() => History) | undefined;
  /** Where other programs keep what they fetched. */
  readonly caches: Caches;
  /** Keeps the values of large files; undefined in the browser. */
  readonly kept?: KeptValues | undefined;
  /** Brings in CRDs from elsewhere; undefined in the browser. */
  readonly fetcher: CrdFetcher | undefined;
  /** Asks clusters; undefined in the browser. */
  readonly clusters: ClusterReader | undefined;
  readonly version: string;
  /** The text of a file of server/data, from the folder that the client names; undefined where it is not there. */
  readonly data: (name: DataFile, files: Files, folder: string | undefined) => Promise<string | undefined>;
  /** The address of a rule's documentation. */
  docs(code: string): string | undefined;
  readonly debounce: Debounce;
  /** Resolves once the client has read what was sent before; without it nobody waits. */
  readonly drained?: () => Promise<void>;
}

export interface BaselineEvents {
  /** Called where what is committed changes a verdict. */
  changed(): void;
  /** Called where the setting turns out to name nothing, or to name something again. */
  complained(): void;
}

/** Looks up in the background what is committed of the objects in open files. */
export interface Baselines extends BaselineEvents {
  readonly reader: BaselineReader;
  /** Counts what makes every earlier look stale: a commit, a checkout, a setting. */
  turn: number;
  /** By file: the turn that its baseline is of. */
  readonly looked: Map<string, number>;
  readonly pending: Map<string, Promise<void>>;
  /** Counts answers that waited, to name their timers. */
  waits: number;
  close(): void;
}

/** What every handler works with. The client and the files are known once it has introduced itself. */
export interface Context {
  readonly connection: Connection;
  readonly host: Host;
  readonly session: Session;
  readonly log: Log;
  /** Requests are answered between `initialize` and `shutdown` only. */
  phase: 'new' | 'running' | 'ended';
  client: KnownClient;
  files: Files;
  /** Undefined until the workspace is trusted. */
  baselines: Baselines | undefined;
}

export function newContext(connection: Connection, host: Host): Context {
  const session = { ...newSession(), caches: host.caches, kept: host.kept };
  return {
    connection,
    host,
    session,
    log: (message) => connection.console.error(message),
    phase: 'new',
    client: readClient({} as InitializeParams),
    files: withinTrust(host.disk ?? editorFiles(editorRequests(connection)), session),
    baselines: undefined,
  };
}

/** Until the workspace is trusted, no more is read than what is in it. */
export function withinTrust(files: Files, session: Session): Files {
  return confined(files, () => (session.trusted ? undefined : session.folders));
}

export function editorRequests(connection: Connection): EditorRequests {
  return {
    list: (folder, most) => connection.sendRequest<string[]>(listFilesRequest, { folder, globs: readGlobs, most }),
    read: (uri) => connection.sendRequest<string | null>(readFileRequest, { uri }),
    entries: (folder) => connection.sendRequest<Entry[]>(readFolderRequest, { folder }),
  };
}

/** Where the client finds the page of a rule. */
export function docsOf({ options }: KnownClient, host: Host): Target['docs'] {
  return options.rulePages ? (code) => `${rulePageScheme}:/${code}${rulePageEnd}` : host.docs;
}

/** An open document as answers about it need it; undefined for files that are not open. */
export function targetOf({ session, client, host }: Context, uri: string): Target | undefined {
  const document = session.documents.get(uri);
  if (!document) return undefined;
  return {
    uri,
    version: document.version,
    positions: placesOf(document, client.encoding),
    positionsOf: (other) => {
      if (isShownUri(other) && !client.options.shown) return undefined;
      const text = textAt(session.snapshot, other) ?? outlineAt(session.snapshot, other);
      return text === undefined ? undefined : positionsOf(text, client.encoding);
    },
    docs: docsOf(client, host),
  };
}
