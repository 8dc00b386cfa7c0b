// What journeys fetch from: a chart repository and a cluster on this machine.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { root } from '../../scripts/setup.mjs';

const certificates = path.join(root, 'test/fetch/certificates');

/** Sets variables of the environment; gives what sets them back. */
function withEnvironment(values) {
  const before = Object.keys(values).map((name) => [name, process.env[name]]);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}

/** A repository with one chart that holds one CRD, over https; the editor trusts its certificate. */
export async function chartRepository(chart, version, crd) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-chart-'));
  mkdirSync(path.join(home, chart, 'crds'), { recursive: true });
  writeFileSync(path.join(home, chart, 'Chart.yaml'), `apiVersion: v2\nname: ${chart}\nversion: ${version}\n`);
  writeFileSync(path.join(home, chart, 'crds/crd.yaml'), crd);
  execFileSync('tar', ['-C', home, '-czf', path.join(home, 'chart.tgz'), chart]);
  const archive = readFileSync(path.join(home, 'chart.tgz'));
  rmSync(home, { recursive: true });
  const index = `apiVersion: v1\nentries:\n  ${chart}:\n    - {name: ${chart}, version: ${version}, urls: [chart.tgz]}\n`;
  const files = new Map([
    ['/index.yaml', index],
    ['/chart.tgz', archive],
  ]);
  const read = (name) => readFileSync(path.join(certificates, name));
  const server = https.createServer(
    { key: read('localhost.key.pem'), cert: read('localhost.pem') },
    (request, reply) => {
      const found = files.get(request.url);
      if (found === undefined) reply.statusCode = 404;
      reply.end(found);
    },
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ca = path.join(certificates, 'ca.pem');
  const restore = withEnvironment({ NODE_EXTRA_CA_CERTS: ca, SSL_CERT_FILE: ca });
  const stop = () => {
    restore();
    server.closeAllConnections();
    server.close();
  };
  return { address: `https://localhost:${server.address().port}`, stop };
}

const serverBinary = path.join(root, 'test/conformance/apiserver/bin/apiserver');

/**
 * A cluster whose one context is called `fixture`: a real API server and a real kubectl where both are there, and otherwise
 * a script that answers as that kubectl does.
 */
export async function cluster() {
  const kubectl = (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, 'kubectl')));
  if (kubectl && existsSync(serverBinary)) return realCluster();
  console.log('  without a built API server (npm run apiserver -- --build) and kubectl, a script stands in for both');
  return standIn();
}

async function realCluster() {
  const server = spawn(serverBinary, ['--until-eof'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: server.stdout });
  const first = await new Promise((resolve) => lines.once('line', resolve));
  const restore = withEnvironment({ KUBECONFIG: JSON.parse(first).kubeconfig });
  const apply = (crd) =>
    execFileSync('kubectl', ['apply', '--validate=false', '-f', '-'], {
      input: crd,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  const served = (crd) =>
    void execFileSync('kubectl', ['wait', '--for=condition=Established', `crd/${crd}`, '--timeout=30s'], {
      stdio: 'ignore',
    });
  const stop = async () => {
    restore();
    server.stdin.end();
    await new Promise((resolve) => server.once('exit', resolve));
  };
  return { apply, served, stop };
}

/** Knows the last CRD that was applied, and all objects. */
function standIn() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-kubectl-'));
  const at = (name) => path.join(home, name);
  const script = `#!/bin/sh
case "$1 $2" in
  config*) echo fixture ;;
  version*) cat '${at('version.json')}' ;;
  "get crd") cat '${at('crds.json')}' ;;
  *) cat '${at('objects.json')}' ;;
esac
`;
  writeFileSync(at('kubectl'), script);
  writeFileSync(at('version.json'), JSON.stringify({ serverVersion: { gitVersion: 'v1.36.2' } }));
  chmodSync(at('kubectl'), 0o755);
  // An editor that was not started from a terminal asks a login shell for PATH, which knows nothing of this folder.
  const restore = withEnvironment({ PATH: `${home}${path.delimiter}${process.env.PATH}`, VSCODE_CLI: '1' });
  const stop = () => {
    restore();
    rmSync(home, { recursive: true });
  };
  const listOf = (items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const objects = [];
  const apply = (text) => {
    const object = parse(text);
    if (object.kind === 'CustomResourceDefinition') writeFileSync(at('crds.json'), listOf([object]));
    else objects.push(object);
    writeFileSync(at('objects.json'), listOf(objects));
  };
  return { apply, served: async () => {}, stop };
}
