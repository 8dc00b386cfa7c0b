import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { kubeCrd, ran } from './tools.ts';

// `kube-crd test --cluster` for policies, against `kube-crd serve`, which has namespaces and admission, through a real kubectl.

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: joe}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE, UPDATE]}]}
  validations: [{expression: "request.userInfo.username != 'joe'", message: no joe}]
`;
const cases = `policy: joe.yaml
user: {name: jane, groups: [devs]}
objects: [{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {a: b}}}]
bases:
  m: {apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: shop}, data: {a: b}}
cases:
  - {name: jane may, create: {}}
  - {name: joe may not, user: joe, create: {}, denied: [no joe]}
  - {name: changes, update: {from: {}, to: {with: {data.a: c}}}}
  - {name: joe does not change, user: joe, update: {from: {}, to: {with: {data.a: c}}}, denied: [no joe]}
  - {name: deletions, delete: {}, expect: not matched}
`;

export function testsOfPolicies(home: string, skip: string | false): void {
  const folder = path.join(home, 'policies');
  let server: ChildProcess;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    if (skip) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'joe.yaml'), policy);
    writeFileSync(path.join(folder, 'joe.crdtest.yaml'), cases);
    const program = path.resolve('dist/server/main.cjs');
    server = spawn(process.execPath, [program, 'serve', '--kubernetes', '1.36', '--until-eof'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = await once(server.stdout!, 'data');
    env = { KUBECONFIG: JSON.parse(String(line)).kubeconfig };
  });
  after(() => server?.stdin?.end());

  const context = () => ran('kubectl', ['config', 'current-context'], folder, env).stdout.trim();
  const summaryOf = (stdout: string) => stdout.trim().split('\n').at(-1);
  const kinds =
    'validatingadmissionpolicies,validatingadmissionpolicybindings,mutatingadmissionpolicies,roles,namespaces';
  const there = () => ran('kubectl', ['get', '-A', '-o', 'name', kinds], folder, env).stdout;

  test('cases of policies are put to a cluster, and nothing is left', { skip }, () => {
    const before = there();
    const found = kubeCrd(['test', '--cluster', context(), 'joe.crdtest.yaml'], folder, env);
    assert.equal(
      summaryOf(found.stdout),
      '4 passed, 0 failed, 1 skipped, 0 answered otherwise by the cluster',
      found.stderr,
    );
    assert.match(
      found.stderr,
      /deletions: the cluster is not asked: deletions and connections are not put to a cluster/,
    );
    assert.equal(there(), before);
  });

  const recorded = 'test/conformance/policies';
  for (const [name, counts] of [
    ['validating', '11 passed, 0 failed, 2 skipped'],
    ['mutating', '18 passed, 0 failed, 0 skipped'],
    ['customs', '15 passed, 0 failed, 1 skipped'],
  ] as const) {
    test(`the recorded cases are put to a cluster: ${name}`, { skip }, () => {
      const file = path.resolve(recorded, `${name}.crdtest.yaml`);
      const found = kubeCrd(['test', '--cluster', context(), '--create-crds', file], home, env);
      const said = `${counts}, 0 answered otherwise by the cluster`;
      assert.equal(summaryOf(found.stdout), said, found.stdout + found.stderr);
    });
  }

  test('a cluster in which another policy denies is told apart', { skip }, () => {
    const other = policy.replace('name: joe', 'name: nobody').replace(/expression: "[^"]*"/, 'expression: "false"');
    const binding = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: nobody}
spec: {policyName: nobody, validationActions: [Deny]}
`;
    writeFileSync(path.join(folder, 'nobody.yaml'), other.replace('no joe', 'nobody may') + binding);
    assert.equal(ran('kubectl', ['create', '-f', 'nobody.yaml'], folder, env).status, 0);
    const found = kubeCrd(['test', '--cluster', context(), '--filter', 'jane', 'joe.crdtest.yaml'], folder, env);
    assert.equal(ran('kubectl', ['delete', '-f', 'nobody.yaml'], folder, env).status, 0);
    assert.equal(found.status, 1);
    assert.match(
      found.stdout,
      /jane may\n {4}the cluster answers otherwise: it says: .*'nobody'.* denied request: nobody may\n/,
    );
  });
}
