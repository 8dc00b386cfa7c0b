import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { send } from '../support/apiServer.ts';
import { seeded } from '../support/random.ts';

// `kube-crd serve --data` as it is built: killed while it writes, it has every write that it has answered.

const program = path.resolve('dist/server/main.cjs');
const skip = existsSync(program) ? false : 'there is no built program';
if (skip) console.error(`\nSKIPPED: ${skip}: what is kept is not tried\n`);

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-data-'));
after(() => rmSync(home, { recursive: true, force: true }));

const folder = path.join(home, 'data');
const log = path.join(folder, 'objects.log');
const maps = '/api/v1/namespaces/default/configmaps';

interface Started {
  readonly address: string;
  ask(method: string, path: string, body?: object): Promise<{ code: number; body: string }>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

async function start(): Promise<Started> {
  const child = spawn(process.execPath, [program, 'serve', '--until-eof', '--data', folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  for await (const line of createInterface({ input: child.stdout })) {
    const { address, token, certificateAuthority: ca } = JSON.parse(line);
    return {
      address,
      ask: (method, at, body) =>
        send(address + at, {
          ...{ method, ca, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
          ...(body && { body: JSON.stringify(body) }),
        }),
      kill: async (signal) => {
        child.kill(signal);
        await ended;
      },
    };
  }
  throw new Error(said);
}

const map = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

/** What has been answered: by name, the value that was acknowledged last, or that it is gone. */
type Known = Map<string, string | undefined>;

/** Writes until it is killed; what was not answered may have happened or not. */
async function write(
  server: Started,
  known: Known,
  open: Map<string, string | undefined>,
  round: number,
): Promise<void> {
  const random = seeded(round);
  const writer = async (nth: number) => {
    for (let i = 0; i < 10_000; i++) {
      const name = `m-${nth}-${random.below(20)}`;
      const value = `${round}-${nth}-${i}-${'x'.repeat(random.below(2_000))}`;
      const isThere = known.get(name) !== undefined;
      const removes = isThere && random.chance(0.2);
      open.set(name, removes ? undefined : value);
      const reply = removes
        ? await server.ask('DELETE', `${maps}/${name}`)
        : isThere
          ? await server.ask('PUT', `${maps}/${name}`, map(name, { value }))
          : await server.ask('POST', maps, map(name, { value }));
      if (reply.code === 0) return;
      assert.ok(reply.code < 300, `${reply.code} ${reply.body}`);
      known.set(name, removes ? undefined : value);
      open.delete(name);
    }
  };
  const writers = Array.from({ length: 8 }, (_, nth) => writer(nth));
  await new Promise((resolve) => setTimeout(resolve, 50 + random.below(250)));
  await server.kill('SIGKILL');
  await Promise.all(writers);
}

test('killed while it writes, it starts again with every write that was answered', { skip }, async () => {
  const known: Known = new Map();
  let version = 0;
  for (let round = 0; round < 15; round++) {
    const server = await start();
    const listed = JSON.parse((await server.ask('GET', maps)).body);
    const now = Number(listed.metadata.resourceVersion);
    assert.ok(now >= version, `round ${round}: version ${now} after ${version}`);
    version = now;
    const found = new Map<string, string>(
      listed.items.map((one: { metadata: { name: string }; data: { value: string } }) => [
        one.metadata.name,
        one.data.value,
      ]),
    );
    for (const [name, value] of known) assert.equal(found.get(name), value, `round ${round}: ${name}`);
    for (const name of found.keys()) assert.ok(known.has(name), name);
    const open = new Map<string, string | undefined>();
    await write(server, known, open, round);
    // What was under way is read once more, and known from then on.
    const again = await start();
    for (const [name, value] of open) {
      const { code, body } = await again.ask('GET', `${maps}/${name}`);
      const is = code === 200 ? JSON.parse(body).data.value : undefined;
      assert.ok(
        is === value || is === known.get(name),
        `round ${round}: ${name} is neither what it was nor what was sent`,
      );
      known.set(name, is);
    }
    await again.kill('SIGKILL');
  }
  assert.ok(known.size > 50, `${known.size} names`);
});

test('a line that is not whole is what was never answered; one in the middle is damage', { skip }, async () => {
  const bytes = readFileSync(log);
  const whole = statSync(log).size;
  for (const left of [1, 5, 40]) {
    writeFileSync(log, bytes);
    truncateSync(log, whole - left);
    const server = await start();
    assert.equal((await server.ask('GET', maps)).code, 200);
    await server.kill('SIGTERM');
  }
  writeFileSync(log, bytes);
  appendFileSync(log, '0123456789abcdef {"v":1');
  await (await start()).kill('SIGTERM');
  assert.equal(statSync(log).size, whole);
  const damaged = Buffer.from(bytes);
  damaged[100]! ^= 1;
  writeFileSync(log, damaged);
  await assert.rejects(start(), /objects\.log is damaged before byte \d+/);
  writeFileSync(log, bytes);
});

test('a folder has one program at a time', { skip }, async () => {
  const server = await start();
  await assert.rejects(start(), /is in use by process \d+/);
  await server.kill('SIGTERM');
  assert.equal(existsSync(path.join(folder, 'lock')), false);
});
