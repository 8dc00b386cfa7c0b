import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// What kubectl is asked to do with a server that holds nothing yet, and what it prints.

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes, shortNames: [bx]}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer, maximum: 9}
                color: {type: string, default: red}
                parts:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: {type: object, required: [name], properties: {name: {type: string}, v: {type: integer}}}
            status: {type: object, properties: {ready: {type: boolean}}}
    - name: v1beta1
      served: true
      storage: false
      deprecated: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {size: {type: integer}}}}
`;

const box = (name: string, spec: string, apiVersion = 'example.com/v1') =>
  `apiVersion: ${apiVersion}\nkind: Box\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

const files: Readonly<Record<string, string>> = {
  'crd.yaml': crd,
  'box.yaml': box('a', '{size: 3, parts: [{name: p, v: 1}, {name: q}]}'),
  'changed.yaml': box('a', '{size: 4, parts: [{name: q, v: 2}, {name: r}]}'),
  'large.yaml': box('a', '{size: 40}'),
  'misspelled.yaml': box('a', '{sise: 4}'),
  'served.yaml': box('b', '{size: 1, parts: [{name: p}]}'),
  'reapplied.yaml': box('b', '{size: 2, parts: [{name: q}, {name: p}]}'),
  'old.yaml': box('c', '{size: 7}', 'example.com/v1beta1'),
};

const commands = [
  'apply -f crd.yaml',
  'wait --for=condition=Established crd/boxes.example.com --timeout=30s',
  'get bx',
  'apply -f box.yaml',
  'get boxes',
  'diff -f changed.yaml',
  'apply -f changed.yaml',
  'apply -f changed.yaml',
  'get box a -o yaml',
  'apply -f large.yaml',
  'apply -f misspelled.yaml',
  'apply --dry-run=server -f box.yaml',
  'apply --server-side -f misspelled.yaml',
  'apply --server-side -f served.yaml',
  'get box b -o yaml --show-managed-fields',
  'diff --server-side -f reapplied.yaml',
  'apply --server-side -f reapplied.yaml',
  'get box b -o yaml --show-managed-fields',
  'create -f box.yaml',
  'create -f old.yaml',
  'get boxes.v1.example.com c -o yaml',
  'replace -f box.yaml',
  'patch box a --type=json -p [{"op":"replace","path":"/spec/size","value":5}]',
  'patch box a --type=json -p [{"op":"remove","path":"/spec/nothing"}]',
  'patch box a --type=merge -p {"spec":{"size":6,"color":null}}',
  'patch box a --type=merge -p {"spec":{"size":60}}',
  'patch box a --type=strategic -p {"spec":{"size":6}}',
  'patch box a --subresource=status --type=merge -p {"status":{"ready":true},"spec":{"size":1}}',
  'label box a team=one',
  'get boxes -l team=one -o name',
  'get box a -o yaml',
  'explain box',
  'explain box.spec.parts --recursive',
  'explain boxes --api-version=example.com/v1beta1 --recursive',
  'explain box.metadata.ownerReferences',
  'explain box.spec.nothing',
  'explain crd.spec.names',
  'api-resources --api-group=example.com -o wide',
  'api-resources --api-group=apiextensions.k8s.io',
  'patch box a --type=merge -p {"metadata":{"finalizers":["example.com/wait"]}}',
  'delete box a --wait=false',
  'get box a -o jsonpath={.metadata.finalizers}',
  'patch box a --type=merge -p {"metadata":{"finalizers":null}}',
  'get box a',
  'delete box b',
  'get boxes -o name',
  'delete crd boxes.example.com',
  'get boxes',
];

/** Whether there is a kubectl. */
export function hasKubectl(): boolean {
  return spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
}

/** The commands with what they print, without what differs from run to run. */
export async function played(kubeconfig: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-kubectl-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, 'kubeconfig'), kubeconfig);
    const env = {
      ...process.env,
      KUBECONFIG: path.join(folder, 'kubeconfig'),
      HOME: folder,
      KUBECTL_EXTERNAL_DIFF: 'diff -U1 -r',
    };
    let all = '';
    for (const command of commands) all += `$ kubectl ${command}\n${lasting(await printed(command, folder, env))}`;
    return all;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The server may be in this process: it has to go on meanwhile. */
function printed(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    execFile('kubectl', command.split(' '), { cwd, env, timeout: 60_000 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

function lasting(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/(patch: Invalid value: )".*"(: strict decoding)/g, '$1OBJECT$2')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')
    .replace(/(resourceVersion: )"\d+"/g, '$1VERSION')
    .replace(/^(?:diff -U1|---|\+\+\+) .*\n/gm, '')
    .replace(/^[-+ ]*resourceVersion: VERSION\n/gm, '')
    .replace(/^@@ .*\n/gm, '@@\n');
}
