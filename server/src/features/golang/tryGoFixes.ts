import { editedText } from '../../rules/fixing/fixes.ts';
import { triesOf } from '../../rules/fixing/tries.ts';
import type { Diagnostic, TextEdit } from '../../rules/model/diagnostic.ts';
import { withMade } from '../../workspace/languages/go.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { charactersOfProblem, type Trial } from '../mend/tryFixes.ts';
import { diagnose } from '../problems/diagnose.ts';
import { diagnoseGo } from './diagnoseGo.ts';

/** Tries edits on a Go file: its types are read again, and what comes of them is judged, wherever that is said. */
export function trialOnGo(snapshot: Snapshot, view: GoView): Trial<Diagnostic> {
  const before = foundIn(snapshot, view);
  const known = new Set(before.all.map(kindOf));
  // What of the CRDs stays as it is costs little.
  const largest = view.source.stream.documents.reduce((most, { document }) => Math.max(most, document.text.length), 0);
  const size = timesAsMuch * (largest + view.file.go.text.length + charactersOfProblem * before.all.length);
  const tried = (problems: readonly Diagnostic[], edits: readonly TextEdit[]) => {
    const now = view.remade(editedText(view.file.go.text, edits));
    if (!now) return { fixes: false, adds: [], keepsKinds: false, keepsAll: false };
    const after = foundIn(snapshot, now);
    const fixes = problems.every((one) => isLess(one, before, after) && isGoneFrom(one, edits, before, after));
    const adds = after.all.filter((one) => isError(one) && !known.has(kindOf(one)));
    const keepsAll = after.all.filter(isError).length <= before.all.filter(isError).length;
    return { fixes, adds, keepsKinds: true, keepsAll };
  };
  return { most: triesOf(size), try: tried };
}

const isError = ({ severity }: Diagnostic) => severity === 'error';
/** A CRD that is made of types again costs more than one that is only read again. */
const timesAsMuch = 3;

interface Findings {
  /** In the Go file. */
  readonly here: readonly Diagnostic[];
  /** With those in the CRDs that come of all files, and what is refused in others. */
  readonly all: readonly Diagnostic[];
}

function foundIn(snapshot: Snapshot, view: GoView): Findings {
  const here = diagnoseGo(snapshot, view);
  const refused = view.mistakes.map(({ message }): Diagnostic => ({ ...refusal, message }));
  return { here, all: [...here, ...refused, ...diagnose(withMade(snapshot, view), view.made)] };
}

const refusal: Diagnostic = {
  ...{ code: 'go/refused', severity: 'error', message: '', range: { start: 0, end: 0 } },
  ...{ says: {}, related: [], unnecessary: false, key: { of: 'file' } as const },
};

/** A fix may change the value that a message shows, and whether something is told of already. */
function kindOf({ code, message }: Diagnostic): string {
  return `${code} ${message.replace('Once the other errors are fixed: ', '').replace(/\d+/g, '#')}`;
}

function isLess({ code }: Diagnostic, before: Findings, after: Findings): boolean {
  const count = ({ all }: Findings) => all.filter((one) => one.code === code).length;
  return count(after) < count(before) || count(before) >= defaultLimits.problems;
}

/** There are less of its kind where it was, which may be further down now. */
function isGoneFrom(
  { code, range }: Diagnostic,
  edits: readonly TextEdit[],
  before: Findings,
  after: Findings,
): boolean {
  const { start, end } = placeAfter(range.start, edits);
  const count = ({ here }: Findings, from: number, to: number) =>
    here.filter((one) => one.code === code && from <= one.range.start && one.range.start <= to).length;
  return count(after, start, end) < count(before, range.start, range.start);
}

/** Where an offset is after edits; anywhere in what is there instead of the text that it was in. */
function placeAfter(offset: number, edits: readonly TextEdit[]): { start: number; end: number } {
  let [start, within] = [offset, 0];
  for (const { range, text } of edits) {
    if (range.end <= offset) start += text.length - (range.end - range.start);
    else if (range.start <= offset) {
      start += range.start - offset;
      within = text.length;
    }
  }
  return { start, end: start + within };
}
