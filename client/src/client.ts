import * as vscode from 'vscode';
import { type BaseLanguageClient, type LanguageClientOptions, State } from 'vscode-languageclient';
import {
  type Checked,
  checkRequest,
  copyCommand,
  type FolderEntry,
  goMarkers,
  type InitializationOptions,
  isYaml,
  type ListFiles,
  listFilesRequest,
  type ReadFile,
  type ReadFolder,
  readFileRequest,
  readFolderRequest,
  type Served,
  type Status,
  servedNotification,
  statusNotification,
  trustNotification,
  yamlGlobs,
} from '../../server/src/lsp/protocol.ts';
import { besideHelm, followOthers, hasHelmServer } from './besideHelm.ts';
import { costs } from './costs.ts';
import { fetching } from './fetching.ts';
import { firstSteps } from './firstSteps.ts';
import { goCrd } from './goCrd.ts';
import { keptCommands } from './keptCommands.ts';
import { knownKinds } from './knownKinds.ts';
import { hasKubernetesExtension, tellAboutKubernetesExtension } from './kubernetesExtension.ts';
import { missingCrds } from './missingCrds.ts';
import { pages } from './pages.ts';
import { preview } from './preview.ts';
import { rendered } from './rendered.ts';
import { rulePages } from './rulePages.ts';
import { schemaView } from './schemaView.ts';
import { selectVersion } from './selectVersion.ts';
import { shownCrds } from './shownCrds.ts';
import { statusItem } from './statusItem.ts';
import { tests } from './tests.ts';
import { trying } from './trying.ts';
import { webPlayground } from './webPlayground.ts';
import { entriesOf, filesBelow, mostFolders } from './workspaceFiles.ts';
import { hasYamlExtension, knowsKubernetes, leaveToUs } from './yamlExtension.ts';

export const clientId = 'kubeCrd';
export const clientName = 'Kubernetes CRD & CEL';

export function clientOptions(
  log: vscode.LogOutputChannel,
  { extensionUri }: vscode.ExtensionContext,
): LanguageClientOptions {
  const initializationOptions: InitializationOptions = {
    trusted: vscode.workspace.isTrusted,
    files: true,
    copy: true,
    suggests: true,
    crdCommands: true,
    picks: true,
    shown: true,
    yamlExtension: hasYamlExtension(),
    builtinElsewhere: hasKubernetesExtension() || knowsKubernetes(),
    templatesElsewhere: hasHelmServer(),
    data: vscode.Uri.joinPath(extensionUri, 'dist/server').toString(),
    rulePages: true,
    tests: true,
    tries: true,
  };
  return {
    documentSelector: [
      { language: 'yaml' },
      { language: 'helm' },
      { pattern: `**/{${yamlGlobs.join(',')}}` },
      { language: 'go' },
    ],
    initializationOptions,
    outputChannel: log,
    middleware: { ...besideHelm(), provideCodeActions: keptCommands() },
    synchronize: { configurationSection: clientId },
    markdown: { isTrusted: false },
  };
}

/**
 * Everything that both hosts share, once each has made its kind of client. `ended` waits until a server that was
 * stopped has ended.
 */
export async function serve(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  log: vscode.LogOutputChannel,
  ended: () => Promise<void>,
) {
  const status = statusItem(context.extension.id);
  const steps = firstSteps(context);
  const offerMissing = missingCrds(context);
  const served = new Set<string>();
  const start = once(async () => {
    status.begin();
    await client.start();
    if (hasYamlExtension()) await leaveToUs(served, log);
    await tellAboutKubernetesExtension(context);
  });
  context.subscriptions.push(
    status,
    steps,
    client.onNotification(statusNotification, (to: Status) => {
      status.show(to);
      steps.show(to);
      offerMissing(to);
    }),
    client.onDidChangeState(({ newState }) => (newState === State.Stopped ? status.ended() : undefined)),
    client.onNotification(servedNotification, ({ uris }: Served) => {
      served.clear();
      for (const uri of uris) served.add(vscode.Uri.parse(uri).toString());
    }),
    client.onRequest(readFileRequest, readFile),
    client.onRequest(listFilesRequest, (asked: ListFiles) => listFiles(asked, log)),
    client.onRequest(readFolderRequest, readFolder),
    vscode.workspace.onDidGrantWorkspaceTrust(() => client.sendNotification(trustNotification)),
    preview(client, start),
    pages(client, start),
    rulePages(client, start),
    selectVersion(context),
    knownKinds(client, start),
    tests(client, start),
    trying(context, client, start),
    costs(context, client, start),
    goCrd(client, start),
    webPlayground(client, start),
    rendered(client, start),
    schemaView(client, start),
    fetching(client, start),
    shownCrds(client, start),
    followOthers(client),
    vscode.commands.registerCommand('kubeCrd.restart', () => restart(client, log, ended)),
    vscode.commands.registerCommand('kubeCrd.check', async () => {
      await start();
      await check(client);
    }),
    vscode.commands.registerCommand(copyCommand, copy),
    vscode.commands.registerCommand('kubeCrd.showLog', () => log.show()),
  );
  await whenWanted(context, start);
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}

/** Without a YAML file, and without the wish to have the whole workspace checked, there is nothing to do. */
async function whenWanted(context: vscode.ExtensionContext, start: () => Promise<void>): Promise<void> {
  const isOurs = (document: vscode.TextDocument) =>
    document.languageId === 'yaml' ||
    document.languageId === 'helm' ||
    isYaml(document.fileName) ||
    (document.languageId === 'go' && hasMarkers(document));
  const checksAll = () => vscode.workspace.getConfiguration(clientId).get('check') === 'workspace';
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument((document) => (isOurs(document) ? start() : undefined)),
    vscode.workspace.onDidChangeTextDocument((change) => (beginsMarker(change) ? start() : undefined)),
    vscode.workspace.onDidChangeConfiguration(() => (checksAll() ? start() : undefined)),
  );
  if (checksAll() || vscode.workspace.textDocuments.some(isOurs)) await start();
}

/** Other Go files are none of ours. */
function hasMarkers(document: vscode.TextDocument, text = document.getText()): boolean {
  const isWanted = vscode.workspace.getConfiguration(clientId, document).get('go') !== false;
  return isWanted && goMarkers.test(text);
}

/** The first marker of a Go file is being typed. */
function beginsMarker({ document, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
  if (document.languageId !== 'go') return false;
  return contentChanges.some(({ range: { start }, text }) =>
    hasMarkers(document, `${document.lineAt(Math.min(start.line, document.lineCount - 1)).text}\n${text}`),
  );
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', text), 5000);
}

/** How long a server may take to end before it counts as hung. */
const patienceMs = 3_000;

async function restart(
  client: BaseLanguageClient,
  log: vscode.LogOutputChannel,
  ended: () => Promise<void>,
): Promise<void> {
  try {
    await client.stop(patienceMs);
  } catch (error) {
    log.warn(`the server did not stop by itself: ${error instanceof Error ? error.message : error}`);
  }
  await ended();
  await client.start();
}

async function check(client: BaseLanguageClient): Promise<void> {
  const { checked, errors, others, tests } = await client.sendRequest<Checked>(checkRequest);
  const files = checked === 1 ? vscode.l10n.t('1 file checked') : vscode.l10n.t('{0} files checked', checked);
  const found = [
    errors === 1 ? vscode.l10n.t('1 error') : vscode.l10n.t('{0} errors', errors),
    others === 1 ? vscode.l10n.t('1 warning or note') : vscode.l10n.t('{0} warnings and notes', others),
  ].filter((_, i) => [errors, others][i]! > 0);
  const [first = vscode.l10n.t('no problems'), second] = found;
  const said =
    second === undefined
      ? vscode.l10n.t('{0}: {1}.', files, first)
      : vscode.l10n.t('{0}: {1} and {2}.', files, first, second);
  const left = tests === 0 ? '' : ` ${vscode.l10n.t('Files of test data that were left out: {0}.', tests)}`;
  void vscode.window.showInformationMessage(said + left);
}

/** Bytes travel as base64, since the protocol is JSON. A file that is not there, or not ours to read, is null. */
async function readFile({ uri }: ReadFile): Promise<string | null> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri, true));
    return base64(bytes);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return null;
    throw error;
  }
}

function base64(bytes: Uint8Array): string {
  const chunk = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(text);
}

async function listFiles({ folder, globs, most }: ListFiles, log: vscode.LogOutputChannel): Promise<string[]> {
  const found = await filesBelow(folderAt(folder), globs, most, () =>
    log.warn(`only the first ${mostFolders} folders of ${folder} were looked through: the editor cannot search there`),
  );
  return found.map((uri) => uri.toString());
}

async function readFolder({ folder }: ReadFolder): Promise<FolderEntry[]> {
  const entries = await entriesOf(folderAt(folder));
  return entries.map(([name, type]) => ({ name, isFolder: type === vscode.FileType.Directory }));
}

/** The root of a file system comes without its slash, and has no path then. */
function folderAt(address: string): vscode.Uri {
  const uri = vscode.Uri.parse(address, true);
  return uri.path === '' ? uri.with({ path: '/' }) : uri;
}
