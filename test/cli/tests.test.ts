import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { boxCrd } from '../support/boxCrd.ts';
import { runProgram } from '../support/program.ts';
import { watching } from '../support/watching.ts';

// `kube-crd test` as a user runs it.

const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-tests-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(path.join(folder, 'sub'));
const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const run = (...args: string[]) => runProgram(folder, ['test', ...args]);

put('crd.yaml', readFileSync('examples/crds/databases.yaml', 'utf8'));
const database = `apiVersion: storage.example.com/v1
kind: Database
metadata: {name: a, namespace: b}
spec: {engine: postgres, storage: {size: 1}}
`;
put('sub/database.yaml', database);
put(
  'sub/one.crdtest.yaml',
  `crd: ../crd.yaml
cases:
  - {name: from a file, create: database.yaml}
  - {name: from a file with a patch, create: {file: database.yaml, with: {spec.replicas: 0}}}
---
crd: {kind: Database}
kubernetes: 1.34
cases:
  - {name: by its kind, create: database.yaml}
`,
);

test('the examples pass', () => {
  const { status, stdout, stderr } = runProgram('.', ['test', 'examples']);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, /^\d+ passed, 0 failed, 0 skipped\n$/);
});

test('what fails is printed with its place, and a line counts', () => {
  assert.deepEqual(run(), {
    status: 1,
    stdout: `sub/one.crdtest.yaml:4: from a file with a patch
    unexpected error: spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1 [cr/minimum]
2 passed, 1 failed, 0 skipped
`,
    stderr: '',
  });
});

test('cases are chosen by name, versions by option', () => {
  assert.equal(run('--filter', 'by its').stdout, '1 passed, 0 failed, 2 skipped\n');
  assert.equal(run('--kubernetes', '1.31..1.37', '--filter', 'by its').status, 0);
  const { status, stderr } = run('--filter', 'nothing');
  assert.deepEqual([status, stderr], [2, 'kube-crd: no case has nothing in its name\n']);
});

test('a run without any case fails', () => {
  const at = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-none-'));
  writeFileSync(path.join(at, 'none.crdtest.yaml'), '');
  const of = (...args: string[]) => {
    const { status, stderr } = runProgram(at, ['test', ...args]);
    return [status, stderr];
  };
  const none = [2, 'kube-crd: no cases found at .\n'];
  assert.deepEqual(of(), none);
  writeFileSync(path.join(at, 'none.crdtest.yaml'), '# nothing yet\r\n');
  assert.deepEqual(of('--jobs', '2'), none);
  writeFileSync(path.join(at, 'crd.yaml'), boxCrd('{type: object}'));
  writeFileSync(path.join(at, 'none.crdtest.yaml'), 'crd: crd.yaml\ncases: []\n');
  assert.deepEqual(of(), none);
  assert.deepEqual(of('--import'), none);
  writeFileSync(path.join(at, 'suite.yaml'), 'crdName: boxes.example.com\ntests: [\n');
  assert.equal(of('--min-coverage', '101')[1], 'kube-crd: --min-coverage takes a percentage up to 100, not 101\n');
  rmSync(at, { recursive: true });
});

test('render over a commit says what is outside of git repositories', () => {
  const { status, stderr } = runProgram(folder, [
    ...['render', '--as', 'replace', '--baseline', 'HEAD', '--crds', 'crd.yaml'],
    'sub/database.yaml',
  ]);
  const outside = 'kube-crd: git has no commit HEAD: sub/database.yaml is outside of git repositories\n';
  assert.deepEqual([status, stderr], [2, outside]);
});

test('what a run that watches writes does not make it run again and again', async () => {
  const at = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-lcov-'));
  writeFileSync(path.join(at, 'crd.yaml'), boxCrd('{type: object}'));
  const box = '{apiVersion: example.com/v1, kind: Box, metadata: {name: a}}';
  writeFileSync(path.join(at, 'a.crdtest.yaml'), `crd: crd.yaml\ncases: [{name: a, create: ${box}}]\n`);
  const { child, said, rounds } = watching(at, ['test', '--watch', '--coverage-lcov', 'lcov.info']);
  await rounds(1);
  assert.equal(said.stdout, '1 passed, 0 failed, 0 skipped\n');
  const third = await Promise.race([rounds(3).then(() => 'a third round'), setTimeout(3000, 'rest')]);
  assert.equal(third, 'rest');
  child.kill();
  rmSync(at, { recursive: true });
});

test('the other formats', () => {
  const tap = run('--format', 'tap').stdout;
  assert.match(
    tap,
    /^TAP version 13\nok 1 - sub\/one\.crdtest\.yaml: from a file\nnot ok 2 - .*\n {2}# unexpected error: /,
  );
  assert.match(tap, /\n1\.\.3\n# 2 passed, 1 failed, 0 skipped\n$/);
  const { cases, totals } = JSON.parse(run('--format', 'json').stdout);
  assert.deepEqual(totals, { passed: 2, failed: 1, skipped: 0 });
  assert.deepEqual(
    cases.map(({ line, passed }: { line: number; passed: boolean }) => [line, passed]),
    [
      [3, true],
      [4, false],
      [9, true],
    ],
  );
  assert.match(run('--format', 'junit').stdout, /<testsuite name="sub\/one\.crdtest\.yaml" tests="3" failures="1">/);
});

test('bad input gets a clear message', () => {
  const bad = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-tests-'));
  const of = (text: string) => {
    writeFileSync(path.join(bad, 'a.crdtest.yaml'), text);
    const { status, stdout } = runProgram(bad, ['test']);
    return [status, ...stdout.split('\n').slice(0, -2)];
  };
  assert.deepEqual(runProgram(bad, ['test']), {
    status: 2,
    stdout: '',
    stderr: 'kube-crd: nothing found at .\n',
  });
  assert.deepEqual(of('crd: no.yaml\ncases:\n  - {name: x, create: y.yaml}\n'), [
    1,
    'a.crdtest.yaml:1: the CRD can be tested',
    '    no CRD is found at no.yaml',
    'a.crdtest.yaml:3: x',
    '    not run: the CRD cannot be tested',
  ]);
  writeFileSync(path.join(bad, 'crd.yaml'), boxCrd('{type: object, properties: {a: {type: text}}}'));
  const refused = of('crd: crd.yaml\ncases:\n  - {name: x, create: {}}\nbases: {a: {}}\n');
  assert.match(String(refused[2]), /the CRD is refused: .*Unsupported value: "text"/);
  assert.deepEqual(refused.slice(3), ['a.crdtest.yaml:3: x', '    not run: the CRD cannot be tested']);
  assert.deepEqual(of('crd: no.yaml\ncases:\n  - {name: x, creat: y.yaml}\n'), [
    2,
    'a.crdtest.yaml:3: `creat` has no meaning here',
    'a.crdtest.yaml:3: expected one of `create`, `update`, `status`, `rule`',
  ]);
  assert.match(String(of('crd: [\n')[1]), /^a\.crdtest\.yaml:1: [^:]/);
  rmSync(bad, { recursive: true });
});

test('what cases do not try of their CRD', () => {
  const tried = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-coverage-'));
  const schema = '{type: object, properties: {size: {type: integer, maximum: 9}, name: {type: string}}}';
  writeFileSync(path.join(tried, 'crd.yaml'), boxCrd(schema));
  const box = '{apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}, size: 1}';
  writeFileSync(path.join(tried, 'a.crdtest.yaml'), `crd: crd.yaml\ncases:\n  - {name: x, create: ${box}}\n`);
  const of = (...args: string[]) => runProgram(tried, ['test', ...args]);
  assert.equal(of().stdout, '1 passed, 0 failed, 0 skipped\n');
  const text = `boxes.example.com: 50% covered: bounds 1/2, fields 1/2
  crd.yaml:13: size maximum: never crossed
  crd.yaml:13: name: never set
`;
  assert.deepEqual(of('--coverage'), { status: 0, stdout: `${text}1 passed, 0 failed, 0 skipped\n`, stderr: '' });
  assert.equal(of('--coverage', '--format', 'tap').stderr, text);
  assert.deepEqual(of('--min-coverage', '50').status, 0);
  assert.deepEqual(of('--min-coverage', '51'), {
    status: 1,
    stdout: '1 passed, 0 failed, 0 skipped\n',
    stderr: 'kube-crd: the cases cover 50% of their CRDs, less than the 51% of --min-coverage\n',
  });
  assert.deepEqual(of('--min-coverage', 'fields=50', '--min-coverage', 'bounds=60', '--min-coverage', 'rules=100'), {
    status: 1,
    stdout: '1 passed, 0 failed, 0 skipped\n',
    stderr: 'kube-crd: the cases cover 50% of the bounds of their CRDs, less than the 60% of --min-coverage\n',
  });
  assert.match(of('--min-coverage', 'lines=1').stderr, /--min-coverage is one of rules, branches, bounds, fields/);
  assert.equal(of('--coverage', '--coverage-of', 'boxes.*').stdout, `${text}1 passed, 0 failed, 0 skipped\n`);
  assert.deepEqual(of('--coverage', '--coverage-of', 'jars.*').status, 2);
  assert.equal(of('--coverage-of', 'boxes.*').status, 2);
  assert.equal(of('--coverage-lcov', 'out/lcov.info').status, 0);
  assert.equal(
    readFileSync(path.join(tried, 'out/lcov.info'), 'utf8'),
    `TN:
SF:crd.yaml
BRDA:13,1,0,1
BRDA:13,1,1,0
BRF:2
BRH:1
DA:13,1
LF:1
LH:1
end_of_record
`,
  );
  assert.deepEqual(
    of('--import', '--coverage').stderr,
    'kube-crd: coverage is counted for files *.crdtest.yaml only\n',
  );
  assert.equal(
    of('--min-coverage', 'most').stderr,
    'kube-crd: --min-coverage takes a percentage up to 100, not most\n',
  );
  rmSync(tried, { recursive: true });
});

const head = `crd: ../crds/crd.yaml # the CRD
bases:
  box: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}}
cases:
`;
const boxSchema = `
          type: object
          properties:
            size: {type: integer, maximum: 9, default: 3}
            name: {type: string, maxLength: 9}
          x-kubernetes-validations:
          - {rule: "!has(self.name) || self.name != 'x'", messageExpression: "'not ' + self.name"}`;

/** A folder with a CRD, and tests beside it. */
function testFolder(cases: string): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-tests-'));
  mkdirSync(path.join(made, 'crds'));
  mkdirSync(path.join(made, 'tests'));
  writeFileSync(path.join(made, 'crds/crd.yaml'), boxCrd(boxSchema));
  writeFileSync(path.join(made, 'tests/a.crdtest.yaml'), head + cases);
  return made;
}

test('--update writes what comes, and leaves the rest as it is', () => {
  const made = testFolder(`  # a comment
  - name: errors # another
    create: {with: {size: 10}}
  - {name: valid, create: {}, errors: [never]} # a third
  - name: stored
    create: {}
    stored: {size: 4, name: x} # a fourth
  - name: exactly
    create: {}
    exactly: {apiVersion: example.com/v1, kind: Box, metadata: {name: b, namespace: b, labels: {a: b}}}
  - name: table
    create: {}
    stored: {size: 3}
    each:
      - {size: 10}
      - {size: 10, error: x}
      - {size: 9, error: x}
      - {size: 3, errors: [x]}
  - {name: rule, rule: 'x-kubernetes-validations[0]', self: {name: x}, message: x, cost: 0}
  - {name: no rule, rule: 'x-kubernetes-validations[1]', self: {name: x}}
`);
  const of = (...args: string[]) => runProgram(made, ['test', ...args]);
  assert.match(of().stdout, /0 passed, 10 failed, 0 skipped/);
  assert.deepEqual(of('--update'), {
    status: 1,
    stdout: `tests/a.crdtest.yaml:6: errors: errors updated
tests/a.crdtest.yaml:8: valid: errors updated
tests/a.crdtest.yaml:9: stored: stored updated
tests/a.crdtest.yaml:12: exactly: exactly updated
tests/a.crdtest.yaml:19: table [size: 10]: errors updated
tests/a.crdtest.yaml:20: table [size: 10]: error updated
tests/a.crdtest.yaml:21: table [size: 9]: error updated
tests/a.crdtest.yaml:22: table [size: 3]: errors updated
tests/a.crdtest.yaml:23: rule: expect, message, cost updated
tests/a.crdtest.yaml:24: no rule: not updated, since something that it takes is wrong
tests/a.crdtest.yaml:24: table [size: 9]
    stored size: expected 3, is 9
tests/a.crdtest.yaml:27: no rule
    the CRD has no rule at x-kubernetes-validations[1]
8 passed, 2 failed, 0 skipped
`,
    stderr: '',
  });
  const now = readFileSync(path.join(made, 'tests/a.crdtest.yaml'), 'utf8');
  assert.equal(
    now,
    `${head}  # a comment
  - name: errors # another
    create: {with: {size: 10}}
    errors:
      - field: size
        message: "Invalid value: 10: size in body should be less than or equal to 9"
  - {name: valid, create: {}} # a third
  - name: stored
    create: {}
    stored: {size: 3, name: null} # a fourth
  - name: exactly
    create: {}
    exactly: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}, size: 3}
  - name: table
    create: {}
    stored: {size: 3}
    each:
      - {size: 10, errors: [{field: size, message: "Invalid value: 10: size in body should be less than or equal to 9"}]}
      - {size: 10, error: "size: Invalid value: 10: size in body should be less than or equal to 9"}
      - {size: 9}
      - {size: 3}
  - {name: rule, rule: 'x-kubernetes-validations[0]', self: {name: x}, message: not x, cost: 5, expect: false}
  - {name: no rule, rule: 'x-kubernetes-validations[1]', self: {name: x}}
`,
  );
  rmSync(made, { recursive: true });
});

test('with --watch tests run again when their CRD changes', async () => {
  const made = testFolder('  - {name: nine, create: {with: {size: 9}}}\n');
  // What tests name may be anywhere in their repository.
  mkdirSync(path.join(made, '.git'));
  const { child, said, rounds } = watching(path.join(made, 'tests'), ['test', '--watch']);
  await rounds(1);
  assert.equal(said.stdout, '1 passed, 0 failed, 0 skipped\n');
  writeFileSync(path.join(made, 'crds/crd.yaml'), boxCrd(boxSchema.replace('maximum: 9', 'maximum: 8')));
  await rounds(2);
  assert.match(said.stdout, /less than or equal to 8 .*\n0 passed, 1 failed, 0 skipped\n$/);
  child.kill();
  rmSync(made, { recursive: true });
});

test('an imported suite that cannot be read fails', () => {
  const suites = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-suites-'));
  const of = (text: string, ...paths: string[]) => {
    writeFileSync(path.join(suites, 'suite.yaml'), text);
    const { status, stdout } = runProgram(suites, ['test', '--import', ...paths]);
    return [status, ...stdout.split('\n').slice(0, 2)];
  };
  const [status, first] = of('crdName: a\ntests: [\n');
  assert.equal(status, 2);
  assert.match(String(first), /^suite\.yaml:3: [^:]/);
  assert.deepEqual(of('kind: Box\n', 'suite.yaml'), [
    2,
    'suite.yaml:1: expected `crdName` and `tests`',
    '0 passed, 1 failed, 0 skipped',
  ]);
  assert.deepEqual(of('kind: Box\n'), [2, '0 passed, 0 failed, 0 skipped', ''], 'a folder may hold other files');
  rmSync(suites, { recursive: true });
});

test('suites of kaptest are run, and what of them cannot be asked is named and counted', () => {
  const suites = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-kaptest-'));
  const write = (name: string, text: string) => writeFileSync(path.join(suites, name), text);
  const matched =
    'matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}';
  write(
    'policies.yaml',
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  failurePolicy: Ignore
  paramKind: {apiVersion: v1, kind: ConfigMap}
  ${matched}
  matchConditions: [{name: people, expression: "!request.userInfo.?username.orValue('').startsWith('system:')"}]
  validations:
    - {expression: "object.spec.replicas <= int(params.data.most)", messageExpression: "'at most ' + params.data.most"}
    - {expression: "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'shop'"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: mistaken}
spec:
  ${matched}
  validations: [{expression: "object.spec.replicas + 'a' == 1"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: labels}
spec:
  reinvocationPolicy: Never
  ${matched}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'a': 'b'}}}"}}]
`,
  );
  const deployment = (name: string, rest: string) =>
    `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, namespace: shop${rest}`;
  write(
    'resources.yaml',
    [
      deployment('three', '}\nspec: {replicas: 3}\n'),
      deployment('nine', '}\nspec: {replicas: 9}\n'),
      deployment('none', '}\nspec: {}\n'),
      deployment('labelled', ', labels: {a: b}}\nspec: {replicas: 3}\n'),
      '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits}\ndata: {most: "5"}\n',
    ].join(''),
  );
  const object = (name: string) => `object: {kind: Deployment, name: ${name}}`;
  write(
    'kaptest.yaml',
    `version: v1alpha1
policies: [policies.yaml]
resources: [resources.yaml]
skipSchemaValidation: true
vapTestSuites:
  - policy: few
    tests:
      - {${object('three')}, param: {name: limits}, expect: admit}
      - {${object('nine')}, param: {name: limits}, expect: deny, deniedMessage: at most 5}
      - {${object('none')}, param: {name: limits}, expect: error}
      - {${object('nine')}, param: {name: limits}, userInfo: {name: "system:a"}, expect: skip}
      - {${object('nine')}, param: {name: limits}, expect: admit}
      - {${object('nine')}, expect: admit}
      - {${object('ten')}, param: {name: limits}, expect: admit}
      - {${object('three')}, param: {name: limits}, expect: admit, expectMessage: a}
  - policy: mistaken
    tests: [{${object('three')}, expect: admit}]
mapTestSuites:
  - policy: labels
    tests:
      - {${object('three')}, expect: mutate, expectObject: {kind: Deployment, name: labelled}}
      - {${object('three')}, expect: mutate, expectObject: {kind: Deployment, name: nine}}
      - {oldObject: {kind: Deployment, name: three}, expect: error}
  - policy: labels
    binding: some
    tests: [{${object('three')}, expect: mutate}]
`,
  );
  const { status, stdout, stderr } = runProgram(suites, ['test', '--import', 'kaptest.yaml']);
  assert.equal(status, 1);
  assert.match(stdout, /^6 passed, 5 failed, 2 skipped$/m);
  for (const said of [
    /kaptest\.yaml:12: few: Deployment nine \(param limits\): admit\n {4}expected admit, is deny\n {4}at most 5/,
    /:13: few: Deployment nine: admit\n {4}expected `param` to have a name/,
    /:14: .*\n {4}there is no Deployment ten among the resources/,
    /:17: mistaken: .*\n {4}ValidatingAdmissionPolicy mistaken is refused: spec\.validations\[0\]\.expression/,
    /:22: .*\n {4}mutated metadata\.labels: expected nothing, is \{"a": "b"\}/,
  ])
    assert.match(stdout, said);
  assert.match(stderr, /kaptest\.yaml: `skipSchemaValidation` is not looked at/);
  assert.match(stderr, /kaptest\.yaml:15: .*: skipped: `expectMessage` cannot be asked here/);
  assert.match(stderr, /: skipped: `binding` cannot be asked here/);
  rmSync(suites, { recursive: true });
});

test('options that do not go together are refused', () => {
  const said = (...args: string[]) => {
    const { status, stderr } = run(...args);
    return [status, stderr];
  };
  assert.deepEqual(said('--namespace', 'a'), [2, 'kube-crd: --namespace and --create-crds go with --cluster\n']);
  assert.deepEqual(said('--cluster', 'a', '--update'), [2, 'kube-crd: --cluster goes without --update\n']);
  assert.deepEqual(said('--cluster', 'a', '--kubernetes', '1.34'), [
    2,
    'kube-crd: --cluster goes without --kubernetes\n',
  ]);
  assert.deepEqual(said('--update', '--watch'), [2, 'kube-crd: --update goes without --import and --watch\n']);
});

test('--jobs runs files in threads, with the same output in the same order', () => {
  const made = testFolder('');
  for (let i = 0; i < 7; i++)
    writeFileSync(
      path.join(made, `tests/file${i}.crdtest.yaml`),
      `${head}  - {name: right, create: {with: {size: ${i}}}}\n  - {name: wrong, create: {with: {size: ${i + 10}}}}\n`,
    );
  const of = (...args: string[]) => runProgram(made, ['test', ...args]);
  const alone = of();
  assert.match(alone.stdout, /file0(.*\n)*.*file6(.*\n)*7 passed, 7 failed, 0 skipped\n$/);
  for (const jobs of ['2', '3', '64']) assert.deepEqual(of('--jobs', jobs), alone);
  assert.deepEqual(of('--jobs', '2', '--filter', 'right').stdout, '7 passed, 0 failed, 7 skipped\n');
  assert.equal(of('--jobs', '2', '--coverage').stderr, 'kube-crd: --jobs goes without coverage\n');
  assert.equal(of('--jobs', '0').stderr, 'kube-crd: --jobs takes a number from 1 to 64, not 0\n');
  assert.match(of('--jobs', '2', '--without', 'moon').stderr, /there is no source moon/);
  rmSync(made, { recursive: true });
});
