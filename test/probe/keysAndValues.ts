import type { DocumentPath } from '../../server/src/base/value.ts';
import { complete } from '../../server/src/features/complete/complete.ts';
import type { Completion } from '../../server/src/features/complete/completion.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { nodeAtPath } from '../../server/src/yaml/place.ts';
import { accepted } from './accepting.ts';
import { shown, typedOn } from './asking.ts';
import { count, newTally, rankOf, type Tally } from './tally.ts';
import { type Entry, entriesOf } from './trees.ts';
import { maps } from './vocabulary.ts';
import type { WorldFile } from './world.ts';

/** A place of a file to type at: what is taken away, and what should be offered for it. */
interface Gap {
  readonly file: WorldFile;
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** What is put before the letters typed. */
  readonly lead: string;
  /** Where the key has to come to stand. */
  readonly path?: DocumentPath;
}

/** Keys with their values, values, and keys typed in the column of an empty parent. */
export type GapKind = 'key' | 'value' | 'child';

const gapsOfEntry: Readonly<Record<GapKind, (file: WorldFile, entry: Entry, isCrd: boolean) => Gap[]>> = {
  key: (file, entry, isCrd) => {
    if (entry.isItem || !isKnownKey(entry.path, isCrd)) return [];
    return [{ file, start: entry.key.start, end: entry.value.end, label: String(entry.path.at(-1)), lead: '' }];
  },
  value: (file, entry, isCrd) => {
    if (entry.node.kind !== 'scalar' || !(isCrd ? isKnownInCrd(entry) : isKnownInResource(file, entry))) return [];
    return [{ file, start: entry.value.start, end: entry.value.end, label: entry.node.value, lead: '' }];
  },
  child: (file, entry, isCrd) => {
    const first = entry.node.kind === 'map' && entry.node.style === 'block' ? firstKey(entry.node) : undefined;
    if (first === undefined || entry.isItem || !isKnownKey([...entry.path, first], isCrd)) return [];
    const lineStart = file.text.lastIndexOf('\n', entry.key.start) + 1;
    const lead = `\n${' '.repeat(entry.key.start - lineStart)}`;
    return [{ file, start: entry.key.end + 1, end: entry.value.end, label: first, lead, path: [...entry.path, first] }];
  },
};

function firstKey(node: Entry['node'] & { kind: 'map' }): string | undefined {
  const key = node.pairs[0]?.key;
  return key?.kind === 'scalar' ? key.value : undefined;
}

const freeMaps = new Set([...maps, 'labels']);

/** Whether a key's name is the schema's, and not the author's choice. */
function isKnownKey(path: readonly (string | number)[], isCrd: boolean): boolean {
  const parent = path.at(-2);
  if (!isCrd) return !freeMaps.has(String(parent));
  const inSchema = path.slice(path.indexOf('openAPIV3Schema') + 1);
  const named = (steps: readonly (string | number)[]) => {
    let isName = false;
    for (const step of steps) isName = !isName && step === 'properties';
    return isName;
  };
  return !path.includes('openAPIV3Schema') || !named(inSchema.slice(0, -1));
}

const knownInCrds = new Set(
  'type kind listKind singular apiVersion scope jsonPath served storage x-kubernetes-list-type x-kubernetes-int-or-string'.split(
    ' ',
  ),
);

function isKnownInCrd({ path, isItem }: Entry): boolean {
  const list = path.at(-2);
  if (isItem) return list === 'required' || list === 'x-kubernetes-list-map-keys';
  const inSchema = path.includes('openAPIV3Schema');
  if (path.join('.') === 'metadata.name') return true;
  if (inSchema && path.at(-2) === 'properties') return false;
  return knownInCrds.has(String(path.at(-1)));
}

/** Values that a schema enumerates are short words; free ones are made with a hyphen and a number. */
function isKnownInResource({ text }: WorldFile, { path, value }: Entry): boolean {
  const written = text.slice(value.start, value.end);
  if (path[0] !== 'spec') return path.length === 1;
  return /^(?:true|false|[A-Z][A-Za-z]*|debug|info|warn|error|postgres|mysql|sqlite|aws|azure|gcp|on-prem)$/.test(
    written,
  );
}

export function gapsIn(files: readonly WorldFile[], kind: GapKind): Gap[] {
  return files.flatMap((file) => {
    const isCrd = file.text.includes('kind: CustomResourceDefinition');
    return entriesOf(file.text).flatMap((entry) => gapsOfEntry[kind](file, entry, isCrd));
  });
}

/** Takes each away, types its first letters, and looks for it among what is offered. */
export function probeGaps(snapshot: Snapshot, gaps: readonly Gap[], letters: number): Tally {
  const tally = newTally();
  for (const { file, start, end, label, lead, path } of gaps) {
    const typed = label.slice(0, letters);
    const text = file.text.slice(0, start) + lead + typed + file.text.slice(end);
    const offset = start + lead.length + typed.length;
    const items = complete(typedOn(snapshot, file.uri, text), file.uri, offset);
    const landed = path === undefined || landsAt(items, label, text, path);
    const rank = landed ? rankOf(items, label, typed) : undefined;
    count(tally, { rank, about: `${label} at ${shown(file, text, offset)}` });
  }
  return tally;
}

/** Whether the item, once accepted, has its key where it belongs. */
function landsAt(items: readonly Completion[], label: string, text: string, path: DocumentPath): boolean {
  const item = items.find((one) => one.label === label);
  if (!item) return false;
  const document = parseDocument(accepted(text, item));
  return document.readerError === undefined && nodeAtPath(document, path) !== undefined;
}
