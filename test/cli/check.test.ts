import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { type CheckOptions, check as checkWith } from '../../server/src/cli/check.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { tgz } from '../support/archives.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { program, runProgram } from '../support/program.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const crd = boxCrd('{type: object, properties: {size: {type: integer}}}');

function check(...args: string[]) {
  const given = runProgram(folder, ['check', ...args]);
  return { ...given, stderr: withoutTotals(given.stderr) };
}

/** The last line counts and times the run. */
function withoutTotals(stderr: string): string {
  return stderr.replace(/kube-crd: \d+ files? for Kubernetes .* \(\d+\.\d s\)\n$/, '');
}

test('errors are printed with their place and the exit code 1', () => {
  writeFileSync(path.join(folder, 'crd.yaml'), crd);
  writeFileSync(path.join(folder, 'box.yaml'), 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n');
  assert.deepEqual(check('.'), {
    status: 1,
    stderr: '',
    stdout:
      'box.yaml:4:1: error: unknown field "sise", did you mean `size`? [cr/unknown-field]\n4 | sise: 3\n  | ^^^^\n',
  });
  const [report] = JSON.parse(check('--format', 'json', '.').stdout).findings;
  assert.equal(report.code, 'cr/unknown-field');
  assert.deepEqual(check('crd.yaml'), { status: 0, stdout: '', stderr: '' });
});

test('an object is judged however it is laid out, in JSON of any name as well', () => {
  const objects = {
    'flow.yaml': '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"specs":{}}',
    'kind first.yaml': '{"kind": "Deployment",\n"apiVersion": "apps/v1", "metadata": {"name": "a"}, "specs": {}}',
    'deployment.json': '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a"},"specs":{}}',
    'settings.json': '{"specs": {}, // a comment\n}',
    'schema.json': '{"properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}}',
  };
  const layouts = path.join(folder, 'layouts');
  mkdirSync(layouts);
  for (const [name, text] of Object.entries(objects)) writeFileSync(path.join(layouts, name), text);
  const { findings } = JSON.parse(check('--format', 'json', 'layouts').stdout);
  rmSync(layouts, { recursive: true });
  assert.deepEqual(
    findings.map(({ file, message }: { file: string; message: string }) => `${file}: ${message}`),
    ['deployment.json', 'flow.yaml', 'kind first.yaml'].map(
      (name) => `layouts/${name}: unknown field "specs", did you mean \`spec\`?`,
    ),
  );
});

test('what kustomize does not fill in stays as it is, and what Kubernetes expands itself is a text', () => {
  const pod = (port: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a, args: ["$(HOST)"], ports: [{containerPort: ${port}}]}]}\n`;
  const built = path.join(folder, 'built');
  mkdirSync(built);
  writeFileSync(
    path.join(built, 'kustomization.yaml'),
    'resources: [pod.yaml, ports.yaml]\nvars: [{name: PORT, objref: {apiVersion: v1, kind: Service, name: web}, fieldref: {fieldpath: "spec.ports[0].port"}}]\n',
  );
  writeFileSync(
    path.join(built, 'ports.yaml'),
    'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n',
  );
  const said = (port: string) => {
    writeFileSync(path.join(built, 'pod.yaml'), pod(port));
    return JSON.parse(check('--format', 'json', 'built').stdout).findings.map(({ code }: { code: string }) => code);
  };
  assert.deepEqual(['80', '$(PORT)', '$(HOST)'].map(said), [[], ['builtin/decode'], ['builtin/decode']]);
  rmSync(built, { recursive: true });
});

test('files are named as they are called', () => {
  const names = ['a b.yaml', 'ümlaut 😀.yaml', '100%25 #1.yaml'];
  const text = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n';
  for (const name of names) writeFileSync(path.join(folder, name), text);
  writeFileSync(path.join(folder, 'no text.yaml'), Uint8Array.of(0, 1, 2));
  const { stdout, stderr } = check('--format', 'json', '--crds', 'crd.yaml', ...names, 'no text.yaml');
  assert.deepEqual(
    JSON.parse(stdout).findings.map(({ file }: { file: string }) => file),
    names,
  );
  assert.equal(stderr, 'kube-crd: no text.yaml: not a text file, not checked\n');
  for (const name of [...names, 'no text.yaml']) rmSync(path.join(folder, name));
});

test('a file that git-crypt has encrypted is counted in a folder, and told of where it is named', () => {
  const secrets = path.join(folder, 'secrets');
  mkdirSync(secrets);
  writeFileSync(path.join(secrets, 'token.yaml'), '\0GITCRYPT\0\x01\x02');
  writeFileSync(path.join(secrets, 'pod.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
  const whole = check('secrets');
  assert.match(whole.stderr, /^kube-crd: not judged: 1 file that git-crypt has encrypted$/m);
  assert.deepEqual([whole.status, whole.stdout], [0, '']);
  const named = check('secrets/token.yaml');
  assert.equal(named.status, 2);
  assert.match(named.stderr, /token\.yaml: encrypted by git-crypt, not checked/);
  rmSync(secrets, { recursive: true });
});

test('a change is judged as an update of what git has only where it is asked for', () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  const [user, email] = ['user.name=Test', 'user.email=test@example.com'];
  git('init', '--quiet');
  git('add', '--all');
  git('-c', user, '-c', email, 'commit', '--quiet', '--message', 'first');
  writeFileSync(path.join(folder, 'crd.yaml'), crd.replace('Namespaced', 'Cluster'));
  assert.equal(check('crd.yaml').status, 0);
  const { status, stdout } = check('--baseline', 'HEAD', 'crd.yaml');
  assert.equal(status, 1);
  assert.deepEqual(check('--baseline', 'merge-base:gone', 'crd.yaml'), {
    status: 2,
    stdout: '',
    stderr: 'kube-crd: git has no commit merge-base:gone: 1 file is checked as new\n',
  });
  git('branch', 'release-1');
  assert.deepEqual(
    check('--baseline', 'relaese-1', 'crd.yaml').stderr,
    'kube-crd: git has no commit relaese-1: 1 file is checked as new; did you mean release-1?\n',
  );
  assert.match(stdout, /^crd.yaml:6:10: error: .*field is immutable \(HEAD has "Namespaced"\) \[crd\/immutable\]$/m);
});

test('wrong usage is named, with the exit code 2', () => {
  assert.deepEqual(check('nowhere.yaml'), {
    status: 2,
    stdout: '',
    stderr: 'kube-crd: nothing found at nowhere.yaml\n',
  });
  assert.equal(check('--baseline', '-x', 'crd.yaml').status, 2);
  assert.match(check('--kubernetes', '1.12', 'crd.yaml').stderr, /Kubernetes 1\.12 is not known/);
});

test('what cannot be looked at makes the run fail, and the others are checked all the same', () => {
  writeFileSync(path.join(folder, 'binary.yaml'), Uint8Array.of(0, 1, 2));
  writeFileSync(path.join(folder, 'box.yaml'), 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n');
  const { status, stdout } = check('--crds', 'crd.yaml', 'binary.yaml', 'box.yaml');
  assert.equal(status, 2);
  assert.match(stdout, /cr\/unknown-field/);
  rmSync(path.join(folder, 'binary.yaml'));
});

test('names and lines of files print nothing but text', { skip: process.platform === 'win32' }, () => {
  const name = 'a\n::error::b\u001b[31m.yaml';
  writeFileSync(
    path.join(folder, name),
    'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\n"si\u202ese": 3 #\u001b[0m\n',
  );
  const { stdout } = check('--crds', 'crd.yaml', name);
  assert.equal(stdout.split('\n').length, 4);
  assert.doesNotMatch(stdout, /[\x00-\x08\x0b-\x1f\x7f\u202e]/);
  rmSync(path.join(folder, name));
});

test('a reader that stops early ends the run quietly', { skip: process.platform === 'win32' }, () => {
  const fields = Array.from({ length: 400 }, (_, i) => `x${i}: 1\n`).join('');
  // More than a pipe holds: each object is one of its own, for copies are told once.
  const text = (i: number) => `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a-${i}}\n${fields}`;
  for (let i = 0; i < 40; i++) writeFileSync(path.join(folder, `many-${i}.yaml`), text(i));
  const program = path.resolve('dist/server/main.cjs');
  const { stdout, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${program}" check . | head -1`], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(stdout.split('\n').length, 2);
  assert.equal(stderr, '');
  for (let i = 0; i < 40; i++) rmSync(path.join(folder, `many-${i}.yaml`));
});

test('links to files are followed, links to folders are not', { skip: process.platform === 'win32' }, () => {
  symlinkSync(path.join(folder, 'box.yaml'), path.join(folder, 'link.yaml'));
  symlinkSync(folder, path.join(folder, 'round'));
  const { stdout } = check('--format', 'json', '.');
  const named = JSON.parse(stdout).findings.map(({ file }: { file: string }) => file);
  assert.ok(named.includes('link.yaml') && !named.some((file: string) => file.startsWith('round')), named.join());
  rmSync(path.join(folder, 'link.yaml'));
  rmSync(path.join(folder, 'round'));
});

test('a kind without a CRD is a warning, and what was not judged is counted', () => {
  const unknown = 'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a}\n';
  const names = ['unknown.yaml', 'template.yaml'] as const;
  writeFileSync(
    path.join(folder, names[0]),
    `${unknown}---\n${unknown}---\napiVersion: metrics.k8s.io/v1\nkind: PodMetrics\n`,
  );
  writeFileSync(path.join(folder, names[1]), `${unknown}{{ .Values.x }}\n`);
  const message = 'No CRD for Certificate (cert-manager.io/v1) is known, so it is not judged.';
  const chart = 'Its CRD comes with the chart cert-manager of oci://quay.io/jetstack/charts/cert-manager.';
  assert.deepEqual(check(...names), {
    status: 0,
    stdout: `unknown.yaml:2:7: warning: ${message} ${chart} [cr/unknown-kind]\n2 | kind: Certificate\n  |       ^^^^^^^^^^^\n`,
    stderr:
      'kube-crd: not judged: 2 objects without a known CRD, 1 object of a kind that Kubernetes serves itself, 1 template\nkube-crd: kube-crd crds fetch --missing lists where the missing CRDs can be had, and fetches them\n',
  });
  assert.equal(check('--known-kind', 'cert-manager.io/*', 'unknown.yaml').stdout, '');
  for (const name of names) rmSync(path.join(folder, name));
});

test('built-in kinds are judged, unless nobody wants that', () => {
  writeFileSync(path.join(folder, 'pod.yaml'), 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspc: {}\n');
  const { status, stdout } = check('pod.yaml');
  assert.equal(status, 1);
  assert.match(stdout, /^pod.yaml:4:1: error: unknown field "spc", did you mean `spec`\? \[builtin\/unknown-field\]/);
  assert.deepEqual(check('--builtin-kinds', 'off', 'pod.yaml'), {
    status: 0,
    stdout: '',
    stderr: 'kube-crd: not judged: 1 object of a kind that Kubernetes serves itself\n',
  });
  assert.equal(check('--builtin-kinds', 'maybe', 'pod.yaml').status, 2);
  writeFileSync(path.join(folder, '.kube-crd.yaml'), 'builtinKinds: off\n');
  assert.equal(check('pod.yaml').status, 0);
  for (const name of ['pod.yaml', '.kube-crd.yaml']) rmSync(path.join(folder, name));
});

test('CRDs of modules, charts and catalogues judge, and are named', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-cli-sources-'));
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), content);
  };
  const run = (...args: string[]) => {
    const program = path.resolve('dist/server/main.cjs');
    const env = {
      ...process.env,
      GOMODCACHE: path.join(home, 'cache'),
      HELM_REPOSITORY_CACHE: path.join(home, 'helm'),
    };
    const given = spawnSync(process.execPath, [program, 'check', ...args], {
      cwd: path.join(home, 'w'),
      env,
      encoding: 'utf8',
    });
    return { ...given, found: given.stdout.split('\n').filter((line) => / \[.*\]$/.test(line)) };
  };
  put('cache/example.com/boxes@v1.0.0/config/crd/box.yaml', crd);
  put(
    'helm/jars-2.0.0.tgz',
    tgz([{ name: 'jars/crds/jar.yaml', content: crd.replaceAll('box', 'jar').replaceAll('Box', 'Jar') }]),
  );
  put('w/.git/HEAD', '');
  put('w/go.mod', 'module example.com/w\n\nrequire example.com/boxes v1.0.0\n');
  put('w/Chart.lock', 'dependencies:\n- {name: jars, version: 2.0.0}\n');
  const object = (kind: string) => `apiVersion: example.com/v1\nkind: ${kind}\nmetadata: {name: a}\nsise: 3\n`;
  put('w/sub/boxes.yaml', `${object('Box')}---\n${object('Tin')}`);
  put('catalogue/example.com/tin_v1.json', '{"type": "object", "properties": {"size": {"type": "integer"}}}');
  const { status, found, stderr } = run('--crds', '../catalogue', 'sub');
  assert.equal(status, 1);
  assert.deepEqual(
    found.map((line) => line.split(' ')[0]),
    ['sub/boxes.yaml:4:1:', 'sub/boxes.yaml:4:1:'],
  );
  assert.match(found[1]!, /: the same in line 9 \[cr\/unknown-field\]$/);
  assert.equal(withoutTotals(stderr), 'kube-crd: CRDs from elsewhere: 1 of boxes 1.0.0, from the Go module cache\n');
  assert.match(run('--without', 'goModules', 'sub').stderr, /not judged: 2 objects without a known CRD/);
  assert.match(run('--without', 'goModule', 'sub').stderr, /there is no source goModule/);
  put('w/jar.yaml', object('Jar'));
  assert.equal(
    withoutTotals(run('jar.yaml', 'Chart.lock').stderr),
    "kube-crd: CRDs from elsewhere: 1 of jars 2.0.0, from Helm's cache\n",
  );
  put('w/charts/bad-1.0.0.tgz', 'no gzip');
  const bad = run('--without', 'helmCache', '.');
  assert.match(bad.stderr, /^kube-crd: bad-1\.0\.0\.tgz: it cannot be unpacked, or it is cut off$/m);
  rmSync(home, { recursive: true });
});

test('values are made up for the templates of a chart, not for those of a chart that is packed in it', () => {
  const home = path.join(folder, 'packed');
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), content);
  };
  const service = (name: string, port: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec:\n  ports: [{port: ${port}}]\n{{- if .Values.wide }}\n  type: NodePort\n{{- end }}\n`;
  put('Chart.yaml', 'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: lamp, version: 1.0.0}]\n');
  put('values.yaml', 'wide: false\nlamp:\n  port: high\n');
  put('templates/service.yaml', service('shop', '80'));
  put(
    'charts/lamp-1.0.0.tgz',
    tgz([
      { name: 'lamp/Chart.yaml', content: 'apiVersion: v2\nname: lamp\nversion: 1.0.0\n' },
      { name: 'lamp/values.yaml', content: 'wide: false\nport: 80\n' },
      { name: 'lamp/templates/service.yaml', content: service('lamp', '{{ .Values.port }}') },
    ]),
  );
  const { stdout, stderr } = check('packed');
  assert.match(stderr, /^kube-crd: 1 chart: 2 templates in 3 renderings \(100 % of their lines\)$/m);
  assert.match(stdout, /^packed\/values\.yaml:3:9: error: .* \[builtin\/decode\]$/m);
});

const defaults: Omit<CheckOptions, 'paths' | 'crds'> = {
  withFixes: false,
  without: [],
  knownKinds: [],
  builtinKinds: undefined,
  rules: new Map(),
  exclude: [],
  gitignore: false,
  charts: true,
  build: true,
  values: [],
  set: [],
  stdinName: 'stdin.yaml',
  versions: undefined,
  baseline: undefined,
  format: 'json',
  fix: 'no',
  fixOnly: [],
  baselineFile: undefined,
  writeBaseline: false,
  severity: 'warning',
  maxWarnings: Number.POSITIVE_INFINITY,
  quiet: false,
  unsafeFixes: false,
  jobs: 1,
  shard: { nth: 1, of: 1 },
  stats: false,
};

test('a file over which the program fails is named, and the others are checked all the same', async (t) => {
  const box = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n';
  for (const name of ['first.yaml', 'second.yaml']) writeFileSync(path.join(folder, name), box);
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    const write = process[stream].write.bind(process[stream]);
    t.mock.method(process[stream], 'write', (chunk: string | Uint8Array) => {
      // The test runner writes bytes.
      if (typeof chunk !== 'string') return write(chunk);
      written[stream] += chunk;
      return true;
    });
  }
  const paths = ['first.yaml', 'second.yaml'].map((name) => path.join(folder, name));
  const options = { ...defaults, paths, crds: [path.join(folder, 'crd.yaml')] };
  const status = await checkWith(options, (snapshot, uri) => {
    if (uri.endsWith('first.yaml')) throw new RangeError('out of stack');
    return diagnose(snapshot, uri);
  });
  t.mock.restoreAll();
  assert.equal(status, 2);
  const found = JSON.parse(written.stdout).findings.map(({ file, code }: { file: string; code: string }) => {
    return `${path.basename(file)} ${code}`;
  });
  assert.deepEqual(found, ['first.yaml file/not-judged', 'second.yaml cr/unknown-field']);
  assert.match(written.stderr, /^kube-crd: .*first\.yaml: RangeError: out of stack/);
  for (const one of paths) rmSync(one);
});

test('a baseline is of no use outside of git, and that is said', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-nogit-'));
  writeFileSync(path.join(home, 'crd.yaml'), crd);
  const given = runProgram(home, ['check', '--quiet', '--baseline', 'HEAD', '.']);
  assert.deepEqual(
    { ...given, stderr: withoutTotals(given.stderr) },
    {
      status: 2,
      stdout: '',
      stderr: 'kube-crd: git has no commit HEAD: 1 file is checked as new, outside of git repositories\n',
    },
  );
  assert.equal(runProgram(home, ['check', '--baseline', 'none', '.']).status, 0);
  rmSync(home, { recursive: true });
});

test('.kube-crd.yaml says how files are checked, and options hold above it', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-config-'));
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = runProgram(home, args);
    return { status, stdout, stderr };
  };
  const codes = (...args: string[]) =>
    JSON.parse(run('check', '--format', 'json', ...args).stdout).findings.map(
      ({ file, code, severity, kubernetes }: Record<string, string>) =>
        `${file} ${code} ${severity} ${kubernetes ?? ''}`.trim(),
    );
  put('crds/box.yaml', crd);
  put('.git/HEAD', '');
  put('app/box.yaml', 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n');
  put('app/.kube-crd.yaml', 'crds: [../crds]\nkubernetesVersion: 1.33..1.35\nrules: {cr/unknown-field: warning}\n');
  assert.deepEqual(codes('app'), ['app/box.yaml cr/unknown-field warning']);
  assert.deepEqual(codes('app/box.yaml', '--severity', 'hint', '--rules', 'cr/unknown-field=hint'), [
    'app/box.yaml cr/unknown-field hint',
  ]);
  assert.match(run('check', 'app').stderr, /for Kubernetes 1\.33\.\.1\.35: 0 errors, 1 warning \(/);
  assert.match(run('check', '--kubernetes', '1.36', 'app').stderr, /for Kubernetes 1\.36: 0 errors, 1 warning \(/);
  assert.match(run('config', 'app').stdout, /^app\n {2}kubernetesVersion {9}1\.33\.\.1\.35 /);
  assert.match(run('config', '.').stdout, /^\.\n {2}kubernetesVersion /);
  const { stdout } = run('config', 'app/box.yaml');
  assert.match(stdout, /^app\/box\.yaml\n {2}kubernetesVersion {9}1\.33\.\.1\.35 +app\/\.kube-crd\.yaml\n/);
  assert.match(stdout, /^ {2}hover +true +default$/m);
  put('app/.kube-crd.yaml', 'kubernetesversion: 1.33\n');
  assert.deepEqual(run('check', 'app'), {
    status: 2,
    stdout: '',
    stderr: 'kube-crd: app/.kube-crd.yaml: kubernetesversion: there is no setting `kubernetesversion`\n',
  });
  put('app/.kube-crd.yaml', '\0');
  const unread = 'kube-crd: app/.kube-crd.yaml: cannot be read\n';
  assert.deepEqual(run('check', 'app'), { status: 2, stdout: '', stderr: unread });
  put('app/.kube-crd.yaml', 'hover: true\n---\nhover: false\n');
  assert.equal(run('check', 'app').stderr, 'kube-crd: app/.kube-crd.yaml: only the first document counts\n');
  put('app/.kube-crd.yaml', 'hover: [\n');
  assert.match(run('check', 'app').stderr, /^kube-crd: app\/\.kube-crd\.yaml: /);
  rmSync(home, { recursive: true });
});

test('fixes leave bytes that are not text, links that lead out, and tests of other programs', {
  skip: process.platform === 'win32',
}, (t) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-fix-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const inside = path.join(home, 'repository');
  const box = (rest: string) => `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n${rest}`;
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), content);
  };
  put('repository/crd.yaml', crd);
  put('repository/box.yaml', box('# caf\u00e9\r\n'));
  put('repository/latin.yaml', Buffer.from(box('# caf\u00e9\n'), 'latin1'));
  put('repository/e2e/00-assert.yaml', box(''));
  put('repository/e2e/01-create.yaml', box(''));
  put('repository/suite/chainsaw-test.yaml', 'apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\n');
  put('repository/suite/data/box.yaml', box(''));
  put('outside.yaml', box(''));
  symlinkSync('../outside.yaml', path.join(inside, 'link.yaml'));
  const read = (name: string) => readFileSync(path.join(home, name));
  const kept = ['latin.yaml', 'e2e/00-assert.yaml', 'e2e/01-create.yaml', 'suite/data/box.yaml'];
  const before = [...kept.map((name) => `repository/${name}`), 'outside.yaml'].map(
    (name) => [name, read(name)] as const,
  );
  const given = runProgram(inside, ['check', '--fix', '.']);
  assert.equal(given.status, 2);
  assert.match(given.stderr, /latin\.yaml is not written: it has bytes that are not UTF-8, which would be lost/);
  assert.match(given.stderr, /link\.yaml is a link that leads out of .*; nothing is written there/);
  for (const [name, bytes] of before) assert.ok(read(name).equals(bytes), name);
  assert.equal(read('repository/box.yaml').toString(), box('# caf\u00e9\r\n').replace('sise', 'size'));
  // Whoever names a file wants it fixed.
  runProgram(inside, ['check', '--fix', '--crds', 'crd.yaml', 'suite/data/box.yaml']);
  assert.equal(read('repository/suite/data/box.yaml').toString(), box('').replace('sise', 'size'));
});

test('what is not a file, or has no end, keeps no other file from being judged', {
  skip: process.platform !== 'linux',
}, (t) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-odd-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(path.join(home, 'crd.yaml'), crd);
  writeFileSync(path.join(home, 'box.yaml'), 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n');
  for (const name of ['pagemap', 'mem']) symlinkSync(`/proc/self/${name}`, path.join(home, `${name}.yaml`));
  symlinkSync('/dev/zero', path.join(home, 'zero.yaml'));
  execFileSync('mkfifo', [path.join(home, 'pipe.yaml')]);
  mkdirSync(Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0xff])]));
  const { status, stdout, stderr } = runProgram(home, ['check', '.']);
  assert.equal(status, 2);
  assert.match(stdout, /^box\.yaml:4:1: error: unknown field "sise"/);
  assert.match(stderr, /mem\.yaml: cannot be read: EIO/);
  assert.match(stderr, /pagemap\.yaml: (?:larger than|cannot be read)/);
  assert.match(stderr, /has 1 name that is not UTF-8; what it names was not read/);
});

test('what was not looked at is said and counted, and no run passes without having seen everything', {
  skip: process.platform === 'win32',
}, (t) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bounds-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const many = `${'a: 1\n---\n'.repeat(20_001)}a: 1\n`;
  writeFileSync(path.join(home, 'many.yaml'), many);
  const box = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 3\n';
  mkdirSync(path.join(home, 'chart/templates'), { recursive: true });
  writeFileSync(path.join(home, 'chart/templates/box.yaml'), '{{- range .Values.boxes }}\nname: {{ . }}\n{{- end }}\n');
  const bounded = runProgram(home, ['check', '.']);
  assert.equal(bounded.status, 2);
  assert.match(
    bounded.stdout,
    /^many\.yaml:1:1: warning: Only the first 20000 documents are judged: 2 more are not\./m,
  );
  assert.match(bounded.stderr, /not judged: 1 template$/m);
  rmSync(path.join(home, 'many.yaml'));
  // A file of a repository is judged by the CRDs of all of it.
  mkdirSync(path.join(home, '.git'));
  mkdirSync(path.join(home, 'config/samples'), { recursive: true });
  writeFileSync(path.join(home, 'crd.yaml'), crd);
  writeFileSync(path.join(home, 'config/samples/box.yaml'), box);
  const alone = runProgram(path.join(home, 'config'), ['check', 'samples/box.yaml']);
  assert.match(alone.stdout, /unknown field "sise"/);
  assert.match(alone.stderr, /the CRDs of \.\., the repository around, are known/);
  // So is a folder below its root; the root knows all of itself.
  for (const folder of ['samples', '.']) {
    const below = runProgram(path.join(home, 'config'), ['check', folder]);
    assert.match(below.stdout, /unknown field "sise"/);
    assert.match(below.stderr, /the CRDs of \.\., the repository around, are known/);
    assert.doesNotMatch(below.stdout, /crd\.yaml/);
  }
  for (const paths of [['.'], ['.', 'config']])
    assert.doesNotMatch(runProgram(home, ['check', ...paths]).stderr, /the repository around/);
  const piped = runProgram(path.join(home, 'config'), ['check', '-'], box);
  assert.match(piped.stdout, /unknown field "sise"/);
  // Whoever closes the pipe has not seen everything. One file says less than a pipe holds.
  for (let i = 0; i < 10; i++) writeFileSync(path.join(home, `boxes-${i}.yaml`), `${box}---\n`.repeat(600));
  const closed = spawnSync('bash', ['-c', 'set -o pipefail; "$0" "$1" check . | head -1', process.execPath, program], {
    cwd: home,
    encoding: 'utf8',
  });
  assert.equal(closed.status, 141);
});
