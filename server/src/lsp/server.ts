import type { CancellationToken, Connection } from 'vscode-languageserver';
import { onBug } from '../base/bug.ts';
import { readAround } from './around.ts';
import { checkWorkspace } from './checkWorkspace.ts';
import { answerCodeActions, resolveCodeAction } from './codeActions.ts';
import { executeCommand } from './commands.ts';
import { type Context, type Host, newContext } from './context.ts';
import { answerCosts } from './costs.ts';
import { guarded, guardedNotification } from './guard.ts';
import {
  answerAsVersion,
  answerCompletion,
  answerDefinition,
  answerEnter,
  answerFolding,
  answerGoCrd,
  answerHighlights,
  answerHover,
  answerKnownKinds,
  answerLinks,
  answerOtherVersions,
  answerOutline,
  answerReferences,
  answerRendered,
  answerRulePage,
  answerSelection,
  answerShown,
  answerSignature,
  answerStored,
  answerTokens,
  answerWorkspaceSymbols,
  noCompletions,
  noTokens,
} from './handlers.ts';
import { answerInlayHints } from './inlayHints.ts';
import { answerLenses } from './lenses.ts';
import { ErrorCodes, ResponseError } from './library.ts';
import {
  configurationChanged,
  initialize,
  initialized,
  loadWorkspace,
  startBaselines,
  watchedFilesChanged,
} from './lifecycle.ts';
import { answerPage } from './pages.ts';
import { answerPlaygroundLink } from './playgroundLink.ts';
import {
  asVersionRequest,
  checkRequest,
  costsRequest,
  coverTestsRequest,
  debugTestRequest,
  goCrdRequest,
  kindAtRequest,
  knownKindsRequest,
  otherVersionsRequest,
  pageRequest,
  playgroundLinkRequest,
  playgroundRequest,
  renderedRequest,
  resourcesRequest,
  rulePageRequest,
  runTestsRequest,
  schemaRequest,
  scratchRequest,
  shownRequest,
  showValuesRequest,
  storedRequest,
  testsRequest,
  trustNotification,
  tryRequest,
} from './protocol.ts';
import { startReaders } from './reading.ts';
import { answerPrepareRename, answerRename } from './rename.ts';
import { diagnosticReport, reportAfterReading } from './reporting.ts';
import { answerKindAt, answerSchema } from './schema.ts';
import { answerCoverTests, answerDebugTest, answerRunTests, answerTests, nothingCovered } from './tests.ts';
import { changed, closed, opened } from './textSync.ts';
import { answerPlayground, answerResources, answerScratch, answerShowValues, answerTry } from './trying.ts';

/** Connects every request and notification with its handler, each guarded, and listens. */
export function startServer(connection: Connection, host: Host): void {
  const context = newContext(connection, host);
  onBug((error) => context.log(error.stack ?? error.message));
  listenToLife(context);
  listenToRequests(context);
  connection.listen();
}

function listenToLife(context: Context): void {
  const { connection, log } = context;
  const on = <P>(name: string, handler: (context: Context, params: P) => void | Promise<void>) =>
    guardedNotification<P>(name, log, (params) => (context.phase === 'running' ? handler(context, params) : undefined));
  connection.onInitialize((params) => initialize(context, params));
  connection.onInitialized(on('initialized', initialized));
  connection.onDidOpenTextDocument(on('didOpen', opened));
  connection.onDidChangeTextDocument(on('didChange', changed));
  connection.onDidCloseTextDocument(on('didClose', closed));
  connection.onDidChangeWatchedFiles(on('didChangeWatchedFiles', watchedFilesChanged));
  connection.onDidChangeConfiguration(on('didChangeConfiguration', configurationChanged));
  connection.onShutdown(() => {
    context.phase = 'ended';
    context.baselines?.close();
  });
  connection.onNotification(trustNotification, on('trusted', trusted));
}

async function trusted(context: Context): Promise<void> {
  context.session.trusted = true;
  startBaselines(context);
  startReaders(context);
  reportAfterReading(context);
  await loadWorkspace(context);
  for (const uri of context.session.documents.keys()) await readAround(context, uri);
}

function refuseOutOfTurn({ phase }: Context): void {
  if (phase === 'new') throw new ResponseError(ErrorCodes.ServerNotInitialized, 'the server is not initialized');
  if (phase === 'ended') throw new ResponseError(ErrorCodes.InvalidRequest, 'the server is shutting down');
}

type Handler<P, R> = (params: P, token: CancellationToken) => Promise<R>;

function listenToRequests(context: Context): void {
  const { connection, log, host } = context;
  const on = <P, R>(
    name: string,
    empty: R,
    answer: (context: Context, params: P, token?: CancellationToken) => R | Promise<R>,
  ): Handler<P, R> => {
    const handler = guarded<P, R>(name, empty, log, (params, token) => answer(context, params, token));
    return async (params, token) => {
      refuseOutOfTurn(context);
      // A client that asks and never reads must not fill the memory with answers.
      await host.drained?.();
      return handler(params, token);
    };
  };
  connection.languages.diagnostics.on(on('diagnostic', { kind: 'full', items: [] }, diagnosticReport));
  connection.onHover(on('hover', null, answerHover));
  connection.onCompletion(on('completion', noCompletions, answerCompletion));
  connection.onDocumentOnTypeFormatting(on('onTypeFormatting', [], answerEnter));
  connection.onSignatureHelp(on('signatureHelp', null, answerSignature));
  connection.onDefinition(on('definition', [], answerDefinition));
  connection.onReferences(on('references', [], answerReferences));
  connection.onDocumentHighlight(on('documentHighlight', [], answerHighlights));
  connection.onPrepareRename(on('prepareRename', null, answerPrepareRename));
  connection.onRenameRequest(on('rename', null, answerRename));
  connection.onDocumentSymbol(on('documentSymbol', [], answerOutline));
  connection.onFoldingRanges(on('foldingRange', null, answerFolding));
  connection.onSelectionRanges(on('selectionRange', null, answerSelection));
  connection.onDocumentLinks(on('documentLink', [], answerLinks));
  connection.languages.semanticTokens.on(on('semanticTokens', noTokens, answerTokens));
  connection.languages.semanticTokens.onRange(on('semanticTokensRange', noTokens, answerTokens));
  connection.onWorkspaceSymbol(on('workspaceSymbol', [], answerWorkspaceSymbols));
  connection.languages.inlayHint.on(on('inlayHint', [], answerInlayHints));
  connection.onRequest(rulePageRequest, on('rulePage', null, answerRulePage));
  connection.onRequest(storedRequest, on('stored', null, answerStored));
  connection.onRequest(goCrdRequest, on('goCrd', null, answerGoCrd));
  connection.onRequest(renderedRequest, on('rendered', null, answerRendered));
  connection.onRequest(pageRequest, on('page', null, answerPage));
  connection.onRequest(tryRequest, on('try', null, answerTry));
  connection.onRequest(scratchRequest, on('scratch', null, answerScratch));
  connection.onRequest(playgroundRequest, on('playground', '', answerPlayground));
  connection.onRequest(playgroundLinkRequest, on('playgroundLink', { names: [] }, answerPlaygroundLink));
  connection.onRequest(resourcesRequest, on('resources', [], answerResources));
  connection.onRequest(showValuesRequest, on('showValues', null, answerShowValues));
  connection.onRequest(costsRequest, on('costs', [], answerCosts));
  connection.onRequest(kindAtRequest, on('kindAt', null, answerKindAt));
  connection.onRequest(schemaRequest, on('schema', [], answerSchema));
  connection.onRequest(otherVersionsRequest, on('otherVersions', [], answerOtherVersions));
  connection.onRequest(asVersionRequest, on('asVersion', '', answerAsVersion));
  connection.onRequest(shownRequest, on('shown', null, answerShown));
  connection.onRequest(testsRequest, on('tests', [], answerTests));
  connection.onCodeLens(on('codeLens', [], answerLenses));
  connection.onRequest(debugTestRequest, on('debugTest', null, answerDebugTest));
  connection.onRequest(runTestsRequest, on('runTests', [], answerRunTests));
  connection.onRequest(coverTestsRequest, on('coverTests', nothingCovered, answerCoverTests));
  connection.onRequest(knownKindsRequest, on('knownKinds', [], answerKnownKinds));
  connection.onRequest(
    checkRequest,
    on('check', { checked: 0, errors: 0, others: 0, tests: 0 }, (all) => checkWorkspace(all)),
  );
  connection.onExecuteCommand(on('executeCommand', null, executeCommand));
  connection.onCodeAction(on('codeAction', [], answerCodeActions));
  connection.onCodeActionResolve((action, token) => on('codeActionResolve', action, resolveCodeAction)(action, token));
}
