import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { serve as Serve } from '../../node/serve.js';
import { send } from '../support/apiServer.ts';
import { boxCrd } from '../support/boxCrd.ts';

// What starts `kube-crd serve` from Node and from Python.

const program = path.resolve('dist/server/main.cjs');
const isBuilt = existsSync(program);
const skip = isBuilt ? false : 'there is no built program';
if (skip) console.error(`\nSKIPPED: ${skip}: nothing starts it from Node and Python\n`);

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-starters-'));
after(() => rmSync(home, { recursive: true, force: true }));
writeFileSync(path.join(home, 'crd.yaml'), boxCrd('{type: object}'));

test('kube-crd/serve starts it and ends it', { skip }, async () => {
  const { serve } = (await import(pathToFileURL(path.resolve('node/serve.js')).href)) as { serve: typeof Serve };
  const {
    address,
    kubeconfig,
    token,
    certificateAuthority: ca,
    kubernetes,
    stop,
  } = await serve({
    crds: [path.join(home, 'crd.yaml')],
    kubernetes: '1.34',
  });
  assert.ok(existsSync(kubeconfig));
  const { code, body } = await send(`${address}/apis/example.com`, {
    ca,
    headers: { authorization: `Bearer ${token}` },
  });
  assert.deepEqual([code, kubernetes], [200, '1.34'], body);
  await stop();
  assert.equal(existsSync(kubeconfig), false);
  await assert.rejects(serve({ crds: path.join(home, 'nothing') }), /kube-crd serve did not start: .*nothing/);
});

test('CRDs are made of Go types', { skip }, async () => {
  const { serve } = (await import(pathToFileURL(path.resolve('node/serve.js')).href)) as { serve: typeof Serve };
  cpSync('examples/queue-operator', path.join(home, 'go'), { recursive: true });
  const types = path.join(home, 'go/api/v1');
  // The example has a rule that costs too much.
  await assert.rejects(serve({ crds: types }), /messaging\.example\.com_queues\.yaml: .* rule cost exceeds budget/);
  for (const file of readdirSync(types)) {
    const text = readFileSync(path.join(types, file), 'utf8');
    writeFileSync(path.join(types, file), text.replace(/^.*kubebuilder:validation:XValidation.*\n/gm, ''));
  }
  for (const crds of [types, `${path.join(home, 'go')}/...`]) {
    const { address, token, certificateAuthority: ca, stop } = await serve({ crds });
    const at = `${address}/apis/messaging.example.com`;
    const { code } = await send(at, { ca, headers: { authorization: `Bearer ${token}` } });
    await stop();
    assert.equal(code, 200);
  }
});

const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
const noPytest = skip || (hasPytest ? false : 'there is no pytest');
if (noPytest && !skip) console.error(`\nSKIPPED: ${noPytest}: the fixture for Python is not tried\n`);

test('the fixture of pytest gives a running server', { skip: noPytest }, () => {
  const conftest = 'import sys\nsys.path.insert(0, MODULE)\nfrom kube_crd import cluster_fixture\n';
  const fixture = `cluster = cluster_fixture("--crds", ${JSON.stringify(path.join(home, 'crd.yaml'))})\n`;
  const text = conftest.replace('MODULE', JSON.stringify(path.resolve('python')));
  writeFileSync(path.join(home, 'conftest.py'), text + fixture);
  writeFileSync(
    path.join(home, 'test_cluster.py'),
    `import json, ssl, urllib.request

def test_serves(cluster):
    context = ssl.create_default_context(cadata=cluster.certificate_authority)
    headers = {"Authorization": "Bearer " + cluster.token}
    request = urllib.request.Request(cluster.address + "/apis/example.com", headers=headers)
    assert json.load(urllib.request.urlopen(request, context=context))["name"] == "example.com"
`,
  );
  const env = { ...process.env, KUBE_CRD: `${process.execPath} ${program}`, PYTHONDONTWRITEBYTECODE: '1' };
  const ran = spawnSync('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
    cwd: home,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.match(ran.stdout, /1 passed/, ran.stdout + ran.stderr);
});
