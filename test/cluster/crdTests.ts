import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { programInPath } from '../../server/src/programs/programs.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { kubeCrd, type Ran, ran } from './tools.ts';

const schema = `
          type: object
          properties:
            size: {type: integer, maximum: 9, default: 3}
            name: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: stays}]}
            status: {type: object, properties: {ready: {type: boolean}}}`;
const status = '      subresources: {status: {}}\n';
const crdName = 'boxes.example.com';

const cases = `crd: crd.yaml
bases: {a: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}, name: x}}
cases:
  - {name: default, create: {}, stored: {size: 3}}
  - {name: several, create: {with: {size: 10, name: [1]}}, errors: [size, name]}
  - {name: one, create: {with: {size: 10}}, errors: [size]}
  - {name: unknown, create: {with: {sise: 1, a.b: 2}}, errors: [sise, '"a"']}
  - {name: update, update: {from: {}, to: {with: {size: 4}}}}
  - {name: stays, update: {from: {}, to: {with: {name: y2}}}, errors: [stays]}
  - {name: status, status: {from: {with: {status: {ready: false}}}, to: {with: {status: {ready: true}, size: 1}}}}
  - {name: wrong, create: {}, errors: [never]}
  - {name: finalizers, update: {from: {with: {metadata.finalizers: [a/b]}}, to: {}}, errors: [and more]}
  - {name: rule, rule: 'name.x-kubernetes-validations[0]', self: a, oldSelf: a}
`;

/** \`kube-crd test --cluster\`: the same cases through kubectl. */
export function testsOfCrds(home: string, skip: string | false): void {
  const folder = path.join(home, 'tests');
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  const asked = (...args: string[]) => kubeCrd(['test', '--cluster', 'fixture', ...args], folder);
  const left = () => ran('kubectl', ['--context=fixture', 'get', 'crd', crdName, '-o', 'name'], folder).stdout;
  const objects = () =>
    ran('kubectl', ['--context=fixture', 'get', 'boxes.example.com', '-A', '-o', 'name'], folder).stdout;
  const here = ['--namespace', 'default', '--create-crds'];
  const summary = ({ stdout }: Ran) => stdout.trim().split('\n').at(-1);

  test('every case of the examples gets the same verdict from the real server', { skip }, () => {
    const found = kubeCrd(['test', '--cluster', 'fixture', ...here, path.resolve('examples')], home);
    assert.equal(found.status, 0, found.stdout + found.stderr);
    assert.match(found.stdout, /^\d\d+ passed, 0 failed, \d+ skipped, 0 answered otherwise by the cluster\n$/);
    const why = [...found.stderr.matchAll(/the cluster is not asked: (.*)/g)].map(([, one]) => one);
    assert.deepEqual([...new Set(why)].sort(), [
      'a rule alone cannot be sent to a cluster',
      'no cluster evaluates an expression by itself',
      'the CRD of the cluster is not changed',
      'what the authorizer answers is up to the cluster',
    ]);
  });

  test('creations, updates and changes of status are asked, and nothing is left', { skip }, () => {
    put('crd.yaml', boxCrd(schema, status));
    put('a.crdtest.yaml', cases);
    assert.match(asked('--namespace', 'default').stderr, /the cluster has no CRD boxes.example.com; --create-crds/);
    const found = asked(...here);
    assert.match(found.stdout, /^a\.crdtest\.yaml:11: wrong\n {4}expected error did not come: … never …\n7 passed/);
    assert.equal(summary(found), '7 passed, 1 failed, 2 skipped, 0 answered otherwise by the cluster', found.stderr);
    assert.match(
      found.stderr,
      /runs Kubernetes v1\.\d+.*\n.*dry runs.*\n.*created in namespace default, and .* removed/,
    );
    assert.match(found.stderr, /finalizers: the cluster is not asked: an object with finalizers could not be removed/);
    assert.equal(left(), '');
  });

  test('a cluster that answers otherwise is told apart from a case that fails', { skip }, async () => {
    const other = boxCrd(schema.replace('maximum: 9', 'maximum: 99').replace('default: 3', 'default: 4'), status);
    put('other.yaml', other);
    const kubectl = (...args: string[]) => ran('kubectl', ['--context=fixture', ...args], folder);
    assert.equal(kubectl('create', '-f', 'other.yaml').status, 0);
    assert.equal(kubectl('wait', '--for=condition=Established', `crd/${crdName}`, '--timeout=30s').status, 0);
    put('own.yaml', 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a, namespace: mine}\nname: x\n');
    assert.equal(kubectl('create', '-f', 'own.yaml').status, 0);
    const found = asked('--namespace', 'default');
    assert.equal(found.status, 1);
    assert.match(
      found.stderr,
      /the CRD boxes.example.com of the cluster has other schemas than the one that is tested/,
    );
    assert.match(
      found.stdout,
      /:6: one\n {4}the cluster answers otherwise: it does not say: size: Invalid value: 10: size in body should be less than or equal to 9\n/,
    );
    assert.match(found.stdout, /:4: default\n {4}the cluster answers otherwise: it stores size as 4, not 3\n/);
    // What somebody has there stays.
    const theirs = asked('--namespace', 'mine', '--filter', 'stays');
    assert.match(theirs.stderr, /the cluster is not asked: the cluster has an object of that name/);
    assert.equal(objects(), 'box.example.com/a\n');
    assert.equal(kubectl('delete', 'crd', crdName).status, 0);
  });

  /** A kubectl that knows namespaces, which the server of these tests does not, and can be slow. */
  function withNamespaces(slow: string): NodeJS.ProcessEnv {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const real = programInPath('kubectl')!;
    put(
      'bin/kubectl',
      `#!/bin/sh
case "$1" in create|delete) if grep -qs 'kind: Namespace' "$3"; then echo "$1 $(grep 'name:' "$3")" >> ${folder}/log; echo '{"a": 1}'; exit; fi;; esac
${slow}
exec ${real} "$@"
`,
    );
    chmodSync(path.join(bin, 'kubectl'), 0o755);
    writeFileSync(path.join(folder, 'log'), '');
    return { PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  }
  const log = () => readFileSync(path.join(folder, 'log'), 'utf8').replaceAll(/test-[0-9a-f]+/g, 'test-N');

  test('updates get a namespace of their own, which is removed', { skip }, () => {
    const env = withNamespaces('');
    const found = kubeCrd(['test', '--cluster', 'fixture', '--create-crds'], folder, env);
    assert.equal(summary(found), '7 passed, 1 failed, 2 skipped, 0 answered otherwise by the cluster', found.stderr);
    assert.match(found.stderr, /namespace kube-crd-test-[0-9a-f]{8} is created/);
    assert.equal(log(), 'create   name: kube-crd-test-N\ndelete   name: kube-crd-test-N\n');
    assert.equal(left(), '');
  });

  test('Ctrl-C removes what is stored', { skip }, async () => {
    const stopped = path.join(folder, 'stopped');
    // The dry run of the update takes long: by then the CRD, the namespace and the object are there.
    const env = withNamespaces(`case "$1" in replace) touch ${stopped}; sleep 60;; esac`);
    const args = [
      path.resolve('dist/server/main.cjs'),
      'test',
      '--cluster',
      'fixture',
      '--create-crds',
      '--filter',
      'update',
    ];
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    while (!existsSync(stopped) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.notEqual(left(), '');
    assert.equal(objects(), 'box.example.com/a\n');
    child.kill('SIGINT');
    assert.equal(await ended, 2);
    assert.equal(left(), '');
    assert.equal(log(), 'create   name: kube-crd-test-N\ndelete   name: kube-crd-test-N\n');
  });

  test('a cluster that cannot be reached is said', { skip }, () => {
    const found = kubeCrd(['test', '--cluster', 'dead'], folder);
    assert.equal(found.status, 2);
    assert.match(found.stderr, /^kube-crd: kubectl: .*refused/);
  });
}
