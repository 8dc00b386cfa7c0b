import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { seeded } from '../support/random.ts';
import { cpuOf, goProgram, memoryOf, startYamlLanguageServer } from './supportPeers.ts';

// `kube-crd check` beside other command lines that check custom resources, over the same files. Only kubectl-validate
// evaluates rules as well; kubeconform knows JSON schemas alone, which are made here from the same CRDs.

type Json = { [key: string]: unknown };

const crds = 500;
const perKind = 10;
const rounds = 3;
const program = path.resolve('dist/server/main.cjs');

export async function bench(): Promise<void> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
  const at = (...steps: string[]) => path.join(home, ...steps);
  writeMaterial(at);
  const schemas = at('schemas', '{{.Group}}', '{{.ResourceKind}}_{{.ResourceAPIVersion}}.json');
  const runs: Run[] = [
    { name: 'kube-crd check', ...node(['check', '--no-cache', '--crds', at('crds'), at('objects')]) },
    // The first round fills the cache.
    { name: 'kube-crd check, nothing has changed', ...node(['check', '--crds', at('crds'), at('objects')]) },
    { name: 'kube-crd check --jobs 2', ...node(['check', '--jobs', '2', '--crds', at('crds'), at('objects')]) },
    {
      name: 'kubectl-validate',
      command: goProgram('sigs.k8s.io/kubectl-validate@v0.0.4'),
      args: ['--local-crds', at('crds'), at('objects')],
    },
    {
      name: 'kubeconform -n 1 (schemas alone)',
      command: goProgram('github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0'),
      args: ['-n', '1', '-schema-location', schemas, at('objects')],
    },
    { name: 'kube-crd check, CRDs as well', ...node(['check', '--no-cache', at('crds'), at('objects')]) },
  ];
  const best = new Map<string, Spent>();
  // In turns, so that a busy moment of the machine hits all alike.
  for (let round = 0; round < rounds; round++) {
    for (const run of runs) {
      const spent = run.command === undefined ? undefined : timed(run.command, run.args);
      const known = best.get(run.name);
      if (spent && (!known || spent.seconds < known.seconds)) best.set(run.name, spent);
    }
  }
  const opened = await openedOneByOne(at);
  rmSync(home, { recursive: true });
  const first = best.get(runs[0]!.name)!;
  for (const { name } of runs) console.log(row(name, best.get(name), first));
  console.log(row('yaml-language-server (schemas alone)', opened, first));
}

/** A language server has no command line: each file is opened, judged and closed. */
async function openedOneByOne(at: (...steps: string[]) => string): Promise<Spent | undefined> {
  const schemas = Object.fromEntries(
    Array.from({ length: crds }, (_, i) => [
      pathToFileURL(at('schemas', 'example.com', `kind${i}_v1.json`)).href,
      `kind${i}-*.yaml`,
    ]),
  );
  const client = startYamlLanguageServer(schemas);
  if (!client) return undefined;
  await client.request('initialize', { processId: null, capabilities: { workspace: { configuration: true } } });
  client.notify('initialized', {});
  const files = readdirSync(at('objects')).map((name) => at('objects', name));
  const documents = files.map((file) => ({ uri: pathToFileURL(file).href, text: readFileSync(file, 'utf8') }));
  const began = performance.now();
  let errors = 0;
  for (let i = 0; i < documents.length; i += together) {
    // It waits before it looks at a file: with many at once that counts for little.
    const some = documents.slice(i, i + together);
    for (const { uri, text } of some)
      client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    for (const { uri } of some) {
      const { diagnostics } = await client.next<{ uri: string; diagnostics: unknown[] }>(
        'textDocument/publishDiagnostics',
        (one) => one.uri === uri,
      );
      if (diagnostics.length > 0) errors++;
      client.notify('textDocument/didClose', { textDocument: { uri } });
    }
  }
  const seconds = (performance.now() - began) / 1000;
  if (errors !== crds) throw new Error(`yaml-language-server found ${errors} wrong files of ${crds}`);
  const spent = { seconds, cpu: cpuOf(client.pid) / 1000, megabytes: memoryOf(client.pid, 'peak') };
  await client.end();
  return spent;
}

const together = 500;

interface Run {
  readonly name: string;
  /** Undefined where Go is not there to build it. */
  readonly command: string | undefined;
  readonly args: readonly string[];
}

interface Spent {
  readonly seconds: number;
  readonly cpu: number | undefined;
  readonly megabytes: number | undefined;
}

function node(args: readonly string[]): Pick<Run, 'command' | 'args'> {
  return { command: process.execPath, args: [program, ...args] };
}

const measure = '/usr/bin/time';

function timed(command: string, args: readonly string[]): Spent {
  const measured = existsSync(measure);
  const all = measured ? [measure, '-f', '%U %S %M', command, ...args] : [command, ...args];
  const began = performance.now();
  const { stderr, status } = spawnSync(all[0]!, all.slice(1), { encoding: 'utf8', maxBuffer: 1e9 });
  const seconds = (performance.now() - began) / 1000;
  // Some of the objects are wrong, and all of the programs say so.
  if (status !== 1) throw new Error(`${command} ended with ${status}: ${stderr}`);
  const [user, system, kilobytes] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return measured
    ? { seconds, cpu: user! + system!, megabytes: kilobytes! / 1000 }
    : { seconds, cpu: undefined, megabytes: undefined };
}

function row(name: string, spent: Spent | undefined, first: Spent): string {
  if (!spent) return `  ${name.padEnd(38)} not measured`;
  const { seconds, cpu, megabytes } = spent;
  const speed = `${Math.round((crds * perKind) / seconds).toLocaleString('en')} objects a second`;
  const core = cpu === undefined ? '' : `, ${Math.round((crds * perKind) / cpu).toLocaleString('en')} per core second`;
  const memory = megabytes === undefined ? '' : `, ${Math.round(megabytes)} MB`;
  return `  ${name.padEnd(38)} ${speed.padStart(24)}${core}${memory}, ${(seconds / first.seconds).toFixed(2)} × the time of the first`;
}

const random = seeded(11);
const description = 'Says what this field is for, as generated schemas do at some length, over and over again.';

function schema(depth: number): Json {
  if (depth === 0) return { type: 'string', description, maxLength: 63, pattern: '^[a-z]+$' };
  const properties: Json = { size: { type: 'integer', description, minimum: 0, maximum: 100 } };
  for (let i = 0; i < 6; i++) properties[`field${i}`] = schema(i < 2 ? depth - 1 : 0);
  return { type: 'object', description, properties };
}

function writeMaterial(at: (...steps: string[]) => string): void {
  for (const folder of ['crds', 'objects', path.join('schemas', 'example.com')])
    mkdirSync(at(folder), { recursive: true });
  for (let i = 0; i < crds; i++) {
    const spec = { ...schema(4), required: ['size'], 'x-kubernetes-validations': [rule] };
    const root = { type: 'object', properties: { spec } };
    writeFileSync(at('crds', `kind${i}.yaml`), yaml(crd(`Kind${i}`, root)));
    writeFileSync(at('schemas', 'example.com', `kind${i}_v1.json`), JSON.stringify(closed(root)));
    for (let j = 0; j < perKind; j++) writeFileSync(at('objects', `kind${i}-${j}.yaml`), yaml(object(`Kind${i}`, j)));
  }
}

const rule = { rule: "!has(self.field5) || self.size < 90 || self.field5.startsWith('a')", message: 'has to be small' };

function crd(kind: string, openAPIV3Schema: Json): Json {
  const plural = `${kind.toLowerCase()}s`;
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names: { kind, plural }, versions: [version] },
  };
}

/** As the server sees it: what is not declared is an error, except for what every object has. */
function closed(node: Json): Json {
  const close = (one: Json): Json => {
    if (typeof one.properties !== 'object') return one;
    const properties = Object.entries(one.properties as Json).map(([name, value]) => [name, close(value as Json)]);
    return { ...one, properties: Object.fromEntries(properties), additionalProperties: false };
  };
  const { properties } = node as { properties: Json };
  const common = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } };
  return { ...close(node), properties: { ...common, ...(close({ properties }).properties as Json) } };
}

/** One in ten has a field that there is not, so that all programs have something to say. */
function object(kind: string, nth: number): Json {
  const part = (depth: number): Json => {
    const fields: Json = { size: random.below(90), field5: 'abc' };
    if (depth > 0) fields.field0 = part(depth - 1);
    return fields;
  };
  const spec = { ...part(3), ...(nth === 7 && { feild1: 'abc' }) };
  return { apiVersion: 'example.com/v1', kind, metadata: { name: `a${nth}`, namespace: 'default' }, spec };
}

function yaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${yaml(item, `${indent}  `).trimStart()}`).join('');
  if (typeof value !== 'object' || value === null) return `${JSON.stringify(value)}\n`;
  return Object.entries(value)
    .map(([key, item]) => {
      const isNested = typeof item === 'object' && item !== null;
      return `${indent}${key}:${isNested ? `\n${yaml(item, `${indent}  `)}` : ` ${JSON.stringify(item)}\n`}`;
    })
    .join('');
}
