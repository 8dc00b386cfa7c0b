import { isList, isMap, type Value } from '../../server/src/base/value.ts';
import { complete } from '../../server/src/features/complete/complete.ts';
import type { Completion } from '../../server/src/features/complete/completion.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { withoutPlaceholders } from '../../server/src/lsp/toProtocol.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { tolerantValueOf } from '../../server/src/yaml/tolerantValue.ts';
import { type Random, seeded } from '../support/random.ts';
import { shown, typedOn } from './asking.ts';
import { count, newTally, type Tally } from './tally.ts';
import type { WorldFile } from './world.ts';

/** What an editor makes of a text when an item is accepted: later lines are indented as the one it begins on. */
export function accepted(text: string, { range, text: put, snippet }: Completion): string {
  const lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, range.start))![0];
  const plain = snippet ? withoutPlaceholders(put) : put;
  return text.slice(0, range.start) + plain.replaceAll('\n', `\n${indent}`) + text.slice(range.end);
}

const structural = new Set(['yaml/syntax', 'yaml/duplicate-key', 'yaml/separator']);
const unknownFields = new Set(['crd/unknown-field', 'cr/unknown-field']);

interface State {
  readonly errors: number;
  readonly unknown: number;
  /** Every scalar with its way, lists' numbers left out. */
  readonly leaves: ReadonlyMap<string, number>;
}

function stateOf(snapshot: Snapshot, uri: string): State {
  const codes = diagnose(snapshot, uri).map(({ code }) => code);
  const errors = codes.filter((code) => structural.has(code)).length;
  const unknown = codes.filter((code) => unknownFields.has(code)).length;
  const leaves = new Map<string, number>();
  const add = (value: Value | undefined, way: string): void => {
    if (isList(value)) for (const item of value) add(item, `${way}[]`);
    else if (isMap(value)) for (const [key, one] of value) add(one, `${way}.${key}`);
    else if (value !== null && value !== undefined)
      leaves.set(`${way}=${value}`, (leaves.get(`${way}=${value}`) ?? 0) + 1);
  };
  for (const { document } of snapshot.open.get(uri)!.stream.documents) add(tolerantValueOf(document), '');
  return { errors, unknown, leaves };
}

function lost(before: State, after: State): number {
  let sum = 0;
  for (const [leaf, times] of before.leaves) sum += Math.max(0, times - (after.leaves.get(leaf) ?? 0));
  return sum;
}

/** Blank lines and words typed at random places, as a person may put them; tabs among them. */
function disturbed(random: Random, { text }: WorldFile): { text: string; offset: number; kept: boolean } {
  const offset = random.below(text.length);
  const lineEnd = text.indexOf('\n', offset) === -1 ? text.length : text.indexOf('\n', offset);
  const typed = random.pick(['', 's', 'en', 'r']);
  if (random.chance(0.5))
    return { text: text.slice(0, offset) + typed + text.slice(offset), offset: offset + typed.length, kept: false };
  const indent = random.chance(0.1) ? '\t' : ' '.repeat(random.below(7) * 2);
  const dash = random.chance(0.2) ? '- ' : '';
  const line = `\n${indent}${dash}${typed}`;
  return {
    text: text.slice(0, lineEnd) + line + text.slice(lineEnd),
    offset: lineEnd + line.length,
    kept: dash === '',
  };
}

/** Accepts up to three of the items at random places: the rest of the document must mean what it meant. */
export function probeAccepting(snapshot: Snapshot, files: readonly WorldFile[], places: number): Tally {
  const tally = newTally();
  const random = seeded(4);
  for (let i = 0; i < places; i++) {
    const file = random.pick(files);
    const { text, offset, kept } = disturbed(random, file);
    const typed = typedOn(snapshot, file.uri, text);
    const items = complete(typed, file.uri, offset);
    if (items.length === 0) continue;
    // A line of its own must leave all that stood there; where a dash begins an item, what follows may belong to it.
    const before = stateOf(kept ? typedOn(snapshot, file.uri, file.text) : typed, file.uri);
    for (let tries = 0; tries < 3; tries++) acceptOne(tally, { typed, file, text, offset, before }, random.pick(items));
  }
  return tally;
}

interface Place {
  readonly typed: Snapshot;
  readonly file: WorldFile;
  readonly text: string;
  readonly offset: number;
  readonly before: State;
}

function acceptOne(tally: Tally, { typed, file, text, offset, before }: Place, item: Completion): void {
  const after = stateOf(typedOn(typed, file.uri, accepted(text, item)), file.uri);
  // A key that has its colon takes its whole value along to the new name.
  const renames = /^[ \t]*:/.test(text.slice(item.range.end));
  // What the item replaces may go: a word, or another value.
  const gone = renames || before.errors > 0 ? 0 : lost(before, after);
  const fine =
    (item.kind === 'value' || item.kind === 'kind' || renames || after.unknown <= before.unknown) &&
    after.errors <= before.errors &&
    gone <= 1;
  const what = `${item.label} (${before.errors} → ${after.errors} errors, ${before.unknown} → ${after.unknown} unknown, ${gone} lost)`;
  count(tally, { rank: fine ? 0 : undefined, about: `${what} at ${shown(file, text, offset)}` });
}
