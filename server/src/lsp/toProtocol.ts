import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  DiagnosticSeverity,
  DiagnosticTag,
  InsertTextFormat,
  MarkupKind,
  type Diagnostic as ProtocolDiagnostic,
} from 'vscode-languageserver';
import type { Completion, CompletionKind } from '../features/completion.ts';
import type { Diagnostic, Fix } from '../rules/diagnostic.ts';
import type { Severity } from '../workspace/settings.ts';
import type { Positions } from './position.ts';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** What travels with a diagnostic and comes back with a request for its fixes. */
export interface DiagnosticData {
  readonly code: string;
  readonly key: string;
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

export function toProtocolDiagnostic(diagnostic: Diagnostic, target: Target): ProtocolDiagnostic {
  const data: DiagnosticData = { code: diagnostic.code, key: diagnostic.key, version: target.version };
  const href = target.docs(diagnostic.code);
  const related = diagnostic.related.flatMap(({ uri, range, message }) => {
    const positions = uri === target.uri ? target.positions : target.positionsOf(uri);
    return positions ? [{ location: { uri, range: positions.toRange(range) }, message }] : [];
  });
  return {
    range: target.positions.toRange(diagnostic.range),
    severity: severities[diagnostic.severity],
    code: diagnostic.code,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    source: 'kube-crd',
    message: diagnostic.message,
    ...(diagnostic.unnecessary ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(related.length > 0 ? { relatedInformation: related } : {}),
    data,
  };
}

export function toCodeAction(
  fix: Fix,
  diagnostics: readonly ProtocolDiagnostic[],
  target: Target,
  documentChanges: boolean,
): CodeAction {
  const edits = fix.edits.map(({ range, text }) => ({ range: target.positions.toRange(range), newText: text }));
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

const completionKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.Value,
  keyword: CompletionItemKind.Keyword,
  snippet: CompletionItemKind.Snippet,
  kind: CompletionItemKind.Class,
  function: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
};

export function toProtocolCompletion(item: Completion, target: Target, snippets: boolean): CompletionItem {
  const newText = item.snippet && !snippets ? withoutPlaceholders(item.text) : item.text;
  return {
    label: item.label,
    kind: completionKinds[item.kind],
    ...(item.detail === undefined ? {} : { detail: item.detail }),
    ...(item.documentation === undefined
      ? {}
      : { documentation: { kind: MarkupKind.Markdown, value: item.documentation } }),
    ...(item.preselect ? { preselect: true } : {}),
    ...(item.deprecated ? { tags: [CompletionItemTag.Deprecated] } : {}),
    sortText: item.order,
    filterText: item.label,
    insertTextFormat: item.snippet && snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: target.positions.toRange(item.range), newText },
  };
}

/** A snippet's text for a client that knows none: `${1:name}` becomes `name`, `$0` nothing. */
function withoutPlaceholders(snippet: string): string {
  return snippet
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replace(/\$\d+/g, '')
    .replace(/\\([$}\\])/g, '$1');
}
