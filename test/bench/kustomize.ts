import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Client, startClient } from '../protocol/client.ts';
import { cpuOf, memoryOf } from './supportPeers.ts';

// A key in a base that many overlays use, over standard input and output: the time to the findings of its file, which hold
// what is wrong in each overlay's build, and to those of all overlays as well.

const overlays = 20;
const keys = 40;

type Files = Readonly<Record<string, string>>;

/** What is typed in: a file of the base, and the text behind which keys come. */
interface Base {
  readonly name: string;
  readonly files: Files;
  readonly file: string;
  readonly behind: string;
}

export async function bench(flags: readonly string[]): Promise<void> {
  const count = flags.find((flag) => flag.startsWith('--objects='))?.slice('--objects='.length);
  for (const base of count ? [apart(Number(count))] : [apart(21), apart(61), together(61)]) {
    const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bench-'));
    try {
      write(home, { ...base.files, ...overlayFiles() });
      await measure(home, base);
    } finally {
      rmSync(home, { recursive: true });
    }
  }
}

function write(home: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
}

/** Each object in its file, as most bases have them. */
function apart(count: number): Base {
  const objects = objectsOf(count);
  const files = Object.fromEntries(objects.map((text, i) => [`base/object${i}.yaml`, text]));
  return baseOf(`${count} objects in files of their own`, files, Math.floor(count / 6) * 3);
}

function together(count: number): Base {
  return baseOf(
    `${count} objects in one file`,
    { 'base/object0.yaml': objectsOf(count).join('---\n') },
    Math.floor(count / 6) * 3,
  );
}

function baseOf(name: string, files: Files, typedIn: number): Base {
  const own = `base/object${typedIn}.yaml`;
  const names = Object.keys(files).map((file) => `- ${path.basename(file)}\n`);
  const kustomization = `resources:\n${names.join('')}labels:\n- pairs: {team: shop}\n  includeSelectors: true\n`;
  return {
    ...{ name, files: { ...files, 'base/kustomization.yaml': `${kustomization}configMapGenerator:\n${generated}` } },
    file: own in files ? own : 'base/object0.yaml',
    behind: `# of app${typedIn}`,
  };
}

const generated = '- name: settings\n  literals: [LEVEL=info, REGION=north]\n';

/** Deployments with the Services and ConfigMaps that they go with. */
function objectsOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => [deployment, service, configMap][i % 3]!(i - (i % 3)));
}

const deployment = (i: number) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app${i}
spec:
  replicas: 2
  selector:
    matchLabels: {app: app${i}}
  template:
    metadata:
      labels: {app: app${i}}
    spec:
      containers:
      - name: app
        image: example.com/app:1.0
        args: ["--level", "info"] # of app${i}
        ports:
        - {name: http, containerPort: 8080}
        envFrom:
        - configMapRef: {name: settings}
        - configMapRef: {name: app${i}}
        resources:
          limits: {cpu: 500m, memory: 128Mi}
          requests: {cpu: 100m, memory: 64Mi}
        readinessProbe:
          httpGet: {path: /ready, port: http}
          periodSeconds: 10
      volumes:
      - name: settings
        configMap: {name: settings}
`;

const service = (i: number) => `apiVersion: v1
kind: Service
metadata:
  name: app${i}
spec:
  selector: {app: app${i}}
  ports:
  - {name: http, port: 80, targetPort: http}
`;

const configMap = (i: number) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: app${i}
data:
  mode: steady
  limits: |
    connections = 100
    retries = 3
`;

function overlayFiles(): Files {
  return Object.fromEntries(
    Array.from({ length: overlays }, (_, i) => [
      [`overlays/o${i}/kustomization.yaml`, overlay(i)],
      [`overlays/o${i}/patch.yaml`, patch(i)],
    ]).flat() as [string, string][],
  );
}

const overlay = (i: number) => `resources: [../../base]
namePrefix: o${i}-
namespace: team${i}
commonAnnotations: {stage: s${i}}
images:
- {name: example.com/app, newTag: "2.${i}"}
replicas:
- {name: app0, count: ${i + 1}}
patches:
- path: patch.yaml
- target: {kind: Deployment}
  patch: |-
    - op: add
      path: /spec/template/spec/containers/0/env
      value: [{name: OVERLAY, value: o${i}}]
configMapGenerator:
- name: settings
  behavior: merge
  literals: [REGION=r${i}]
`;

const patch = (i: number) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app3
spec:
  template:
    spec:
      priorityClassName: p${i}
      containers:
      - name: app
        resources:
          limits: {memory: ${256 + i}Mi}
`;

async function measure(home: string, base: Base): Promise<void> {
  const uris = [...Array(overlays).keys()].map((i) => uriIn(home, `overlays/o${i}/kustomization.yaml`));
  const texts = { [base.file]: base.files[base.file]!, ...overlayFiles() };
  console.log(`  ${base.name}, ${overlays} overlays`);
  for (const asks of [true, false]) {
    const client = startClient();
    const capabilities = asks
      ? { textDocument: { diagnostic: {} } }
      : { textDocument: { publishDiagnostics: { versionSupport: true } } };
    const workspaceFolders = [{ uri: pathToFileURL(home).href, name: 'bench' }];
    await client.request('initialize', { processId: null, capabilities, workspaceFolders });
    client.notify('initialized', {});
    const uri = uriIn(home, base.file);
    for (const [one, name] of [...uris.map((one, i) => [one, `overlays/o${i}/kustomization.yaml`]), [uri, base.file]])
      client.notify('textDocument/didOpen', {
        textDocument: { uri: one, languageId: 'yaml', version: 1, text: texts[name!]! },
      });
    await setTimeout(2_000);
    for (const one of [uri, ...uris]) if (asks) await ask(client, one);
    client.forget('textDocument/publishDiagnostics');
    const from = cpuOf(client.pid);
    const { own, all } = await typed(client, uri, texts[base.file]!, base.behind, asks ? uris : undefined);
    const cpu = (cpuOf(client.pid) - from) / keys;
    console.log(`    ${asks ? 'asked' : 'sent '}: key → findings of the file         ${shares(own)}`);
    if (asks) console.log(`           key → findings of all overlays too  ${shares(all)}`);
    console.log(`           processor for a key ${cpu.toFixed(0)} ms, memory ${memoryOf(client.pid, 'now')} MB`);
    await client.end();
  }
}

function uriIn(home: string, file: string): string {
  return pathToFileURL(path.join(home, file)).href;
}

function ask(client: Client, uri: string): Promise<unknown> {
  return client.request('textDocument/diagnostic', { textDocument: { uri } });
}

interface Typed {
  readonly own: readonly number[];
  readonly all: readonly number[];
}

/** Letters behind an argument, and their undoing; where nothing is asked, only the file's own findings are waited for. */
async function typed(
  client: Client,
  uri: string,
  text: string,
  behind: string,
  uris: readonly string[] | undefined,
): Promise<Typed> {
  const before = text.slice(0, text.indexOf(behind) - '"] '.length).split('\n');
  const place = { line: before.length - 1, character: before.at(-1)!.length };
  const after = { ...place, character: place.character + 1 };
  const [own, all]: [number[], number[]] = [[], []];
  for (let i = 0; i < keys; i++) {
    const isUndo = i % 2 === 1;
    const change = { range: { start: place, end: isUndo ? after : place }, text: isUndo ? '' : 'x' };
    const version = i + 2;
    const start = performance.now();
    client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [change] });
    if (uris) await ask(client, uri);
    else
      await client.next<{ uri: string; version?: number }>(
        'textDocument/publishDiagnostics',
        (one) => one.uri === uri && one.version === version,
      );
    own.push(performance.now() - start);
    for (const one of uris ?? []) await ask(client, one);
    all.push(performance.now() - start);
    await setTimeout(60);
  }
  return { own, all };
}

function shares(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (of: number) => sorted[Math.min(sorted.length - 1, Math.floor(of * sorted.length))]!;
  return `p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, at most ${at(1).toFixed(1)} ms`;
}
