import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fetchCrds } from '../../server/src/fetch/fetch.ts';
import { fetchLimits } from '../../server/src/fetch/fetching.ts';
import { download } from '../../server/src/fetch/https.ts';
import { run } from '../../server/src/fetch/run.ts';
import { keep } from '../../server/src/fetch/store.ts';
import { FetchFailure } from '../../server/src/workspace/fetcher.ts';
import type { FetchSource } from '../../server/src/workspace/sources/lock.ts';
import { tgz } from '../support/archives.ts';
import { crdText } from '../support/crdTexts.ts';
import { caFile } from '../support/httpsServer.ts';
import { type RawReply, rawServer } from '../support/rawServer.ts';

// What was cut is never taken for the whole, however it was cut: it is an error, and nothing is kept of it.

const crd = crdText('Box', 'size: {type: integer}');
// Also a CRD, as is every part of it that ends with a line.
const part = `${crd}---\n${crdText('Lid', '')}`.slice(0, crd.length + 4);
const head = (...fields: string[]) => `HTTP/1.1 200 OK\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = 'Transfer-Encoding: chunked';
const length = `Content-Length: ${part.length}`;

const whole: Readonly<Record<string, RawReply>> = {
  'a length': { pieces: [head(length), part], ending: 'keep' },
  chunks: { pieces: [head(chunked), chunkOf(part), '0\r\n\r\n'], ending: 'keep' },
  'slow pieces': { pieces: [head(length), ...part.match(/[\s\S]{1,50}/g)!], pause: 10, ending: 'end' },
};

/** Each is sent at once, and leaves no doubt that it is over. */
const cut: Readonly<Record<string, RawReply>> = {
  'a length that is longer': { pieces: [head(`Content-Length: ${part.length + 1}`), part], ending: 'end' },
  'a length that is longer, and no goodbye': { pieces: [head('Content-Length: 9000'), part], ending: 'cut' },
  'no length': { pieces: [head(), part], ending: 'end' },
  'no length, and no goodbye': { pieces: [head('Connection: close'), part], ending: 'cut' },
  'HTTP/1.0': { pieces: [`HTTP/1.0 200 OK\r\n\r\n${part}`], ending: 'end' },
  'chunks without the last one': { pieces: [head(chunked), chunkOf(part)], ending: 'end' },
  'the middle of a chunk': { pieces: [head(chunked), chunkOf(part + part).slice(0, part.length + 9)], ending: 'end' },
  'chunks and a length': { pieces: [head(chunked, length), part], ending: 'end' },
  'two lengths': { pieces: [head(length, 'Content-Length: 20'), part], ending: 'end' },
  'a length that is not a number': { pieces: [head('Content-Length: many'), part], ending: 'end' },
  'another encoding over chunks': { pieces: [head('Transfer-Encoding: gzip, chunked'), chunkOf(part)], ending: 'end' },
  'an encoding that nobody knows': { pieces: [head('Transfer-Encoding: other'), part], ending: 'end' },
  'a status for a part of it': { pieces: [head(length).replace('200 OK', '206 Partial Content'), part], ending: 'end' },
  'no head': { pieces: [part], ending: 'end' },
  nothing: { pieces: [], ending: 'end' },
};

/** Each goes on for longer than anybody waits. */
const slow: Readonly<Record<string, RawReply>> = {
  'a length that is longer, and silence': { pieces: [head('Content-Length: 9000'), part], ending: 'keep' },
  'no length, and silence': { pieces: [head(), part], ending: 'keep' },
  'chunks, and silence': { pieces: [head(chunked), chunkOf(part)], ending: 'keep' },
  'a byte at a time': { pieces: [head(length), ...part], pause: 30, ending: 'end' },
  'a byte at a time, no length': { pieces: [head(), ...part], pause: 30, ending: 'end' },
  'a head without end': { pieces: ['HTTP/1.1 200 OK\r\n', ...Array(9).fill('A: b\r\n')], pause: 100, ending: 'keep' },
};

async function serving(t: TestContext, table: Readonly<Record<string, RawReply>>) {
  const rows = Object.entries(table).map(([name, reply], i) => ({ name, at: `/${i}.yaml`, reply }));
  const { address, close } = await rawServer(new Map(rows.map(({ at, reply }) => [at, reply])));
  t.after(close);
  return rows.map(({ name, at }) => ({ name, url: address + at }));
}

const tools = () => ({ signal: new AbortController().signal, network: { caFile }, say: () => {} });

const isFailure = (error: Error) => error instanceof FetchFailure && error.message !== '';

test('what is whole is taken, however it was sent', async (t) => {
  for (const { name, url } of await serving(t, whole))
    assert.equal(Buffer.from(await download(url, tools())).toString(), part, name);
});

test('what a server cut off, or may have cut off, is an error, and nothing of it is kept', async (t) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-cut-'));
  t.after(() => rmSync(home, { recursive: true }));
  for (const { name, url } of await serving(t, cut)) {
    const source: FetchSource = { from: 'url', url };
    const all = fetchCrds(source, [], tools()).then((found) => keep(found, source, { cache: home, workspace: home }));
    await assert.rejects(all, isFailure, name);
  }
  assert.deepEqual(readdirSync(home), []);
});

test('what did not come in time is an error, even if it would pass for the whole', async (t) => {
  const limits = { ...fetchLimits, milliseconds: 400 };
  for (const { name, url } of await serving(t, slow))
    await assert.rejects(download(url, tools(), limits), isFailure, name);
});

test('a text that ends in the middle of its YAML or JSON is an error', async (t) => {
  const texts = [crd.slice(0, crd.indexOf('size') + 9), `${JSON.stringify({ items: [] }).slice(0, -2)}`];
  const replies = Object.fromEntries(
    texts.map((text) => [text, { pieces: [head(`Content-Length: ${text.length}`), text], ending: 'end' } as const]),
  );
  for (const { name, url } of await serving(t, replies))
    await assert.rejects(fetchCrds({ from: 'url', url }, [], tools()), isFailure, name);
});

/** Puts shell scripts in front of all other programs. */
function programs(t: TestContext, scripts: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-programs-'));
  mkdirSync(path.join(home, 'bin'));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(home, 'bin', name), 0o755);
  }
  const { PATH } = process.env;
  process.env.PATH = `${path.join(home, 'bin')}${path.delimiter}${PATH}`;
  t.after(() => {
    process.env.PATH = PATH;
    rmSync(home, { recursive: true });
  });
  return home;
}

const onPosix = { skip: process.platform === 'win32' };
const chart: FetchSource = { from: 'chart', chart: 'boxes', repository: 'https://localhost', version: '1.0.0' };
/** Where helm is told to put the chart. */
const target = 'while [ "$1" != --destination ]; do shift; done; out="$2/boxes-1.0.0.tgz"';

test(
  'of what helm fetched no more than the limit is read, and only a regular file that is whole',
  onPosix,
  async (t) => {
    const packed = tgz([{ name: 'boxes/crds/box.yaml', content: crd }]);
    const home = programs(t, { helm: '' });
    writeFileSync(path.join(home, 'whole.tgz'), packed);
    writeFileSync(path.join(home, 'cut.tgz'), packed.subarray(0, packed.length - 9));
    const helm = (script: string) => writeFileSync(path.join(home, 'bin/helm'), `#!/bin/sh\n${target}\n${script}\n`);
    helm(`cp ${home}/whole.tgz "$out"`);
    assert.equal((await fetchCrds(chart, [], tools()))[0]?.kind, 'Box');
    const failing: Readonly<Record<string, string>> = {
      'sparse and large': `cp ${home}/whole.tgz "$out"; truncate -s 1900000000 "$out"`,
      'one byte too many': `cp ${home}/whole.tgz "$out"; truncate -s ${fetchLimits.bytes + 1} "$out"`,
      'cut off': `head -c ${Math.floor(packed.length / 2)} ${home}/whole.tgz > "$out"`,
      'an exit code': `cp ${home}/whole.tgz "$out"; exit 1`,
      'a signal': `cp ${home}/whole.tgz "$out"; kill -9 $$`,
      'a pipe': 'mkfifo "$out"',
      'a device': 'ln -s /dev/zero "$out"',
      'a file of /proc': 'ln -s /proc/self/mem "$out"',
      'a folder': 'mkdir "$out"',
      'nothing at all': 'true',
    };
    const before = process.resourceUsage().maxRSS;
    for (const [name, script] of Object.entries(failing)) {
      helm(script);
      await assert.rejects(fetchCrds(chart, [], tools()), isFailure, name);
    }
    const grown = (process.resourceUsage().maxRSS - before) / 1000;
    assert.ok(grown < 200, `${grown} MB`);
  },
);

test('what kubectl said before it was ended is not taken', onPosix, async (t) => {
  const list = JSON.stringify({ items: [], kind: 'List' });
  const home = programs(t, { kubectl: '' });
  const kubectl = (script: string) => writeFileSync(path.join(home, 'bin/kubectl'), `#!/bin/sh\n${script}\n`);
  const limits = { bytes: 100_000, milliseconds: 400 };
  const ask = () => run('kubectl', [], tools(), limits);
  kubectl(`echo '${list}'`);
  assert.deepEqual(await ask().then(({ ok, output }) => [ok, output.toString()]), [true, `${list}\n`]);
  for (const script of [`echo '${list}'; kill -9 $$`, `echo '${list}'; exit 3`]) {
    kubectl(script);
    assert.equal((await ask()).ok, false, script);
    await assert.rejects(fetchCrds({ from: 'cluster', context: 'a' }, [], tools()), isFailure, script);
  }
  const never = ['exec sleep 20', 'sleep 20 & exit 0', 'trap "" TERM INT; while true; do sleep 1; done', 'yes'];
  for (const script of never) {
    kubectl(`echo '${list}'; ${script}`);
    await assert.rejects(ask(), isFailure, script);
  }
  for (const text of ['{"items": [', `# a comment\n${crd}`, '', 'null', '[]']) {
    writeFileSync(path.join(home, 'said'), text);
    kubectl(`cat ${home}/said`);
    const source: FetchSource = { from: 'cluster', context: 'a' };
    const all = fetchCrds(source, [], tools()).then((found) =>
      keep(found, source, { cache: path.join(home, 'cache') }),
    );
    await assert.rejects(all, isFailure, text);
  }
  assert.ok(!existsSync(path.join(home, 'cache')));
});
