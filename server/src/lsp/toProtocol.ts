import type {
  CodeAction,
  CompletionItem,
  DocumentSymbol,
  FoldingRange,
  MarkupContent,
  Diagnostic as ProtocolDiagnostic,
  InlayHint as ProtocolInlayHint,
  DocumentLink as ProtocolLink,
  Location as ProtocolLocation,
  SignatureHelp as ProtocolSignatureHelp,
  SelectionRange,
  SymbolInformation,
} from 'vscode-languageserver';
import type { Range } from '../base/text.ts';
import type { SignatureHelp } from '../features/at/signature.ts';
import type { Completion, CompletionKind } from '../features/complete/completion.ts';
import { colorNames } from '../features/lenses/colorNames.ts';
import type { ColoredRange } from '../features/lenses/colors.ts';
import type { InlayHint } from '../features/lenses/inlayHints.ts';
import type { Fold } from '../features/navigate/folding.ts';
import type { Link } from '../features/navigate/links.ts';
import type { OutlineSymbol, SymbolKind, WorkspaceSymbol } from '../features/navigate/symbols.ts';
import type { Location } from '../features/place/location.ts';
import { asNotes, type Shown } from '../features/problems/asNotes.ts';
import { onlyIn } from '../features/problems/diagnose.ts';
import { link, type Markdown, text } from '../features/words/markdown.ts';
import type { Diagnostic, Fix, ProblemId, TextEdit } from '../rules/model/diagnostic.ts';
import type { Severity } from '../workspace/settings.ts';
import { isShownUri } from '../workspace/sources/shown.ts';
import type { KnownClient, KnownDiagnostics } from './clientCapabilities.ts';
import {
  CodeActionKind,
  CompletionItemKind,
  CompletionItemTag,
  DiagnosticSeverity,
  DiagnosticTag,
  FoldingRangeKind,
  InsertTextFormat,
  MarkupKind,
  SymbolKind as ProtocolSymbolKind,
} from './library.ts';
import type { Positions } from './position.ts';
import { suggestCommand } from './protocol.ts';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** What travels with a diagnostic and comes back with a request for its fixes. */
export interface DiagnosticData extends ProblemId {
  readonly version: number;
}

export interface Target {
  readonly uri: string;
  readonly version: number;
  readonly positions: Positions;
  /** The positions of other files, for related places. */
  positionsOf(uri: string): Positions | undefined;
  /** The address of a rule's documentation. */
  docs(code: string): string | undefined;
}

/** What is a note of another problem is a problem of its own for clients that show no notes. */
export function shownTo({ diagnostics: { related } }: KnownClient, uri: string, found: readonly Diagnostic[]): Shown {
  const shown = asNotes(found, uri);
  return related ? shown : { ...shown, diagnostics: found };
}

export function toProtocolDiagnostic(
  diagnostic: Diagnostic,
  target: Target,
  known: KnownDiagnostics,
): ProtocolDiagnostic {
  const data: DiagnosticData = { code: diagnostic.code, key: diagnostic.key, version: target.version };
  const href = known.documentation ? target.docs(diagnostic.code) : undefined;
  const places = known.related ? diagnostic.related : [];
  const related = places.flatMap(({ uri, range, message }) => {
    const positions = uri === target.uri ? target.positions : target.positionsOf(uri);
    return positions ? [{ location: { uri, range: positions.toRange(range) }, message }] : [];
  });
  return {
    range: target.positions.toRange(diagnostic.range),
    severity: severities[diagnostic.severity],
    code: diagnostic.code,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    source: 'kube-crd',
    message: [diagnostic.message, onlyIn(diagnostic)].filter(Boolean).join('\n'),
    ...(diagnostic.unnecessary && known.tags ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(related.length > 0 ? { relatedInformation: related } : {}),
    ...(known.data ? { data } : {}),
  };
}

export function toCodeAction(
  fix: Fix,
  diagnostics: readonly ProtocolDiagnostic[],
  target: Target,
  documentChanges: boolean,
): CodeAction {
  const edits = oneInsertionEach(fix.edits).map(({ range, text }) => {
    return { range: target.positions.toRange(range), newText: text };
  });
  const edit = documentChanges
    ? { documentChanges: [{ textDocument: { uri: target.uri, version: target.version }, edits }] }
    : { changes: { [target.uri]: edits } };
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [...diagnostics],
    isPreferred: fix.safe,
    edit,
  };
}

/** Not every client keeps the order of several insertions at one place: they become one. */
function oneInsertionEach(edits: Fix['edits']): Fix['edits'] {
  const kept: TextEdit[] = [];
  for (const edit of edits) {
    const { start, end } = edit.range;
    const same = kept.findIndex(({ range }) => start === end && range.start === start && range.end === end);
    if (same === -1) kept.push(edit);
    else kept[same] = { ...edit, text: kept[same]!.text + edit.text };
  }
  return kept;
}

const completionKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.Value,
  keyword: CompletionItemKind.Keyword,
  snippet: CompletionItemKind.Snippet,
  kind: CompletionItemKind.Class,
  function: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
};

export function toProtocolCompletion(
  item: Completion,
  target: Target,
  { snippets, markdownCompletion, options }: Pick<KnownClient, 'snippets' | 'markdownCompletion' | 'options'>,
): CompletionItem {
  const newText = item.snippet && !snippets ? withoutPlaceholders(item.text) : item.text;
  const goesOn = options.suggests && asksForValue.test(item.text);
  return {
    label: item.label,
    kind: completionKinds[item.kind],
    ...(item.detail === undefined ? {} : { detail: item.detail }),
    ...(item.documentation === undefined ? {} : { documentation: markup(item.documentation, markdownCompletion) }),
    ...(item.preselect ? { preselect: true } : {}),
    ...(item.deprecated ? { tags: [CompletionItemTag.Deprecated] } : {}),
    sortText: item.order,
    filterText: item.typed ?? item.label,
    insertTextFormat: item.snippet && snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: target.positions.toRange(item.range), newText },
    ...(goesOn ? { command: openList } : {}),
  };
}

/** A key that leaves the cursor where its value, or the first key or item of that, goes. */
const asksForValue = /(?:: |\n *(?:- )?)(?:\$\{1\})?$/;

/** Opens as if by typing: where there is nothing to choose from, no message says so. */
const openList = { title: '', command: suggestCommand, arguments: [{ auto: true }] };

/** Markdown for clients that show it. */
export function markup({ source, plain }: Markdown, isKnown: boolean): MarkupContent {
  return isKnown ? { kind: MarkupKind.Markdown, value: source } : { kind: MarkupKind.PlainText, value: plain.trim() };
}

/** A snippet's text for a client that knows none: `${1:name}` becomes `name`, of choices the first one, `$0` nothing. */
export function withoutPlaceholders(snippet: string): string {
  let out = '';
  // Behind the first choice the others are left out.
  let dropped = false;
  const part = /\\([$}\\,|])|\$(?:\d+|\{\d+\})|\$\{\d+([:|])|([}])|([,|])|[\s\S]/g;
  let choosing = false;
  let open = 0;
  for (const [text, escaped, opening, closing, separator] of snippet.matchAll(part)) {
    if (opening !== undefined) {
      open++;
      choosing = opening === '|';
    } else if (closing !== undefined && open > 0) {
      open--;
      [choosing, dropped] = [false, false];
    } else if (separator !== undefined && choosing) dropped = true;
    else if (!dropped && (escaped !== undefined || !/^\$[\d{]/.test(text))) out += escaped ?? text;
  }
  return out;
}

export function toLocation({ uri, range }: Location, target: Target): ProtocolLocation[] {
  const positions = uri === target.uri ? target.positions : target.positionsOf(uri);
  return positions ? [{ uri, range: positions.toRange(range) }] : [];
}

const symbolKinds: Readonly<Record<SymbolKind, ProtocolSymbolKind>> = {
  kind: ProtocolSymbolKind.Class,
  version: ProtocolSymbolKind.Namespace,
  property: ProtocolSymbolKind.Property,
  rule: ProtocolSymbolKind.Event,
  field: ProtocolSymbolKind.Field,
  list: ProtocolSymbolKind.Array,
};

export function toDocumentSymbol(symbol: OutlineSymbol, target: Target): DocumentSymbol {
  const { name, detail, kind, range, selection, children } = symbol;
  return {
    name,
    detail,
    kind: symbolKinds[kind],
    range: target.positions.toRange(range),
    selectionRange: target.positions.toRange(selection),
    children: children.map((child) => toDocumentSymbol(child, target)),
  };
}

/** A symbol and those below it in one list, for clients that know no other. */
export function toFlatSymbols(symbol: OutlineSymbol, target: Target, container = ''): SymbolInformation[] {
  const { name, kind, range, children } = symbol;
  const location = { uri: target.uri, range: target.positions.toRange(range) };
  const own = { name, kind: symbolKinds[kind], ...(container === '' ? {} : { containerName: container }), location };
  return [own, ...children.flatMap((child) => toFlatSymbols(child, target, name))];
}

export function toWorkspaceSymbol(
  { name, kind, container, uri, range }: WorkspaceSymbol,
  positions: Positions,
): SymbolInformation {
  return {
    name,
    kind: symbolKinds[kind],
    containerName: container,
    location: { uri, range: positions.toRange(range) },
  };
}

export function toSignatureHelp(
  { signatures, active, parameter }: SignatureHelp,
  { parameterOffsets }: Pick<KnownClient, 'parameterOffsets'>,
): ProtocolSignatureHelp {
  return {
    signatures: signatures.map(({ label, documentation }) => ({
      label,
      documentation,
      parameters: parametersOf(label).map((range) => ({ label: parameterOffsets ? range : label.slice(...range) })),
    })),
    activeSignature: active,
    activeParameter: parameter,
  };
}

/** The parts of `name(type, type): type` that are parameters, as offsets in it. */
function parametersOf(label: string): [number, number][] {
  const open = label.indexOf('(');
  const parameters: [number, number][] = [];
  let start = open + 1;
  let depth = 0;
  for (let i = open + 1; i < label.length && depth >= 0; i++) {
    if (label[i] === '(') depth++;
    else if (label[i] === ')') depth--;
    if (depth < 0 || (depth === 0 && label[i] === ',')) {
      if (i > start) parameters.push([start, i]);
      start = i + 2;
    }
  }
  return parameters;
}

export function toInlayHint(
  { offset, label, tooltip }: InlayHint,
  target: Target,
  { markdownHover }: Pick<KnownClient, 'markdownHover'>,
): ProtocolInlayHint {
  const position = target.positions.toPosition(offset);
  return { position, label, tooltip: markup(tooltip, markdownHover), paddingLeft: true };
}

/** A place as an address that editors open at its line. */
function toAddress(at: Location, target: Target): string | undefined {
  const place = toLocation(at, target)[0];
  return place && `${place.uri}#L${place.range.start.line + 1}`;
}

/** A place as a Markdown link with the file's name; without the link where editors take none of its scheme in a card. */
export function toMarkdownLink(at: Location, target: Target): Markdown | undefined {
  const address = toAddress(at, target);
  const [file, line] = address?.slice(address.lastIndexOf('/') + 1).split('#L') ?? [];
  if (isShownUri(at.uri)) return file === undefined ? undefined : text(`${file.slice(0, file.indexOf('?'))}:${line}`);
  return address === undefined ? undefined : link(`${decoded(file!)}:${line}`, address);
}

/** The name of a file from its address; the address may hold any percent sign. */
function decoded(name: string): string {
  return /%(?![\da-f]{2})/i.test(name) ? name : decodeURI(name);
}

export function toProtocolLink({ range, target, tooltip }: Link, to: Target): ProtocolLink[] {
  const address = toAddress(target, to);
  return address === undefined ? [] : [{ range: to.positions.toRange(range), target: address, tooltip }];
}

export function toFoldingRange({ start, end, comment }: Fold, { positions }: Target): FoldingRange[] {
  const [first, last] = [positions.toPosition(start).line, positions.toPosition(end).line];
  if (last <= first) return [];
  return [{ startLine: first, endLine: last, ...(comment ? { kind: FoldingRangeKind.Comment } : {}) }];
}

/** Ranges from the smallest to the largest, as the protocol nests them. */
export function toSelectionRange(ranges: readonly Range[], { positions }: Target): SelectionRange | undefined {
  let around: SelectionRange | undefined;
  for (const range of [...ranges].reverse())
    around = { range: positions.toRange(range), ...(around ? { parent: around } : {}) };
  return around;
}

/** Colored ranges as the protocol counts them: each from the one before. */
export function toSemanticTokens(colored: readonly ColoredRange[], { positions }: Target): number[] {
  const rows: number[] = [];
  let before = { line: 0, character: 0 };
  for (const { start, end, color } of colored) {
    const from = positions.toPosition(start);
    const length = positions.toPosition(end).character - from.character;
    const sameLine = from.line === before.line;
    rows.push(from.line - before.line, sameLine ? from.character - before.character : from.character);
    const given = color === 'self';
    rows.push(length, colorNames.indexOf(given ? 'variable' : color), Number(given));
    before = from;
  }
  return rows;
}
