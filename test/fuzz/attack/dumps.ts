// Files of what a cluster stores as nobody would write them: cut anywhere, with bytes changed, with objects that are no objects,
// deep, large, or full of odd names. None may end the run with an error that was not foreseen, tell a value of an object, or
// be passed over in silence.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { dumpedObjects, type Unread } from '../../../server/src/cli/dumped.ts';
import { storedLines } from '../../../server/src/features/views/storedObjects.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { storedJudge } from '../../../server/src/rules/changes/stored.ts';
import { StoredCounter } from '../../../server/src/rules/changes/storedTotals.ts';
import { jsonObject } from '../../../server/src/workspace/sources/json.ts';
import { tar } from '../../support/archives.ts';
import type { Random } from '../../support/random.ts';
import type { Attack } from './part.ts';

/** In every value of every object; nothing that is said may have it. */
const secret = 'hunter2';

const fields = {
  size: { type: 'integer', maximum: 3 },
  name: { type: 'string', maxLength: 2, pattern: '^[a-z]$' },
  tags: { type: 'object', additionalProperties: { type: 'string', enum: ['a'] } },
  list: {
    type: 'array',
    maxItems: 1,
    items: { type: 'object', properties: { a: { type: 'string', format: 'date' } } },
  },
};
const crd = jsonObject(
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Box', plural: 'boxes' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  required: ['owner'],
                  properties: { ...fields, owner: { type: 'string' } },
                  'x-kubernetes-validations': [{ rule: 'self.name == "a"', messageExpression: '"it is " + self.name' }],
                },
                status: { type: 'object', properties: fields },
              },
            },
          },
        },
      ],
    },
  }),
)!;

const odd = ['__proto__', 'constructor', 'items', 'a.b', '', 'é😀', '\u0000', '[*]'];

function value(random: Random, depth: number): unknown {
  if (depth === 0) return random.pick([secret, `${secret}"}]`, 7, 1e300, null, true, [], {}]);
  const names = random.chance(0.7) ? Object.keys(fields) : odd;
  return random.chance(0.3)
    ? Array.from({ length: random.below(3) }, () => value(random, depth - 1))
    : Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.pick(names), value(random, depth - 1)]));
}

function object(random: Random): unknown {
  if (random.chance(0.05)) return value(random, 3);
  const metadata = random.chance(0.8)
    ? { name: 'a', namespace: 'b', managedFields: [{ manager: 'm', fieldsV1: value(random, 3) }, value(random, 2)] }
    : value(random, 2);
  const kind = random.chance(0.9) ? 'Box' : random.pick(['List', 'Secret', '', '__proto__']);
  return { apiVersion: 'example.com/v1', kind, metadata, spec: value(random, 3), status: value(random, 2) };
}

function dump(random: Random): Buffer {
  const objects = Array.from({ length: random.below(6) }, () => JSON.stringify(object(random)));
  const text = random.pick([
    () => `{"kind":"List","items":[${objects.join()}],"metadata":{}}`,
    () => `[${objects.join(',\n')}]`,
    () => objects.join('\n'),
    () => `{"a":${'['.repeat(random.below(3_000))}${objects.join()}`,
    () => `{"items":[${'{"spec":'.repeat(random.below(3_000))}1`,
  ])();
  const bytes = Buffer.from(text);
  if (random.chance(0.3)) return bytes.subarray(0, random.below(bytes.length + 1));
  for (let i = random.below(4); i > 0 && bytes.length > 0; i--) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

/** An archive as Velero makes it, and as nobody would: names that lead out, links, sizes that are not true, cut, changed. */
function archive(random: Random): Buffer {
  const names = [
    'resources/a/b.json',
    '../../outside/a.json',
    '/etc/a.json',
    'a.yaml',
    'inner.tar.gz',
    'é'.repeat(40),
    '.json',
  ];
  const entries = Array.from({ length: random.below(6) }, () => ({
    name: random.pick(names),
    content: dump(random),
    ...(random.chance(0.1) && { type: random.pick(['2', '5', 'x', 'L', 'Z']), link: '../../outside/a.json' }),
    ...(random.chance(0.1) && { size: random.pick([0, 7, 1e6, 7e9]) }),
  }));
  const plain = tar(entries);
  for (let i = random.chance(0.2) ? 3 : 0; i > 0; i--) plain[random.below(plain.length)] = random.below(256);
  const bytes = gzipSync(plain);
  if (random.chance(0.2)) return bytes.subarray(0, random.below(bytes.length));
  for (let i = random.chance(0.2) ? 3 : 0; i > 0; i--) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

/** An archive of a few kilobytes with a file of a gigabyte in it: what is held meanwhile is a small part of that. */
async function bomb(home: string, failed: (what: string) => void): Promise<void> {
  const file = path.join(home, 'bomb.tar.gz');
  const zeros = Buffer.alloc(50_000_000);
  writeFileSync(file, gzipSync(tar([{ name: 'a.json', size: 1_000_000_000, content: zeros }])));
  const unread: Unread = { count: 0 };
  const before = process.memoryUsage().rss;
  for await (const _ of dumpedObjects([file], unread)) failed('bomb: an object of nothing');
  const taken = process.memoryUsage().rss - before;
  if (unread.count === 0) failed('bomb: passed over in silence');
  if (taken > 100_000_000) failed(`bomb: ${taken} bytes were held`);
  rmSync(file);
}

export const attackDumps: Attack = async ({ cases, random, failed }) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-attack-'));
  const judge = storedJudge(crd, crd, newestVersion);
  const fresh = storedJudge(undefined, crd, newestVersion);
  if ('error' in judge || 'error' in fresh) throw new Error('the CRD of this attack cannot be served');
  mkdirSync(path.join(home, 'outside'));
  writeFileSync(path.join(home, 'outside/a.json'), JSON.stringify({ kind: 'Outside' }));
  mkdirSync(path.join(home, 'dump'));
  symlinkSync('../outside/a.json', path.join(home, 'dump/link.json'));
  symlinkSync('..', path.join(home, 'dump/round'));
  const file = path.join(home, 'dump/a.json');
  const archived = path.join(home, 'dump/b.tar.gz');
  let [found, broken] = [0, 0];
  // What is complained of goes to standard error, which is not what is looked at here.
  const write = process.stderr.write;
  process.stderr.write = () => true;
  try {
    await bomb(home, failed);
    for (let i = 0; i < cases; i++) {
      const isArchived = random.chance(0.4);
      const bytes = isArchived ? archive(random) : dump(random);
      for (const one of [file, archived]) rmSync(one, { force: true });
      writeFileSync(isArchived ? archived : file, bytes);
      const unread: Unread = { count: 0 };
      const counter = new StoredCounter();
      try {
        for await (const one of dumpedObjects([path.join(home, 'dump')], unread)) {
          found++;
          if (one.get('kind') === 'Outside') failed(`dump ${i}: a link was followed`);
          for (const ask of [judge, fresh]) counter.add(one, ask(one));
        }
      } catch (error) {
        failed(`dump ${i}: ${error instanceof Error ? error.stack : error}\n${bytes.toString('utf8').slice(0, 1_000)}`);
        continue;
      }
      if (unread.count > 0) broken++;
      const totals = counter.totals('Box', 'v1');
      const said = JSON.stringify(storedLines(totals, false).map(textOf));
      if (said.includes(secret)) failed(`dump ${i}: a value is told: ${said.slice(0, 1_000)}`);
    }
  } finally {
    process.stderr.write = write;
    rmSync(home, { recursive: true, force: true });
  }
  return { dumps: cases, 'objects in them': found, 'of them broken': broken };
};

/** What is said, but for the names of objects. */
function textOf({ title, causes }: ReturnType<typeof storedLines>[number]): string[] {
  return [title, ...causes.map(({ text }) => text)];
}
