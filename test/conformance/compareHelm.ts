// npm run compare:helm -- FOLDER …: renders all charts in folders with their own values, and with each ci/*values.yaml as
// well, by Helm itself and by us, and prints how many came out the same to the byte, and how the others differ: each template,
// and what `helm template` prints of all of them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type HelmAnswer, type HelmQuestion, helmAnswer, templateAnswer } from './ops/helm.ts';
import { type Oracle, startOracle } from './oracle.ts';

/** Larger files are no templates, and archives no texts. */
const largest = 4_000_000;

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('which folders? npm run compare:helm -- FOLDER …');
  process.exit(2);
}
const counts = { equal: 0, 'equal errors': 0, different: 0, 'printed equally': 0, 'printed differently': 0 };
const oracle = startOracle('made');
for (const root of folders.flatMap(chartsIn)) {
  const files = filesOf(root);
  for (const set of ['values.yaml', ...valueSets(files)]) await compare(root, files, set);
}
oracle.close();
console.log(
  Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', '),
);
process.exit(counts.different + counts['printed differently'] === 0 ? 0 : 1);

type Files = Readonly<Record<string, string>>;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(inside) : entry.isFile() ? [inside] : [];
  });
}

/** The folders of charts that are not in another one. */
function chartsIn(folder: string): string[] {
  const roots = filesIn(folder)
    .filter((file) => path.basename(file) === 'Chart.yaml')
    .map((file) => path.dirname(file));
  return roots.filter((root) => !existsSync(path.join(root, '../../Chart.yaml'))).sort();
}

function filesOf(root: string): Files {
  const texts = filesIn(root).filter((file) => !/\.(?:png|tgz|gz)$/.test(file) && statSync(file).size < largest);
  const entries = texts.map((file) => [path.relative(root, file), readFileSync(file, 'utf8').replace(/^\ufeff/, '')]);
  return Object.fromEntries(entries);
}

function valueSets(files: Files): string[] {
  return Object.keys(files)
    .filter((file) => /^ci\/.*values\.yaml$/.test(file))
    .sort();
}

async function compare(root: string, files: Files, set: string): Promise<void> {
  const question = { op: 'helm', files, values: set === 'values.yaml' ? [] : [files[set]!] };
  const [theirs, again] = await askTwice(oracle, JSON.stringify(question));
  const rows = differencesOf(helmAnswer(question), theirs, again);
  counts[rows.length > 0 ? 'different' : 'error' in theirs ? 'equal errors' : 'equal']++;
  if (rows.length > 0) console.log([`${root} with ${set}:`, ...rows.slice(0, 3)].join('\n  '));
  await comparePrinted(root, question, set);
}

/** What is printed, where Helm itself prints the same twice. */
async function comparePrinted(root: string, question: HelmQuestion, set: string): Promise<void> {
  const line = JSON.stringify({ ...question, op: 'helm.template', crds: true });
  const [theirs, again] = (await oracle.ask([line, line])).map((answer) => JSON.parse(answer));
  if (theirs.text !== again.text || theirs.error !== again.error) return;
  const ours = templateAnswer({ ...question, crds: true });
  const [a, b] = [ours, theirs].map((one) => one.text ?? one.error);
  const isEqual = a === b || (theirs.error !== undefined && sorted(a) === sorted(b));
  counts[isEqual ? 'printed equally' : 'printed differently']++;
  if (!isEqual) console.log(`${root} with ${set}, printed:\n  ${firstDifference('all', a, b)}`);
}

async function askTwice(oracle: Oracle, question: string): Promise<[HelmAnswer, HelmAnswer]> {
  const answers = (await oracle.ask([question, question])).map((line): HelmAnswer => {
    const { files, error } = JSON.parse(line);
    return error === undefined ? { files: files ?? {} } : { error };
  });
  return answers as [HelmAnswer, HelmAnswer];
}

/** Where we render something else; a template that Helm itself renders in two ways does not count. */
function differencesOf(ours: HelmAnswer, theirs: HelmAnswer, again: HelmAnswer): string[] {
  if ('error' in ours || 'error' in theirs) {
    const [a, b] = [ours, theirs].map((one) => ('error' in one ? one.error : 'no error'));
    return sorted(a!) === sorted(b!) ? [] : [`ours   ${shown(a!)}`, `theirs ${shown(b!)}`];
  }
  const names = [...new Set([...Object.keys(ours.files), ...Object.keys(theirs.files)])].sort();
  const second = 'files' in again ? again.files : {};
  return names.flatMap((name) => {
    const [a, b] = [ours.files[name], theirs.files[name]];
    return a === b || b !== second[name] ? [] : [firstDifference(name, a, b)];
  });
}

/** What is wrong with a schema or by it comes in an order that chance decides. */
function sorted(error: string): string {
  return error.includes("- at '") ? error.split('\n').sort().join('\n') : error;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 800));
}

function firstDifference(name: string, ours: string | undefined, theirs: string | undefined): string {
  if (ours === undefined || theirs === undefined) return `${name}: only ${ours === undefined ? 'theirs' : 'ours'}`;
  let at = 0;
  while (ours[at] === theirs[at]) at++;
  const around = (text: string) => shown(text.slice(Math.max(0, at - 60), at + 80));
  return `${name}:${ours.slice(0, at).split('\n').length}\n    ours   ${around(ours)}\n    theirs ${around(theirs)}`;
}
