import type { ExecuteCommandParams } from 'vscode-languageserver';
import { counted } from '../base/text.ts';
import { featuresOf } from '../features/languages/languages.ts';
import { type ChangedCrd, changedCrd, changesPage, type Placed } from '../features/views/crdChanges.ts';
import { type CrdChange, judgedInCluster, usualPage } from '../rules/changes/storedKind.ts';
import type { ClusterReader } from '../workspace/clusterReader.ts';
import { FetchFailure, type FetchTools } from '../workspace/fetcher.ts';
import { metadataText } from '../workspace/manifest.ts';
import { fileAt } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { shownUri } from '../workspace/sources/shown.ts';
import { clusterFiles, releaseLike, storedCrdText, storedSide } from '../workspace/storedCrds.ts';
import { nameIn, testDataFolder } from '../workspace/uri.ts';
import { crdsFrom } from '../workspace/xrd.ts';
import { type Choice, picked, tell, withProgress } from './asking.ts';
import { checkAllLater } from './checkWorkspace.ts';
import type { Context } from './context.ts';
import { MessageType } from './library.ts';
import { clusterPageEnd, judgeAsClusterCommand, leaveClusterCommand } from './protocol.ts';
import { judgedAsText, lookForKinds, refresh, sendStatus } from './reporting.ts';
import { judgeAs, renewLibrary } from './session.ts';
import { pauses } from './steps.ts';

// Commands that ask a cluster: what it stores, and what it judges by. Nothing is asked without them.

export async function executeCluster(
  context: Context,
  { command, arguments: args = [] }: ExecuteCommandParams,
): Promise<string | null> {
  const { host, session } = context;
  if (command === leaveClusterCommand) return stopJudging(context);
  const fails = (why: string) => tell(context, MessageType.Error, why);
  if (!host.clusters) {
    fails('Clusters cannot be asked here: that takes a machine to run kubectl on.');
    return null;
  }
  if (!session.trusted) {
    fails('Clusters are asked only in a workspace that you trust, and this one is in Restricted Mode.');
    return null;
  }
  const [uri, name] = args.map((one) => (typeof one === 'string' ? one : undefined));
  const judges = command === judgeAsClusterCommand;
  try {
    return await (judges ? judgeAsCluster(context, host.clusters, name) : compare(context, host.clusters, uri, name));
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    const what = judges ? 'Files are judged as before' : 'The cluster was not compared';
    if (error.message !== cancelledText) fails(`${what}: ${error.message}.`);
    return null;
  }
}

const cancelledText = 'cancelled';

/** One of the user's contexts, each with what will be run for it: nothing is asked of a cluster before. */
export async function chosenContext(
  context: Context,
  { contexts }: { contexts(tools: FetchTools): Promise<readonly string[]> },
  title: string,
  detail: (context: string) => string,
): Promise<string | undefined> {
  const all = await withProgress(context, 'Asking kubectl for its contexts', (tools) => contexts(tools));
  if (all.length === 0) throw new FetchFailure('kubectl knows no context');
  return picked(
    context,
    title,
    all.map((name) => ({ label: name, detail: detail(name), gives: () => name })),
  );
}

/** Says what the CRDs at hand would do to what a cluster stores. Gives the page. */
async function compare(
  context: Context,
  reader: ClusterReader,
  uri: string | undefined,
  given: string | undefined,
): Promise<string | null> {
  await context.session.loaded;
  const crds = await chosenCrds(context, uri);
  if (!crds) return null;
  const names = [...crds.keys()];
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  const detail = (name: string) => `kubectl version, get crd and get --raw of ${shown}, --context=${name}; read-only`;
  const name = given ?? (await chosenContext(context, reader, `Compare ${shown} with which cluster?`, detail));
  if (name === undefined) return null;
  const title = `Comparing with cluster ${name}`;
  const all = await withProgress(context, title, (tools) => changesThere(crds, name, reader, tools));
  const page = changesPage(all, `What changes for cluster ${name}`, nameIn(context.session.folders)).source;
  return shownPage(context, name, page);
}

/** The page as a client shows it: by an address, or as its text. */
function shownPage({ session, client, connection }: Context, name: string, page: string): string {
  if (!client.options.shown) {
    connection.console.info(page);
    return page;
  }
  const uri = shownUri(`${++session.results}`, `${name}${clusterPageEnd}`);
  session.clusterPages.set(uri, page);
  const [oldest] = session.clusterPages.keys();
  if (session.clusterPages.size > mostPages && oldest !== undefined) session.clusterPages.delete(oldest);
  return uri;
}

/** As many as anybody has open; older ones are made again by the command. */
const mostPages = 20;

type Crds = ReadonlyMap<string, Placed>;

/** The CRDs of the file at hand, or all of the workspace, as the user chooses where both may be meant. */
async function chosenCrds(context: Context, uri: string | undefined): Promise<Crds | undefined> {
  const { snapshot } = context.session;
  const made = uri === undefined ? undefined : featuresOf(snapshot, uri).madeFile?.(snapshot, uri);
  const file = uri === undefined ? undefined : fileAt(made?.snapshot ?? snapshot, made?.uri ?? uri);
  const here = crdsOf(file ? [file] : []);
  const everywhere = crdsOf(ownFiles(context));
  if (here.size === 0 && everywhere.size === 0) throw new FetchFailure('there is no CRD in this workspace');
  if (here.size === 0) return everywhere;
  if ([...everywhere.keys()].every((name) => here.has(name))) return here;
  const row = (label: string, crds: Crds): Choice<Crds> => ({
    label,
    detail: counted(crds.size, 'CRD'),
    gives: () => crds,
  });
  return picked(context, 'Compare which CRDs with a cluster?', [
    row('Those of this file', here),
    row('All of this workspace', everywhere),
  ]);
}

/** Files of the workspace itself, without test data. */
function ownFiles({ session: { snapshot } }: Context): SourceFile[] {
  const uris = new Set([...snapshot.open.keys(), ...snapshot.onDisk.keys()]);
  return [...uris].flatMap((uri) => {
    const file = fileAt(snapshot, uri);
    const isOwn = file?.definesKinds && !file.origin && !file.ignored && testDataFolder(uri) === undefined;
    return isOwn ? [file] : [];
  });
}

/** The CRDs of files by name; of several of a name, the first. */
function crdsOf(files: readonly SourceFile[]): Crds {
  const found = new Map<string, Placed>();
  for (const file of files)
    for (const manifest of file.manifests.flatMap(crdsFrom)) {
      const name = metadataText(manifest, 'name');
      if (name !== '' && !found.has(name)) found.set(name, { file, manifest });
    }
  return found;
}

async function changesThere(crds: Crds, name: string, reader: ClusterReader, tools: FetchTools): Promise<ChangedCrd[]> {
  const { release } = releaseLike(await reader.version(name, tools));
  const there = crdsOf(storedSide(await reader.crds(name, [...crds.keys()], tools), name));
  if (there.size === 0) throw new FetchFailure(`cluster ${name} has none of these CRDs`);
  const changes = new Map<string, CrdChange>();
  for (const [crd, { manifest }] of there)
    changes.set(crd, { old: manifest.value, now: crds.get(crd)!.manifest.value });
  const pause = pauses(() => false);
  const left: string[] = [];
  const stored = await judgedInCluster(changes, name, { pageSize: usualPage }, release, reader, {
    signal: tools.signal,
    say: tools.say,
    step: async (count, crd) => {
      if (count % usualPage === 0) tools.say(`${count} objects of ${crd}`);
      await pause();
      if (tools.signal.aborted) throw new FetchFailure(cancelledText);
    },
    over: () => {},
    leftOut: (why) => left.push(why),
    unread: (why) => {
      if (why !== undefined) left.push(why);
    },
  });
  return [...crds].map(([crd, now]) => {
    const changed = changedCrd(there.get(crd), now, [], name, release);
    const notes = left.filter((why) => why.startsWith(`${crd} `));
    return { ...changed, notes: [...changed.notes, ...notes], stored: stored.get(crd) };
  });
}

/** From now on files are judged by a cluster's CRDs and its version. */
async function judgeAsCluster(context: Context, reader: ClusterReader, given: string | undefined): Promise<null> {
  const detail = (name: string) => `kubectl version and get crd -o json, --context=${name}; read-only`;
  const name = given ?? (await chosenContext(context, reader, 'Judge as which cluster?', detail));
  if (name === undefined) return null;
  const cluster = await withProgress(context, `Asking cluster ${name} what it judges by`, async (tools) => {
    const version = await reader.version(name, tools);
    const stored = await reader.crds(name, undefined, tools);
    const pause = pauses(() => false);
    const texts: string[] = [];
    for (const crd of stored) {
      texts.push(storedCrdText(crd));
      await pause();
      if (tools.signal.aborted) throw new FetchFailure(cancelledText);
    }
    return { context: name, version, crds: clusterFiles({ context: name, texts }) };
  });
  takeAs(context, cluster);
  tell(context, MessageType.Info, `Files are judged as cluster ${name} would. ${judgedAsText(cluster).said}`);
  return null;
}

function stopJudging(context: Context): null {
  const { cluster } = context.session;
  if (!cluster) tell(context, MessageType.Info, 'Files are not judged as a cluster.');
  else takeAs(context, undefined);
  return null;
}

/** Everything is looked for and judged again. */
function takeAs(context: Context, cluster: Parameters<typeof judgeAs>[1]): void {
  const { session, files } = context;
  judgeAs(session, cluster);
  renewLibrary(session, files);
  lookForKinds(context);
  sendStatus(context);
  refresh(context);
  checkAllLater(context);
}
