import { isList, isMap, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { type ApiAnswer, type ApiServer, storePrefix } from '../support/apiServer.ts';
import { encodeExact } from './protocol.ts';

// A CRD is swapped under objects that a real API server stores, as it happens to a cluster: the objects are written through the
// API under the old CRD, which takes more than the new one.

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What the server says to a write: its code, and one line for each cause. */
export interface Answered {
  readonly code: number;
  readonly causes: readonly string[];
  readonly body: string;
}

/** Why something could not be asked. */
export class NotAsked extends Error {}

/** Keywords of schemas that say how values are built; all others limit or change them. */
const kept = new Set([
  'type',
  'properties',
  'additionalProperties',
  'items',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
]);

/** The schema without its limits, so that any object of its shape is taken; fractions are also where integers belong. */
export function loosened(schema: Value): Value {
  if (!isMap(schema)) return schema;
  const out = new Map([...schema].filter(([key]) => kept.has(key)));
  const { properties, items, additionalProperties: values } = Object.fromEntries(out);
  if (isMap(properties)) out.set('properties', new Map([...properties].map(([key, one]) => [key, loosened(one)])));
  if (items !== undefined) out.set('items', loosened(items));
  if (values !== undefined) out.set('additionalProperties', loosened(values));
  if (out.get('type') === 'integer') out.set('type', 'number');
  if (out.has('type')) out.set('nullable', true);
  return out;
}

/** The schema of an object whose fields may be anything. */
export function anything(schema: Value): Value {
  const any = (type: string | undefined) =>
    new Map<string, Value>([
      ...(type === undefined ? [] : ([['type', type]] as const)),
      ['x-kubernetes-preserve-unknown-fields', true],
    ]);
  const own = ['apiVersion', 'kind', 'metadata'];
  const fields = valueAt(schema, ['properties']);
  const names = isMap(fields) ? [...fields.keys()].filter((name) => !own.includes(name)) : [];
  const properties = new Map(
    names.map((name) => [name, any(['spec', 'status'].includes(name) ? 'object' : undefined)]),
  );
  return any('object').set('properties', properties);
}

/** A CRD whose schemas are others. */
export function withSchemas(crd: ValueMap, change: (schema: Value) => Value): ValueMap {
  const at = (version: Value) => valueAt(version, ['schema', 'openAPIV3Schema']);
  return withVersions(crd, (version) =>
    at(version) === undefined
      ? version
      : new Map(version).set('schema', new Map([['openAPIV3Schema', change(at(version)!)]])),
  );
}

function withVersions(crd: ValueMap, change: (version: ValueMap) => ValueMap): ValueMap {
  const versions = valueAt(crd, ['spec', 'versions']);
  const spec = crd.get('spec');
  if (!isList(versions) || !isMap(spec)) return crd;
  return new Map(crd).set(
    'spec',
    new Map(spec).set(
      'versions',
      versions.map((one) => (isMap(one) ? change(one) : one)),
    ),
  );
}

export class SwappedCrd {
  private readonly server: ApiServer;

  constructor(server: ApiServer) {
    this.server = server;
  }

  /** Creates a CRD, and waits until it serves. */
  async create(crd: ValueMap): Promise<void> {
    const marked = withColumn(crd, 'Old');
    const { code, body } = await this.send('POST', crdsPath, marked);
    if (code !== 201) throw new NotAsked(code === 422 ? 'the API server refuses the old CRD' : `the old CRD: ${body}`);
    await this.serves(marked, 'Old');
  }

  /** Puts another in its place, and waits until objects are judged by it. */
  async swap(crd: ValueMap): Promise<void> {
    const path = `${crdsPath}/${nameOf(crd)}`;
    const marked = withColumn(crd, 'New');
    for (let tries = 0; tries < 20; tries++) {
      const there = valueOf((await this.server.send({ method: 'GET', path })).body);
      const resourceVersion = valueAt(there, ['metadata', 'resourceVersion'])!;
      const { code, body } = await this.send(
        'PUT',
        path,
        withMetadata(marked, new Map([['resourceVersion', resourceVersion]])),
      );
      if (code === 200) return this.serves(marked, 'New');
      // The server's controllers write to a new CRD as well.
      if (code !== 409)
        throw new NotAsked(code === 422 ? 'the API server refuses the new CRD' : `the new CRD: ${body}`);
    }
    throw new NotAsked('the new CRD conflicts');
  }

  /** Stores an object through the API, its status too; gives it as it is read. */
  async store(crd: ValueMap, object: ValueMap): Promise<ValueMap> {
    const created = await this.send('POST', `${placeOf(crd, object)}?fieldValidation=Ignore`, object);
    if (created.code !== 201) throw new NotAsked(`the old CRD does not take the object (${created.code})`);
    const path = this.pathOf(crd, object);
    const status = object.get('status');
    const stored = valueOf(created.body) as ValueMap;
    if (status !== undefined && !stored.has('status'))
      await this.send('PUT', `${path}/status`, new Map(stored).set('status', status));
    return this.read(crd, object);
  }

  async read(crd: ValueMap, object: ValueMap): Promise<ValueMap> {
    const { code, body } = await this.server.send({ method: 'GET', path: this.pathOf(crd, object) });
    const value = valueOf(body);
    if (code !== 200 || !isMap(value)) throw new NotAsked(`the object cannot be read (${code})`);
    return value;
  }

  /** Asks what a write would come to. */
  async wouldWrite(crd: ValueMap, object: ValueMap, endpoint: 'object' | 'status'): Promise<Answered> {
    const path = this.pathOf(crd, object);
    const suffix = endpoint === 'status' ? '/status' : '';
    const { code, body } = await this.send('PUT', `${path}${suffix}?dryRun=All&fieldValidation=Ignore`, object);
    if (code === 200) return { code, causes: [], body };
    const { details, message } = JSON.parse(body);
    const causes = (details?.causes ?? []).map((one: Cause) => `${one.field}: ${one.message}`);
    return { code, causes: causes.length > 0 ? causes : [`${code}: ${message}`], body };
  }

  private pathOf(crd: ValueMap, object: ValueMap): string {
    const name = valueAt(object, ['metadata', 'name']);
    return `${placeOf(crd, object)}/${encodeURIComponent(String(name))}`;
  }

  private send(method: 'POST' | 'PUT', path: string, object: ValueMap): Promise<ApiAnswer> {
    return this.server.send({ method, path, body: encodeExact(object) });
  }

  private async serves(crd: ValueMap, column: string): Promise<void> {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    for (const version of versionsOf(crd).filter(({ served }) => served)) {
      const path = pathOf(crd, version.name, 'default');
      for (let tries = 0; ; tries++) {
        const { code, body } = await this.server.send({ method: 'GET', path, headers: { accept } });
        if (code === 200 && body.includes(`"${column}"`)) break;
        if (tries === 400) throw new NotAsked('the CRD is not served');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  /** Takes a CRD and its objects out of the store. */
  async remove(crd: ValueMap): Promise<void> {
    const group = valueAt(crd, ['spec', 'group']);
    await this.server.remove(`${storePrefix}/apiextensions.k8s.io/customresourcedefinitions/${nameOf(crd)}`);
    await this.server.drop(`${storePrefix}/${group}/`);
  }
}

interface Cause {
  readonly field: string;
  readonly message: string;
}

/** What `kubectl get` prints is another then, which tells when a CRD has come into use. */
function withColumn(crd: ValueMap, name: string): ValueMap {
  const column = new Map(Object.entries({ name, type: 'string', jsonPath: '.metadata.uid' }));
  return withVersions(crd, (one) => new Map(one).set('additionalPrinterColumns', [column]));
}

/** A CRD and an object of it in a group of their own, so that many are asked at once; undefined where their names do not fit. */
export function inOwnGroup(
  crd: ValueMap,
  object: ValueMap,
  nth: number,
): [crd: ValueMap, object: ValueMap] | undefined {
  const [group, plural] = [valueAt(crd, ['spec', 'group']), valueAt(crd, ['spec', 'names', 'plural'])];
  const [spec, apiVersion] = [crd.get('spec'), String(object.get('apiVersion'))];
  const isFit = nameOf(crd) === `${plural}.${group}` && apiVersion.startsWith(`${group}/`);
  if (!isFit || !isMap(spec)) return undefined;
  const own = `g${nth}.${group}`;
  const renamed = withMetadata(crd, new Map([['name', `${plural}.${own}`]])).set(
    'spec',
    new Map(spec).set('group', own),
  );
  return [renamed, new Map(object).set('apiVersion', `g${nth}.${apiVersion}`)];
}

const nameOf = (crd: ValueMap) => String(valueAt(crd, ['metadata', 'name']));

function valueOf(body: string): Value | undefined {
  const read = readJson(body);
  return 'json' in read ? plainValue(read.json) : undefined;
}

function withMetadata(object: ValueMap, more: ValueMap): Map<string, Value> {
  const metadata = object.get('metadata');
  return new Map(object).set('metadata', new Map([...(isMap(metadata) ? metadata : []), ...more]));
}

function versionsOf(crd: ValueMap) {
  const versions = valueAt(crd, ['spec', 'versions']);
  return (isList(versions) ? versions : []).map((one) => ({
    name: String(valueAt(one, ['name'])),
    served: valueAt(one, ['served']) === true,
  }));
}

/** Where objects of an object's version and namespace are. */
function placeOf(crd: ValueMap, object: ValueMap): string {
  const version = String(object.get('apiVersion')).split('/').at(-1)!;
  const namespace = valueAt(object, ['metadata', 'namespace']);
  return pathOf(crd, version, typeof namespace === 'string' && namespace !== '' ? namespace : 'default');
}

function pathOf(crd: ValueMap, version: string, namespace: string): string {
  const at = (...path: string[]) => String(valueAt(crd, ['spec', ...path]));
  const scope = at('scope') === 'Namespaced' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `/apis/${at('group')}/${version}${scope}/${at('names', 'plural')}`;
}
