import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isMap, type ValueMap } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { annotationBytes, patchResource } from '../../server/src/kubernetes/apply/clientSide.ts';
import { annotationBytesLimit } from '../../server/src/kubernetes/bounds.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { loadCases } from '../conformance/cases.ts';
import { encode, parseRequest } from '../conformance/protocol.ts';
import { startFakeServer } from '../support/fakeServer.ts';
import { hasKubectl } from './session.ts';

// What kubectl apply makes of two states of an object, beside what we say it makes.

const skip = hasKubectl() ? false : 'there is no kubectl';
if (skip) console.error(`\nSKIPPED: ${skip}: client-side apply is not compared with it\n`);

const pairs = loadCases((name) => name === 'http/apply')
  .flatMap(({ cases }) => cases)
  .flatMap(({ name, request: line }) => {
    const request = parseRequest(line);
    const [crd, old, obj] = ['crd', 'old', 'obj'].map((member) => request.raw(member));
    return crd !== undefined && old !== undefined && obj !== undefined ? [{ name, crd, old, obj }] : [];
  });

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-apply-'));

function kubectl(...args: string[]): Promise<string> {
  const env = { ...process.env, KUBECONFIG: path.join(home, 'kubeconfig'), HOME: home };
  return new Promise((resolve) => {
    execFile('kubectl', args, { cwd: home, env }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

test('client-side apply comes to what kubectl makes of it', { skip }, async (t) => {
  t.after(() => rmSync(home, { recursive: true }));
  for (const { name, crd, old, obj } of pairs) {
    const server = await startFakeServer();
    writeFileSync(path.join(home, 'kubeconfig'), server.kubeconfig);
    const files = { crd, old, obj };
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(home, `${file}.json`), text);
    await kubectl('apply', '-f', 'crd.json');
    await kubectl('apply', '-f', 'old.json');
    const said = await kubectl('apply', '-f', 'obj.json', '-o', 'json');
    await server.stop();
    const answer = said.startsWith('{') ? withoutSystem(JSON.parse(said)) : undefined;
    assert.deepEqual(patched(crd, old, obj), answer, `${name}: ${said}`);
  }
});

test('kubectl keeps as many bytes as we count', { skip }, async (t) => {
  const server = await startFakeServer();
  t.after(() => server.stop());
  const { crd, obj } = pairs[0]!;
  const given = JSON.parse(obj);
  const metadata = { name: 'a', namespace: 'default', annotations: { x: 'é' } };
  const fits = (length: number) => ({ ...given, metadata, spec: { ...given.spec, text: 'a'.repeat(length) } });
  const rest = annotationBytesLimit - annotationBytes(valueOf(JSON.stringify(fits(0))));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-apply-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const apply = (object: object) => {
    writeFileSync(path.join(folder, 'kubeconfig'), server.kubeconfig);
    writeFileSync(path.join(folder, 'a.json'), JSON.stringify(object));
    const env = { ...process.env, KUBECONFIG: path.join(folder, 'kubeconfig'), HOME: folder };
    return new Promise<string>((resolve) => {
      execFile('kubectl', ['apply', '-f', 'a.json'], { cwd: folder, env }, (_, out, err) => resolve(out + err));
    });
  };
  await apply(JSON.parse(crd));
  assert.match(await apply(fits(rest)), /created/);
  assert.match(await apply(fits(rest + 1)), /metadata.annotations: Too long: may not be more than 262144 bytes/);
});

function valueOf(text: string): ValueMap {
  const read = readJson(text);
  const value = 'error' in read ? undefined : plainValue(read.json);
  assert.ok(isMap(value));
  return value;
}

/** What we say that comes of it; nothing where it is refused. */
function patched(crdText: string, old: string, obj: string): unknown {
  const crd = serveCrd(valueOf(crdText), newestVersion);
  assert.ok(!('error' in crd));
  const { stored } = createResource(valueOf(old), crd);
  assert.ok(isMap(stored));
  const { stored: result, errors } = patchResource(valueOf(obj), { live: stored, config: valueOf(old) }, crd);
  return errors.length > 0 ? undefined : withoutSystem(JSON.parse(encode(result)));
}

interface Whole {
  readonly metadata: Record<string, unknown> & { annotations?: Record<string, string> };
}

function withoutSystem(object: Whole): unknown {
  const { uid, creationTimestamp, resourceVersion, generation, managedFields, annotations, ...metadata } =
    object.metadata;
  const own = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith('kubectl.'));
  return { ...object, metadata: { ...metadata, ...(own.length > 0 && { annotations: Object.fromEntries(own) }) } };
}
