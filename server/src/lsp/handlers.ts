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
import type { Features } from '../features/languages/features.ts';
import { featuresOf } from '../features/languages/languages.ts';
import { outlineAt } from '../features/navigate/builtinOutline.ts';
import { countKinds, knownKinds, sourceOf } from '../features/navigate/knownKinds.ts';
import { mayUse, usesIn, type Wanted } from '../features/navigate/references.ts';
import { workspaceSymbols } from '../features/navigate/symbols.ts';
import { asVersion, versionsOfResources } from '../features/views/asVersion.ts';
import { storedText } from '../features/views/preview.ts';
import { md } from '../features/words/markdown.ts';
import { rulePage } from '../rules/model/page.ts';
import type { Provided } from '../workspace/settings.ts';
import { fileAt, settingsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { objects } from './checkWorkspace.ts';
import { type Context, targetOf } from './context.ts';
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
  RenderedAsked,
  RenderedShown,
  RulePage,
  Shown,
  Stored,
} from './protocol.ts';
import { readSettled } from './reading.ts';
import { filesThat, filesWithKind, isLoading } from './session.ts';
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

export interface Asked {
  readonly to: Target;
  readonly offset: number;
  /** What there is for files of this language. */
  readonly features: Features;
}

/** The open document and the offset that a request is about. */
function askedAt(context: Context, { textDocument, position }: TextDocumentPositionParams): Asked | undefined {
  const to = targetOf(context, textDocument.uri);
  const { snapshot } = context.session;
  return to && { to, offset: to.positions.toOffset(position), features: featuresOf(snapshot, to.uri) };
}

export function answerHover(context: Context, params: TextDocumentPositionParams): Hover | null {
  const { snapshot } = context.session;
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(snapshot, asked.to.uri).hover) return null;
  const found = asked.features.hover?.(snapshot, asked.to.uri, asked.offset);
  if (!found) return null;
  const range = asked.to.positions.toRange(found.range);
  const link = found.definedIn && toMarkdownLink(found.definedIn, asked.to);
  const value = link === undefined ? found.markdown : md`${found.markdown}\n\nDefined in ${link}`;
  return { contents: markup(value, context.client.markdownHover), range };
}

export const noCompletions: ProtocolCompletions = { isIncomplete: false, items: [] };

export async function answerCompletion(context: Context, params: CompletionParams): Promise<ProtocolCompletions> {
  const first = askedAt(context, params);
  const wantsBuiltin = first?.features.wantsBuiltin?.(context.session.snapshot, first.to.uri, first.offset);
  if (wantsBuiltin) await readBuiltin(context);
  // The document may be another by now.
  const { snapshot } = context.session;
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(snapshot, asked.to.uri).completion) return noCompletions;
  const { complete, triggers } = asked.features;
  // What begins something in one language may be anything in another.
  const sign = params.context?.triggerCharacter;
  if (!complete || (sign !== undefined && !triggers?.includes(sign))) return noCompletions;
  const found = complete(snapshot, asked.to.uri, asked.offset);
  const items = found.map((item) => toProtocolCompletion(item, asked.to, context.client));
  // While the workspace is being read more kinds may come to be known: the editor asks again.
  return { isIncomplete: isLoading(context.session), items };
}

/** After Enter below a key that takes a map or list: the blanks that its content wants. */
export function answerEnter(context: Context, params: DocumentOnTypeFormattingParams): TextEdit[] {
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(context.session.snapshot, asked.to.uri).completion) return [];
  const edits = asked.features.onEnter?.(context.session.snapshot, asked.to.uri, asked.offset) ?? [];
  return edits.map(({ range, text }) => ({ range: asked.to.positions.toRange(range), newText: text }));
}

export function answerSignature(context: Context, params: TextDocumentPositionParams): ProtocolSignatureHelp | null {
  const asked = askedAt(context, params);
  if (!asked || !settingsFor(context.session.snapshot, asked.to.uri).signatureHelp) return null;
  const { snapshot } = context.session;
  const help = asked.features.signature?.(snapshot, asked.to.uri, asked.offset);
  return help ? toSignatureHelp(help, context.client) : null;
}

/** The same, if the user has navigation turned on. */
export function navigable(context: Context, params: TextDocumentPositionParams): Asked | undefined {
  const asked = askedAt(context, params);
  return asked && settingsFor(context.session.snapshot, asked.to.uri).navigation ? asked : undefined;
}

export function answerDefinition(context: Context, params: TextDocumentPositionParams): ProtocolLocation[] {
  const asked = navigable(context, params);
  if (!asked) return [];
  const found = asked.features.definition?.(context.session.snapshot, asked.to.uri, asked.offset) ?? [];
  return found.flatMap((at) => toLocation(at, asked.to));
}

export async function answerReferences(
  context: Context,
  params: ReferenceParams,
  token?: CancellationToken,
): Promise<ProtocolLocation[]> {
  const { session, client } = context;
  const asked = navigable(context, params);
  const found = asked?.features.search?.(session.snapshot, asked.to.uri, asked.offset);
  if (!asked) return [];
  // The variables of a rule are known in it only.
  if (!found) return answerHighlights(context, params).map(({ range }) => ({ uri: asked.to.uri, range }));
  const known = [...(params.context.includeDeclaration ? found.declarations : []), ...found.uses];
  const places = known.flatMap((at) => toLocation(at, asked.to));
  for (const wanted of found.elsewhere) {
    for await (const file of filesUsing(context, wanted)) {
      if (token?.isCancellationRequested) throw cancelled();
      const positions = positionsOf(file.text, client.encoding);
      append(
        places,
        usesIn(file, wanted).map(({ range }) => ({ uri: file.uri, range: positions.toRange(range) })),
      );
    }
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
  return isLoading(session) || !client.registersWatchers
    ? filesThat(session, files, passes)
    : filesWithKind(session, files, kind, passes);
}

export function answerHighlights(context: Context, params: TextDocumentPositionParams): DocumentHighlight[] {
  const asked = navigable(context, params);
  if (!asked) return [];
  const found = asked.features.highlights?.(context.session.snapshot, asked.to.uri, asked.offset) ?? [];
  return found.map(({ range }) => ({ range: asked.to.positions.toRange(range) }));
}

export async function answerOutline(
  context: Context,
  { textDocument: { uri } }: DocumentSymbolParams,
): Promise<DocumentSymbol[] | SymbolInformation[]> {
  // Editors ask when a file is opened, and not again before it changes.
  await readSettled(context, uri);
  const { snapshot } = context.session;
  const to = targetOf(context, uri);
  const features = featuresOf(snapshot, uri);
  if (!to || !isOurs(context, features, settingsFor(snapshot, uri).outline)) return [];
  const symbols = features.outline?.(snapshot, uri) ?? [];
  return context.client.hierarchicalSymbols
    ? symbols.map((symbol) => toDocumentSymbol(symbol, to))
    : symbols.flatMap((symbol) => toFlatSymbols(symbol, to));
}

/** Whether to give what a YAML extension may give as well. */
function isOurs({ client }: Context, { ownSelection }: Features, wanted: Provided): boolean {
  const isShared = ownSelection !== undefined && client.options.yamlExtension;
  return wanted === 'on' || (wanted === 'auto' && !isShared);
}

/** Null leaves folding to the editor's own rules. */
export async function answerFolding(
  context: Context,
  { textDocument: { uri } }: FoldingRangeParams,
): Promise<FoldingRange[] | null> {
  await readSettled(context, uri);
  const { snapshot } = context.session;
  const to = targetOf(context, uri);
  const features = featuresOf(snapshot, uri);
  if (!to || !isOurs(context, features, settingsFor(snapshot, uri).folding)) return null;
  return features.folds?.(snapshot, uri)?.flatMap((fold) => toFoldingRange(fold, to)) ?? null;
}

export function answerSelection(context: Context, params: SelectionRangeParams): SelectionRange[] | null {
  const { snapshot } = context.session;
  const to = targetOf(context, params.textDocument.uri);
  if (!to || settingsFor(snapshot, to.uri).folding === 'off') return null;
  // Beside a YAML extension only what it cannot know: the parts of an expression.
  const features = featuresOf(snapshot, to.uri);
  const isWhole = isOurs(context, features, settingsFor(snapshot, to.uri).folding);
  const select = isWhole ? features.selection : features.ownSelection;
  const found = params.positions.map((position) => {
    const ranges = select?.(snapshot, to.uri, to.positions.toOffset(position)) ?? [];
    return toSelectionRange(ranges, to) ?? { range: { start: position, end: position } };
  });
  return found.every(({ range: { start, end } }) => start === end) ? null : found;
}

export function answerLinks(context: Context, { textDocument: { uri } }: DocumentLinkParams): DocumentLink[] {
  const { snapshot } = context.session;
  const to = targetOf(context, uri);
  if (!to || !settingsFor(snapshot, uri).navigation) return [];
  return (
    featuresOf(snapshot, uri)
      .links?.(snapshot, uri)
      .flatMap((link) => toProtocolLink(link, to)) ?? []
  );
}

export const noTokens: SemanticTokens = { data: [] };

export async function answerTokens(
  context: Context,
  params: SemanticTokensParams | SemanticTokensRangeParams,
): Promise<SemanticTokens> {
  await readSettled(context, params.textDocument.uri);
  const { snapshot } = context.session;
  const to = targetOf(context, params.textDocument.uri);
  if (!to || !settingsFor(snapshot, to.uri).semanticTokens) return noTokens;
  const { toOffset } = to.positions;
  const within =
    'range' in params ? { start: toOffset(params.range.start), end: toOffset(params.range.end) } : undefined;
  const found = featuresOf(snapshot, to.uri).colors?.(snapshot, to.uri, within) ?? [];
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
  await readSettled(context, uri);
  const to = targetOf(context, uri);
  const { snapshot } = context.session;
  const of = name ?? (position && to?.positions.toOffset(position)) ?? 0;
  return (to && featuresOf(snapshot, uri).madeCrd?.(snapshot, uri, of)) ?? null;
}

export async function answerRendered(
  context: Context,
  { uri, position, values }: RenderedAsked,
): Promise<RenderedShown | null> {
  await readSettled(context, uri);
  const to = targetOf(context, uri);
  const { snapshot } = context.session;
  const offset = (position && to?.positions.toOffset(position)) ?? 0;
  return (to && featuresOf(snapshot, uri).rendered?.(snapshot, uri, { offset, values })) ?? null;
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
  const { changes, clusterPages } = context.session;
  const page = clusterPages.get(uri);
  if (page !== undefined) return page;
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
