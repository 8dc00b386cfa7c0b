// npm run compare:charts -- APISERVER FOLDER …: what a real API server with built-in kinds says, with dry run, of the objects
// in which we find errors while charts are rendered with their own values or those of ci; prints where it says nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import { readChart } from '../../server/src/workspace/charts/chartFiles.ts';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { clusterFor } from '../../server/src/workspace/charts/cluster.ts';
import { madeFile } from '../../server/src/workspace/charts/madeFile.ts';
import { renderingsOf } from '../../server/src/workspace/charts/renderings.ts';
import { withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

const [binary, ...folders] = process.argv.slice(2);
if (binary === undefined || folders.length === 0) {
  console.error('which API server and folders? npm run compare:charts -- APISERVER FOLDER …');
  process.exit(2);
}

interface Ready {
  readonly address: string;
  readonly token: string;
  readonly version: string;
}

function start(): Promise<[ChildProcess, Ready]> {
  const child = spawn(binary!, ['--until-eof'], { stdio: ['pipe', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the API server ended with ${code}`)));
    createInterface({ input: child.stdout! }).once('line', (line) => resolve([child, JSON.parse(line)]));
  });
}

const [child, server] = await start();
const agent = new https.Agent({ rejectUnauthorized: false, keepAlive: true });

function send(method: string, target: string, body?: string): Promise<{ code: number; body: string }> {
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/yaml',
    accept: 'application/json',
  };
  return new Promise((resolve, reject) => {
    const asked = https.request(`${server.address}${target}`, { method, headers, agent }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part) => parts.push(part));
      reply.on('end', () => resolve({ code: reply.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

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
    const { code, body } = await send('GET', base);
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

const counts = { asked: 0, 'refused as we say': 0, 'taken by the server': 0, 'not served there': 0 };
const newest = { ...snapshotOf([]), builtin: builtinFile() };

async function judgeChart(root: string, crds: readonly { uri: string; text: string }[]): Promise<void> {
  let snapshot = { ...snapshotOf(crds, { kubernetes: '1.36' }), builtin: builtinFile() };
  snapshot = { ...snapshot, builtin: newest.builtin };
  const chart = new ChartFolder(await readChart(promptFiles, pathToFileURL(root).href, undefined));
  const renderings = renderingsOf(chart, clusterFor(snapshot, chart.root));
  for (const name of renderings.names) {
    if (name.endsWith('NOTES.txt')) continue;
    for (const made of renderings.madeOf(name).made) {
      if (made.assumptions.length > 0 || made.set.assumed.length > 0) continue;
      const { source } = madeFile(chart, made);
      const wrong = diagnose(withOpen(snapshot, source), source.uri).filter(
        ({ code, severity }) => severity === 'error' && !ruleOf(code)?.ofFiles,
      );
      for (const { document, start } of source.stream.documents) {
        const here = wrong.filter(({ range }) => range.start >= start && range.start <= start + document.text.length);
        if (here.length > 0)
          await ask(
            `${root} ${name} (${made.set.name})`,
            source.uri,
            document.text,
            here.map(({ code, message }) => `${code}: ${message.slice(0, 200)}`),
          );
      }
    }
  }
}

async function ask(where: string, uri: string, text: string, said: readonly string[]): Promise<void> {
  const [manifest] = sourceFile(uri, text).manifests;
  const value = manifest?.value;
  const get = (key: string) => (value instanceof Map ? value.get(key) : undefined);
  const [apiVersion, kind] = [get('apiVersion'), get('kind')];
  const metadata = get('metadata');
  const namespace =
    metadata instanceof Map && typeof metadata.get('namespace') === 'string'
      ? String(metadata.get('namespace'))
      : 'default';
  const target =
    typeof apiVersion === 'string' && typeof kind === 'string'
      ? await targetOf(apiVersion, kind, namespace)
      : undefined;
  if (target === undefined) {
    counts['not served there']++;
    console.log(`not served: ${where}: ${said[0]}`);
    return;
  }
  counts.asked++;
  if (namespace !== 'default')
    await send('POST', '/api/v1/namespaces', `{apiVersion: v1, kind: Namespace, metadata: {name: "${namespace}"}}`);
  const { code, body } = await send('POST', `${target}?dryRun=All&fieldValidation=Strict`, text);
  if (code >= 400) counts['refused as we say']++;
  else counts['taken by the server']++;
  console.log(
    `${code >= 400 ? 'refused' : 'TAKEN'}: ${where}\n  ours   ${said.join('\n         ')}\n  theirs ${code} ${code >= 400 ? String(JSON.parse(body).message).slice(0, 300) : ''}`,
  );
}

for (const folder of folders) {
  const files = filesIn(path.resolve(folder));
  const crds = files
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ uri: pathToFileURL(file).href, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^kind: CustomResourceDefinition\s*$/m.test(text) && !text.includes('{{'));
  for (const { text } of crds) await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', text);
  const roots = files.filter((file) => path.basename(file) === 'Chart.yaml').map((file) => path.dirname(file));
  for (const root of roots.sort()) if (!existsSync(path.join(root, '../../Chart.yaml'))) await judgeChart(root, crds);
}
console.log(
  `${server.version}: ${Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')}`,
);
child.stdin!.end();
process.exit(counts['taken by the server'] === 0 ? 0 : 1);
