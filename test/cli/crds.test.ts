import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { tgz } from '../support/archives.ts';
import { crdText } from '../support/crdTexts.ts';
import { caFile, httpsServer, type Reply } from '../support/httpsServer.ts';
import { running } from '../support/program.ts';

// kube-crd crds, from a server on this machine. Clusters are in test/cluster.

// Node reads this when a process starts.
process.env.NODE_EXTRA_CA_CERTS = caFile;

async function place(t: TestContext, replies: Record<string, Reply>, files: Readonly<Record<string, string>>) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-crds-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const server = await httpsServer(replies);
  t.after(() => server.close());
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, 'workspace', name)), { recursive: true });
    writeFileSync(path.join(home, 'workspace', name), text);
  };
  for (const [name, text] of Object.entries(files)) put(name, text.replaceAll('SERVER', server.address));
  const env = { ...process.env, KUBE_CRD_CACHE: path.join(home, 'cache'), PATH: '' };
  const run = (...args: string[]) => running(path.join(home, 'workspace'), args, env);
  return { ...server, home, put, run, at: (name: string) => path.join(home, 'workspace', name) };
}

const box = 'apiVersion: things.example.com/v1\nkind: Box\nmetadata: {name: a}\nspec: {size: "1"}\n';
const first = crdText('Box', 'size: {type: integer}');

test('a CRD is fetched, saved, locked, and updated', async (t) => {
  const replies: Record<string, Reply> = { '/crds.yaml': `${first}---\n${crdText('Lid', '')}` };
  const { address, run, at } = await place(t, replies, { 'box.yaml': box });
  assert.match((await run('check')).stdout, /cr\/unknown-kind/);
  assert.match((await run('check', '--locked')).stderr, /there is no kube-crd\.lock here/);

  const fetched = await run('crds', 'fetch', '--url', `${address}/crds.yaml`);
  assert.equal(fetched.stdout, `2 CRDs fetched from ${address}/crds.yaml\n`, fetched.stderr);
  const check = await run('check');
  assert.match(check.stdout, /must be of type integer/);
  assert.ok(check.stderr.includes(`CRDs from elsewhere: 1 of ${address}/crds.yaml, fetched before`), check.stderr);
  assert.ok(!existsSync(at('.kube-crd')));

  const saved = await run('crds', 'fetch', '--url', `${address}/crds.yaml`, '--save');
  assert.match(saved.stdout, /2 CRDs fetched from .*\n1 CRD saved in \.kube-crd\n/);
  assert.ok(existsSync(at('.kube-crd/things.example.com/box.yaml')));
  assert.ok(!existsSync(at('.kube-crd/things.example.com/lid.yaml')));
  const locked = await run('check', '--locked', '--without', 'userCache');
  assert.ok(locked.stderr.includes('in kube-crd.lock'), locked.stderr);
  assert.equal(locked.status, 1);
  // What this machine has beside the commit changes nothing.
  renameSync(at('.kube-crd'), at('gone'));
  const without = await run('check', '--locked');
  assert.equal(without.status, 2);
  assert.match(without.stderr, /things\.example\.com\/Box/);
  renameSync(at('gone'), at('.kube-crd'));

  replies['/crds.yaml'] = crdText('Box', 'size: {type: string}');
  const dry = await run('crds', 'update', '--dry-run');
  assert.match(dry.stdout, /^things\.example\.com\/Box, .*\n {2}~ v1 spec\.size: type\n1 of 1 CRD would change\n$/);
  assert.match((await run('check', '--locked')).stdout, /must be of type integer/);
  assert.match((await run('crds', 'update')).stdout, /1 of 1 CRD changed\n$/);
  assert.equal((await run('check', '--locked')).status, 0);

  replies['/crds.yaml'] = crdText('Lid', '');
  assert.match((await run('crds', 'update')).stdout, /the source does not have it any more; it is left as it is/);
  delete replies['/crds.yaml'];
  const failed = await run('crds', 'update');
  assert.match(failed.stderr, /\/crds\.yaml: .* answered 404 \(Not Found\)/);
  assert.equal(failed.status, 2);
});

const chart = (fields: string) =>
  tgz([
    { name: 'boxes/Chart.yaml', content: 'name: boxes\n' },
    { name: 'boxes/crds/box.yaml', content: crdText('Box', fields) },
  ]);
const repository = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: things}
spec: {url: "SERVER/charts"}
`;
const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: boxes}
spec:
  chart:
    spec: {chart: things, version: 1.2.3, sourceRef: {kind: HelmRepository, name: things}}
`;

test('a chart is fetched in the version that a HelmRelease names, and updated when it names another', async (t) => {
  const entry = (version: string) => `    - {version: ${version}, urls: [things-${version}.tgz]}\n`;
  const { address, run, put, at } = await place(
    t,
    {
      '/charts/index.yaml': `entries:\n  things:\n${entry('1.2.3')}${entry('1.3.0')}`,
      '/charts/things-1.2.3.tgz': chart('size: {type: integer}'),
      '/charts/things-1.3.0.tgz': chart('size: {type: string}'),
    },
    { 'box.yaml': box, 'flux/repository.yaml': repository, 'flux/release.yaml': release },
  );
  assert.match(
    (await run('check', '--format', 'concise')).stdout,
    /flux\/release\.yaml names things 1\.2\.3, which is not in Helm's cache\./,
  );
  const fetched = await run('crds', 'fetch', '--chart', 'things', '--save');
  assert.ok(fetched.stdout.startsWith(`1 CRD fetched from things 1.2.3 of ${address}/charts\n`), fetched.stderr);
  assert.match((await run('check', '--locked', 'box.yaml')).stdout, /must be of type integer/);
  put('flux/release.yaml', release.replace('1.2.3', '1.3.0'));
  const updated = await run('crds', 'update');
  assert.match(updated.stdout, /things 1\.3\.0 of .*\n {2}~ v1 spec\.size: type\n1 of 1 CRD changed\n/);
  assert.match(readFileSync(at('kube-crd.lock'), 'utf8'), /version: "1\.3\.0"/);
  assert.equal((await run('check', '--locked', 'box.yaml')).status, 0);
  const none = await run('crds', 'fetch', '--chart', 'lids');
  assert.equal(none.stderr, 'kube-crd: nothing here names a version of lids: --chart lids@VERSION\n');
});

test('a catalogue gives the kinds that are used here', async (t) => {
  const schema =
    '{"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}';
  const { address, asked, run } = await place(t, { '/things.example.com/box_v1.json': schema }, { 'box.yaml': box });
  const fetched = await run('crds', 'fetch', '--catalogue', address, '--save');
  assert.match(fetched.stdout, /^1 CRD fetched from/, fetched.stderr);
  assert.deepEqual(asked, ['/things.example.com/box_v1.json']);
  assert.match((await run('check', '--locked')).stdout, /must be of type integer/);
});

test('all that is missing is fetched from charts and a catalogue, each asked for what is left', async (t) => {
  const lid = box.replace('Box', 'Lid');
  const bag = box.replace('Box', 'Bag');
  const replies: Record<string, Reply> = {
    '/charts/index.yaml': 'entries:\n  things:\n    - {version: 1.2.3, urls: [things-1.2.3.tgz]}\n',
    '/charts/things-1.2.3.tgz': chart('size: {type: integer}'),
    '/catalogue/things.example.com/lid_v1.json': '{"type": "object", "properties": {"spec": {"type": "string"}}}',
    '/catalogue/things.example.com/bag_v1.json': '{"type":',
  };
  const { address, asked, run, at } = await place(t, replies, {
    'box.yaml': box,
    'lid.yaml': lid,
    'bag.yaml': bag,
    'flux/repository.yaml': repository,
    'flux/release.yaml': release,
    '.kube-crd.yaml': "knownKinds: ['*.toolkit.fluxcd.io/*']\n",
  });
  const listed = await run('crds', 'fetch', '--missing');
  assert.equal(listed.status, 1, listed.stderr);
  assert.match(listed.stdout, /^3 kinds without a known CRD:\n/);
  assert.match(listed.stdout, /flux\/release\.yaml names things 1\.2\.3, which is not in Helm's cache\./);
  assert.equal(asked.length, 0);

  const all = ['crds', 'fetch', '--missing', '--charts', '--catalogue', `${address}/catalogue`, '--save'];
  const fetched = await run(...all);
  assert.equal(fetched.status, 2, fetched.stderr);
  assert.match(fetched.stdout, /^1 CRD fetched from things 1\.2\.3 of .*\n1 CRD fetched from .*\/catalogue\n/);
  assert.match(fetched.stdout, /1 kind still without a known CRD:\n {2}things\.example\.com\/v1\/Bag\n$/);
  assert.match(fetched.stderr, /bag_v1\.json is not a schema that can be read/);
  assert.ok(!asked.includes('/catalogue/things.example.com/box_v1.json'), asked.join());
  assert.ok(existsSync(at('.kube-crd/things.example.com/box.yaml')));
  const check = await run('check', '--locked');
  assert.match(check.stdout, /box\.yaml.*must be of type integer/);
  assert.match(check.stdout, /lid\.yaml.*must be of type string/);

  replies['/catalogue/things.example.com/bag_v1.json'] = '{"type": "object"}';
  assert.equal((await run(...all)).status, 0);
  const none = await run('crds', 'fetch', '--missing');
  assert.equal(none.stdout, 'all kinds that are used here have a CRD\n', none.stderr);
  assert.match((await run('crds', 'fetch', '--missing', '--url', address)).stderr, /--missing takes --charts/);
});

test('what is asked for in a wrong way is said', async (t) => {
  const { address, run } = await place(t, {}, { 'box.yaml': box });
  const says = async (...args: string[]) => {
    const { stderr, status } = await run('crds', ...args);
    assert.equal(status, 2, stderr);
    return stderr;
  };
  assert.match(await says(), /crds takes one of: fetch, update/);
  assert.match(await says('fetch'), /one of --cluster, --chart, --url and --catalogue/);
  assert.match(await says('fetch', '--url', 'https://a', '--cluster', 'b'), /one of --cluster/);
  assert.match(await says('fetch', '--url', `${address}/none.yaml`), /answered 404 \(Not Found\)/);
  assert.match(await says('fetch', '--url', 'http://localhost/x'), /only https:\/\/ is/);
  assert.match(await says('fetch', '--cluster', 'a'), /kubectl was not found in PATH/);
  assert.match(await says('fetch', '--locked'), /there is no kube-crd\.lock here that names any CRD/);
  assert.match(await says('update'), /nothing was fetched yet/);
  const { stderr, status } = await run('check', '--crds', `${address}/crds.yaml`);
  assert.match(stderr, /is not read by itself: kube-crd crds fetch takes --url and --catalogue/);
  assert.equal(status, 2);
});

test('of an answer that may have been cut off nothing is kept, and the exit code says so', async (t) => {
  const raw = (text: string): Reply => {
    return (_, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\n${text}`);
  };
  const replies = {
    '/short.yaml': raw(`Content-Length: ${first.length + 1}\r\n\r\n${first}`),
    '/endless.yaml': raw(`\r\n${first}`),
    '/chunks.yaml': raw(`Transfer-Encoding: chunked\r\n\r\n${first.length.toString(16)}\r\n${first}\r\n`),
  };
  const { address, home, run, at } = await place(t, replies, {});
  mkdirSync(path.join(home, 'workspace'));
  for (const name of Object.keys(replies)) {
    const { status, stderr } = await run('crds', 'fetch', '--url', address + name, '--save');
    assert.equal(status, 2, stderr);
    assert.match(stderr, /cut off|closed before all was there|Parse Error/);
  }
  for (const file of [at('.kube-crd'), at('kube-crd.lock'), path.join(home, 'cache')])
    assert.ok(!existsSync(file), file);
});
