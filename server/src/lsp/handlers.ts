import type {
  CancellationToken,
  CompletionParams,
  DocumentHighlight,
  DocumentLink,
  DocumentLinkParams,
  DocumentOnTypeFormattingParams,
  DocumentSymbol,
  DocumentSymbolParams,
  FoldingRange,
  FoldingRangeParams,
  Hover,
  CompletionList as ProtocolCompletions,
  Location as ProtocolLocation,
  SignatureHelp as ProtocolSignatureHelp,
  ReferenceParams,
  SelectionRange,
  SelectionRangeParams,
  SemanticTokens,
  SemanticTokensParams,
  SemanticTokensRangeParams,
  SymbolInformation,
  TextDocumentPositionParams,
  TextEdit,
  WorkspaceSymbolParams,
} from 'vscode-languageserver';
import { append } from '../base/append.ts';
import { asVersion, versionsOfResources } from '../features/asVersion.ts';
import { outlineAt } from '../features/builtinOutline.ts';
import { colors } from '../features/cel/colors.ts';
import { signatureHelp } from '../features/cel/signature.ts';
import { complete, wantsBuiltin } from '../features/complete.ts';
import { definitionAt } from '../features/definition.ts';
import { folds } from '../features/folding.ts';
import { colorsGo, completeGo, definitionGo, hoverGo, signatureGo } from '../features/golang/inRules.ts';
import { crdAt, crdNamed } from '../features/golang/shownCrd.ts';
import { originInTypes, writtenIn } from '../features/golang/written.ts';
import { hover } from '../features/hover.ts';
import { countKinds, knownKinds, sourceOf } from '../features/knownKinds.ts';
import { links } from '../features/links.ts';
import type { Location } from '../features/location.ts';
import { onEnter } from '../features/onEnter.ts';
import { storedText } from '../features/preview.ts';
import {
  declarationOf,
  highlights,
  mayUse,
  usesIn,
  usesInItsCrd,
  type Wanted,
  wantedAt,
} from '../features/references.ts';
import { expressionSelection, selectionAt } from '../features/selection.ts';
import { outline, workspaceSymbols } from '../features/symbols.ts';
import { rulePage } from '../rules/model/page.ts';
import type { Provided } from '../workspace/settings.ts';
import { fileAt, settingsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { objects } from './checkWorkspace.ts';
import { type Context, targetOf } from './context.ts';
import { goCrds, goSettled, goView } from './golang.ts';
import { cancelled } from './guard.ts';
import { kindsSettled, readBuiltin } from './kinds.ts';
import { positionsOf } from './position.ts';
import type {
  AsVersion,
  GoCrd,
  GoCrdShown,
  KnownKind,
  OtherVersion,
  OtherVersions,
  RulePage,
  Shown,
  Stored,
} from './protocol.ts';
import { filesThat, filesWithKind } from './session.ts';
import {
  markup,
  type Target,
  toDocumentSymbol,
  toFlatSymbols,
  toFoldingRange,
  toLocation,
  toMarkdownLink,
  toProtocolCompletion,
  toProtocolLink,
  toSelectionRange,
  toSemanticTokens,
  toSignatureHelp,
  toWorkspaceSymbol,
} from './toProtocol.ts';

// Answers to the client's requests, one small function each: positions in, the feature, positions out.

interface Asked {
  readonly to: Target;
  readonly offset: number;
}

/** The open document and the offset that a request is about. */
function askedAt(context: Context, { textDocument, position }: TextDocumentPositionParams): Asked | undefined {
  const to = targetOf(context, textDocument.uri);
  return to && { to, offset: to.positions.toOffset(position) };
}

export function answerHover(context: Context, params: TextDocumentPositionParams): Hover | null {
  const { snapshot } = context.session;
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(snapshot, asked.to.uri).hover) return null;
  const view = goView(context, asked.to.uri);
  const found = view ? hoverGo(snapshot, view, asked.offset) : hover(snapshot, asked.to.uri, asked.offset);
  if (!found) return null;
  const range = asked.to.positions.toRange(found.range);
  const link = found.definedIn && toMarkdownLink(found.definedIn, asked.to);
  const value = link === undefined ? found.markdown : `${found.markdown}\n\nDefined in ${link}`;
  return { contents: markup(value, context.client.markdownHover), range };
}

export const noCompletions: ProtocolCompletions = { isIncomplete: false, items: [] };

/** What begins something new in the markers of Go files, in whose comments editors ask for nothing else by themselves. */
export const inMarkers: readonly string[] = ['+', '=', ',', '"'];

export async function answerCompletion(context: Context, params: CompletionParams): Promise<ProtocolCompletions> {
  const first = askedAt(context, params);
  if (first && wantsBuiltin(context.session.snapshot, first.to.uri, first.offset)) await readBuiltin(context);
  // The document may be another by now.
  const { snapshot, loading } = context.session;
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(snapshot, asked.to.uri).completion) return noCompletions;
  const view = goView(context, asked.to.uri);
  if (!view && inMarkers.includes(params.context?.triggerCharacter ?? '')) return noCompletions;
  const found = view ? completeGo(snapshot, view, asked.offset) : complete(snapshot, asked.to.uri, asked.offset);
  const items = found.map((item) => toProtocolCompletion(item, asked.to, context.client));
  // While the workspace is being read more kinds may come to be known: the editor asks again.
  return { isIncomplete: loading, items };
}

/** After Enter below a key that takes a map or list: the blanks that its content wants. */
export function answerEnter(context: Context, params: DocumentOnTypeFormattingParams): TextEdit[] {
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(context.session.snapshot, asked.to.uri).completion) return [];
  return onEnter(context.session.snapshot, asked.to.uri, asked.offset).map(({ range, text }) => ({
    range: asked.to.positions.toRange(range),
    newText: text,
  }));
}

export function answerSignature(context: Context, params: TextDocumentPositionParams): ProtocolSignatureHelp | null {
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(context.session.snapshot, asked.to.uri).signatureHelp) return null;
  const { snapshot } = context.session;
  const view = goView(context, asked.to.uri);
  const help = view ? signatureGo(snapshot, view, asked.offset) : signatureHelp(snapshot, asked.to.uri, asked.offset);
  return help ? toSignatureHelp(help, context.client) : null;
}

/** The same, where the user wants to be led about. */
export function navigable(context: Context, params: TextDocumentPositionParams): Asked | undefined {
  const asked = askedAt(context, params);
  return asked && settingsFor(context.session.snapshot, asked.to.uri).navigation ? asked : undefined;
}

export function answerDefinition(context: Context, params: TextDocumentPositionParams): ProtocolLocation[] {
  const asked = navigable(context, params);
  if (!asked) return [];
  const { snapshot } = context.session;
  const view = goView(context, asked.to.uri);
  const found = view ? definitionGo(snapshot, view, asked.offset) : inYaml(context, asked.to.uri, asked.offset);
  return found.flatMap((at) => toLocation(at, asked.to));
}

/** What has no other place is where its Go types say it. */
function inYaml(context: Context, uri: string, offset: number): Location[] {
  const { snapshot } = context.session;
  const found = definitionAt(snapshot, uri, offset);
  if (found.length > 0) return found;
  const origin = originInTypes(writtenIn(snapshot, uri, goCrds(context, uri)), offset);
  return origin ? [origin] : [];
}

export async function answerReferences(
  context: Context,
  params: ReferenceParams,
  token?: CancellationToken,
): Promise<ProtocolLocation[]> {
  const { session, client } = context;
  const asked = navigable(context, params);
  const wanted = asked && wantedAt(session.snapshot, asked.to.uri, asked.offset);
  if (!asked) return [];
  // The variables of a rule are known in it only.
  if (!wanted) return answerHighlights(context, params).map(({ range }) => ({ uri: asked.to.uri, range }));
  const places: ProtocolLocation[] = [];
  if (params.context.includeDeclaration)
    append(
      places,
      declarationOf(wanted).flatMap((at) => toLocation(at, asked.to)),
    );
  append(
    places,
    usesInItsCrd(session.snapshot, wanted).flatMap((at) => toLocation(at, asked.to)),
  );
  for await (const file of filesUsing(context, wanted)) {
    if (token?.isCancellationRequested) throw cancelled();
    const positions = positionsOf(file.text, client.encoding);
    append(
      places,
      usesIn(file, wanted).map(({ range }) => ({ uri: file.uri, range: positions.toRange(range) })),
    );
  }
  return places;
}

/** The files that may use a kind. */
export function filesUsing(context: Context, wanted: Wanted): AsyncIterable<SourceFile> {
  return filesNamingKind(context, wanted.definition.kind, (text) => mayUse(text, wanted));
}

/** Those that name a kind. What was kept while reading is up to date only where the client tells of changes. */
export function filesNamingKind(
  { session, files, client }: Context,
  kind: string,
  passes: (text: string) => boolean,
): AsyncIterable<SourceFile> {
  return session.loading || !client.registersWatchers
    ? filesThat(session, files, passes)
    : filesWithKind(session, files, kind, passes);
}

export function answerHighlights(context: Context, params: TextDocumentPositionParams): DocumentHighlight[] {
  const asked = navigable(context, params);
  if (!asked) return [];
  const found = highlights(context.session.snapshot, asked.to.uri, asked.offset);
  return found.map(({ range }) => ({ range: asked.to.positions.toRange(range) }));
}

export function answerOutline(
  context: Context,
  { textDocument: { uri } }: DocumentSymbolParams,
): DocumentSymbol[] | SymbolInformation[] {
  const { snapshot } = context.session;
  const to = targetOf(context, uri);
  if (!to || !isOurs(context, settingsFor(snapshot, uri).outline)) return [];
  const symbols = outline(snapshot, uri);
  return context.client.hierarchicalSymbols
    ? symbols.map((symbol) => toDocumentSymbol(symbol, to))
    : symbols.flatMap((symbol) => toFlatSymbols(symbol, to));
}

/** Whether to give what a YAML extension may give as well. */
function isOurs({ client }: Context, wanted: Provided): boolean {
  return wanted === 'on' || (wanted === 'auto' && !client.options.yamlExtension);
}

/** Null leaves folding to the editor's own rules. */
export function answerFolding(context: Context, { textDocument: { uri } }: FoldingRangeParams): FoldingRange[] | null {
  const { snapshot } = context.session;
  const to = targetOf(context, uri);
  if (!to || !isOurs(context, settingsFor(snapshot, uri).folding)) return null;
  return folds(snapshot, uri)?.flatMap((fold) => toFoldingRange(fold, to)) ?? null;
}

export function answerSelection(context: Context, params: SelectionRangeParams): SelectionRange[] | null {
  const { snapshot } = context.session;
  const to = targetOf(context, params.textDocument.uri);
  if (!to || settingsFor(snapshot, to.uri).folding === 'off') return null;
  // Beside a YAML extension only what it cannot know: the parts of an expression.
  const select = isOurs(context, settingsFor(snapshot, to.uri).folding) ? selectionAt : expressionSelection;
  const found = params.positions.map((position) => {
    const ranges = select(snapshot, to.uri, to.positions.toOffset(position));
    return toSelectionRange(ranges, to) ?? { range: { start: position, end: position } };
  });
  return found.every(({ range: { start, end } }) => start === end) ? null : found;
}

export function answerLinks(context: Context, { textDocument: { uri } }: DocumentLinkParams): DocumentLink[] {
  const { snapshot } = context.session;
  const to = targetOf(context, uri);
  if (!to || !settingsFor(snapshot, uri).navigation) return [];
  return links(snapshot, uri).flatMap((link) => toProtocolLink(link, to));
}

export const noTokens: SemanticTokens = { data: [] };

export function answerTokens(
  context: Context,
  params: SemanticTokensParams | SemanticTokensRangeParams,
): SemanticTokens {
  const { snapshot } = context.session;
  const to = targetOf(context, params.textDocument.uri);
  if (!to || !settingsFor(snapshot, to.uri).semanticTokens) return noTokens;
  const { toOffset } = to.positions;
  const within =
    'range' in params ? { start: toOffset(params.range.start), end: toOffset(params.range.end) } : undefined;
  const view = goView(context, to.uri);
  const found = view ? colorsGo(snapshot, view, within) : colors(snapshot, to.uri, within);
  return { data: toSemanticTokens(found, to) };
}

export function answerWorkspaceSymbols(context: Context, { query }: WorkspaceSymbolParams): SymbolInformation[] {
  const { snapshot } = context.session;
  return workspaceSymbols(snapshot, query).flatMap((symbol) => {
    const file = fileAt(snapshot, symbol.uri);
    return file ? [toWorkspaceSymbol(symbol, positionsOf(file.text, context.client.encoding))] : [];
  });
}

export function answerRulePage(_: Context, { code }: RulePage): string | null {
  return rulePage(code) ?? null;
}

export function answerStored({ session }: Context, { uri, writing }: Stored): string | null {
  return storedText(session.snapshot, uri, writing) ?? null;
}

export async function answerGoCrd(context: Context, { uri, position, name }: GoCrd): Promise<GoCrdShown | null> {
  await goSettled(context, uri);
  const view = goView(context, uri);
  const to = targetOf(context, uri);
  if (!view || !to) return null;
  const found = name === undefined ? crdAt(view, position ? to.positions.toOffset(position) : 0) : crdNamed(view, name);
  return found ?? null;
}

export async function answerOtherVersions({ session }: Context, { uri }: OtherVersions): Promise<OtherVersion[]> {
  await session.loaded;
  return versionsOfResources(session.snapshot, uri);
}

export function answerAsVersion({ session }: Context, { uri, version }: AsVersion): string {
  return asVersion(session.snapshot, uri, version);
}

/** What was brought in already. An editor that comes back with such a document open asks before that. */
export async function answerShown(context: Context, { uri }: Shown): Promise<string | null> {
  const { changes } = context.session;
  if (changes?.uri === uri) return changes.text;
  await context.session.loaded;
  await kindsSettled(context);
  const { snapshot } = context.session;
  return snapshot.onDisk.get(uri)?.text ?? outlineAt(snapshot, uri) ?? null;
}

/** All kinds that are known; every file of the workspace is read to count its resources. */
export async function answerKnownKinds({ session, files, client }: Context): Promise<KnownKind[]> {
  const counts = new Map<string, number>();
  for await (const file of filesThat(session, files, (text) => objects.test(text))) countKinds(file, counts);
  return knownKinds(session.snapshot).map(({ definition, versions, place }) => {
    const { kind, group, file } = definition;
    const { line } = positionsOf(file.text, client.encoding).toPosition(place.range.start);
    const resources = counts.get(`${group}/${kind}`) ?? 0;
    return { kind, group, versions, source: sourceOf(definition, session.folders), resources, uri: place.uri, line };
  });
}
