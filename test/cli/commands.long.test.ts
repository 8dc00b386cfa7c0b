import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { boxCrd } from '../support/boxCrd.ts';
import { runProgram } from '../support/program.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const crd = boxCrd(`
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer, maximum: 9}
                color: {type: string, default: red}
                sealed: {type: boolean}`);

const box = (spec: string) => `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nspec:\n${spec}`;
const put = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
put('crd.yaml', crd);
put('bad.yaml', box('  size: 12\n  sise: 3\n'));
put('good.yaml', box('  size: 3\n'));

const run = (args: readonly string[], input?: string) => runProgram(folder, args, input);

const inFormat = (format: string) => run(['check', '--format', format, '--crds', 'crd.yaml', 'bad.yaml', 'good.yaml']);

test('text says what was checked and found', () => {
  const { status, stdout, stderr } = run(['check', '--crds', 'crd.yaml', 'bad.yaml', 'good.yaml']);
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^bad\.yaml:5:9: error: .*spec\.size in body should be less than or equal to 9.* \[cr\/maximum\]$/m,
  );
  assert.match(stderr, /^kube-crd: 2 files for Kubernetes \d\.\d+: 2 errors, 0 warnings \(\d+\.\d s\)$/m);
  assert.match(
    run(['check', '--quiet', '--crds', 'crd.yaml', 'good.yaml']).stderr,
    /^kube-crd: 1 file for Kubernetes \d\.\d+: 0 errors, 0 warnings \(\d+\.\d s\)\n$/,
  );
});

test('JSON has a version, the findings and the totals', () => {
  const { version, findings, totals } = JSON.parse(inFormat('json').stdout);
  assert.equal(version, 1);
  assert.deepEqual(totals, { files: 2, errors: 2, warnings: 0, notes: 0 });
  const { message: _, fingerprint, ...first } = findings[0];
  assert.match(fingerprint, /^[0-9a-f]{40}$/);
  assert.deepEqual(first, {
    file: 'bad.yaml',
    ...{ line: 5, column: 9, endLine: 5, endColumn: 11 },
    severity: 'error',
    code: 'cr/maximum',
    source: '  size: 12',
  });
  const schema = JSON.parse(readFileSync('docs/check-output.schema.json', 'utf8'));
  assert.deepEqual(Object.keys(totals).sort(), [...schema.properties.totals.required].sort());
  assert.deepEqual(Object.keys(findings[0]).sort(), [...schema.$defs.finding.required].sort());
});

test('SARIF names rules, places and fixes', () => {
  const { version, runs } = JSON.parse(inFormat('sarif').stdout);
  const [{ tool, results }] = runs;
  assert.equal(version, '2.1.0');
  for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
  const unknown = results.find(({ ruleId }: { ruleId: string }) => ruleId === 'cr/unknown-field');
  assert.deepEqual(unknown.locations[0].physicalLocation, {
    artifactLocation: { uri: 'bad.yaml' },
    region: { startLine: 6, startColumn: 3, endLine: 6, endColumn: 7, snippet: { text: '  sise: 3' } },
  });
  for (const rule of tool.driver.rules) assert.ok(rule.help.markdown.includes(rule.id));
});

test("GitHub's workflow commands hold one finding a line", () => {
  const lines = inFormat('github').stdout.trimEnd().split('\n');
  assert.equal(lines.length, 2);
  assert.match(lines[0]!, /^::error file=bad\.yaml,line=5,endLine=5,col=9,endColumn=11,title=cr\/maximum::/);
});

test('JUnit has a suite for each file, and GitLab a fingerprint for each finding', () => {
  const xml = inFormat('junit').stdout;
  assert.match(xml, /<testsuite name="bad\.yaml" tests="2" failures="2">/);
  assert.match(xml, /<testsuite name="good\.yaml" tests="1" failures="0">/);
  const issues = JSON.parse(inFormat('gitlab').stdout);
  assert.equal(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size, 2);
  assert.deepEqual(issues[0].location, { path: 'bad.yaml', lines: { begin: 5, end: 5 } });
});

test('several versions are asked at once, and a finding says of which it is true', () => {
  // CEL's two-variable macros came with 1.34.
  const rule = 'rule: "self.transformList(i, v, v).size() > 0"';
  const list = `{type: array, maxItems: 3, items: {type: string, maxLength: 5}, x-kubernetes-validations: [{${rule}}]}`;
  put('newer.yaml', crd.replace('sealed: {type: boolean}', `names: ${list}`));
  const { status, stdout } = run(['check', '--kubernetes', 'all', '--format', 'json', 'newer.yaml']);
  assert.equal(status, 1);
  const refused = JSON.parse(stdout).findings.find(({ code }: { code: string }) => code === 'crd/rule-compile');
  assert.ok(refused.kubernetes.includes('1.31') && !refused.kubernetes.includes('1.37'), refused.kubernetes.join());
  assert.equal(run(['check', '--kubernetes', '1.36..1.37', 'newer.yaml']).status, 0);
  assert.match(run(['check', '--kubernetes', '1.9', 'newer.yaml']).stderr, /Kubernetes 1\.9 is not known/);
  rmSync(path.join(folder, 'newer.yaml'));
});

test('standard input is checked under a name', () => {
  const { status, stdout } = run(
    ['check', '--crds', 'crd.yaml', '--stdin-filename', 'piped.yaml', '-'],
    box('  size: 12\n'),
  );
  assert.equal(status, 1);
  assert.match(stdout, /^piped\.yaml:5:9: error/);
});

test('safe fixes are written, or shown as a diff', () => {
  const text = box('  sealed: "true"\n  size: 3\n');
  put('fixable.yaml', text);
  const shown = run(['check', '--fix', '--dry-run', '--crds', 'crd.yaml', 'fixable.yaml']);
  assert.match(shown.stdout, /^--- a\/fixable\.yaml\n\+\+\+ b\/fixable\.yaml\n@@ -2,5 \+2,5 @@\n/);
  assert.equal(readFileSync(path.join(folder, 'fixable.yaml'), 'utf8'), text);
  assert.equal(run(['check', '--fix', '--crds', 'crd.yaml', 'fixable.yaml']).status, 0);
  assert.equal(readFileSync(path.join(folder, 'fixable.yaml'), 'utf8'), text.replace('"true"', 'true'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  put('patched.yaml', text);
  const patch = shown.stdout.replaceAll('fixable.yaml', 'patched.yaml');
  execFileSync('git', ['apply', '-'], { cwd: folder, input: patch });
  assert.equal(readFileSync(path.join(folder, 'patched.yaml'), 'utf8'), text.replace('"true"', 'true'));
  for (const name of ['fixable.yaml', 'patched.yaml']) rmSync(path.join(folder, name));
});

test('what git ignores and what is excluded is left out, unless it is named', () => {
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  put('.gitignore', 'built/\n');
  put('built/bad.yaml', box('  size: 12\n'));
  put('kept/bad.yaml', box('  size: 12\n'));
  const files = (...args: string[]) => {
    const { findings } = JSON.parse(run(['check', '--format', 'json', '--crds', 'crd.yaml', ...args]).stdout);
    return [...new Set(findings.map(({ file }: { file: string }) => file))];
  };
  assert.deepEqual(files(), ['bad.yaml', 'kept/bad.yaml']);
  assert.deepEqual(files('--no-ignore'), ['bad.yaml', 'built/bad.yaml', 'kept/bad.yaml']);
  assert.deepEqual(files('--exclude', 'kept/**'), ['bad.yaml']);
  assert.deepEqual(files('built/bad.yaml'), ['built/bad.yaml']);
});

test('rules can be set and warnings counted', () => {
  put('unknown.yaml', 'apiVersion: example.org/v1\nkind: Jar\nmetadata: {name: a}\n');
  assert.equal(run(['check', 'unknown.yaml']).status, 0);
  assert.equal(run(['check', '--max-warnings', '0', 'unknown.yaml']).status, 1);
  assert.equal(run(['check', '--rules', 'cr/unknown-kind=error', 'unknown.yaml']).status, 1);
  assert.equal(run(['check', '--max-warnings', '0', '--rules', 'cr/unknown-kind=off', 'unknown.yaml']).status, 0);
  assert.match(run(['check', '--rules', 'cr/nothing=off', 'unknown.yaml']).stderr, /there is no rule cr\/nothing/);
  rmSync(path.join(folder, 'unknown.yaml'));
});

test('render prints what is stored', () => {
  const { status, stdout } = run(['render', '--crds', 'crd.yaml', 'good.yaml']);
  assert.equal(status, 0);
  assert.match(stdout, /spec:\n {2}size: 3\n {2}color: red\n$/);
});

test('render over a commit says where there is none', () => {
  const of = (...args: string[]) => {
    const { status, stderr } = run(['render', '--crds', 'crd.yaml', 'good.yaml', ...args]);
    return [status, stderr];
  };
  assert.deepEqual(of('--as', 'apply', '--baseline', 'HEAD'), [2, 'kube-crd: git has no commit HEAD\n']);
  assert.deepEqual(of('--as', 'apply'), [0, '']);
  assert.deepEqual(of('--as', 'apply', '--baseline', 'none'), [0, '']);
  const [status, stderr] = of('--baseline', 'HEAD');
  assert.equal(status, 2);
  assert.match(String(stderr), /^kube-crd: --baseline goes with --as replace or --as apply/);
});

test('eval prints the value, its type and what it cost', () => {
  const evaluated = (expression: string, ...args: string[]) =>
    run(['eval', expression, 'good.yaml', '--crds', 'crd.yaml', ...args]);
  assert.deepEqual(evaluated('self.size * 2', '--at', 'spec'), {
    status: 0,
    stdout: '6\ntype: int\ncost: 3 here, at most 3\n',
    stderr: '',
  });
  assert.match(evaluated('[self.spec.color, self.metadata.name]').stdout, /^\["red", "a"\]\ntype: list\(string\)\n/);
  assert.match(evaluated('self.size != oldSelf.size', '--at', 'spec', '--old', 'bad.yaml').stdout, /^true\n/);
  assert.match(evaluated('self.size / 0 == 1', '--at', 'spec').stdout, /^error: division by zero\n/);
  const wrong = evaluated('self.sise', '--at', 'spec');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /undefined field 'sise'/);
});

test('cost prints what rules may cost, and fails beyond a share', () => {
  const rule = 'x-kubernetes-validations: [{rule: "self.names.all(n, self.names.exists_one(m, m == n))"}]';
  const spec = `type: object\n              ${rule}`;
  put(
    'costly.yaml',
    crd
      .replace('type: object\n              properties', `${spec}\n              properties`)
      .replace('sealed: {type: boolean}', 'names: {type: array, items: {type: string}}'),
  );
  const { status, stdout } = run(['cost', 'costly.yaml']);
  assert.equal(status, 0);
  assert.match(stdout, /^costly\.yaml:\d+: .*% of budget\n/);
  assert.equal(run(['cost', '--max', '50', 'costly.yaml']).status, 1);
  rmSync(path.join(folder, 'costly.yaml'));
});

test('the JSON of diff is as its schema says', () => {
  put('old.yaml', crd);
  put('new.yaml', crd.replace('maximum: 9', 'maximum: 2').replace('Namespaced', 'Cluster').replace('sealed', 'closed'));
  const { status, stdout } = run(['diff', '--format', 'json', '--resources', 'good.yaml', 'old.yaml', 'new.yaml']);
  assert.equal(status, 1);
  const report = JSON.parse(stdout);
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('docs/diff-output.schema.json', 'utf8')),
  );
  const isValid: boolean = validate(JSON.parse(stdout));
  assert.ok(isValid, JSON.stringify(validate.errors));
  assert.equal(report.crds[0].resources.worse.length, 1);
  assert.deepEqual(report.totals, { refused: 1, breaks: 2, 'may-break': 0, changes: 0, widens: 1 });
  for (const name of ['old.yaml', 'new.yaml']) rmSync(path.join(folder, name));
});

test('every command has help, and a wrong call names what is wrong', () => {
  const { stdout } = run(['--help']);
  for (const name of ['check', 'diff', 'render', 'get', 'eval', 'explain', 'docs', 'cost', 'schema', 'server']) {
    assert.match(stdout, new RegExp(`kube-crd ${name} `));
    const help = run([name, '--help']);
    assert.equal(help.status, 0);
    assert.match(help.stdout, new RegExp(`^kube-crd ${name} `));
  }
  assert.match(run(['chek']).stderr, /unknown command chek/);
  assert.match(run(['check', '--formt', 'json']).stderr, /--formt/);
  assert.match(run(['check', '--dry-run']).stderr, /--dry-run goes with --fix/);
});
