import { createHash } from 'node:crypto';
import { ruleOf } from '../rules/model/registry.ts';
import { type Manifest, manifestsOf, metadataText } from '../workspace/manifest.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { pathAt } from '../yaml/place.ts';

/** What is said of a finding, and where. */
interface About {
  readonly file: string;
  readonly code: string;
  readonly message: string;
  readonly source: string;
}

/**
 * What tells a finding from others, wherever it is in its file. It is the same in all files that an object was rendered to:
 * the object, the path in it, the code and the message tell it; of what has no name, the file and the line.
 */
export function fingerprintOf({ file, code, message, source }: About, place: string | undefined): string {
  const what = place === undefined ? [file, code, message, source.trim()] : [place, code, message];
  return createHash('sha256').update(what.join('\0')).digest('hex').slice(0, 40);
}

type Caused = Pick<About, 'code' | 'message'> & { readonly fingerprint: string };

/** What tells what a person is to be shown once: the finding of an object, or what is said of all objects of a kind. */
function causeOf({ code, message, fingerprint }: Caused): string {
  return ruleOf(code)?.ofKind ? `${code} ${message}` : fingerprint;
}

/** A finding that was shown, and the other files that have the same. */
export interface Cause {
  readonly first: Place;
  readonly others: Set<string>;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code: string;
}

/** What an object that was rendered to many files has in each of them is shown once, and what all of a kind have. */
export class Causes {
  private readonly all = new Map<string, Cause>();

  /** Whether a finding is shown; otherwise its file is kept with the one that is. */
  isFirst(report: Place & Caused): boolean {
    const { file, line, column, code } = report;
    const cause = causeOf(report);
    const known = this.all.get(cause);
    if (!known) this.all.set(cause, { first: { file, line, column, code }, others: new Set() });
    else if (known.first.file !== file) known.others.add(file);
    return !known || (known.first.file === file && !ruleOf(code)?.ofKind);
  }

  values(): Iterable<Cause> {
    return this.all.values();
  }
}

/** What is listed in one line at the end of a run, by its rule. */
export class Lists<One extends { readonly code: string; readonly listed?: string }> {
  private readonly all = new Map<string, One[]>();

  /** Whether a finding is one of those. */
  takes(report: One): boolean {
    if (report.listed === undefined) return false;
    const known = this.all.get(report.code);
    if (known) known.push(report);
    else this.all.set(report.code, [report]);
    return true;
  }

  values(): Iterable<readonly One[]> {
    return this.all.values();
  }
}

/** The object at an offset of a file and the path in it; undefined where it has no name. */
export function placeAt({ stream }: Pick<SourceFile, 'stream'>, offset: number): string | undefined {
  const placed = stream.documents.findLast(({ start }) => start <= offset);
  if (!placed) return undefined;
  const { path } = pathAt(placed.document, offset - placed.start);
  const manifest = manifestsOf(placed.document).find(({ at }) => at.every((step, i) => step === path[i]));
  if (!manifest || metadataText(manifest, 'name') === '') return undefined;
  return JSON.stringify([...identity(manifest), ...path.slice(manifest.at.length)]);
}

function identity(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  return [apiVersion, kind, metadataText(manifest, 'namespace'), metadataText(manifest, 'name')];
}
