import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { tgz } from '../support/archives.ts';
import { runProgram } from '../support/program.ts';

// What `diff` says of objects that a cluster stores. The cluster is a stand-in for kubectl that answers from files, page by
// page; test/cluster asks a real one, and `npm run compare:stored` whether what is said of writes is what a server answers.

const skip = process.platform === 'win32' ? 'a program that stands in for kubectl is a script' : false;

const crd = (spec: string, more = '') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            ${more}
            properties: {${spec}}
          status: {type: object, properties: {phase: {type: string}}}
`;

const old = crd(
  'size: {type: integer}, gone: {type: string}, tags: {type: object, additionalProperties: {type: string}}',
);
const now = crd(
  'size: {type: integer, maximum: 10}, mode: {type: string, default: fast}, owner: {type: string}, tags: {type: object, additionalProperties: {type: string, maxLength: 3}}',
  'required: [owner]',
);

const box = (name: string, spec: object, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name, namespace: 'team', ...more },
  spec,
});

const managedFields = [
  { manager: 'helm', operation: 'Update', time: '2026-01-02T03:04:05Z', fieldsV1: { 'f:spec': { 'f:gone': {} } } },
];
const boxes = [
  box('fine', { owner: 'me', mode: 'slow' }),
  box('large', { owner: 'me', size: 4711 }),
  box('unowned', { size: 1 }),
  box('losing', { owner: 'me', gone: 'hunter2' }, { managedFields }),
  box('tagged', { owner: 'me', tags: { 'secret-key': 'hunter2' } }),
];

function place(t: TestContext, files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-stored-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
  return home;
}

const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: boxes });

test('each stored object is judged under the new CRD, with no value of it in what is said', (t) => {
  const home = place(t, { 'old.yaml': old, 'new.yaml': now, 'dump/boxes.json': list });
  const { status, stdout } = runProgram(home, ['diff', 'old.yaml', 'new.yaml', '--objects', 'dump']);
  assert.equal(status, 1);
  const said = stdout.slice(stdout.indexOf('  5 stored'));
  assert.equal(
    said,
    `  5 stored objects of Box (v1):
    1: a write that changes anything else beside what is wrong is refused
      spec.owner: is required (1: team/unowned)
    2: a write that changes what is wrong is refused, and others pass
      spec.size: must be at most 10 (1: team/large)
      spec.tags[*]: must be at most 3 characters long (1: team/tagged)
    1: fields are dropped
      spec.gone, written by helm (last 2026-01-02T03:04:05Z) (1: team/losing)
    4: defaults are added
      spec.mode (4: team/large, team/unowned, team/losing and 1 more)
`,
  );
  for (const format of ['text', 'json', 'markdown']) {
    const all = runProgram(home, ['diff', 'old.yaml', 'new.yaml', '--objects', 'dump', '-o', format]).stdout;
    assert.doesNotMatch(all, /4711|hunter2|secret-key/, format);
    assert.match(all, /team\/large/, format);
  }
  const open = runProgram(home, ['diff', 'old.yaml', 'new.yaml', '--objects', 'dump', '--show-values']).stdout;
  assert.match(open, /spec\.size: Invalid value: 4711: /);
});

test('the old CRDs may be in the files, and objects that a CRD does not know are no part of them', (t) => {
  const items = [...boxes, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'hunter2' } }];
  const home = place(t, {
    'new.yaml': now,
    'dump/a.json': JSON.stringify({ items }),
    'dump/crds.yaml': old,
    'dump/b.yaml': JSON.stringify(box('more', {})),
  });
  const { stdout, stderr } = runProgram(home, ['diff', 'new.yaml', '--objects', 'dump', '-o', 'json']);
  const [{ stored }] = JSON.parse(stdout).crds;
  assert.equal(stored.objects, 6, stderr);
  assert.deepEqual(stored.refused.other, { count: 2, first: ['team/unowned', 'team/more'] });
  const some = JSON.parse(
    runProgram(home, ['diff', 'new.yaml', '--objects', 'dump', '-o', 'json', '--max-objects', '2']).stdout,
  );
  assert.equal(some.crds[0].stored.objects, 2);
  assert.match(some.crds[0].stored.cut, /--max-objects 2/);
  const none = runProgram(home, ['diff', 'new.yaml', '--objects', 'dump', '--namespace', 'other', '-o', 'json']);
  assert.equal(JSON.parse(none.stdout).crds[0].stored.objects, 0);
});

test('what was wrong before stays apart', (t) => {
  const home = place(t, { 'crd.yaml': now, 'dump.json': list });
  const { status, stdout } = runProgram(home, ['diff', 'crd.yaml', 'crd.yaml', '--objects', 'dump.json']);
  assert.match(
    stdout,
    /3: refused before as well, so not counted above\n {6}team\/large, team\/unowned, team\/tagged\n/,
  );
  assert.doesNotMatch(stdout, /spec\.size/);
  assert.equal(status, 0);
});

test('a dump that cannot be read whole is said to be so, and is not a run that passes', (t) => {
  const home = place(t, { 'old.yaml': old, 'dump/a.json': list.slice(0, -40), 'dump/b.json': '[{"a":}]' });
  symlinkSync('/etc/hostname', path.join(home, 'dump/c.json'));
  const { status, stderr } = runProgram(home, ['diff', 'old.yaml', 'old.yaml', '--objects', 'dump']);
  assert.equal(status, 2);
  assert.match(stderr, /a\.json: it is not the whole of a JSON text with objects/);
  assert.match(stderr, /b\.json: 1 objects? in it (?:is|are) not JSON/);
  assert.doesNotMatch(stderr, /c\.json/);
});

test('no value and no key of a map is told, whatever is wrong and whatever goes away', (t) => {
  const fields = (n: string) => `when: {type: string${n === '' ? '' : ', format: date-time'}},
    named: {type: object, ${n === '' ? 'additionalProperties: {type: string}' : 'properties: {a: {type: string}}'}},
    free: {type: object, ${n === '' ? 'x-kubernetes-preserve-unknown-fields: true' : 'properties: {a: {type: string}}'}},
    map: {type: object, additionalProperties: {type: object, ${n === '' ? '' : 'required: [q], '}properties: {q: {type: string}}}},
    tags: {type: object, additionalProperties: {type: string${n === '' ? '' : ', maxLength: 2'}}}`;
  const object = box('a', {
    when: 'SECRET date',
    named: { 'SECRET key': 'a' },
    free: { SECRET: { SECRET: 'a' } },
    map: { 'SECRET in body key': {} },
    tags: { 'SECRET key in body': 'SECRET' },
  });
  const home = place(t, {
    'old.yaml': crd(fields('')),
    'new.yaml': crd(fields('now')),
    'dump.json': JSON.stringify(object),
  });
  for (const format of ['text', 'json', 'markdown']) {
    const { stdout } = runProgram(home, ['diff', 'old.yaml', 'new.yaml', '--objects', 'dump.json', '-o', format]);
    assert.doesNotMatch(stdout, /SECRET/, format);
  }
  const { stdout } = runProgram(home, ['diff', 'old.yaml', 'new.yaml', '--objects', 'dump.json']);
  for (const said of [
    'spec.when: must be of format date-time',
    'spec.tags[*]: must be at most 2 characters long',
    'spec.map[*].q: is required',
    'spec.named[*]',
    'spec.free[*]',
  ])
    assert.ok(stdout.includes(said), `${said}\n${stdout}`);
});

test('a backup of Velero is read as the archive that it is', (t) => {
  const at = (folder: string, name: string) => `resources/boxes.example.com/${folder}/${name}.json`;
  const entries = boxes.map((one) => ({
    name: at('namespaces/team', one.metadata.name),
    content: JSON.stringify(one),
  }));
  const again = entries.map(({ name, content }) => ({
    name: name.replace('com/', 'com/v1-preferredversion/'),
    content,
  }));
  const crds = 'resources/customresourcedefinitions.apiextensions.k8s.io/cluster/boxes.example.com.json';
  const yaml = { name: 'more.yaml', content: JSON.stringify(box('yaml', {})) };
  const all = [
    { name: 'metadata/version', content: '1.1.0' },
    { name: 'resources/', type: '5' },
    { name: crds, content: JSON.stringify(stored) },
    ...entries,
    ...again,
    yaml,
  ];
  const home = place(t, { 'new.yaml': now });
  writeFileSync(path.join(home, 'backup.tar.gz'), tgz(all));
  const diff = () => runProgram(home, ['diff', 'new.yaml', '--objects', 'backup.tar.gz', '-o', 'json']);
  const whole = diff();
  const [crd] = JSON.parse(whole.stdout).crds;
  assert.equal(crd.stored.objects, 6, whole.stderr);
  assert.deepEqual(crd.stored.refused.other.first, ['team/unowned', 'team/yaml']);
  assert.equal(whole.status, 1);
  // What is broken or too large in it is no run that passes.
  const large = { name: at('namespaces/team', 'large'), content: '', size: 9_000_000 };
  const broken = { name: at('namespaces/team', 'broken'), content: '{"a":' };
  for (const [bytes, said] of [
    [tgz([...all, broken]), /broken\.json: it is not the whole of a JSON text/],
    [tgz([...all, large]), /1 files? in it ha(?:s|ve) more than 8000000 bytes|ends in the middle/],
    [tgz(all).subarray(0, 400), /unexpected end of file/],
    [Buffer.from('no archive'), /incorrect header check/],
  ] as const) {
    writeFileSync(path.join(home, 'backup.tar.gz'), bytes);
    const { status, stderr } = diff();
    assert.match(stderr, said);
    assert.equal(status, 2, stderr);
  }
});

test('an object with items of its own is no list', (t) => {
  const items = [box('inner', {})];
  const own = { ...box('own', {}), items };
  const { metadata, ...first } = own;
  const home = place(t, {
    'new.yaml': now,
    'dump/a.json': JSON.stringify({ ...first, metadata }),
    'dump/b.yaml': JSON.stringify({ ...own, metadata: { ...metadata, name: 'yaml' } }),
    'dump/c.json': JSON.stringify({ kind: 'BoxList', metadata: {}, items: [box('listed', {})] }),
    'dump/crd.yaml': old,
  });
  const { stdout } = runProgram(home, ['diff', 'new.yaml', '--objects', 'dump', '-o', 'json']);
  assert.deepEqual(JSON.parse(stdout).crds[0].stored.refused.other.first, ['team/own', 'team/yaml', 'team/listed']);
});

test('what is no dump does not pass', (t) => {
  const files = {
    'error.json': 'error: You must be logged in to the server\n',
    'cut.yaml': 'a: {b: c\nd\n',
    'a/b.txt': '',
  };
  const home = place(t, { 'old.yaml': old, ...files });
  for (const path of ['error.json', 'cut.yaml', 'a'])
    assert.equal(runProgram(home, ['diff', 'old.yaml', 'old.yaml', '--objects', path]).status, 2, path);
});

test('an object that is there twice counts once, and a CRD that OLD has more is gone', (t) => {
  const home = place(t, {
    'old.yaml': old,
    'new.yaml': old.replaceAll('boxes', 'lids').replaceAll('Box', 'Lid'),
    'a/1.json': list,
    'a/2.json': list,
  });
  const twice = JSON.parse(runProgram(home, ['diff', 'old.yaml', 'old.yaml', '--objects', 'a', '-o', 'json']).stdout);
  assert.equal(twice.crds[0].stored.objects, 5);
  const { stdout, status } = runProgram(home, ['diff', 'old.yaml', 'new.yaml', '--objects', 'a']);
  assert.match(stdout, /the CRD is gone/);
  assert.equal(status, 1);
});

test('options that do not go together are refused', (t) => {
  const home = place(t, { 'old.yaml': old, 'dump.json': list });
  const rows: readonly [args: readonly string[], said: RegExp][] = [
    [['old.yaml', 'old.yaml', '--namespace', 'a'], /--namespace goes with --cluster or --objects/],
    [['old.yaml', 'old.yaml', '--cluster', 'a'], /diff takes NEW with --cluster/],
    [['old.yaml', '--cluster', 'a', '--objects', 'dump.json'], /--cluster goes without --objects/],
    [['old.yaml', '--objects', 'dump.json', '--selector', 'a=b'], /--selector goes with --cluster/],
    [['old.yaml', 'old.yaml', '--show-values'], /--show-values goes with --cluster or --objects/],
    [['old.yaml', '--objects', 'dump.json', '--chunk-size', '2'], /--chunk-size goes with --cluster/],
    [['old.yaml', '--objects', 'dump.json'], /none of the CRDs of old\.yaml is in dump\.json/],
    [['old.yaml', 'old.yaml', '--objects', 'nowhere'], /nothing found at nowhere/],
  ];
  for (const [args, said] of rows) {
    const { status, stderr } = runProgram(home, ['diff', ...args]);
    assert.match(stderr, said);
    assert.equal(status, 2);
  }
});

// A cluster

/** Answers as kubectl does, from files beside it, and notes what it was asked. */
const kubectl = `#!${process.execPath}
const fs = require('node:fs');
const path = require('node:path');
const args = process.argv.slice(2);
const home = __dirname;
fs.appendFileSync(path.join(home, 'asked'), args.join(' ') + '\\n');
const print = (value) => process.stdout.write(JSON.stringify(value));
const objects = JSON.parse(fs.readFileSync(path.join(home, 'objects.json'), 'utf8'));
if (args[0] === 'version') print({ serverVersion: { gitVersion: 'v1.36.2' } });
else if (args[1] === 'crd') print({ kind: 'List', items: JSON.parse(fs.readFileSync(path.join(home, 'crds.json'), 'utf8')) });
else if (args[1] === '--raw') {
  const asked = new URL(args[2], 'http://a');
  const from = Number(asked.searchParams.get('continue') ?? 0);
  const to = from + Number(asked.searchParams.get('limit'));
  const expires = path.join(home, 'expires');
  const left = fs.existsSync(expires) ? Number(fs.readFileSync(expires, 'utf8')) : 0;
  if (from >= 2 && left > 0) {
    fs.writeFileSync(expires, String(left - 1));
    process.stderr.write('Error from server (Expired): The provided continue parameter is too old to display a consistent list result.\\n');
    process.exit(1);
  }
  print({ metadata: to < objects.length ? { continue: String(to) } : {}, items: objects.slice(from, to) });
} else process.exit(1);
`;

function cluster(t: TestContext, files: Readonly<Record<string, string>>, crds: readonly object[]) {
  const home = place(t, {
    ...files,
    'bin/kubectl': kubectl,
    'bin/objects.json': JSON.stringify(boxes),
    'bin/crds.json': JSON.stringify(crds),
  });
  chmodSync(path.join(home, 'bin/kubectl'), 0o755);
  const env = { ...process.env, PATH: path.join(home, 'bin') };
  return {
    run: (...args: string[]) => runProgram(home, args, '', env),
    asked: () => readFileSync(path.join(home, 'bin/asked'), 'utf8').trimEnd().split('\n'),
  };
}

const storedCrd = (spec: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com', managedFields },
  spec: {
    group: 'example.com',
    names: { kind: 'Box', plural: 'boxes' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
      },
    ],
  },
  status: { storedVersions: ['v1'] },
});

const stored = storedCrd({ size: { type: 'integer' }, owner: { type: 'string' }, gone: { type: 'string' } });

test('a cluster is asked page by page, and only read', { skip }, (t) => {
  const { run, asked } = cluster(t, { 'new.yaml': now }, [stored]);
  const { status, stdout, stderr } = run('diff', '--cluster', 'staging', '--chunk-size', '2', '-o', 'json', 'new.yaml');
  const [crd] = JSON.parse(stdout).crds;
  assert.equal(crd.stored.objects, 5, stderr);
  assert.equal(status, 1);
  assert.deepEqual(crd.stored.refused.other.first, ['team/unowned']);
  assert.deepEqual(crd.stored.lost[0].writers, [{ manager: 'helm', time: '2026-01-02T03:04:05Z' }]);
  assert.match(stderr, /cluster staging runs Kubernetes v1\.36\.2/);
  assert.deepEqual(
    asked().filter((line) => !/^(?:version|get) .*--context=staging/.test(line)),
    [],
  );
  assert.equal(asked().filter((line) => line.includes('limit=2')).length, 3);
  run('diff', '--cluster', 'staging', '--namespace', 'a/b', '-l', 'app=a,b!=c', '--max-objects', '3', 'new.yaml');
  const chosen = '/apis/example.com/v1/namespaces/a%2Fb/boxes?limit=3&labelSelector=app%3Da%2Cb%21%3Dc ';
  assert.ok(asked().some((line) => line.includes(chosen)));
});

test('a list that expires is begun again, a few times, and each object counts once', { skip }, (t) => {
  for (const [expires, objects, code] of [
    ['1', 5, 1],
    ['3', 5, 1],
    ['4', 2, 2],
  ] as const) {
    const { run } = cluster(t, { 'new.yaml': now, 'bin/expires': expires }, [stored]);
    const { status, stdout } = run('diff', '--cluster', 'staging', '--chunk-size', '2', '-o', 'json', 'new.yaml');
    const [crd] = JSON.parse(stdout).crds;
    assert.equal(crd.stored.objects, objects);
    assert.equal(status, code);
    if (code === 2)
      assert.match(crd.stored.cut, /the others could not be read: kubectl: Error from server \(Expired\)/);
  }
});

test('a version that is still stored cannot be removed', { skip }, (t) => {
  const { run } = cluster(t, { 'new.yaml': now.replace('name: v1\n', 'name: v2\n') }, [stored]);
  const { stdout, status } = run('diff', '--cluster', 'staging', 'new.yaml');
  assert.match(stdout, /status\.storedVersions\[0\]/);
  assert.equal(status, 1);
});

test('check takes the CRDs of a cluster before those at hand, and its version', { skip }, (t) => {
  const files = {
    'crds/box.yaml': now,
    'box.yaml': JSON.stringify(box('a', { size: 'many' })),
    'lid.yaml': 'apiVersion: example.com/v1\nkind: Lid\nmetadata: {name: a}\n',
  };
  const { run } = cluster(t, files, [stored]);
  const { stdout, stderr, status } = run('check', '--cluster', 'test', '--crds', 'crds', 'box.yaml', 'lid.yaml');
  assert.match(stdout, /must be of type integer/);
  assert.doesNotMatch(stdout, /owner/);
  assert.match(stdout, /No CRD for Lid/);
  assert.match(stderr, /for Kubernetes 1\.36: 1 error/);
  assert.match(stderr, /its 1 CRD counts before all others/);
  assert.equal(status, 1);
  assert.match(run('check', '--crds', 'crds', 'box.yaml').stdout, /owner/);
});
