import type { DocumentPath } from '../../server/src/base/value.ts';
import { lex, T } from '../../server/src/cel/lex.ts';
import { hover } from '../../server/src/features/at/hover.ts';
import { signatureHelp } from '../../server/src/features/at/signature.ts';
import { complete } from '../../server/src/features/complete/complete.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { scalarMap } from '../../server/src/yaml/scalarMap.ts';
import { shown, typedOn } from './asking.ts';
import { count, newTally, rankOf, type Tally } from './tally.ts';
import { entriesOf } from './trees.ts';
import type { WorldFile } from './world.ts';

/** A name in a rule of a file. */
export interface Name {
  readonly file: WorldFile;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The rule before the name, and what follows it. */
  readonly before: string;
  readonly after: string;
}

/** Every name in the rules of a file; those that macros declare are free. */
export function namesIn(file: WorldFile): Name[] {
  const document = parseDocument(file.text);
  const paths = entriesOf(file.text).filter(
    ({ path }) => path.at(-1) === 'rule' && path.at(-3) === 'x-kubernetes-validations',
  );
  return paths.flatMap(({ path }) => namesAt(file, document, path));
}

function namesAt(file: WorldFile, document: ReturnType<typeof parseDocument>, path: DocumentPath): Name[] {
  const map = scalarMap(document, path);
  if (!map) return [];
  const { kinds, starts, ends, count } = lex(map.value, true);
  const found: Name[] = [];
  for (let i = 0; i < count; i++) {
    const [start, end] = [starts[i]!, ends[i]!];
    const [before, after] = [map.value.slice(0, start), map.value.slice(end)];
    const declares = /\.(?:all|exists|exists_one|map|filter)\($/.test(before) && after.startsWith(',');
    if (kinds[i] !== T.ident || declares) continue;
    found.push({
      file,
      text: map.value.slice(start, end),
      start: map.toText(start),
      end: map.toText(end),
      before,
      after,
    });
  }
  return found;
}

export function probeNames(snapshot: Snapshot, names: readonly Name[], letters: number): Tally {
  const tally = newTally();
  for (const { file, text: label, start, end, after } of names) {
    const typed = label.slice(0, letters);
    const text = file.text.slice(0, start) + typed + file.text.slice(end);
    const offset = start + typed.length;
    const items = complete(typedOn(snapshot, file.uri, text), file.uri, offset);
    const found = items.find((item) => item.label === label);
    const doubled = after.startsWith('(') && found?.text.includes('(');
    const rank = doubled ? undefined : rankOf(items, label, typed);
    count(tally, { rank, about: `${doubled ? 'parentheses doubled: ' : ''}${label} at ${shown(file, text, offset)}` });
  }
  return tally;
}

/** Hover on fields inside has(). */
export function probeHas(snapshot: Snapshot, names: readonly Name[]): Tally {
  const tally = newTally();
  for (const { file, start, before, text } of names) {
    if (!/has\([\w.]*\.$/.test(before)) continue;
    const card = hover(snapshot, file.uri, start + 1)?.markdown.source ?? '';
    const says = card.includes('Sets the') || card.includes('The name');
    count(tally, { rank: says ? 0 : undefined, about: `${text} at ${shown(file, file.text, start)}` });
  }
  return tally;
}

/** Signature help behind the parenthesis of every function, method and macro. */
export function probeSignatures(snapshot: Snapshot, names: readonly Name[]): Tally {
  const tally = newTally();
  for (const { file, end, after, text } of names) {
    if (!after.startsWith('(')) continue;
    const help = signatureHelp(snapshot, file.uri, end + 1);
    const named = help?.signatures[help.active]?.label.includes(text) ?? false;
    count(tally, { rank: named ? 0 : undefined, about: `${text} at ${shown(file, file.text, end)}` });
  }
  return tally;
}
