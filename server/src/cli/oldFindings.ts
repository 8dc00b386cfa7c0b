import path from 'node:path';
import { readRegular } from '../files/read.ts';
import { writeWhole } from '../files/write.ts';
import { textOf } from '../workspace/scan.ts';
import type { Report } from './report.ts';
import { json } from './terminal.ts';

// Findings that were there when somebody began to check, or that are meant to stay: a file in the repository names them.

/** As the file has it, one a line. */
interface OldFinding {
  readonly fingerprint: string;
  readonly code: string;
  /** Where it was when it was noted. */
  readonly file: string;
  readonly message: string;
  /** Why it may stay, written by hand. */
  readonly reason?: string;
}

/** What a run knows of old findings. */
export interface OldFindings {
  /** Whether a finding is an old one; notes it where the file is written anew. */
  takes(report: Report): boolean;
  /** Notes a file that was looked into. */
  saw(file: string): void;
  /** Writes the file where that was asked for; says what it did, and what is of no more use. */
  end(): Promise<string[]>;
}

export interface OldFindingsOptions {
  readonly baselineFile: string | undefined;
  readonly writeBaseline: boolean;
}

const noOldFindings: OldFindings = { takes: () => false, saw: () => {}, end: async () => [] };

/** A finding takes some 300 bytes. */
const mostBytes = 20_000_000;

export async function oldFindingsOf({ baselineFile, writeBaseline }: OldFindingsOptions): Promise<OldFindings> {
  if (baselineFile === undefined) return noOldFindings;
  const known = await readOld(baselineFile, writeBaseline);
  return writeBaseline ? written(baselineFile, known) : filtered(baselineFile, known);
}

type Known = ReadonlyMap<string, OldFinding>;

function filtered(name: string, known: Known): OldFindings {
  const met = new Set<string>();
  const seen = new Set<string>();
  let count = 0;
  return {
    takes({ fingerprint }) {
      if (!known.has(fingerprint)) return false;
      met.add(fingerprint);
      count++;
      return true;
    },
    saw: (file) => seen.add(file),
    async end() {
      const gone = [...known.values()].filter(({ fingerprint, file }) => seen.has(file) && !met.has(fingerprint));
      return [
        ...(count === 0 ? [] : [`${count} old ${count === 1 ? 'finding' : 'findings'} of ${name} left out`]),
        ...(gone.length === 0 ? [] : [`${gone.length} of ${name} are gone: --write-baseline takes them out`]),
      ];
    },
  };
}

function written(name: string, known: Known): OldFindings {
  const found = new Map<string, OldFinding>();
  const seen = new Set<string>();
  return {
    takes({ fingerprint, code, file, message }) {
      const reason = known.get(fingerprint)?.reason;
      if (!found.has(fingerprint))
        found.set(fingerprint, { fingerprint, code, file, message, ...(reason !== undefined && { reason }) });
      return true;
    },
    saw: (file) => seen.add(file),
    async end() {
      // What this run has not looked at is as it was.
      const others = [...known.values()].filter(({ fingerprint, file }) => !seen.has(file) && !found.has(fingerprint));
      const all = [...found.values(), ...others].sort(byPlace);
      await writeWhole(name, textOfAll(all), path.dirname(name));
      return [`${all.length} old ${all.length === 1 ? 'finding' : 'findings'} noted in ${name}`];
    },
  };
}

function byPlace(a: OldFinding, b: OldFinding): number {
  const [left, right] = [a, b].map(({ file, code, fingerprint }) => [file, code, fingerprint].join('\0'));
  return left! < right! ? -1 : 1;
}

function textOfAll(all: readonly OldFinding[]): string {
  return `{"version":1,"findings":[\n${all.map((one) => json(one)).join(',\n')}\n]}\n`;
}

async function readOld(name: string, mayBeMissing: boolean): Promise<Known> {
  const read = await readRegular(name, mostBytes);
  if (read === undefined && mayBeMissing) return new Map();
  if (read === undefined) throw new Error(`nothing found at ${name}: --write-baseline writes it`);
  const text = textOf(read);
  const all = text === undefined ? undefined : findingsIn(text);
  if (!all) throw new Error(`${name} is not a list of old findings as --write-baseline writes it`);
  return new Map(all.map((one) => [one.fingerprint, one]));
}

function findingsIn(text: string): readonly OldFinding[] | undefined {
  try {
    const { version, findings }: { version?: unknown; findings?: unknown } = JSON.parse(text) ?? {};
    return version === 1 && Array.isArray(findings) && findings.every(isOldFinding) ? findings : undefined;
  } catch (error) {
    // It is not JSON.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isOldFinding(one: unknown): one is OldFinding {
  if (typeof one !== 'object' || one === null) return false;
  const { fingerprint, code, file, message, reason = '' } = one as Record<string, unknown>;
  return [fingerprint, code, file, message, reason].every((text) => typeof text === 'string');
}
