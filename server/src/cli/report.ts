import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineIndex } from '../base/text.ts';
import { onlyIn } from '../features/problems/diagnose.ts';
import { placeAt } from '../features/problems/objectAt.ts';
import type { Diagnostic, Fix } from '../rules/model/diagnostic.ts';
import { ruleOf } from '../rules/model/registry.ts';
import type { Says } from '../rules/model/says.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { fingerprintOf } from './cause.ts';

/** One diagnostic as a program reads it; lines and columns count from 1, columns in UTF-16 code units. */
export interface Report {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: Diagnostic['severity'];
  readonly code: string;
  readonly message: string;
  /** The line that the place begins in, cut where it is long. */
  readonly source: string;
  /** The same for the same finding of the same object, in whatever files. */
  readonly fingerprint: string;
  /** What stands for it where all of its rule are listed in one line: of a kind that is not known, the kind. */
  readonly listed?: string;
  /** The Kubernetes versions that it is true of, where not of all that were asked for. */
  readonly kubernetes?: readonly string[];
  readonly fixes?: readonly ReportedFix[];
  /** What it says, in parts; no format prints it. */
  readonly says: Says;
  /** The line of the same file in which a key that is given again stands first; no format prints it either. */
  readonly firstLine?: number;
}

export interface ReportedFix {
  readonly title: string;
  /** What anyone would do; the others are a choice. */
  readonly safe: boolean;
  readonly edits: readonly (Place & { readonly text: string })[];
}

type Place = Pick<Report, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** A diagnostic with what only some formats and runs ask for. */
export interface Found {
  readonly diagnostic: Diagnostic;
  readonly fixes?: readonly Fix[];
}

const longestSource = 300;

export function reportsOf(
  file: Pick<SourceFile, 'uri' | 'text'> & Partial<Pick<SourceFile, 'stream'>>,
  found: readonly Found[],
): Report[] {
  const lines = lineIndex(file.text);
  const place = ({ start, end }: { readonly start: number; readonly end: number }): Place => {
    const [line, endLine] = [lines.lineAt(start), lines.lineAt(end)];
    const column = (offset: number, at: number) => offset - lines.lineStart(at) + 1;
    return { line: line + 1, column: column(start, line), endLine: endLine + 1, endColumn: column(end, endLine) };
  };
  return found.map(({ diagnostic, fixes }) => {
    const { range, severity, code, kubernetes, says } = diagnostic;
    const at = place(range);
    const start = lines.lineStart(at.line - 1);
    const about = {
      file: nameOf(file.uri),
      ...at,
      severity,
      code,
      message: diagnostic.message.replaceAll('\n', ' '),
      source: file.text.slice(start, Math.min(lines.lineEnd(at.line - 1), start + longestSource)),
    };
    const { stream } = file;
    const told = { ...about, message: toldWords(diagnostic) };
    return {
      ...about,
      says,
      ...firstLineOf(diagnostic, file.uri, (start) => lines.lineAt(start) + 1),
      fingerprint: fingerprintOf(told, diagnostic.place ?? (stream && placeAt({ stream }, range.start))),
      ...(diagnostic.about?.listed !== undefined && { listed: diagnostic.about.listed }),
      ...(kubernetes && { kubernetes }),
      ...(fixes && {
        fixes: fixes.map(({ title, safe, edits }) => ({
          title,
          safe,
          edits: edits.map(({ range, text }) => ({ ...place(range), text })),
        })),
      }),
    };
  });
}

function firstLineOf({ code, related }: Diagnostic, uri: string, lineAt: (at: number) => number) {
  const first = ruleOf(code)?.ofDuplicate ? related.find((one) => one.uri === uri) : undefined;
  return first && { firstLine: lineAt(first.range.start) };
}

/**
 * Where a message leads to, such as a marker in Go, differs between copies of an object, and how a template is called between the charts
 * that it is rendered in; the words do not.
 */
function toldWords({ about, message, says: { failed, under } }: Diagnostic): string {
  if (about || !failed) return about?.words ?? message;
  return failed.words + (under ? message.slice(under.words.length) : '');
}

/** A message with the versions that it is true of, where not of all. */
export function said(report: Report): string {
  return [report.message, onlyIn(report)].filter(Boolean).join(' ');
}

/** A failure of the program itself is a finding of the file, at its first line; the others are checked all the same. */
export function failureIn(file: Pick<SourceFile, 'uri'>, error: unknown): Report {
  const why = error instanceof Error ? error.message : String(error);
  const about = {
    file: nameOf(file.uri),
    ...{ line: 1, column: 1, endLine: 1, endColumn: 1 },
    severity: 'error' as const,
    code: 'file/not-judged',
    message: `kube-crd itself failed on this file, so it is not judged: ${why}. Please report it with the file.`,
    source: '',
    says: {},
  };
  return { ...about, fingerprint: fingerprintOf(about, undefined) };
}

/** A file as a person names it, from the folder that the program runs in. */
export function nameOf(uri: string): string {
  return path.relative(process.cwd(), fileURLToPath(uri)).split(path.sep).join('/');
}

/** A note that begins with the address of a file, with its name instead. */
export function shownNote(note: string): string {
  return note.replace(/^file:\/\/\S+?(?=:? )/, (uri) => nameOf(uri));
}

/** Why a CRD of a version that no server has is passed over. */
export function tooOld(uri: string): string {
  return `${nameOf(uri)}: a CRD of apiextensions.k8s.io/v1beta1 is left out; no API server takes it any more`;
}
