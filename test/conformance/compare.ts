// npm run compare -- [--kubernetes VERSION] PATHS: every YAML file, CRD, custom resource and object of a built-in kind that is
// found there goes through both engines; disagreements are printed. For trying public manifests, which are never kept here.
// With --server a real API server is asked instead of the oracle: see compareServer.ts.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { answerLine } from './answer.ts';
import { compareWithServer } from './compareServer.ts';
import { differences, normal } from './normal.ts';
import { startOracle } from './oracle.ts';
import { encode, rawItems, rawMembers } from './protocol.ts';

interface Found {
  readonly file: string;
  readonly json: string;
  readonly kind: string;
  readonly apiVersion: string;
}

const { values, positionals } = parseArgs({
  options: {
    kubernetes: { type: 'string', default: newestVersion.name },
    verbose: { type: 'boolean', default: false },
    server: { type: 'boolean', default: false },
    cases: { type: 'string', default: '500' },
    fuzz: { type: 'string', default: '500' },
    apply: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
  },
  allowPositionals: true,
});
if (values.server) {
  const [cases, fuzz, apply, seed, show] = [values.cases, values.fuzz, values.apply, values.seed, values.show].map(
    Number,
  );
  const options = { cases: cases!, fuzz: fuzz!, apply: apply!, seed: seed!, show: show!, parts: positionals };
  process.exit((await compareWithServer(options)) > 0 ? 1 : 0);
}
const oracle = startOracle(values.kubernetes);
const tally = new Map<string, { asked: number; disagreed: number }>();
const objects: Found[] = [];
for (const file of positionals.flatMap(yamlFiles)) objects.push(...(await readFile(file)));
const crds = objects.filter(
  (one) => one.kind === 'CustomResourceDefinition' && one.apiVersion === 'apiextensions.k8s.io/v1',
);
for (const crd of crds) await compare(crd.file, 'crd.create', { op: 'crd.create', crd: raw(crd) });
for (const crd of crds) await compare(crd.file, 'crd.rules', { op: 'crd.rules', crd: raw(crd) });
const served = servedBy(crds);
for (const one of objects) {
  const crd = served.get(`${one.apiVersion} ${one.kind}`);
  if (crd) await compare(one.file, 'cr.create', { op: 'cr.create', crd: raw(crd), obj: raw(one) });
  else await compareBuiltin(one);
}
oracle.close();
for (const [op, { asked, disagreed }] of tally) console.log(`${op}: ${asked} asked, ${disagreed} disagreed`);
process.exit([...tally.values()].some(({ disagreed }) => disagreed > 0) ? 1 : 0);

function raw(found: Found): { rawJson: string } {
  return { rawJson: found.json };
}

function yamlFiles(at: string): string[] {
  const stat = lstatSync(at);
  if (stat.isFile()) return /\.(ya?ml|json)$/.test(at) ? [at] : [];
  if (!stat.isDirectory() || path.basename(at) === '.git') return [];
  return readdirSync(at).flatMap((name) => yamlFiles(path.join(at, name)));
}

async function readFile(file: string): Promise<Found[]> {
  const text = readFileSync(file, 'utf8');
  const theirs = await compare(file, 'yaml', { op: 'yaml', text });
  const documents: { json?: unknown }[] = JSON.parse(theirs).documents ?? [];
  const texts = rawDocuments(theirs);
  return documents.flatMap((document, i) => {
    const body = document.json;
    if (typeof body !== 'object' || body === null || !('kind' in body) || !('apiVersion' in body)) return [];
    return [{ file, json: texts[i]!, kind: String(body.kind), apiVersion: String(body.apiVersion) }];
  });
}

/** The JSON texts of the documents of a `yaml` answer, untouched. */
function rawDocuments(answer: string): string[] {
  return rawItems(rawMembers(answer).get('documents') ?? '[]').map((item) => rawMembers(item).get('json') ?? 'null');
}

function servedBy(definitions: readonly Found[]): Map<string, Found> {
  const byKind = new Map<string, Found>();
  for (const crd of definitions) {
    const { spec } = JSON.parse(crd.json);
    for (const version of spec?.versions ?? []) byKind.set(`${spec.group}/${version.name} ${spec.names?.kind}`, crd);
  }
  return byKind;
}

/** Of the built-in kinds. */
async function compareBuiltin(found: Found): Promise<void> {
  const ask = { op: 'builtin.validate', obj: raw(found) };
  if (!('unsupported' in JSON.parse(answerLine(encode(ask), values.kubernetes))))
    await compare(found.file, ask.op, ask);
}

async function compare(file: string, op: string, ask: Record<string, unknown>): Promise<string> {
  const request = encode(ask);
  const [theirs] = await oracle.ask([request]);
  // Of policies and nodes the oracle has another operation, or none.
  if (theirs!.includes('"panic":"no strategy for ')) return theirs!;
  const rows = differences(normal(answerLine(request, values.kubernetes)), normal(theirs!));
  const count = tally.get(op) ?? { asked: 0, disagreed: 0 };
  tally.set(op, { asked: count.asked + 1, disagreed: count.disagreed + Number(rows.length > 0) });
  if (rows.length > 0) {
    console.log(
      `${file}: ${op}\n  ${rows
        .slice(0, values.verbose ? rows.length : 5)
        .join('\n  ')
        .slice(0, 2000)}`,
    );
  }
  return theirs!;
}
