import { isMap, type Value, valueAt } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { type ApiAnswer, type ApiServer, storePrefix } from '../support/apiServer.ts';
import type { Plain } from './normal.ts';
import { bodyText } from './ops/body.ts';
import { encodeExact, type Request } from './protocol.ts';

// Puts a request of the oracle's protocol to a real API server over HTTP.

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** How a client wants unknown and duplicate fields to be treated. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** What came back, or why the question could not be put. */
export type Exchanged = { readonly answer: Plain } | { readonly skipped: string };

/** A server, and the CRD that it serves at the moment. */
export class Exchange {
  private settled: { readonly text: string | undefined; readonly problem: string | undefined } | undefined;
  private readonly server: ApiServer;

  constructor(server: ApiServer) {
    this.server = server;
  }

  async ask(request: Request, validation: FieldValidation): Promise<Exchanged> {
    const media = request.raw('format') === '"yaml"' ? 'application/yaml' : 'application/json';
    const text = (member: string) => bodyText(request, member);
    if (!request.raw('obj')) {
      await this.settle(undefined);
      if (request.raw('old')) return this.updateCrd(request, validation);
      return this.dryRun('POST', crdsPath, text('crd'), media, validation);
    }
    const crd = parsed(request, 'crd');
    if (crd === undefined) return { skipped: 'the CRD is YAML' };
    const problem = await this.settle(request);
    if (problem !== undefined) return { skipped: problem };
    const obj = parsed(request, 'obj');
    const path = placeOf(crd, obj);
    if (!isServed(crd, obj)) return { skipped: notServed };
    if (request.raw('apply') === 'true') return this.apply(request, crd, path, validation);
    if (!request.raw('old')) return this.dryRun('POST', path, text('obj'), media, validation);
    return this.update(request, crd, path, validation);
  }

  /** Applies the old object, then the new one, as one manager does. */
  private async apply(request: Request, crd: Value, path: string, validation: FieldValidation): Promise<Exchanged> {
    const old = parsed(request, 'old');
    const name = String(at(parsed(request, 'obj'), 'metadata', 'name'));
    const query = `?fieldManager=${manager}&fieldValidation=${validation}`;
    const send = (member: string, more: string) =>
      this.server.send({
        method: 'PATCH',
        path: `${path}/${name}${query}${more}`,
        body: bodyText(request, member),
        type: applied,
      });
    const first = old && (await send('old', ''));
    if (first && first.code !== 201) return { skipped: `the old object cannot be applied: ${first.body}` };
    const answer = await send('obj', '&dryRun=All');
    await this.server.drop(`${storePrefix}/${groupOf(crd)}/${pluralOf(crd)}/`);
    return { answer: withManagers(plainAnswer(answer), answer.body) };
  }

  /** Makes the server serve a CRD and nothing else, or nothing at all; says why it cannot. */
  private async settle(request: Request | undefined): Promise<string | undefined> {
    const text = request && bodyText(request, 'crd');
    if (this.settled?.text === text) return this.settled?.problem;
    await this.clear();
    const problem = text === undefined ? undefined : await this.serve(text, parsed(request!, 'crd')!);
    this.settled = { text, problem };
    return problem;
  }

  private async serve(text: string, crd: Value): Promise<string | undefined> {
    const { code, body } = await this.server.send({ method: 'POST', path: crdsPath, body: text });
    if (code !== 201) return code === 422 || code === 400 ? refusedCrd : `the CRD: ${body}`;
    for (const version of versionsOf(crd).filter(({ served }) => served)) {
      if (!(await this.answers(pathOf(crd, version.name, 'default')))) return 'the CRD is not served';
    }
    return undefined;
  }

  private async answers(path: string): Promise<boolean> {
    for (let tries = 0; tries < 400; tries++) {
      const { code } = await this.server.send({ method: 'GET', path });
      if (code === 200) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
  }

  private async clear(): Promise<void> {
    await this.server.drop(`${storePrefix}/`);
    for (let left = true; left; ) {
      const { code, body } = await this.server.send({ method: 'GET', path: crdsPath });
      left = code !== 200 || JSON.parse(body).items.length > 0;
    }
  }

  private async updateCrd(request: Request, validation: FieldValidation): Promise<Exchanged> {
    const old = parsed(request, 'old');
    const crd = parsed(request, 'crd');
    const name = at(old, 'metadata', 'name');
    if (request.raw('notEstablished') === 'true') return { skipped: 'names that are not accepted yet' };
    // Its naming controller ends a server that holds a CRD without a dot in its name.
    if (typeof name !== 'string' || !name.includes('.')) return { skipped: 'the old CRD has no name' };
    if (!old || !crd) return { skipped: 'the CRD is YAML' };
    this.settled = { text: undefined, problem: undefined };
    await this.server.put(`${storePrefix}/apiextensions.k8s.io/customresourcedefinitions/${name}`, establishedCrd(old));
    for (let tries = 0; tries < 20; tries++) {
      const path = `${crdsPath}/${name}`;
      const read = await this.server.send({ method: 'GET', path });
      if (read.code !== 200) break;
      const { resourceVersion, uid } = JSON.parse(read.body).metadata;
      const body = withMetadata(crd, { resourceVersion, uid });
      const answer = await this.dryRun('PUT', path, body, 'application/json', validation);
      // The server's controllers write to a new CRD as well.
      if ('skipped' in answer || codeOf(answer.answer) !== 409) {
        await this.clear();
        return answer;
      }
    }
    await this.clear();
    return { skipped: 'the old CRD cannot be read back' };
  }

  private async update(request: Request, crd: Value, path: string, validation: FieldValidation): Promise<Exchanged> {
    const old = parsed(request, 'old');
    const obj = parsed(request, 'obj');
    const name = at(old, 'metadata', 'name');
    if (typeof name !== 'string' || name === '') return { skipped: 'the old object has no name' };
    if (at(old, 'kind') !== at(crd, 'spec', 'names', 'kind')) return { skipped: 'the old object is of another kind' };
    const moves = namespaced(crd) && namespaceOf(obj) !== namespaceOf(old);
    if (moves) return { skipped: 'the object is of another namespace' };
    const isStatus = request.raw('subresource') === '"status"';
    if (isStatus && !hasStatus(crd, obj)) return { skipped: 'the version has no status subresource' };
    const oldPath = placeOf(crd, old);
    const key = `${storePrefix}/${groupOf(crd)}/${pluralOf(crd)}/${namespaced(crd) ? `${namespaceOf(old)}/` : ''}${name}`;
    await this.server.put(key, withMetadata(old, systemFields(crd, old)));
    const read = await this.server.send({ method: 'GET', path: `${oldPath}/${name}` });
    if (read.code !== 200) return { skipped: 'the old object cannot be read back' };
    const { resourceVersion } = JSON.parse(read.body).metadata;
    const suffix = isStatus ? '/status' : '';
    const body = withMetadata(obj, { resourceVersion });
    const answer = await this.dryRun('PUT', `${path}/${name}${suffix}`, body, 'application/json', validation);
    await this.server.drop(key);
    return 'skipped' in answer ? answer : { answer: withoutAdded(answer.answer, resourceVersion) };
  }

  private async dryRun(
    method: 'POST' | 'PUT',
    path: string,
    body: string,
    type: string,
    validation: FieldValidation,
  ): Promise<Exchanged> {
    const query = `?dryRun=All&fieldValidation=${validation}`;
    let answer = await this.server.send({ method, path: path + query, body, type });
    // While its controllers settle, a CRD may stop being served for a moment.
    for (let tries = 0; answer.body.startsWith('404 page') && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      answer = await this.server.send({ method, path: path + query, body, type });
    }
    return { answer: plainAnswer({ ...answer, body: withFixedName(answer.body, body) }) };
  }
}

const manager = 'kubectl';
const applied = 'application/apply-patch+yaml';

/** An answer with who manages what, but for the time. */
function withManagers(answer: Plain, body: string): Plain {
  const entries = JSON.parse(body).metadata?.managedFields;
  if (!Array.isArray(entries) || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  return { ...answer, managers: entries.map(({ time: _, ...entry }) => entry) };
}

/** A member as a value; undefined where it is YAML or no JSON. */
function parsed(request: Request, member: string): Value | undefined {
  if (request.raw('format') === '"yaml"') return undefined;
  const read = readJson(request.raw(member) ?? 'null');
  return 'error' in read ? undefined : plainValue(read.json);
}

const at = (value: Value | undefined, ...path: string[]) => valueAt(value, path);

const groupOf = (crd: Value) => String(at(crd, 'spec', 'group'));
const pluralOf = (crd: Value) => String(at(crd, 'spec', 'names', 'plural'));
const namespaced = (crd: Value) => at(crd, 'spec', 'scope') === 'Namespaced';
const namespaceOf = (object: Value | undefined) => String(at(object, 'metadata', 'namespace') || 'default');

function versionsOf(crd: Value): { name: string; served: boolean; storage: boolean }[] {
  const versions = at(crd, 'spec', 'versions');
  return (Array.isArray(versions) ? versions : []).map((version) => ({
    name: String(at(version, 'name')),
    served: at(version, 'served') === true,
    storage: at(version, 'storage') === true,
  }));
}

const notServed = 'the version is not served';
/** Why nothing can be asked about objects of such a CRD. */
export const refusedCrd = 'the API server refuses the CRD';

function isServed(crd: Value, object: Value | undefined): boolean {
  const name = versionOf(crd, object);
  return versionsOf(crd).some((version) => version.name === name && version.served);
}

function hasStatus(crd: Value, object: Value | undefined): boolean {
  const versions = at(crd, 'spec', 'versions');
  const name = versionOf(crd, object);
  const version = Array.isArray(versions) ? versions.find((one) => at(one, 'name') === name) : undefined;
  return isMap(at(version, 'subresources', 'status'));
}

/** The path of an object's resource: in its own version, in the CRD's first one where it names none of the CRD's. */
function placeOf(crd: Value, object: Value | undefined): string {
  return pathOf(crd, versionOf(crd, object), namespaceOf(object));
}

function versionOf(crd: Value, object: Value | undefined): string {
  const named = String(at(object, 'apiVersion') ?? '')
    .split('/')
    .at(-1)!;
  const versions = versionsOf(crd);
  return versions.some(({ name }) => name === named) ? named : versions[0]!.name;
}

function pathOf(crd: Value, version: string, namespace: string): string {
  const scope = namespaced(crd) ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `/apis/${groupOf(crd)}/${version}${scope}/${pluralOf(crd)}`;
}

/** What only the server sets, of an object that a cluster holds. */
function systemFields(crd: Value, object: Value | undefined): Record<string, Value> {
  return {
    uid: '00000000-0000-0000-0000-000000000001',
    creationTimestamp: '2020-01-01T00:00:00Z',
    generation: 1n,
    ...(object !== undefined && namespaced(crd) && { namespace: namespaceOf(object) }),
  };
}

/** A CRD as a cluster holds it some time after its creation. */
function establishedCrd(crd: Value): string {
  const storage = versionsOf(crd).filter((version) => version.storage);
  const written = at(crd, 'status', 'storedVersions');
  const status = new Map<string, Value>([
    ['storedVersions', written ?? storage.slice(0, 1).map(({ name }) => name)],
    ['acceptedNames', at(crd, 'spec', 'names') ?? new Map()],
    ['conditions', ['NamesAccepted', 'Established'].map((type) => new Map(Object.entries({ ...condition, type })))],
  ]);
  const whole = isMap(crd) ? new Map(crd).set('status', status) : crd;
  return withMetadata(whole, systemFields(crd, undefined));
}

const condition = {
  status: 'True',
  reason: 'Settled',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
};

/** The text of an object with other fields in its metadata. */
function withMetadata(object: Value | undefined, fields: Readonly<Record<string, Value>>): string {
  const metadata = at(object, 'metadata');
  if (!isMap(object) || !isMap(metadata)) return encodeExact(object);
  return encodeExact(new Map(object).set('metadata', new Map([...metadata, ...Object.entries(fields)])));
}

/** The random end of a name that a server made is the same in every answer. */
function withFixedName(answer: string, body: string): string {
  const [, base] = /"generateName"\s*:\s*"([^"\\]+)"/.exec(body) ?? [];
  if (base === undefined) return answer;
  const start = `"${base.slice(0, 58)}`;
  return answer
    .split(start)
    .reduce((before, after) => `${before}${start}${after.replace(/^[a-z0-9]{5}(?!\w)/, '00000')}`);
}

/** What can be compared of an answer: without what a server makes up. */
function plainAnswer({ code, body, warnings }: ApiAnswer): Plain {
  // The handler panicked, and the connection closed.
  if (code === 0) return { code, body: '' };
  const read = readJson(body);
  const value = 'error' in read ? undefined : plainValue(read.json);
  if (at(value, 'kind') !== 'Status' || at(value, 'apiVersion') !== 'v1') {
    return { code, ...some('warnings', [...warnings].sort()), body: value === undefined ? body : cleaned(body) };
  }
  const status = JSON.parse(body);
  return {
    code,
    ...some('warnings', [...warnings].sort()),
    ...some('causes', status.details?.causes ?? []),
    message: status.message,
  };
}

/** Some messages repeat the body, in which the question had no resource version. */
function withoutAdded(answer: Plain, resourceVersion: string): Plain {
  const added = `"resourceVersion":"${resourceVersion}"`;
  const text = JSON.stringify(answer);
  return JSON.parse(
    [`,${added}`, added].reduce((left, one) => left.split(JSON.stringify(one).slice(1, -1)).join(''), text),
  );
}

function codeOf(answer: Plain): Plain | undefined {
  return typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : undefined;
}

function some(name: string, items: readonly Plain[]): Record<string, Plain> {
  return items.length > 0 ? { [name]: [...items] } : {};
}

const ofTheServer = ['uid', 'creationTimestamp', 'managedFields', 'resourceVersion', 'generation'];

/** An object in JSON without what only the server sets. */
export function cleaned(body: string): Plain {
  // Only in memory does a list of no schemas differ from none.
  const object = JSON.parse(body, (key, value) => (key === 'items' && value === null ? undefined : value));
  for (const field of ofTheServer) delete object.metadata?.[field];
  if (object.spec?.conversion?.strategy === 'None') delete object.spec.conversion.webhook;
  if (object.kind === 'CustomResourceDefinition') {
    delete object.status?.conditions;
    delete object.status?.acceptedNames;
  }
  return object;
}
