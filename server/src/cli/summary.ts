import { counted } from '../base/text.ts';
import { type FileReason, fileReason, type ObjectReason, objectReason } from '../features/problems/notJudged.ts';
import { rangeText } from '../kubernetes/releases/range.ts';
import { isBroughtIn } from '../workspace/origin.ts';
import type { Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { TestReason } from '../workspace/testData.ts';
import type { Totals } from './formats/format.ts';

/** Why something is not judged; `no-objects` where a file without them would have had findings, `encrypted` by git-crypt. */
type Reason = FileReason | ObjectReason | TestReason | 'no-objects' | 'encrypted';

/** What a run has not judged, counted by the reason. */
export type NotJudged = Map<Reason, number>;

export function countNotJudged(counts: NotJudged, snapshot: Snapshot, file: SourceFile): void {
  const whole = fileReason(snapshot, file);
  // A template holds nothing that can be read, and is a manifest all the same.
  if (file.manifests.length === 0 && whole !== 'template') return;
  const reasons = whole ? [whole] : file.manifests.map((manifest) => objectReason(snapshot, manifest, file.uri));
  for (const reason of reasons) if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1);
}

const words: Readonly<Record<Reason, readonly [one: string, several: string]>> = {
  'no-crd': ['object without a known CRD', 'objects without a known CRD'],
  'built-in': ['object of a kind that Kubernetes serves itself', 'objects of kinds that Kubernetes serves itself'],
  'added-server': [
    'object of a kind that an API server of its own serves',
    'objects of kinds that API servers of their own serve',
  ],
  'for-programs': ['file for a program', 'files for programs'],
  'but-expressions': ['file for a program but for its expressions', 'files for programs but for their expressions'],
  'no-objects': ['file without Kubernetes objects', 'files without Kubernetes objects'],
  template: ['template', 'templates'],
  parts: ['file with parts of objects', 'files with parts of objects'],
  asked: ['file that asks for it', 'files that ask for it'],
  encrypted: ['file that git-crypt has encrypted', 'files that git-crypt has encrypted'],
  excluded: ['excluded file', 'excluded files'],
  'test-data': ['file of test data', 'files of test data'],
  vendored: ['file of another module, in vendor', 'files of other modules, in vendor'],
  invalid: ['file of a test that is called invalid', 'files of tests that are called invalid'],
};

/** One line; none where all was judged. */
export function summaryOf(counts: NotJudged): string[] {
  const order = Object.keys(words) as (keyof typeof words)[];
  const parts = order.flatMap((reason) => {
    const count = counts.get(reason) ?? 0;
    return count === 0 ? [] : [`${count} ${words[reason][count === 1 ? 0 : 1]}`];
  });
  return parts.length === 0 ? [] : [`not judged: ${parts.join(', ')}`];
}

/** The CRDs that are not of the files at hand: what each comes from. */
export function broughtIn({ onDisk }: Snapshot): Map<string, string> {
  const found = new Map<string, string>();
  for (const [uri, { origin }] of onDisk) if (origin && isBroughtIn(origin)) found.set(uri, origin.text);
  return found;
}

/** A line on them: what they come from decides the verdict. */
export function broughtInText(origins: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>();
  for (const text of origins.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sources = [...counts].map(([text, count]) => `${count} of ${text}`);
  return sources.length === 0 ? [] : [`CRDs from elsewhere: ${sources.join('; ')}`];
}

/** What a run has done, in one line but for how long it took. Where less is shown than was found, it says so. */
export function totalsText(totals: Totals, shown: number | undefined, judged: ReadonlySet<string>): string {
  const { files, errors, warnings, notes } = totals;
  const isLess = shown !== undefined && shown < errors + warnings + notes;
  const found = [
    counted(errors, 'error'),
    counted(warnings, 'warning'),
    ...(notes > 0 ? [counted(notes, 'note')] : []),
    ...(isLess ? [`shown as ${shown}`] : []),
  ];
  const by = judged.size === 0 ? '' : ` for Kubernetes ${rangeText([...judged])}`;
  return `${counted(files, 'file')}${by}: ${found.join(', ')}`;
}
