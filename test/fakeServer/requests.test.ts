import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { crdText } from '../support/crdTexts.ts';
import { startFakeServer } from '../support/fakeServer.ts';

// What clients other than kubectl lean on.

const server = await startFakeServer();
after(() => server.stop());

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const made = await server.send('POST', crds, crdText('Box', 'size: {type: integer, default: 1}'), 'application/yaml');
assert.equal(made.code, 201, made.body);
const { group, names, versions } = JSON.parse(made.body).spec;
const apiVersion = `${group}/${versions[0].name}`;
const boxes = `/apis/${apiVersion}/namespaces/default/${names.plural}`;
const box = (name: string, more: object = {}) =>
  JSON.stringify({ apiVersion, kind: names.kind, metadata: { name }, spec: { size: 2 }, ...more });

test('an object with the version of an earlier state is refused', async () => {
  const first = await server.send('POST', boxes, box('a'));
  const { metadata } = JSON.parse(first.body);
  const put = (size: number) => server.send('PUT', `${boxes}/a`, box('a', { metadata, spec: { size } }));
  assert.equal((await put(3)).code, 200);
  const { code, body } = await put(4);
  assert.deepEqual([code, JSON.parse(body).reason], [409, 'Conflict']);
});

test('an object needs the version of what it replaces', async () => {
  const { code, body } = await server.send('PUT', `${boxes}/a`, box('a', { spec: { size: 5 } }));
  assert.equal(code, 422);
  assert.match(JSON.parse(body).message, /metadata.resourceVersion: Invalid value: 0: must be specified for an update/);
});

test('an object can be made once, under a name that is made', async () => {
  assert.equal(JSON.parse((await server.send('POST', boxes, box('a'))).body).reason, 'AlreadyExists');
  const named = JSON.parse((await server.send('POST', boxes, box('', { metadata: { generateName: 'b-' } }))).body);
  assert.match(named.metadata.name, /^b-.{5}$/);
});

test('a watch tells what is there and what changes', async () => {
  const controller = new AbortController();
  const response = await fetch(`${server.address}${boxes}?watch=true`, { signal: controller.signal });
  const events: string[] = [];
  const reader = response.body!.getReader();
  const until = async (count: number) => {
    for (const decoder = new TextDecoder(); events.length < count; ) {
      const { value } = await reader.read();
      for (const line of decoder.decode(value).split('\n').filter(Boolean)) {
        const { type, object } = JSON.parse(line);
        events.push(`${type} ${object.metadata.name.slice(0, 2)} ${object.spec.size}`);
      }
    }
  };
  await until(2);
  await server.send('POST', boxes, box('c', { spec: {} }));
  await server.send('PATCH', `${boxes}/c`, '{"spec":{"size":7}}', 'application/merge-patch+json');
  await server.send('DELETE', `${boxes}/c`);
  await until(5);
  controller.abort();
  assert.deepEqual(events, ['ADDED a 3', 'ADDED b- 2', 'ADDED c 1', 'MODIFIED c 7', 'DELETED c 7']);
});

test('JSON patches add, move, test and fail', async () => {
  const patch = (...steps: object[]) =>
    server.send('PATCH', `${boxes}/a`, JSON.stringify(steps), 'application/json-patch+json');
  const label = { op: 'add', path: '/metadata/labels', value: { x: 'y' } };
  const moved = await patch(label, { op: 'move', from: '/metadata/labels/x', path: '/metadata/labels/z' });
  assert.deepEqual(JSON.parse(moved.body).metadata.labels, { z: 'y' });
  assert.equal((await patch({ op: 'test', path: '/spec/size', value: 9 })).code, 422);
});

test('what is new has no version yet, which is said once it is valid', async () => {
  const make = async (name: string, spec: object, query = '') => {
    const object = box('', { metadata: { name, resourceVersion: '1' }, spec });
    const { code, body } = await server.send('POST', `${boxes}${query}`, object);
    return [code, JSON.parse(body).message];
  };
  const said = 'resourceVersion should not be set on objects to be created';
  assert.deepEqual(await make('v', { size: 1 }), [500, said]);
  assert.deepEqual(await make('a', { size: 1 }), [500, said]);
  assert.equal((await make('v', { size: 'large' }))[0], 422);
  assert.equal((await make('v', { size: 1 }, '?dryRun=All'))[0], 201);
});

// What apiextensions-apiserver 1.37.2 answers; that of 1.36 is among the exchanges.
test('a patch that cannot be made JSON is refused, whatever it is for', async () => {
  const patched = async (type: string, text: string, name = 'a') => {
    const { code, body } = await server.send('PATCH', `${boxes}/${name}`, text, `application/${type}`);
    return [code, JSON.parse(body).message];
  };
  const refused = [400, 'invalid JSON patch'];
  assert.deepEqual(await patched('merge-patch+json', '{'), refused);
  assert.deepEqual(await patched('merge-patch+json', '{', 'none'), refused);
  assert.deepEqual(await patched('merge-patch+json', ''), refused);
  assert.deepEqual(await patched('json-patch+json', '[{'), refused);
  assert.deepEqual(await patched('apply-patch+yaml', 'a: [', 'a?fieldManager=x'), [
    400,
    'error encoding patch: yaml: line 1: did not find expected node content',
  ]);
});

const labelled = async (name: string, labels: object) => {
  const { code } = await server.send('POST', boxes, box('', { metadata: { name, labels } }));
  assert.equal(code, 201);
};

test('selectors choose, and lists come in pages', async () => {
  await labelled('m', { team: 'one' });
  await labelled('n', { team: 'two' });
  const names = async (query: string) => {
    const { body } = await server.send('GET', `${boxes}?${query}`);
    const items: { metadata: { name: string } }[] = JSON.parse(body).items;
    return items.map(({ metadata }) => metadata.name[0]).join('');
  };
  const by = (selector: string) => names(`labelSelector=${encodeURIComponent(selector)}`);
  assert.equal(await by('team=one'), 'm');
  assert.equal(await by('team!=one'), 'abn');
  assert.equal(await by('team'), 'mn');
  assert.equal(await by('!team'), 'ab');
  assert.equal(await by('team in (one,two),team notin (two)'), 'm');
  assert.equal(await names('fieldSelector=metadata.name%21%3Dm'), 'abn');
  const unknown = await server.send('GET', `${boxes}?fieldSelector=spec.size%3D1`);
  assert.deepEqual([unknown.code, JSON.parse(unknown.body).message], [400, 'field label not supported: spec.size']);
  const { metadata } = JSON.parse((await server.send('GET', `${boxes}?limit=3`)).body);
  assert.equal(metadata.remainingItemCount, 1);
  assert.equal(await names(`limit=3&continue=${metadata.continue}`), 'n');
});

test('what is deleted has to be what was seen', async () => {
  const remove = (preconditions: object) => server.send('DELETE', `${boxes}/m`, JSON.stringify({ preconditions }));
  assert.equal((await remove({ uid: 'another' })).code, 409);
  assert.equal((await remove({ resourceVersion: '1' })).code, 409);
  assert.equal((await server.send('DELETE', `${boxes}/m`, '{"dryRun":["All"]}')).code, 200);
  assert.equal((await server.send('DELETE', `${boxes}/m`)).code, 200);
  assert.equal((await server.send('GET', `${boxes}/m`)).code, 404);
});
