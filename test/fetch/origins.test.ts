import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { fetchCrds } from '../../server/src/fetch/fetch.ts';
import type { WantedKind } from '../../server/src/workspace/kinds.ts';
import type { FetchSource } from '../../server/src/workspace/sources/lock.ts';
import { tgz } from '../support/archives.ts';
import { crdText } from '../support/crdTexts.ts';
import { caFile, httpsServer, type Reply } from '../support/httpsServer.ts';

// What each kind of source gives, and what it says when it gives nothing. Clusters are in test/cluster.

async function served(t: TestContext, replies: Readonly<Record<string, Reply>>) {
  const server = await httpsServer(replies);
  t.after(() => server.close());
  // Helm would fetch by itself what these tests are about.
  const { PATH } = process.env;
  process.env.PATH = '';
  t.after(() => {
    process.env.PATH = PATH;
  });
  const said: string[] = [];
  const tools = { signal: new AbortController().signal, network: { caFile }, say: (line: string) => said.push(line) };
  const get = (source: FetchSource, used: readonly WantedKind[] = []) => fetchCrds(source, used, tools);
  return { ...server, said, get };
}

const box = crdText('Box', 'size: {type: integer}');
const lid = crdText('Lid', 'size: {type: integer}');
const wanted = (kind: string, version = 'v1') => ({ group: 'things.example.com', version, kind });
const says = (text: string) => (error: Error) => {
  assert.ok(error.constructor.name === 'FetchFailure' && error.message.includes(text), error.stack);
  return true;
};

test('a file of CRDs in YAML, in JSON, or in a chart archive', async (t) => {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Secret' }] });
  const packed = tgz([
    { name: 'boxes/Chart.yaml', content: 'name: boxes\n' },
    { name: 'boxes/crds/box.yaml', content: box },
  ]);
  const { address, get } = await served(t, {
    '/crds.yaml': `${box}---\n${lid}---\n${crdText('Box', 'size: {type: integer}, color: {type: string}')}`,
    '/none.json': list,
    '/boxes-1.0.0.tgz': packed,
    '/download?file=boxes': packed,
    '/cut.tgz': packed.subarray(0, 200),
    '/binary': new Uint8Array(100),
    '/deep.json': '['.repeat(100_000),
    '/large.yaml': 'a: 1\n'.repeat(2_000_000),
    '/deeper.json': '{"a":'.repeat(100_000),
  });
  const from = (path: string) => get({ from: 'url', url: address + path });
  const found = await from('/crds.yaml');
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['Box', 'Lid'],
  );
  // Of two of a kind the one that says more.
  assert.ok(found[0]!.text.includes('color'));
  assert.equal((await from('/boxes-1.0.0.tgz'))[0]?.kind, 'Box');
  assert.equal((await from('/download?file=boxes'))[0]?.kind, 'Box');
  for (const path of ['/none.json', '/binary']) await assert.rejects(from(path), says('there is no CRD in'));
  for (const path of ['/deep.json', '/deeper.json']) await assert.rejects(from(path), says('cannot be read as YAML'));
  await assert.rejects(from('/large.yaml'), says('has more than 8000000 bytes, which is too much to read at once'));
  await assert.rejects(from('/cut.tgz'), says('it cannot be unpacked, or it is cut off'));
});

test('what a cluster or an installer adds is not kept', async (t) => {
  const more = `  uid: 1\n  resourceVersion: "7"\n  creationTimestamp: 2020-01-01T00:00:00Z\n  managedFields: []
  labels: {a: b}\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", controller-gen.kubebuilder.io/version: v0.1}\n`;
  const status = 'status: {storedVersions: [v1]}\n';
  const conversion = '  conversion: {strategy: Webhook, webhook: {clientConfig: {caBundle: eA==, url: "https://a"}}}\n';
  const { address, get } = await served(t, { '/crd.yaml': crdText('Box', '', more) + conversion + status });
  const [crd] = await get({ from: 'url', url: `${address}/crd.yaml` });
  assert.doesNotMatch(
    crd!.text,
    /uid|resourceVersion|creationTimestamp|managedFields|labels|last-applied|caBundle|status/,
  );
  assert.match(crd!.text, /controller-gen[\s\S]*conversion/);
});

test('a catalogue is asked for the kinds that are used, in their versions', async (t) => {
  const schema = '{"type": "object", "properties": {"spec": {"type": "object", "additionalProperties": false}}}';
  const { address, asked, said, get } = await served(t, {
    '/main/things.example.com/box_v1.json': schema,
    '/main/things.example.com/box_v2.json': schema,
    '/main/things.example.com/lid_v1.json': '{"type": ',
    '/main/things.example.com/cup_v1.json': '{"a":'.repeat(100_000),
  });
  const from = (...used: WantedKind[]) => get({ from: 'catalogue', url: `${address}/main/` }, used);
  const odd = [{ ...wanted('Box'), group: '../up.io' }, wanted('Box', '../v1'), { ...wanted('Box'), group: '..' }];
  const [crd, ...others] = await from(wanted('Box'), wanted('Box', 'v2'), wanted('Bag'), ...odd);
  assert.deepEqual([crd?.kind, crd?.fromSchema, others], ['Box', ['v2', 'v1'], []]);
  assert.deepEqual(
    asked,
    ['box_v1', 'box_v2', 'bag_v1'].map((name) => `/main/things.example.com/${name}.json`),
  );
  assert.equal(said.at(-1), 'the catalogue has no schema of Bag (things.example.com/v1)');
  for (const kind of ['Lid', 'Cup']) await assert.rejects(from(wanted(kind)), says('is not a schema that can be read'));
});

test("a chart comes from its repository's index, in the version that is asked for, and whole", async (t) => {
  const packed = tgz([{ name: 'boxes/templates/box.yaml', content: `{{- if .Values.crds }}\n${box}{{- end }}\n` }]);
  const digest = createHash('sha256').update(packed).digest('hex');
  const entry = (version: string, url: string, sum = digest) =>
    `    - {name: boxes, version: ${version}, urls: ["${url}"], digest: ${sum}}\n`;
  const index = `apiVersion: v1\nentries:\n  other: []\n  boxes:\n${entry('v1.0.0', 'charts/boxes.tgz')}${entry(
    '2.0.0',
    'charts/boxes.tgz',
    'a'.repeat(64),
  )}${entry('3.0.0', 'http://localhost/boxes.tgz')}    - {name: boxes, version: 4.0.0}\n`;
  const replies: Record<string, Reply> = {
    '/stable/index.yaml': index,
    '/stable/charts/boxes.tgz': packed,
    '/broken/index.yaml': 'a: [',
    '/deep/index.yaml': '['.repeat(1e5),
  };
  const { address, get } = await served(t, replies);
  const from = (version: string, { repository = `${address}/stable`, chart = 'boxes' } = {}) =>
    get({ from: 'chart', chart, repository, version });
  assert.deepEqual(
    (await from('1.0.0')).map(({ kind }) => kind),
    ['Box'],
  );
  await assert.rejects(from('2.0.0'), says('/charts/boxes.tgz is not what'));
  await assert.rejects(from('3.0.0'), says('only https:// is'));
  await assert.rejects(from('4.0.0'), says('does not say where boxes 4.0.0 is'));
  await assert.rejects(from('5.0.0'), says('has no version 5.0.0 of boxes'));
  await assert.rejects(from('1.0.0', { chart: 'lids' }), says('has no chart lids'));
  // An index of everything that was ever published: only the part of the chart is read as YAML.
  const large = `apiVersion: v1\nentries:\n  a:\n${entry('9.9.9', 'x').repeat(100_000)}  boxes:\n${entry('1.0.0', `${address}/stable/charts/boxes.tgz`)}  c:\n  - name: c\ngenerated: now\n`;
  replies['/large/index.yaml'] = large;
  assert.equal((await from('1.0.0', { repository: `${address}/large` }))[0]?.kind, 'Box');
  await assert.rejects(from('9.9.9', { repository: `${address}/large` }), says('has no version 9.9.9 of boxes'));
  for (const at of ['broken', 'deep'])
    await assert.rejects(from('1.0.0', { repository: `${address}/${at}` }), says('/index.yaml cannot be read'));
  await assert.rejects(from('1.0.0', { repository: 'http://localhost' }), says('only https:// is'));
  await assert.rejects(from('1.0.0', { repository: 'oci://localhost/charts' }), says('helm is not in PATH'));
  await assert.rejects(from('1.0.0', { chart: '--post-renderer=x' }), says('is not a name'));
});

test('without kubectl a cluster cannot be asked, and that is said', async (t) => {
  const { get } = await served(t, {});
  await assert.rejects(get({ from: 'cluster', context: 'a' }), says('kubectl was not found in PATH'));
});
