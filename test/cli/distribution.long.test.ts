import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { parse, plain } from '../../server/src/library/yaml.ts';
import { runProgram } from '../support/program.ts';

// What other programs run: the action, the hooks, the job, and the examples of the help.

const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-distribution-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const program = path.resolve('dist/server/main.cjs');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const skip = process.platform === 'win32';

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
                replicas: {type: integer}
                minReplicas: {type: integer}
                parts: {type: array, items: {type: object, properties: {size: {type: integer}}}}
`;
const widget = `apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec: {size: 1, replicas: 2, minReplicas: 1, parts: [{size: 1}]}
`;

const put = (name: string, text: string, mode = 0o644) => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
};
for (const name of ['config/crd/widgets.yaml', 'old/crds/widgets.yaml', 'new/crds/widgets.yaml']) put(name, crd);
for (const name of ['widget.yaml', 'config/samples/widget.yaml']) put(name, widget);
const cases = (name: string) => `crd: widgets.yaml\ncases:\n  - {name: ${name}, create: ../samples/widget.yaml}\n`;
put('config/crd/widgets.crdtest.yaml', cases('ratcheting'));
const initial = `      initial: |\n${widget.replace(/^/gm, '        ')}\n`;
put('tests/widgets.yaml', `crdName: widgets.example.com\ntests:\n  onCreate:\n    - name: whole\n${initial}`);
// Packages of one module make one CRD of their versions.
put('go.mod', readFileSync('examples/queue-operator/go.mod', 'utf8'));
for (const name of ['groupversion_info.go', 'queue_types.go']) {
  const text = readFileSync(`examples/queue-operator/api/v1/${name}`, 'utf8');
  const accepted = text.replace('\tConsumers []', '\t// +kubebuilder:validation:MaxItems=20\n\tConsumers []');
  const stored = accepted.replace('type Queue struct', '// +kubebuilder:storageversion\ntype Queue struct');
  put(`api/v1/${name}`, stored);
  put(`api/v1beta1/${name}`, accepted.replace('package v1', 'package v1beta1'));
}
// What is fetched is the program that was built; it says first which package it was asked for.
put(
  'bin/npx',
  `#!/bin/sh\nshift\necho "asked for $1" >&2\nshift\nexec '${process.execPath}' '${program}' "$@"\n`,
  0o755,
);
put('bin/kube-crd', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, 0o755);
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
    stdio: 'ignore',
  });
git('init', '--quiet', '--initial-branch=main');
git('add', '--all');
git('commit', '--quiet', '--message', 'first');
git('update-ref', 'refs/remotes/origin/main', 'main');

function shell(command: string, env: Readonly<Record<string, string>> = {}) {
  const PATH = `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}`;
  return spawnSync('bash', ['-eo', 'pipefail', '-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH, ...env },
    input: '',
  });
}

const read = (file: string, document = 0) => plain(parse(readFileSync(file, 'utf8'))[document]!.value) as never;

interface Input {
  readonly default: string;
}

test('every input of the action and of the component is documented', () => {
  const { inputs }: { inputs: Record<string, Input> } = read('action.yml');
  const { spec }: { spec: { inputs: Record<string, Input> } } = read('templates/kube-crd.yml');
  const [, github = '', gitlab = ''] = readFileSync('docs/ci.md', 'utf8').split(/^## .*$/m);
  const documented = (page: string) => [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map((match) => match[1]!).sort();
  assert.deepEqual(documented(github), Object.keys(inputs).sort());
  assert.deepEqual(documented(gitlab), Object.keys(spec.inputs).sort());
});

/** Runs the action with some inputs. */
function act(given: Readonly<Record<string, string>>) {
  const {
    inputs,
    runs,
  }: { inputs: Record<string, Input>; runs: { steps: { run: string; env: Record<string, string> }[] } } =
    read('action.yml');
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  assert.deepEqual(unknown, []);
  const [step] = runs.steps;
  const env = Object.fromEntries(
    Object.entries(step!.env).map(([name, text]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)![1]!;
      return [name, given[input] ?? inputs[input]!.default];
    }),
  );
  const { status, stdout, stderr } = shell(step!.run, { ...env, GITHUB_ACTION_PATH: process.cwd() });
  return { status, stdout, stderr, asked: stderr.split('\n')[0] };
}

put('bad/widget.yaml', widget.replace('size: 1,', 'sise: 1,'));
put('unknown/other.yaml', 'apiVersion: other.example.com/v1\nkind: Other\nmetadata: {name: a}\n');

test('the action runs its own version of the package with the inputs as arguments', { skip }, () => {
  const paths = 'bad/widget.yaml\nconfig/samples';
  const { status, stdout, stderr, asked } = act({ paths, crds: 'config/crd', kubernetes: '1.36..1.37' });
  assert.equal(status, 1, stderr);
  assert.equal(asked, `asked for kube-crd@${version}`);
  assert.match(stdout, /^::error file=bad\/widget\.yaml,.*unknown field/m);
  assert.match(stderr, /for Kubernetes 1\.36, 1\.37:/);
  const pinned = act({ paths: 'config', version: '9.9.9' });
  assert.deepEqual([pinned.status, pinned.asked], [0, 'asked for kube-crd@9.9.9']);
});

test('the inputs of the action that make a run stricter', { skip }, () => {
  const paths = 'unknown';
  assert.equal(act({ paths }).status, 0);
  assert.equal(act({ paths, 'max-warnings': '0' }).status, 1);
  assert.equal(act({ paths, args: '--rules\ncr/unknown-kind=error' }).status, 1);
  put('config/crd/widgets.yaml', crd.replace('Namespaced', 'Cluster'));
  const changed = { paths: 'config/crd/widgets.yaml' };
  assert.equal(act(changed).status, 0);
  assert.match(act({ ...changed, baseline: 'merge-base:origin/main' }).stdout, /field is immutable/);
  put('config/crd/widgets.yaml', crd);
});

test('the hooks of pre-commit run', { skip }, () => {
  const hooks: { id: string; entry: string; language: string }[] = read('.pre-commit-hooks.yaml');
  assert.deepEqual(
    hooks.map(({ id }) => id),
    ['kube-crd', 'kube-crd-fix'],
  );
  for (const { entry, language } of hooks) {
    assert.equal(language, 'node');
    const { status, stderr } = shell(`${entry} config/samples/widget.yaml`);
    assert.equal(status, 0, stderr);
  }
});

/** Runs the component's job with some inputs. */
function runJob(given: Readonly<Record<string, string>>) {
  const { spec }: { spec: { inputs: Record<string, Input> } } = read('templates/kube-crd.yml');
  const job: { 'kube-crd': { stage: string; script: string[]; variables: Record<string, string> } } = read(
    'templates/kube-crd.yml',
    1,
  );
  const filled = (text: string) =>
    text.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => given[name] ?? spec.inputs[name]!.default);
  const { stage, script, variables } = job['kube-crd'];
  const env = Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, filled(text)]));
  const { status, stderr } = shell(filled(script.join('\n')), env);
  const report: { location: { path: string } }[] = JSON.parse(
    readFileSync(path.join(folder, 'gl-code-quality-report.json'), 'utf8'),
  );
  return { status, stderr, stage: filled(stage), files: report.map(({ location }) => location.path) };
}

test("GitLab's job runs this version and leaves a report", { skip }, () => {
  const { status, stderr, stage } = runJob({});
  assert.notEqual(status, 2, stderr);
  assert.equal(stage, 'test');
  assert.match(stderr, new RegExp(`^asked for kube-crd@${version}$`, 'm'));
});

test("GitLab's job takes its inputs", { skip }, () => {
  put('.kube-crd.yaml', 'kubernetesVersion: "1.35"\n');
  assert.match(runJob({ paths: 'config' }).stderr, /for Kubernetes 1\.35:/);
  assert.match(runJob({ paths: 'config', kubernetes: '1.33..1.34' }).stderr, /for Kubernetes 1\.33, 1\.34:/);
  rmSync(path.join(folder, '.kube-crd.yaml'));
  const { status, files } = runJob({ paths: 'bad config/samples', args: '--crds config/crd' });
  assert.deepEqual([status, files], [1, ['bad/widget.yaml']]);
  assert.equal(runJob({ paths: 'unknown', args: '--max-warnings 0' }).status, 1);
  const other = runJob({ version: '9.9.9', stage: 'lint' });
  assert.deepEqual([other.stage, other.stderr.split('\n')[0]], ['lint', 'asked for kube-crd@9.9.9']);
});

test('a release is tested, made with its owner, and only then published', () => {
  const { jobs }: { jobs: { package: { steps: { run?: string }[] } } } = read('.github/workflows/release.yml');
  const steps = jobs.package.steps.map(({ run = '' }) => run);
  const begins = [
    '.ci/run',
    'npm run owner',
    'npm run release',
    'gh release create',
    'npm publish',
    'node_modules/.bin/vsce',
  ];
  const order = begins.map((begin) => steps.findIndex((run) => run.startsWith(begin)));
  assert.ok(
    order.every((step, i) => step > (order[i - 1] ?? 0)),
    order.join(),
  );
});

test('the image holds files that there are, and runs as nobody', () => {
  const text = readFileSync('Dockerfile', 'utf8');
  const copied = [...text.matchAll(/^COPY --from=build (.*) \/kube-crd\/$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  );
  assert.ok(copied.length > 0);
  const needed = readdirSync('dist/server').filter((name) => !name.endsWith('.map'));
  for (const name of needed) assert.ok(copied.includes(`/build/dist/server/${name}`), `${name} is left out`);
  for (const file of copied) assert.ok(existsSync(file.replace('/build/', '')), file);
  assert.match(text, /^USER nonroot$/m);
  // What the image has is put together as it is there, and run as it runs there, where nothing can be written.
  const image = path.join(folder, 'image/kube-crd');
  mkdirSync(image, { recursive: true });
  for (const file of copied) copyFileSync(file.replace('/build/', ''), path.join(image, path.posix.basename(file)));
  const [, entry = ''] = /^ENTRYPOINT \["\/nodejs\/bin\/node", "\/kube-crd\/(.*)"\]$/m.exec(text) ?? [];
  const [, command = ''] = /^CMD \["(.*)", "\."\]$/m.exec(text) ?? [];
  const { status, stdout } = spawnSync(process.execPath, [path.join(image, entry), command, '.'], {
    cwd: 'examples',
    env: { HOME: '/nonexistent' },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout.includes('[cr/')], [1, true], stdout);
});

const names = [...runProgram(folder, ['--help']).stdout.matchAll(/^ {2}kube-crd (\w+) /gm)].map((match) => match[1]!);

// Those of `crds` need a cluster and the network: test/fetch and test/cluster have both.
for (const name of names.filter((one) => one !== 'server' && one !== 'crds')) {
  test(`the examples in the help of ${name} run`, { skip }, () => {
    if (name === 'config') put('.kube-crd.yaml', 'rules: {}\n');
    const help = runProgram(folder, [name, '--help']).stdout;
    const examples = [...help.matchAll(/^ {2}((?:kubectl .* \| )?kube-crd .*)$/gm)].map((match) => match[1]!);
    assert.ok(examples.length > 0);
    // Those with a cluster are in storedObjects.test.ts.
    for (const example of examples.filter((one) => !one.includes('--cluster'))) {
      const { status, stderr } = shell(example.replace('kubectl get widgets -o yaml', 'cat widget.yaml'));
      assert.ok(status === 0 || status === 1, `${example}: ${stderr}`);
    }
  });
}
