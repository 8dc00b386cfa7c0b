import type {
  CancellationToken,
  CodeLens,
  CodeLensParams,
  Command,
  Location as ProtocolLocation,
} from 'vscode-languageserver';
import { featuresOf } from '../features/languages/languages.ts';
import type { Lens } from '../features/lenses/lens.ts';
import { kindItself } from '../features/navigate/references.ts';
import type { Location } from '../features/place/location.ts';
import type { Definition } from '../workspace/definitions.ts';
import { isTestFile } from '../workspace/fileNames.ts';
import type { Files } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { settingsFor } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { type Context, targetOf } from './context.ts';
import { lensPause } from './debounce.ts';
import { cancelled } from './guard.ts';
import { filesUsing } from './handlers.ts';
import { CodeLensRefreshRequest } from './library.ts';
import { type Positions, positionsOf } from './position.ts';
import {
  debugTestCommand,
  debugTestHere,
  runTestsCommand,
  runTestsHere,
  showChangesHere,
  showTestsCommand,
  showTestsHere,
  tryHere,
} from './protocol.ts';
import { readSettled } from './reading.ts';
import { inSteps } from './steps.ts';
import type { Target } from './toProtocol.ts';

/**
 * Lines above cases and rules. Those over rules take the tests of the whole workspace to run against a CRD, so they wait
 * until nobody types.
 */
export async function answerLenses(
  context: Context,
  { textDocument: { uri } }: CodeLensParams,
  token?: CancellationToken,
): Promise<CodeLens[]> {
  const { session } = context;
  await readSettled(context, uri);
  const to = targetOf(context, uri);
  if (!to) return [];
  const { lenses, kindLenses } = featuresOf(session.snapshot, uri);
  // There is nothing but a view behind some of them.
  const isOffered = ({ does }: Lens) =>
    context.client.options.tries || !(does && 'page' in does && does.page === 'try');
  const own = (lenses?.(session.snapshot, uri) ?? []).filter(isOffered);
  const delivered =
    own.length > 0 ? [...session.snapshot.delivery.files.values(), ...session.snapshot.open.values()] : [];
  const known = own.map((lens) => toLens(context, to, lens, placesIn(delivered, context)));
  const kinds = kindLenses?.kinds(session.snapshot, uri) ?? [];
  if (!kindLenses || kinds.length === 0) return known;
  await Promise.all([session.loaded, quiet()]);
  const isOld = () => token?.isCancellationRequested || session.documents.get(uri)?.version !== to.version;
  if (isOld()) throw cancelled();
  const off = settingsFor(session.snapshot, uri).codeLens;
  const tests = off.has('rules') ? [] : await testFiles(context);
  const resources = off.has('versions') && off.has('resources') ? [] : await resourceFiles(context, kinds);
  if (isOld()) throw cancelled();
  const more = await inSteps(kindLenses.make(session.snapshot, uri, { resources, tests }), isOld);
  const place = placesIn([...tests, ...resources], context);
  return [...known, ...more.map((lens) => toLens(context, to, lens, place))];
}

/** The files of the workspace that may hold resources of some kinds. */
async function resourceFiles(context: Context, kinds: readonly Definition[]): Promise<SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const definition of kinds)
    for await (const file of filesUsing(context, kindItself(definition))) found.set(file.uri, file);
  return [...found.values()];
}

function quiet(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, lensPause);
  });
}

/** The files of tests of the workspace, open ones as they are in the editor. The others are read once, and kept. */
export async function testFiles({ session, files, client }: Context): Promise<SourceFile[]> {
  // What was kept is up to date only where the client tells of changes.
  if (!client.registersWatchers) session.tests = undefined;
  session.tests ??= await listTests(session.folders, files);
  const kept = session.tests;
  for (const [uri, known] of kept) {
    const text = known ? undefined : textOf(await files.read(uri, defaultLimits.fileBytes));
    if (text !== undefined) kept.set(uri, sourceFile(uri, text));
  }
  const { open } = session.snapshot;
  const closed = [...kept.values()].flatMap((file) => (file && !open.has(file.uri) ? [file] : []));
  return [...[...open.values()].filter(({ uri }) => isTestFile(uri)), ...closed];
}

async function listTests(folders: readonly string[], files: Files): Promise<Map<string, SourceFile | undefined>> {
  const lists: string[][] = [];
  for (const folder of folders) lists.push([...(await files.list(folder, defaultLimits.files)).uris]);
  return new Map(
    lists
      .flat()
      .filter(isTestFile)
      .map((uri) => [uri, undefined]),
  );
}

/** Places of files as the protocol has them; the lines of a file are looked for once. */
type ToPlace = (location: Location) => ProtocolLocation;

function placesIn(files: readonly SourceFile[], { client }: Context): ToPlace {
  const texts = new Map(files.map(({ uri, text }) => [uri, text]));
  const positions = new Map<string, Positions>();
  return ({ uri, range }) => {
    const own = positions.get(uri) ?? positionsOf(texts.get(uri) ?? '', client.encoding);
    positions.set(uri, own);
    return { uri, range: own.toRange(range) };
  };
}

function toLens(context: Context, to: Target, lens: Lens, toPlace: ToPlace): CodeLens {
  const range = to.positions.toRange(lens.range);
  return { range, command: commandOf(context, to, lens, toPlace, range) };
}

/** Clients with a view of tests have commands of their own; for the others the server answers. */
function commandOf(
  { client }: Context,
  { uri }: Target,
  { title, does }: Lens,
  toPlace: ToPlace,
  { start }: CodeLens['range'],
): Command {
  const ours = client.options.tests ?? false;
  if (!does) return { title, command: '' };
  // Pages are for clients that have views of their own, as that of tests is.
  if ('page' in does && does.page === 'try') return { title, command: tryHere, arguments: [uri, start] };
  if ('page' in does) return { title, command: ours ? showChangesHere : '' };
  if ('run' in does) {
    const ids = does.run === 'all' ? [] : [does.run];
    return { title, command: ours ? runTestsHere : runTestsCommand, arguments: [uri, ...ids] };
  }
  if ('debug' in does) return { title, command: ours ? debugTestHere : debugTestCommand, arguments: [uri, does.debug] };
  return { title, command: ours ? showTestsHere : showTestsCommand, arguments: [uri, start, does.show.map(toPlace)] };
}

/** Something has changed that lenses of other files may show. */
export function refreshLensesLater({ client, host, connection }: Context): void {
  if (!client.refreshesLenses) return;
  host.debounce('lenses', lensPause, () => {
    void connection.sendRequest(CodeLensRefreshRequest.type);
  });
}
