import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { kubernetesVersion } from '../../server/src/kubernetes/releases/all.ts';
import { startServer } from '../support/apiServer.ts';
import { startFakeServer } from '../support/fakeServer.ts';
import { caFile } from '../support/httpsServer.ts';
import { type Exchange, otherwise, parts, played, type Send, startWebhooks } from './exchanges.ts';

// What a whole kube-apiserver answers is recorded with `RECORD_FROM` set to its program; ours has to answer the same.

const file = 'test/fakeServer/exchanges.json';
interface Recorded {
  readonly version: string;
  readonly parts: Readonly<Record<string, readonly Exchange[]>>;
}

const hooks = await startWebhooks();
after(() => hooks.close());
const at = { address: hooks.address, authority: readFileSync(caFile).toString('base64') };

/** A real server sees what was written some time later: policies, webhooks, CRDs. */
const settled = (step: { method: string; path: string }) =>
  step.method !== 'GET' && /admissionregistration|customresourcedefinitions/.test(step.path);

async function record(binary: string): Promise<void> {
  const server = await startServer(binary);
  const send: Send = async (step) => {
    const reply = await server.send(step);
    if (settled(step)) await new Promise((resolve) => setTimeout(resolve, 2_500));
    return reply;
  };
  // Those that are named come after one that makes the kind.
  const wanted = process.env.RECORD_ONLY?.split(',');
  const before: Recorded['parts'] = wanted ? JSON.parse(readFileSync(file, 'utf8')).parts : {};
  const all: Record<string, readonly Exchange[]> = {};
  for (const [name, steps] of Object.entries(parts))
    all[name] = !wanted || wanted.includes(name) ? await played(steps, send, at) : before[name]!;
  await server.stop();
  writeFileSync(file, `${JSON.stringify({ version: server.version, parts: all } satisfies Recorded, null, 1)}\n`);
}

if (process.env.RECORD_FROM) await record(process.env.RECORD_FROM);
const recorded: Recorded = JSON.parse(readFileSync(file, 'utf8'));
const fake = await startFakeServer(kubernetesVersion('1.36'));
after(() => fake.stop());

for (const [name, steps] of Object.entries(parts)) {
  test(`a whole API server answers the same: ${name}`, async () => {
    const ours = await played(steps, fake.exchange, at);
    for (const [i, wanted] of recorded.parts[name]!.entries()) {
      if (otherwise[name]?.[i] === undefined) assert.deepEqual(ours[i], wanted, `step ${i}`);
      else assert.notDeepEqual(ours[i], wanted, `step ${i} is the same by now: ${wanted.asked}`);
    }
    assert.equal(ours.length, recorded.parts[name]!.length);
  });
}

test('docs/serve.md says how much is recorded', () => {
  const said = readFileSync('docs/serve.md', 'utf8');
  const recordedIn = (name: string) => JSON.parse(readFileSync(`test/fakeServer/${name}.json`, 'utf8'));
  const counts = [
    `${Object.values(recorded.parts).flat().length} more are recorded`,
    `${Object.values(otherwise).flatMap(Object.keys).length} of them`,
    `${Object.keys(recordedIn('listing').answers).length} lists and watches`,
    `tables of ${Object.values<{ rows: unknown[] }>(recordedIn('tables').answers).flatMap(({ rows }) => rows).length} built-in objects`,
    `${Object.keys(recordedIn('shapes').answers).length} answers that were wanted`,
  ];
  for (const count of counts) assert.ok(said.replaceAll('\n', ' ').includes(count), `not in docs/serve.md: ${count}`);
});
