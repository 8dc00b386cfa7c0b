import assert from 'node:assert/strict';
import { equalValues, type Path, type Value, valueAt } from '../../server/src/base/value.ts';
import { fixAll } from '../../server/src/features/mend/fixAll.ts';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { judge } from '../../server/src/rules/judging/judge.ts';
import type { Diagnostic, Fix } from '../../server/src/rules/model/diagnostic.ts';
import { fileAt, type Snapshot } from '../../server/src/workspace/snapshot.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { type Random, seeded } from '../support/random.ts';
import { applyEdits, snapshotOf } from '../support/workspace.ts';
import { crdFaults, type Fault, leavesOf, pairOf, resourceFaults } from './fixesDocuments.ts';

// Every fix that is offered for faults in otherwise right documents, held against what a fix has to do.

/** How many of how many hold. */
interface Count {
  good: number;
  all: number;
}

export interface Figures {
  documents: number;
  /** By kind of fault: how often the fault has a fix. */
  readonly offered: Map<string, Count>;
  readonly gone: Count;
  readonly noNewError: Count;
  readonly preferred: Count;
  readonly fixAll: Count;
  readonly otherValues: Count;
  readonly comments: Count;
  readonly failures: string[];
}

const crdUri = 'file:///crd.yaml';
const uri = 'file:///main.yaml';

export interface Options {
  readonly seed: number;
  readonly pairs: number;
  /** How many faults are taken of each document. */
  readonly faults: number;
}

export function probeFixes({ seed, pairs, faults }: Options): Figures {
  const random = seeded(seed);
  const count = () => ({ good: 0, all: 0 });
  const counts = { gone: count(), noNewError: count(), preferred: count(), fixAll: count() };
  const figures: Figures = {
    documents: 0,
    offered: new Map(),
    ...counts,
    otherValues: count(),
    comments: count(),
    failures: [],
  };
  for (let i = 0; i < pairs; i++) {
    const { crd, resource } = pairOf(random);
    const value = valueOf(parseDocument(resource))!;
    for (const fault of sample(random, resourceFaults(random, resource, value), faults))
      probe(figures, crd, fault, resource);
    const crdFaulty = crdFaults(random, crd, valueOf(parseDocument(crd))!);
    for (const fault of sample(random, crdFaulty, faults)) probe(figures, undefined, fault, crd);
  }
  return figures;
}

/** Kinds of faults alike, however often each of them is possible. */
function sample(random: Random, faults: readonly Fault[], most: number): Fault[] {
  const names = [...new Set(faults.map(({ name }) => name))].map((name) => ({ name, order: random.next() }));
  const chosen = names.sort((a, b) => a.order - b.order).slice(0, most);
  return chosen.map(({ name }) => random.pick(faults.filter((fault) => fault.name === name)));
}

function snapshotWith(crd: string | undefined, text: string): Snapshot {
  return snapshotOf([...(crd === undefined ? [] : [{ uri: crdUri, text: crd }]), { uri, text }]);
}

const errorsIn = (found: readonly Diagnostic[]) => found.filter(({ severity }) => severity === 'error');
/** A fix may change the value that a message shows, the place of an item, and whether something is told of already. */
const kindOf = ({ code, message }: Diagnostic) =>
  `${code} ${message
    .replace('Once the other errors are fixed: ', '')
    .replace(/value: .*?: /g, 'value: ')
    .replace(/\d+/g, '#')}`;

function probe(figures: Figures, crd: string | undefined, { name, text }: Fault, right: string): void {
  if (diagnose(snapshotWith(crd, right), uri).some(({ severity }) => severity === 'error')) return;
  const snapshot = snapshotWith(crd, text);
  const before = diagnose(snapshot, uri);
  if (before.length === 0) return;
  figures.documents++;
  const note = (count: Count, holds: boolean, said: () => string) => {
    count.all++;
    if (holds) count.good++;
    else figures.failures.push(said());
  };
  let hasFix = false;
  const worst = before.some(({ severity }) => severity === 'error') ? 'error' : before[0]!.severity;
  for (const finding of before) {
    for (const fix of fixesFor(snapshot, uri, finding)) {
      hasFix ||= finding.severity === worst && !/^Remove (?:this )?`/.test(fix.title);
      const after = applyEdits(text, fix.edits);
      const left = diagnose(snapshotWith(crd, after), uri);
      const where = (what: string) => `${what}: ${name}: ${fix.title} (${finding.code})\n${text}\n---\n${after}`;
      const sameKind = (all: readonly Diagnostic[]) => all.filter((one) => kindOf(one) === kindOf(finding)).length;
      note(figures.gone, sameKind(left) < sameKind(before), () => where('stays'));
      const known = new Set(before.map(kindOf));
      const added = errorsIn(left).filter((one) => !known.has(kindOf(one)));
      const said = () => where(`adds ${added[0]?.code} ${added[0]?.message}`);
      note(figures.noNewError, added.length === 0 || fix.title.includes(' (then: '), said);
      if (fix.safe) note(figures.preferred, added.length === 0, () => `preferred ${said()}`);
      note(figures.otherValues, keepsOthers(snapshot, finding, fix, text, after), () => where('other value'));
      note(figures.comments, keepsComments(text, after, fix), () => where('comment'));
    }
  }
  const offered = figures.offered.get(name) ?? { good: 0, all: 0 };
  figures.offered.set(name, { good: offered.good + (hasFix ? 1 : 0), all: offered.all + 1 });
  probeFixAll(figures, crd, text, before, note);
}

function probeFixAll(
  figures: Figures,
  crd: string | undefined,
  text: string,
  before: readonly Diagnostic[],
  note: (count: Count, holds: boolean, said: () => string) => void,
): void {
  const all = fixAll(snapshotWith(crd, text), uri);
  if (!all) return;
  const after = applyEdits(text, all.edits);
  const known = new Set(before.map(kindOf));
  const added = errorsIn(diagnose(snapshotWith(crd, after), uri)).filter((one) => !known.has(kindOf(one)));
  const settled = fixAll(snapshotWith(crd, after), uri) === undefined;
  note(
    figures.fixAll,
    added.length === 0 && settled,
    () => `fix all: ${added[0]?.message ?? 'unsettled'}\n${text}\n---\n${after}`,
  );
}

/** Whether everything but what the finding is about, and what is new beside it, reads as before. */
function keepsOthers(snapshot: Snapshot, finding: Diagnostic, fix: Fix, before: string, after: string): boolean {
  const [old, now] = [valueOf(parseDocument(before)), valueOf(parseDocument(after))];
  if (old === undefined || now === undefined || finding.code.startsWith('yaml/')) return true;
  const file = fileAt(snapshot, uri)!;
  const { document } = file.stream.documents[0]!;
  assert.ok(finding.key.of === 'document');
  const { path } = judge(snapshot, file, document)[finding.key.nth]!;
  if (fix.title === 'Quote the value' && !isAsWritten(before, valueAt(now, path))) return false;
  const own = finding.code.startsWith('cr/') ? path : path.slice(0, -1);
  const isApart = (at: Path) => !own.every((step, i) => at[i] === step) && !at.every((step, i) => own[i] === step);
  return [...leavesOf(old)].every(
    ({ path: at, value }) => !isApart(at) || isCrdName(at) || isSame(value, valueAt(now, at)),
  );
}

const isAsWritten = (before: string, now: Value | undefined) =>
  typeof now === 'string' && new RegExp(`[ \\[&]${now.replace(/[.+]/g, '\\$&')}(?:\\s|$|[\\],}])`, 'm').test(before);

/** What follows from other parts of a CRD. */
const isCrdName = (path: Path) => path[0] === 'metadata' || path[1] === 'names' || path[1] === 'versions';

const isSame = (a: Value, b: Value | undefined) => a instanceof Map || Array.isArray(a) || equalValues(a, b);

function keepsComments(before: string, after: string, { title }: Fix): boolean {
  if (/^(?:Remove|Keep)/.test(title)) return true;
  const comments = (text: string) => [...text.matchAll(/# (?:end|above) \d+/g)].map(([comment]) => comment);
  const left = new Set(comments(after));
  return comments(before).every((comment) => left.has(comment));
}
