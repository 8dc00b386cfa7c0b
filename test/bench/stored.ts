import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { crdText } from '../support/crdTexts.ts';

// `diff` over 50,000 stored objects: of a cluster, page by page through a stand-in for kubectl, and of a dump.

const count = 50_000;

const fields = (
  limits: boolean,
) => `replicas: {type: integer${limits ? ', maximum: 9' : ''}}, mode: {type: string${limits ? ', enum: [fast, slow]' : ''}},
  ${limits ? '' : 'old: {type: string},'} labels: {type: object, additionalProperties: {type: string}},
  parts: {type: array, maxItems: 20, items: {type: object, properties: {name: {type: string, maxLength: 63}, size: {type: integer}},
    x-kubernetes-validations: [{rule: "self.size >= 0 && self.name != ''"}]}}`;

/** Some 4 kB, as objects with their managed fields are. */
function object(i: number) {
  const parts = Array.from({ length: 12 }, (_, k) => ({ name: `part-${i}-${k}`, size: k }));
  const labels = Object.fromEntries(Array.from({ length: 15 }, (_, k) => [`label-${k}`, `value-${i}`]));
  const spec = {
    replicas: i % 11,
    mode: i % 7 === 0 ? 'other' : 'fast',
    labels,
    parts,
    ...(i % 5 === 0 && { old: 'a' }),
  };
  const own = Object.fromEntries(Object.keys(labels).map((key) => [`f:${key}`, {}]));
  const fieldsV1 = { 'f:spec': { 'f:labels': own, 'f:parts': {}, 'f:mode': {}, 'f:replicas': {}, 'f:old': {} } };
  const managedFields = ['kubectl', 'operator', 'helm'].map((manager) => ({
    ...{ manager, operation: 'Update', apiVersion: 'things.example.com/v1', time: '2026-01-02T03:04:05Z' },
    ...{ fieldsType: 'FieldsV1', fieldsV1 },
  }));
  const metadata = {
    name: `box-${i}`,
    namespace: `team-${i % 50}`,
    uid: `${i}`,
    resourceVersion: `${i}`,
    managedFields,
  };
  return { apiVersion: 'things.example.com/v1', kind: 'Box', metadata, spec };
}

/** Answers from the dump: a line is an object, all of one length, so that a page is read where it is. */
const kubectl = (home: string, width: number, crd: object) => `#!${process.execPath}
const fs = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'version') process.stdout.write('{"serverVersion":{"gitVersion":"v1.37.0"}}');
else if (args[1] === 'crd') process.stdout.write(${JSON.stringify(JSON.stringify(crd))});
else {
  const asked = new URL(args[2], 'http://a').searchParams;
  const [from, limit] = [Number(asked.get('continue') ?? 0), Number(asked.get('limit'))];
  const some = Math.min(limit, ${count} - from);
  const bytes = Buffer.alloc(some * ${width} - 1);
  fs.readSync(fs.openSync('${home}/dump.jsonl'), bytes, 0, bytes.length, from * ${width});
  const next = from + some < ${count} ? JSON.stringify({ continue: String(from + some) }) : '{}';
  process.stdout.write('{"metadata":' + next + ',"items":[' + bytes.toString().replaceAll('\\n', ',') + ']}');
}
`;

export async function bench(): Promise<void> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-stored-'));
  const at = (name: string) => path.join(home, name);
  try {
    const width = JSON.stringify(object(count - 1)).length + 120;
    const plain = createWriteStream(at('dump.jsonl'));
    for (let i = 0; i < count; i++) {
      const line = `${JSON.stringify(object(i)).padEnd(width - 1)}\n`;
      if (!plain.write(line)) await once(plain, 'drain');
    }
    plain.end();
    await finished(plain);
    writeFileSync(at('old.yaml'), crdText('Box', fields(false)));
    writeFileSync(at('new.yaml'), crdText('Box', fields(true)));
    writeFileSync(at('kubectl'), kubectl(home, width, storedCrd()));
    chmodSync(at('kubectl'), 0o755);
    console.log(`${count} objects, ${Math.round((count * width) / 1e6)} MB`);
    timed('a cluster', ['new.yaml', '--cluster', 'a'], home);
    timed('a dump', ['old.yaml', 'new.yaml', '--objects', 'dump.jsonl'], home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function storedCrd(): object {
  const properties = { replicas: { type: 'integer' }, mode: { type: 'string' }, old: { type: 'string' } };
  const spec = { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.things.example.com' },
    spec: {
      ...{ group: 'things.example.com', scope: 'Namespaced', names: { kind: 'Box', plural: 'boxes' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
    status: { storedVersions: ['v1'] },
  };
}

function timed(what: string, args: readonly string[], home: string): void {
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '--require',
      path.resolve('test/bench/supportPeak.cjs'),
      path.resolve('dist/server/main.cjs'),
      'diff',
      ...args,
      '-o',
      'json',
    ],
    {
      cwd: home,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
      env: { ...process.env, PATH: home },
    },
  );
  const seconds = (performance.now() - began) / 1000;
  if (status !== 1) throw new Error(stderr);
  const { objects, refused, losing } = JSON.parse(stdout).crds[0].stored;
  const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1000;
  console.log(
    `${what}: ${objects} objects in ${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MB; ${refused.own.count} refused, ${losing.count} lose fields`,
  );
  if (objects !== count || !(peak <= 300)) throw new Error('not all objects, or more than 300 MB');
}
