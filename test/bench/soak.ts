// npm run soak [-- --seconds N] [--writers N] [--watchers N] [--data]: writers and watchers of a `kube-crd serve` of its own. Nothing may
// be lost, no event may come twice, and versions only grow. Prints how many writes a second were answered, and the memory.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { send } from '../support/apiServer.ts';
import { seeded } from '../support/random.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    writers: { type: 'string', default: '20' },
    watchers: { type: 'string', default: '50' },
    data: { type: 'boolean', default: false },
  },
});
const [seconds, writers, watchers] = [values.seconds, values.writers, values.watchers].map(Number) as [
  number,
  number,
  number,
];

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-soak-'));
const kept = values.data ? ['--data', path.join(home, 'data')] : [];
const child = spawn(process.execPath, ['dist/server/main.cjs', 'serve', '--until-eof', ...kept], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
interface Ready {
  readonly address: string;
  readonly token: string;
  readonly certificateAuthority: string;
}
const ready = await new Promise<Ready>((resolve) =>
  createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line))),
);
const agent = new https.Agent({ keepAlive: true, ca: ready.certificateAuthority });
const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
const ask = (method: string, at: string, body?: object) =>
  send(ready.address + at, { method, agent, headers, ...(body && { body: JSON.stringify(body) }) });

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' }, note: { type: 'string', default: 'none' } },
                'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size >= 0' }],
              },
            },
          },
        },
      },
    ],
  },
};
const boxes = '/apis/example.com/v1/namespaces/default/boxes';
await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);

const wrong: string[] = [];
/** All events that the writers have caused: the version of each, and what was done. */
const caused = new Map<number, string>();
let writes = 0;
const started = performance.now();
const isOver = () => performance.now() - started > seconds * 1000;

async function write(nth: number): Promise<void> {
  const random = seeded(nth);
  const own = new Set<string>();
  for (let i = 0; !isOver(); i++) {
    const name = `b-${nth}-${random.below(50)}`;
    const isThere = own.has(name);
    const removes = isThere && random.chance(0.3);
    const box = { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name }, spec: { size: i } };
    const reply = removes
      ? await ask('DELETE', `${boxes}/${name}`)
      : isThere
        ? await patch(`${boxes}/${name}`, { spec: { size: i } })
        : await ask('POST', boxes, box);
    writes++;
    if (reply.code >= 300 || reply.code === 0) wrong.push(`${name}: ${reply.code} ${reply.body}`);
    else if (removes) own.delete(name);
    else {
      own.add(name);
      caused.set(Number(JSON.parse(reply.body).metadata.resourceVersion), name);
    }
  }
}

const patch = (at: string, body: object) =>
  send(ready.address + at, {
    ...{ method: 'PATCH', agent, headers: { ...headers, 'content-type': 'application/merge-patch+json' } },
    body: JSON.stringify(body),
  });

/** What a watcher has seen: versions in their order, and what is there now. */
interface Watched {
  readonly seen: number[];
  readonly there: Map<string, number>;
  stop(): void;
}

function watch(from: string): Watched {
  const watched = { seen: [] as number[], there: new Map<string, number>(), stop: () => request.destroy() };
  const at = `${ready.address}${boxes}?watch=true&resourceVersion=${from}`;
  const request = https.request(at, { headers, ca: ready.certificateAuthority, agent: false }, (response) => {
    response.on('error', () => {});
    createInterface({ input: response }).on('line', (line) => {
      const { type, object } = JSON.parse(line);
      const version = Number(object.metadata.resourceVersion);
      if (type === 'DELETED') watched.there.delete(object.metadata.name);
      else {
        const before = watched.seen.at(-1) ?? 0;
        if (version <= before) wrong.push(`version ${version} comes after ${before}`);
        watched.seen.push(version);
        watched.there.set(object.metadata.name, version);
      }
    });
  });
  request.on('error', () => {});
  request.end();
  return watched;
}

/** In megabytes. */
function memory(): number {
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
}

const { resourceVersion } = JSON.parse((await ask('GET', boxes)).body).metadata;
const all = Array.from({ length: watchers }, () => watch(resourceVersion));
await new Promise((resolve) => setTimeout(resolve, 500));
let most = memory();
const measuring = setInterval(() => {
  most = Math.max(most, memory());
}, 1000);
await Promise.all(Array.from({ length: writers }, (_, nth) => write(nth)));
const took = (performance.now() - started) / 1000;
clearInterval(measuring);
const { items } = JSON.parse((await ask('GET', boxes)).body);
const there = new Map<string, number>(
  items.map((one: { metadata: { name: string; resourceVersion: string } }) => [
    one.metadata.name,
    Number(one.metadata.resourceVersion),
  ]),
);
// The last events are on their way.
await new Promise((resolve) => setTimeout(resolve, 3_000));
for (const [nth, { seen, there: now, stop }] of all.entries()) {
  stop();
  const known = new Set(seen);
  if (known.size !== seen.length) wrong.push(`watcher ${nth}: ${seen.length - known.size} events came twice`);
  const lost = [...caused.keys()].filter((version) => !known.has(version));
  if (lost.length > 0 || known.size !== caused.size) {
    wrong.push(`watcher ${nth}: ${lost.length} of ${caused.size} writes are lost, ${known.size} were seen`);
  }
  const differs = now.size !== there.size || [...there].some(([name, version]) => now.get(name) !== version);
  if (differs) wrong.push(`watcher ${nth} ends with ${now.size} objects, and there are ${there.size}`);
}
const cpu = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
const used = (Number(cpu[11]) + Number(cpu[12])) / 100;
child.stdin.end();
agent.destroy();
rmSync(home, { recursive: true, force: true });
for (const one of wrong.slice(0, 20)) console.log(one.slice(0, 500));
console.log(`${writes} writes by ${writers} in ${took.toFixed(0)} s, ${Math.round(writes / took)} a second, \
${Math.round(writes / used)} a second of the server's CPU; ${watchers} watchers saw ${all.reduce((n, one) => n + one.seen.length, 0)} \
events; at most ${most} MB; ${wrong.length} things wrong`);
process.exit(wrong.length > 0 || writes < seconds ? 1 : 0);
