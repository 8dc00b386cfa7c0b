import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conformanceFolder } from './cases.ts';
import { type Plain, stable } from './normal.ts';
import { kubernetesVersions } from './protocol.ts';

/** What an older version answered, as changes to the next newer version's answer: a path and its value, or none. */
type Change = [path: (string | number)[], value?: Plain];

/** The recorded answers to one case: the newest version's whole, older ones only where and how they differ. */
export interface Recorded {
  readonly newest: Plain;
  readonly older: Readonly<Record<string, readonly Change[]>>;
}

const newestVersion = kubernetesVersions[0]!;

function answersFile(file: string): string {
  return path.join(conformanceFolder, 'answers', `${file}.jsonl`);
}

export function readAnswers(file: string): Map<string, Recorded> {
  const from = answersFile(file);
  if (!existsSync(from)) return new Map();
  const rows = readFileSync(from, 'utf8').split('\n').filter(Boolean);
  return new Map(
    rows.map((row) => {
      const { case: name, [newestVersion]: newest, ...older } = JSON.parse(row);
      return [name, { newest, older }];
    }),
  );
}

export function writeAnswers(file: string, answers: ReadonlyMap<string, Recorded>): void {
  const to = answersFile(file);
  mkdirSync(path.dirname(to), { recursive: true });
  const rows = [...answers].map(
    ([name, { newest, older }]) => `${JSON.stringify({ case: name, [newestVersion]: newest, ...older })}\n`,
  );
  writeFileSync(to, rows.join(''));
}

/** What a version answered. */
export function answerOf(recorded: Recorded, kubernetes: string): Plain {
  let answer = recorded.newest;
  for (const version of kubernetesVersions.slice(1, kubernetesVersions.indexOf(kubernetes) + 1)) {
    for (const change of recorded.older[version] ?? []) answer = apply(answer, change);
  }
  return answer;
}

export function compactAnswers(byVersion: ReadonlyMap<string, Plain>): Recorded {
  const older: Record<string, Change[]> = {};
  let newer = byVersion.get(newestVersion)!;
  for (const version of kubernetesVersions.slice(1)) {
    const answer = byVersion.get(version)!;
    const found = changes(newer, answer, []);
    if (found.length > 0) older[version] = found;
    newer = answer;
  }
  return { newest: byVersion.get(newestVersion)!, older };
}

/** How many cases two recordings differ in. */
export function answersChanged(before: ReadonlyMap<string, Recorded>, after: ReadonlyMap<string, Recorded>): number {
  const names = new Set([...before.keys(), ...after.keys()]);
  const text = (recorded: Recorded | undefined) => JSON.stringify(recorded);
  return [...names].filter((name) => text(before.get(name)) !== text(after.get(name))).length;
}

function changes(from: Plain, to: Plain, at: (string | number)[]): Change[] {
  if (stable(from) === stable(to)) return [];
  const keys = sharedKeys(from, to);
  if (keys === undefined) return [[at, to]];
  return keys.flatMap((key): Change[] => {
    const [left, right] = [member(from, key), member(to, key)];
    if (right === undefined) return [[[...at, key]]];
    return left === undefined ? [[[...at, key], right]] : changes(left, right, [...at, key]);
  });
}

/** The keys under which two answers can be told apart; undefined where only the whole can be replaced. */
function sharedKeys(a: Plain, b: Plain): (string | number)[] | undefined {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return undefined;
  if (Array.isArray(a) !== Array.isArray(b)) return undefined;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length ? [...a.keys()] : undefined;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

function member(of: Plain, key: string | number): Plain | undefined {
  return (of as Record<string | number, Plain>)[key];
}

function apply(answer: Plain, [at, value]: Change): Plain {
  if (at.length === 0) return value ?? null;
  const [key, ...rest] = at as [string | number, ...(string | number)[]];
  const copy = (Array.isArray(answer) ? [...answer] : { ...(answer as object) }) as Record<string | number, Plain>;
  if (rest.length > 0) copy[key] = apply(copy[key]!, value === undefined ? [rest] : [rest, value]);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy as unknown as Plain;
}
