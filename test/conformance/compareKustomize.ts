// npm run compare:kustomize -- FOLDER …: builds all kustomizations in folders, by kustomize itself and by us, and prints how
// many came out the same to the byte, and how the others differ.
import path from 'node:path';
import { build, newSession, print } from '../../server/src/kustomize/build.ts';
import { diskFiles, kustomizationsIn } from '../support/kustomizationFolders.ts';
import { startOracle } from './oracle.ts';

const folders = process.argv.slice(2).map((folder) => path.resolve(folder));
if (folders.length === 0) {
  console.error('which folders? npm run compare:kustomize -- FOLDER …');
  process.exit(2);
}
const counts = { equal: 0, 'equal errors': 0, 'left out': 0, different: 0 };
const times = { ours: 0, theirs: 0 };
const session = newSession();
const files = diskFiles();
const oracle = startOracle('made');
for (const root of folders.flatMap(kustomizationsIn)) await compare(root);
oracle.close();
console.log(
  Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', '),
);
console.log(`ours ${Math.round(times.ours)} ms, theirs ${Math.round(times.theirs)} ms`);
process.exit(counts.different === 0 ? 0 : 1);

async function compare(root: string): Promise<void> {
  const started = performance.now();
  const made = build(files, root, { session });
  const ours = made.error ? `error: ${made.error.message}` : print(made).text;
  times.ours += performance.now() - started;
  if (made.leftOut.length > 0) {
    counts['left out']++;
    return;
  }
  const asked = performance.now();
  const [line] = await oracle.ask([JSON.stringify({ op: 'kustomize', dir: root })]);
  times.theirs += performance.now() - asked;
  const answer = JSON.parse(line!);
  const theirs = answer.error === undefined ? answer.text : `error: ${answer.error}`;
  const isSame = ours === theirs;
  counts[!isSame ? 'different' : made.error ? 'equal errors' : 'equal']++;
  if (!isSame) console.log(`${root}:\n${firstDifference(ours, theirs)}`);
}

function firstDifference(ours: string, theirs: string): string {
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 120), at + 160));
  return `  at line ${ours.slice(0, at).split('\n').length}\n    ours   ${around(ours)}\n    theirs ${around(theirs)}`;
}
