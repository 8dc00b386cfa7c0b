import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('the action runs its own version of the package with the inputs as arguments', { skip }, () => {
  const {
    inputs,
    runs,
  }: { inputs: Record<string, { default: string }>; runs: { steps: { run: string; env: Record<string, string> }[] } } =
    read('action.yml');
  const [step] = runs.steps;
  put('bad/widget.yaml', widget.replace('size: 1,', 'sise: 1,'));
  const given: Record<string, string> = {
    paths: 'bad/widget.yaml\nconfig/samples',
    crds: 'config/crd',
    kubernetes: '1.36..1.37',
  };
  const env = Object.fromEntries(
    Object.entries(step!.env).map(([name, text]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)![1]!;
      return [name, given[input] ?? inputs[input]!.default];
    }),
  );
  const { status, stdout, stderr } = shell(step!.run, { ...env, GITHUB_ACTION_PATH: process.cwd() });
  assert.equal(status, 1, stderr);
  assert.match(stderr, new RegExp(`^asked for kube-crd@${version}$`, 'm'));
  assert.match(stdout, /^::error file=bad\/widget\.yaml,.*unknown field/m);
  const pinned = shell(step!.run, {
    ...env,
    KUBE_CRD_VERSION: '9.9.9',
    KUBE_CRD_PATHS: 'config',
    GITHUB_ACTION_PATH: process.cwd(),
  });
  assert.deepEqual([pinned.status, pinned.stderr.split('\n')[0]], [0, 'asked for kube-crd@9.9.9']);
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

/** The environment of the action's step with some of its inputs given. */
function actionEnvironment(given: Readonly<Record<string, string>>): Record<string, string> {
  const action: { inputs: Record<string, { default: string }>; runs: { steps: { env: Record<string, string> }[] } } =
    read('action.yml');
  const env = Object.entries(action.runs.steps[0]!.env).map(([name, text]) => {
    const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)![1]!;
    return [name, given[input] ?? action.inputs[input]!.default];
  });
  return { ...Object.fromEntries(env), GITHUB_ACTION_PATH: process.cwd() };
}

/** The job's script as GitLab makes it of the inputs, with its variables. */
function gitlabJob(given: Readonly<Record<string, string>>) {
  const { spec }: { spec: { inputs: Record<string, { default: string }> } } = read('templates/kube-crd.yml');
  const job: { 'kube-crd': { script: string[]; variables: Record<string, string> } } = read(
    'templates/kube-crd.yml',
    1,
  );
  const filled = (text: string) =>
    text.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => given[name] ?? spec.inputs[name]!.default);
  const { script, variables } = job['kube-crd'];
  const env = Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, filled(text)]));
  return shell(script.map(filled).join('\n'), env);
}

test('the action, the hooks and the job take the settings of .kube-crd.yaml, and inputs hold above them', {
  skip,
}, () => {
  put('.kube-crd.yaml', 'kubernetesVersion: 1.33..1.34\nrules: {cr/type: warning}\n');
  put('bad/typed.yaml', widget.replace('replicas: 2', 'replicas: two'));
  const [step] = (read('action.yml') as { runs: { steps: { run: string }[] } }).runs.steps;
  const action = (given: Readonly<Record<string, string>>) => shell(step!.run, actionEnvironment(given));
  const hook = (read('.pre-commit-hooks.yaml') as { entry: string }[])[0]!.entry;
  const paths = 'bad/typed.yaml';
  for (const run of [action({ paths }), shell(`${hook} ${paths}`), gitlabJob({ paths })]) {
    assert.match(run.stderr, /1 file for Kubernetes 1\.33, 1\.34: 0 errors, 1 warning/);
    assert.equal(run.status, 0);
  }
  for (const run of [action({ paths, kubernetes: '1.36' }), gitlabJob({ paths, kubernetes: '1.36' })])
    assert.match(run.stderr, /1 file for Kubernetes 1\.36: 0 errors, 1 warning/);
  assert.equal(action({ paths, 'max-warnings': '0' }).status, 1);
  assert.match(action({ paths, args: '--rules\ncr/type=error' }).stdout, /^::error file=bad\/typed\.yaml/);
  assert.equal(gitlabJob({ paths, args: '--rules cr/type=error' }).status, 1);
  assert.match(action({ paths, baseline: 'none' }).stderr, /0 errors, 1 warning/);
  rmSync(path.join(folder, '.kube-crd.yaml'));
  rmSync(path.join(folder, paths));
});

test('every input has a description and is in docs/ci.md', () => {
  const { inputs }: { inputs: Record<string, { description?: string }> } = read('action.yml');
  const { spec }: { spec: { inputs: Record<string, { description?: string }> } } = read('templates/kube-crd.yml');
  const [, github = '', gitlab = ''] = /^## GitHub\n([\s\S]*?)^## GitLab\n([\s\S]*?)^## /m.exec(
    readFileSync('docs/ci.md', 'utf8'),
  )!;
  for (const [page, all] of [
    [github, inputs],
    [gitlab, spec.inputs],
  ] as const) {
    for (const [name, { description }] of Object.entries(all)) {
      assert.ok(description, name);
      assert.ok(page.includes(`\`${name}\``), name);
    }
  }
});

test("GitLab's job runs this version and leaves a report", { skip }, () => {
  const { spec }: { spec: { inputs: Record<string, { default: string }> } } = read('templates/kube-crd.yml');
  assert.equal(spec.inputs.version!.default, version);
  const { status, stderr } = gitlabJob({});
  assert.notEqual(status, 2, stderr);
  assert.match(stderr, new RegExp(`^asked for kube-crd@${version}$`, 'm'));
  assert.ok(Array.isArray(JSON.parse(readFileSync(path.join(folder, 'gl-code-quality-report.json'), 'utf8'))));
});

test('the image holds files that there are, and runs as nobody', () => {
  const text = readFileSync('Dockerfile', 'utf8');
  const copied = [...text.matchAll(/^COPY --from=build (.*) \/kube-crd\/$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  );
  assert.ok(copied.length > 0);
  for (const file of copied) assert.ok(existsSync(file.replace('/build/', '')), file);
  const data = readdirSync('server/data').filter((name) => name.endsWith('.gz'));
  for (const name of data) assert.ok(copied.includes(`/build/dist/server/${name}`), name);
  assert.match(text, /^USER nonroot$/m);
});

const names = [...runProgram(folder, ['--help']).stdout.matchAll(/^ {2}kube-crd (\w+) /gm)].map((match) => match[1]!);

// Those of `crds` need a cluster and the network: test/fetch and test/cluster have both.
for (const name of names.filter((one) => one !== 'server' && one !== 'crds')) {
  test(`the examples in the help of ${name} run`, { skip }, () => {
    const help = runProgram(folder, [name, '--help']).stdout;
    const examples = [...help.matchAll(/^ {2}((?:kubectl .* \| )?kube-crd .*)$/gm)].map((match) => match[1]!);
    assert.ok(examples.length > 0);
    for (const example of examples) {
      const { status, stderr } = shell(example.replace('kubectl get widgets -o yaml', 'cat widget.yaml'));
      assert.ok(status === 0 || status === 1, `${example}: ${stderr}`);
    }
  });
}
