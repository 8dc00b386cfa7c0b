import {
  type CancellationToken,
  type CodeLens,
  type CodeLensParams,
  CodeLensRefreshRequest,
  type Command,
} from 'vscode-languageserver';
import { crdLenses, kindsIn } from '../features/crdLenses.ts';
import { caseLenses, ruleLenses } from '../features/crdtests/lenses.ts';
import type { Lens } from '../features/lens.ts';
import type { Location } from '../features/location.ts';
import { type Files, isTestFile } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { fileAt, settingsFor } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { type Context, targetOf } from './context.ts';
import { lensPause } from './debounce.ts';
import { cancelled } from './guard.ts';
import { positionsOf } from './position.ts';
import {
  debugTestCommand,
  debugTestHere,
  runTestsCommand,
  runTestsHere,
  showTestsCommand,
  showTestsHere,
} from './protocol.ts';
import { filesWithKind } from './session.ts';
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
  const to = targetOf(context, uri);
  if (!to) return [];
  if (isTestFile(uri)) return caseLenses(session.snapshot, uri).map((lens) => toLens(context, to, lens, []));
  const file = fileAt(session.snapshot, uri);
  if (!file?.definesKinds) return [];
  await Promise.all([session.loaded, quiet()]);
  const isOld = () => token?.isCancellationRequested || session.documents.get(uri)?.version !== to.version;
  if (isOld()) throw cancelled();
  const off = settingsFor(session.snapshot, uri).codeLens;
  const tests = off.has('rules') ? [] : await testFiles(context);
  const resources = off.has('versions') && off.has('resources') ? [] : await resourceFiles(context, uri);
  if (isOld()) throw cancelled();
  const { snapshot } = session;
  const lenses = [...crdLenses(snapshot, uri, resources), ...ruleLenses(snapshot, uri, tests)];
  return lenses.map((lens) => toLens(context, to, lens, [...tests, ...resources]));
}

/** The files of the workspace that name a kind of a file. */
async function resourceFiles({ session, files }: Context, uri: string): Promise<SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const kind of kindsIn(session.snapshot, uri)) {
    for await (const file of filesWithKind(session, files, kind, (text) => text.includes(kind)))
      found.set(file.uri, file);
  }
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

function toLens(context: Context, to: Target, lens: Lens, tests: readonly SourceFile[]): CodeLens {
  const range = to.positions.toRange(lens.range);
  return { range, command: commandOf(context, to, lens, tests, range) };
}

/** Clients with a view of tests have commands of their own; for the others the server answers. */
function commandOf(
  { client }: Context,
  { uri }: Target,
  { title, does }: Lens,
  tests: readonly SourceFile[],
  { start }: CodeLens['range'],
): Command {
  const ours = client.options.tests ?? false;
  if (!does) return { title, command: '' };
  if ('run' in does) {
    const ids = does.run === 'all' ? [] : [does.run];
    return { title, command: ours ? runTestsHere : runTestsCommand, arguments: [uri, ...ids] };
  }
  if ('debug' in does) return { title, command: ours ? debugTestHere : debugTestCommand, arguments: [uri, does.debug] };
  const toPlace = ({ uri: of, range }: Location) => {
    const text = tests.find((file) => file.uri === of)?.text ?? '';
    return { uri: of, range: positionsOf(text, client.encoding).toRange(range) };
  };
  return { title, command: ours ? showTestsHere : showTestsCommand, arguments: [uri, start, does.show.map(toPlace)] };
}

/** Something has changed that lenses of other files may show. */
export function refreshLensesLater({ client, host, connection }: Context): void {
  if (!client.refreshesLenses) return;
  host.debounce('lenses', lensPause, () => {
    void connection.sendRequest(CodeLensRefreshRequest.type);
  });
}
