import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asVersion } from '../../server/src/features/views/asVersion.ts';
import { emptySnapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { type ApiServer, startServer } from '../support/apiServer.ts';
import { versionedCrd } from '../support/versionedCrd.ts';

const served = ['v1beta1', 'v1', 'v2'];
const specs = [
  '{teeth: 7, oil: thin, stray: x, ratio: 2}',
  '{teeth: 7}',
  '{}',
  '{ratio: null, oil: null, teeth: 1}',
  '{ratio: 3, more: {a: 1}}',
];

/** A resource that is written in one version and read in another one is what we show of it. */
export function testsOfConversions(skip: string | false): void {
  test('what a resource is in another version is what the API server gives', { skip }, async (t) => {
    const server = await startServer();
    t.after(() => server.stop());
    const crd = versionedCrd();
    await crdIsServed(server, crd);
    let compared = 0;
    for (const from of served)
      for (const spec of specs) {
        const name = `gear-${compared}`;
        const head = `apiVersion: example.com/${from}\nkind: Gear\nmetadata: {name: ${name}, namespace: default}\n`;
        const made = { method: 'POST', path: gears(from), body: `${head}spec: ${spec}\n` } as const;
        const { code, body } = await server.send({ ...made, type: 'application/yaml' });
        assert.equal(code, 201, body);
        for (const to of served) {
          const real = JSON.parse((await server.send({ method: 'GET', path: `${gears(to)}/${name}` })).body);
          const shown = shownAs(to, `${head}spec: ${spec}\n`, crd);
          const about = `${from} -> ${to}: ${spec}`;
          assert.deepEqual(
            { apiVersion: shown.apiVersion, spec: shown.spec },
            { apiVersion: real.apiVersion, spec: real.spec },
            about,
          );
          compared++;
        }
      }
    assert.equal(compared, served.length ** 2 * specs.length);
  });
}

const gears = (version: string) => `/apis/example.com/${version}/namespaces/default/gears`;

async function crdIsServed(server: ApiServer, crd: string): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { code, body } = await server.send({ method: 'POST', path, body: crd, type: 'application/yaml' });
  assert.equal(code, 201, body);
  for (let tries = 0; tries < 100; tries++) {
    const all = await Promise.all(served.map((version) => server.send({ method: 'GET', path: gears(version) })));
    if (all.every((one) => one.code === 200)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the CRD is not served');
}

function shownAs(version: string, resource: string, crd: string) {
  const uri = 'file:///gear.yaml';
  const snapshot = withOpen(withOpen(emptySnapshot, sourceFile('file:///crd.yaml', crd)), sourceFile(uri, resource));
  const value = sourceFile(uri, asVersion(snapshot, uri, version)).manifests[0]!.value;
  return JSON.parse(
    JSON.stringify(value, (_, one) =>
      one instanceof Map ? Object.fromEntries(one) : typeof one === 'bigint' ? Number(one) : one,
    ),
  );
}
