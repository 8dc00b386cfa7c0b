// npm run compare:charts -- APISERVER FOLDER … [--made-up]: what a real API server with built-in kinds says, with dry run, of
// every object that charts render with their own values or those of ci, or also with values that are made up; prints where
// only one of us refuses it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { valueAt } from '../../server/src/base/value.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { judgedText } from '../../server/src/helm/judgedText.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import { readChart } from '../../server/src/workspace/charts/chartFiles.ts';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { clusterFor } from '../../server/src/workspace/charts/cluster.ts';
import { assumptionText, type MadeFile, madeFile } from '../../server/src/workspace/charts/madeFile.ts';
import { renderingsOf } from '../../server/src/workspace/charts/renderings.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { goYaml } from '../../server/src/yaml/goYaml.ts';
import { startServer } from '../support/apiServer.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

const withMadeUp = process.argv.includes('--made-up');
const [binary, ...folders] = process.argv.slice(2).filter((one) => one !== '--made-up');
if (binary === undefined || folders.length === 0) {
  console.error('which API server and folders? npm run compare:charts -- APISERVER FOLDER …');
  process.exit(2);
}

const server = await startServer(binary);

const create = (path: string, body: string) => server.send({ method: 'POST', path, body, type: 'application/yaml' });

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(inside) : entry.isFile() ? [inside] : [];
  });
}

/** Where objects of a kind are sent; undefined where the server does not serve it. */
const resources = new Map<string, Map<string, { plural: string; isNamespaced: boolean }>>();

async function targetOf(apiVersion: string, kind: string, namespace: string): Promise<string | undefined> {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  if (!resources.has(apiVersion)) {
    const { code, body } = await server.send({ method: 'GET', path: base });
    const list =
      code === 200 ? (JSON.parse(body).resources as { name: string; kind: string; namespaced: boolean }[]) : [];
    const rows = list.filter(({ name }) => !name.includes('/'));
    resources.set(
      apiVersion,
      new Map(rows.map((one) => [one.kind, { plural: one.name, isNamespaced: one.namespaced }])),
    );
  }
  const known = resources.get(apiVersion)!.get(kind);
  if (!known) return undefined;
  return known.isNamespaced ? `${base}/namespaces/${namespace}/${known.plural}` : `${base}/${known.plural}`;
}

/** What the server says beside what we say; the first two are mistakes of ours. */
const counts = {
  'taken by the server, an error for us': 0,
  'refused by the server, nothing from us': 0,
  'refused by both': 0,
  'taken by both': 0,
  'refused by the server for what nobody knows or for its own set-up, nothing from us': 0,
  'not served there': 0,
};

/** What a server says because of how it was started, and of what it has already. */
const ofSetUp =
  /disallowed by cluster policy|already exists$|^namespaces "[^"]*" not found$|not configured on this cluster/;

const newest = { ...snapshotOf([]), builtin: builtinFile() };
const asked = new Set<string>();

/** A document of a rendering, and the errors that we find in it. */
interface Question {
  readonly where: string;
  readonly uri: string;
  readonly text: string;
  readonly said: readonly string[];
  /** Whether something in it is not known, such as what is random. */
  readonly isOpen: boolean;
}

function questionsOf(snapshot: Snapshot, where: string, { made, source }: MadeFile): Question[] {
  const wrong = diagnose(withOpen(snapshot, source), source.uri).filter(
    ({ code, severity }) => severity === 'error' && !ruleOf(code)?.ofFiles,
  );
  const { text: all, from } = judgedText(made.rendered);
  const open = from.runs(all.length).filter(({ leaf }) => leaf.isUnknown);
  return source.stream.documents.map(({ document: { text }, start }) => {
    const isOpen = open.some((run) => run.start < start + text.length && run.end > start);
    const here = wrong.filter(({ range }) => range.start >= start && range.start <= start + text.length);
    const said = here.map(({ code, message }) => `${code}: ${message.slice(0, 200)}`);
    return { where, uri: source.uri, text, said, isOpen };
  });
}

async function judgeChart(root: string, crds: readonly { uri: string; text: string }[]): Promise<void> {
  const snapshot = { ...snapshotOf(crds, { kubernetes: '1.36' }), builtin: newest.builtin };
  const chart = new ChartFolder(await readChart(promptFiles, pathToFileURL(root).href, undefined));
  const renderings = renderingsOf(chart, clusterFor(snapshot, chart.root));
  for (const name of renderings.names) {
    if (name.endsWith('NOTES.txt')) continue;
    for (const made of renderings.madeOf(name).made) {
      const isMadeUp = made.assumptions.length > 0 || made.set.assumed.length > 0;
      if (isMadeUp && !withMadeUp) continue;
      const where = `${root} ${name} (${[made.set.name, ...made.set.assumed, ...made.assumptions.map(assumptionText)].join(', ')})`;
      for (const question of questionsOf(snapshot, where, madeFile(chart, made))) await ask(question);
    }
  }
}

async function ask(question: Question): Promise<void> {
  const { uri, text } = question;
  // Charts that share a subchart render the same.
  if (asked.has(text)) return;
  asked.add(text);
  const { manifests } = sourceFile(uri, text);
  const [manifest] = manifests;
  const read = (key: string) => manifest && valueAt(manifest.value, key.split('.'));
  const [apiVersion, kind, namespace] = ['apiVersion', 'kind', 'metadata.namespace'].map(read);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return;
  const home = typeof namespace === 'string' ? namespace : 'default';
  const target = await targetOf(apiVersion, kind, home);
  if (target === undefined) {
    counts['not served there']++;
    return;
  }
  await create('/api/v1/namespaces', `{apiVersion: v1, kind: Namespace, metadata: {name: "${home}"}}`);
  // Clients take lists apart, and send what is in them.
  const isList = manifest!.at.length > 0;
  const bodies = isList ? manifests.map((one) => goYaml(one.value)) : [text];
  const refusals: string[] = [];
  for (const one of bodies) {
    const { code, body } = await create(`${target}?dryRun=All&fieldValidation=Strict`, one);
    if (code >= 400) refusals.push(String(JSON.parse(body).message).slice(0, 400));
  }
  tell(question, refusals[0]);
}

function tell({ where, said, isOpen }: Question, theirs: string | undefined): void {
  if (said.length > 0 === (theirs !== undefined)) {
    counts[theirs === undefined ? 'taken by both' : 'refused by both']++;
    return;
  }
  if (theirs !== undefined && (isOpen || ofSetUp.test(theirs))) {
    counts['refused by the server for what nobody knows or for its own set-up, nothing from us']++;
    return;
  }
  const what = theirs === undefined ? 'taken by the server, an error for us' : 'refused by the server, nothing from us';
  counts[what]++;
  console.log(`${what}: ${where}\n  ${theirs ?? said.join('\n  ')}`);
}

for (const folder of folders) {
  const files = filesIn(path.resolve(folder));
  const crds = files
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ uri: pathToFileURL(file).href, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^kind: CustomResourceDefinition\s*$/m.test(text) && !text.includes('{{'));
  for (const { text } of crds) await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', text);
  const roots = files.filter((file) => path.basename(file) === 'Chart.yaml').map((file) => path.dirname(file));
  for (const root of roots.sort()) if (!existsSync(path.join(root, '../../Chart.yaml'))) await judgeChart(root, crds);
}
console.log(
  `${server.version}: ${Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')}`,
);
await server.stop();
process.exit(counts['taken by the server, an error for us'] === 0 ? 0 : 1);
