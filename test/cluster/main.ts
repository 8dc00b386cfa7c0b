// npm run test:cluster: the real API server with CRDs in it and a real kubectl, a real Helm, real Go modules. What is not to
// be had is skipped, and said.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { contexts } from '../../server/src/fetch/cluster.ts';
import { fetchCrds } from '../../server/src/fetch/fetch.ts';
import { run } from '../../server/src/fetch/run.ts';
import { programInPath } from '../../server/src/programs/programs.ts';
import { parseLock } from '../../server/src/workspace/sources/lock.ts';
import { clientProgram, printedBy, recorded } from '../fakeServer/clientGo.ts';
import { played } from '../fakeServer/session.ts';
import { upstreamCases, upstreamVerdicts } from '../fakeServer/upstream.ts';
import { type ApiServer, buildServer, startServer } from '../support/apiServer.ts';
import { crdText } from '../support/crdTexts.ts';
import { startFakeServer } from '../support/fakeServer.ts';
import { caFile, httpsServer } from '../support/httpsServer.ts';
import { testsOfConversions } from './conversions.ts';
import { testsOfCrds } from './crdTests.ts';
import { testsOfPolicies } from './policyTests.ts';
import { testsOfStored } from './stored.ts';
import { kubeCrd, kubectlFolder, ran } from './tools.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-cluster-'));
after(() => rmSync(home, { recursive: true, force: true }));
process.env.KUBE_CRD_CACHE = path.join(home, 'cache');
process.env.KUBECONFIG = path.join(home, 'kubeconfig.yaml');

function put(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
  writeFileSync(path.join(home, name), text);
}

const skips = (why: string) => {
  console.error(`\nSKIPPED: ${why}\n`);
  return why;
};

const tools = { signal: new AbortController().signal, network: {}, say: () => {} };

const kubectl = kubectlFolder();
const server = kubectl !== undefined && buildServer() ? await startServer() : undefined;
if (kubectl !== undefined) process.env.PATH = `${process.env.PATH}${path.delimiter}${kubectl}`;
const skip = server
  ? false
  : skips('without Go to build an API server and kubectl, or a kubectl in PATH, no cluster is asked');

/** The server under four names: for one who may all, for one who may little, where nobody is, where nobody answers. */
async function prepared(server: ApiServer): Promise<void> {
  writeFileSync(process.env.KUBECONFIG!, readFileSync(server.kubeconfig));
  const silent = net.createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  silent.unref();
  const config = (...args: string[]) =>
    assert.equal(ran('kubectl', ['config', ...args], home).status, 0, args.join(' '));
  const [cluster] = ran('kubectl', ['config', 'get-clusters'], home).stdout.trim().split('\n').slice(-1);
  config('set-credentials', 'nobody', '--token=nobody');
  config('set-context', 'nobody', `--cluster=${cluster}`, '--user=nobody');
  config('set-cluster', 'dead', '--server=https://127.0.0.1:1');
  config('set-context', 'dead', '--cluster=dead', '--user=nobody');
  config('set-cluster', 'silent', `--server=https://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  config('set-context', 'silent', '--cluster=silent', '--user=nobody');
  for (const crd of [boxCrd, ...many]) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { code, body } = await server.send({ method: 'POST', path, body: crd, type: 'application/yaml' });
    assert.equal(code, 201, body);
  }
  await established(server, `${many.length - 1}`);
}

/** Until the newest of them is served, and its schema published. */
async function established(server: ApiServer, last: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const served = await server.send({ method: 'GET', path: '/openapi/v3/apis/things.example.com/v1' });
    if (served.body.includes(`"Many${last}"`) && served.body.includes('"Box"')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the CRDs are not served');
}

const boxCrd = crdText(
  'Box',
  'size: {type: integer, maximum: 9}, name: {type: string, x-kubernetes-validations: [{rule: self != "x"}]}',
);
/** As many and as large as those of a busy cluster: some 9 MB. */
const many = Array.from({ length: 300 }, (_, i) =>
  crdText(`Many${i}`, `text: {type: string, description: "${'word '.repeat(6_000)}"}`),
);
const box =
  'apiVersion: things.example.com/v1\nkind: Box\nmetadata: {name: a, namespace: default}\nspec: {size: 10, sise: 1, name: x}\n';

if (server) await prepared(server);
after(() => server?.stop());

/** What the API server itself says of the box. */
async function verdict(object: string): Promise<string> {
  const path = '/apis/things.example.com/v1/namespaces/default/boxes?dryRun=All&fieldValidation=Strict';
  const { body } = await server!.send({ method: 'POST', path, body: object, type: 'application/yaml' });
  return body;
}

function judged(workspace: string, ...args: string[]) {
  put(`${workspace}/box.yaml`, box);
  const { stdout } = kubeCrd(['check', '--format', 'json', ...args], path.join(home, workspace));
  const { findings }: { findings: { message: string }[] } = JSON.parse(stdout);
  return findings.map(({ message }) => message).sort();
}

test('the contexts of the kubeconfig are listed', { skip }, async () => {
  assert.deepEqual((await contexts(tools)).sort(), ['dead', 'fixture', 'nobody', 'silent']);
});

test('a cluster of 301 CRDs is read, and judges as it judges itself', { skip }, async () => {
  assert.match(judged('all')[0] ?? '', /^No CRD for Box/);
  const { status, stdout, stderr } = kubeCrd(['crds', 'fetch', '--cluster', 'fixture'], path.join(home, 'all'));
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '301 CRDs fetched from cluster fixture\n');
  assert.match(stderr, /running kubectl get crd -o json --context=fixture --request-timeout=30s/);
  const said = judged('all');
  // The server refuses unknown fields first; without them it says the rest.
  const real = [await verdict(box), await verdict(box.replace(' sise: 1,', ''))].join();
  for (const message of [
    'unknown field "spec.sise"',
    'should be less than or equal to 9',
    'failed rule: self != "x"',
  ]) {
    assert.ok(real.includes(JSON.stringify(message).slice(1, -1)), real);
    assert.ok(
      said.some((one) => one.includes(message)),
      said.join('\n'),
    );
  }
  assert.equal(said.length, 3);
});

test('who may not list CRDs gets the schemas that are published, with their rules', { skip }, async () => {
  const env = { KUBE_CRD_CACHE: path.join(home, 'cache-of-nobody') };
  const folder = path.join(home, 'nobody');
  put('nobody/box.yaml', box);
  put('empty/other.yaml', 'a: 1\n');
  const { status, stdout, stderr } = kubeCrd(['crds', 'fetch', '--cluster', 'nobody'], folder, env);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '1 CRD fetched from cluster nobody\n');
  process.env.KUBE_CRD_CACHE = env.KUBE_CRD_CACHE;
  const said = judged('nobody');
  process.env.KUBE_CRD_CACHE = path.join(home, 'cache');
  assert.deepEqual(said, judged('all'));
  // Where nothing is used, nobody knows what to ask for.
  const empty = kubeCrd(['crds', 'fetch', '--cluster', 'nobody'], path.join(home, 'empty'), env);
  assert.match(empty.stderr, /CRDs may not be listed there, and without that only kinds that are named can be fetched/);
});

test('a cluster that is not there, a context that is not there, and one that does not answer', { skip }, async () => {
  const failure = (context: string) => kubeCrd(['crds', 'fetch', '--cluster', context], home);
  assert.match(failure('dead').stderr, /kubectl: .*refused/);
  assert.match(failure('none').stderr, /kubectl: .*context.* does not exist|none/);
  assert.equal(failure('dead').status, 2);
  const ask = ['--context=silent', 'get', '--raw', '/version'];
  await assert.rejects(
    run('kubectl', ask, tools, { milliseconds: 1_500, bytes: 1_000 }),
    /kubectl did not answer within 1.5 seconds/,
  );
  const ended = new AbortController();
  setTimeout(() => ended.abort(), 500);
  const asked = fetchCrds({ from: 'cluster', context: 'silent' }, [], { ...tools, signal: ended.signal });
  await assert.rejects(asked, /^FetchFailure: cancelled|cancelled/);
  const list = ['--context=fixture', 'get', 'crd', '-o', 'json'];
  await assert.rejects(run('kubectl', list, tools, { milliseconds: 60_000, bytes: 100_000 }), /more than 100000 bytes/);
});

test('what a workspace uses is saved in it, judged with --locked, and updated', { skip }, async () => {
  const folder = path.join(home, 'saved');
  put('saved/box.yaml', box);
  const saved = kubeCrd(['crds', 'fetch', '--cluster', 'fixture', '--save'], folder);
  assert.equal(saved.stdout, '301 CRDs fetched from cluster fixture\n1 CRD saved in .kube-crd\n', saved.stderr);
  const env = { KUBE_CRD_CACHE: path.join(home, 'cache-of-ci') };
  const check = () => kubeCrd(['check', '--locked'], folder, env);
  assert.match(check().stderr, /CRDs from elsewhere: 1 of cluster fixture, in kube-crd.lock/);
  assert.equal(check().status, 1);
  const file = path.join(folder, '.kube-crd/things.example.com/box.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('maximum: 9', 'maximum: 90'));
  assert.match(check().stderr, /kube-crd.lock: the CRD of things.example.com\/Box is not the one that was fetched/);
  assert.equal(check().status, 2);
  rmSync(file);
  assert.match(check().stderr, /the CRD of things.example.com\/Box is missing/);
  assert.equal(
    kubeCrd(['crds', 'fetch', '--locked'], folder, env).stdout,
    '1 CRD of kube-crd.lock: 1 fetched, 0 here already\n',
  );
  assert.equal(readFileSync(file, 'utf8'), text);

  const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.things.example.com';
  const patch = [
    {
      op: 'add',
      path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/sise',
      value: { type: 'integer' },
    },
  ];
  const { code, body } = await server!.send({
    method: 'PATCH',
    path: crdPath,
    body: JSON.stringify(patch),
    type: 'application/json-patch+json',
  });
  assert.equal(code, 200, body);
  rmSync(file);
  assert.match(
    kubeCrd(['crds', 'fetch', '--locked'], folder, { KUBE_CRD_CACHE: path.join(home, 'new') }).stderr,
    /is not the one that the lock file names/,
  );
  writeFileSync(file, text);
  const lock = readFileSync(path.join(folder, 'kube-crd.lock'), 'utf8');
  const changes = 'things.example.com/Box, cluster fixture\n  + v1 spec.sise\n';
  assert.equal(kubeCrd(['crds', 'update', '--dry-run'], folder).stdout, `${changes}1 of 1 CRD would change\n`);
  assert.equal(readFileSync(path.join(folder, 'kube-crd.lock'), 'utf8'), lock);
  assert.equal(kubeCrd(['crds', 'update'], folder).stdout, `${changes}1 of 1 CRD changed\n`);
  assert.equal(parseLock(readFileSync(path.join(folder, 'kube-crd.lock'), 'utf8')).rows.length, 1);
  assert.ok(!judged('saved', '--locked').some((message) => message.includes('sise')));
  assert.equal(kubeCrd(['crds', 'update'], folder).stdout, '0 of 1 CRD changed\n');
});

testsOfCrds(home, skip);
testsOfPolicies(home, skip);
testsOfConversions(skip);
testsOfStored(home, skip);

test('kubectl prints about a fresh API server what is recorded of it', { skip }, async (t) => {
  const fresh = await startServer();
  t.after(() => fresh.stop());
  const found = await played(readFileSync(fresh.kubeconfig, 'utf8'));
  if (process.env.UPDATE) writeFileSync('test/fakeServer/kubectl.txt', found);
  else assert.equal(found, readFileSync('test/fakeServer/kubectl.txt', 'utf8'));
});

const client = clientProgram();
const noClient = client === undefined && skips('without Go no program of client-go asks the server and its face');

test('client-go finds in the face of the engine what it finds in an API server', {
  skip: skip || noClient,
}, async (t) => {
  const [fresh, fake] = [await startServer(), await startFakeServer()];
  t.after(() => Promise.all([fresh.stop(), fake.stop()]));
  const found = await printedBy(client!, readFileSync(fresh.kubeconfig, 'utf8'));
  if (process.env.UPDATE) writeFileSync(recorded, found);
  assert.equal(found, readFileSync(recorded, 'utf8'));
  assert.equal(await printedBy(client!, fake.kubeconfig), found);
});

test('a controller of controller-runtime runs its tests against the face of the engine', { skip: noClient }, () => {
  const folder = path.resolve('test/cluster/controller');
  const env = { KUBE_CRD: `${process.execPath} ${path.resolve('dist/server/main.cjs')}` };
  const { status, stdout, stderr } = ran('go', ['test', '-count=1', './...'], folder, env);
  assert.equal(status, 0, stdout + stderr);
});

const cases = upstreamCases();
const noCases =
  cases === undefined &&
  skips("without k8s.io/apiextensions-apiserver in Go's module cache its cases are not compared");

test("the API server's own integration cases get its verdicts", { skip: skip || noCases }, async (t) => {
  const [fresh, fake] = [await startServer(), await startFakeServer()];
  t.after(() => Promise.all([fresh.stop(), fake.stop()]));
  const theirs = await upstreamVerdicts(cases!, (method, path, body) =>
    fresh.send({ method: method as 'GET', path, ...(body !== undefined && { body: String(body) }) }),
  );
  assert.deepEqual(await upstreamVerdicts(cases!, fake.send), theirs);
});

const helm = programInPath('helm');
const noHelm = helm === undefined && skips('without helm in PATH no chart is packaged and pulled by it');

test('a chart that Helm packaged is fetched by Helm, and without it, with the same CRDs', {
  skip: noHelm,
}, async (t) => {
  put('chart/Chart.yaml', 'apiVersion: v2\nname: boxes\nversion: 1.2.3\n');
  put('chart/crds/box.yaml', boxCrd);
  put('chart/templates/lid.yaml', `{{- if .Values.crds }}\n${crdText('Lid', 'size: {type: integer}')}{{- end }}\n`);
  put('repository/.keep', '');
  const repository = path.join(home, 'repository');
  for (const args of [
    ['package', '../chart'],
    ['repo', 'index', '.'],
  ])
    assert.equal(ran(helm!, args, repository).status, 0);
  const read = (name: string) => readFileSync(path.join(repository, name));
  const replies = { '/index.yaml': read('index.yaml'), '/boxes-1.2.3.tgz': read('boxes-1.2.3.tgz') };
  const { address, close } = await httpsServer(replies);
  t.after(close);
  const source = { from: 'chart', chart: 'boxes', repository: address, version: '1.2.3' } as const;
  const said: string[] = [];
  const fetching = { ...tools, network: { caFile }, say: (line: string) => void said.push(line) };
  const byHelm = await fetchCrds(source, [], fetching);
  assert.match(said[0]!, /^running helm pull boxes --repo/);
  const { PATH } = process.env;
  process.env.PATH = '';
  t.after(() => {
    process.env.PATH = PATH;
  });
  assert.deepEqual(await fetchCrds(source, [], fetching), byHelm);
  assert.deepEqual(byHelm.map(({ kind }) => kind).sort(), ['Box', 'Lid']);
});

const go = programInPath('go');
const noGo = go === undefined && skips('without go in PATH no module is downloaded');

test('a module that Go downloaded judges the kinds of its CRDs', { skip: noGo }, () => {
  const version = 'v1.2.1';
  put('module/go.mod', `module example.com/a\n\ngo 1.22\n\nrequire sigs.k8s.io/gateway-api ${version}\n`);
  put(
    'module/route.yaml',
    'apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec: {hostname: a}\n',
  );
  const env = { GOMODCACHE: path.join(home, 'modules'), GOFLAGS: '-modcacherw' };
  const folder = path.join(home, 'module');
  const download = ran(go!, ['mod', 'download', `sigs.k8s.io/gateway-api@${version}`], folder, env);
  assert.equal(download.status, 0, download.stderr);
  const { stdout, stderr } = kubeCrd(['check'], folder, env);
  assert.match(stdout, /unknown field "spec.hostname", did you mean `hostnames`/);
  assert.match(stderr, /1 of gateway-api 1\.2\.1, from the Go module cache/);
});
