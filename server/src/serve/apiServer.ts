import { isList } from '../base/value.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { empty } from '../kubernetes/apply/fieldSet.ts';
import { jsonPatched } from '../kubernetes/apply/jsonPatch.ts';
import { type LastApplied, mergeApplied } from '../kubernetes/apply/serverSide.ts';
import type { BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { BadPatch, strategicMerged } from '../kubernetes/builtin/strategicMerge.ts';
import { kept, readBack } from '../kubernetes/cr/storage.ts';
import { deprecationWarning } from '../kubernetes/crd/deprecation.ts';
import { Admission, type Judge } from './admission.ts';
import {
  builtinResources,
  crdResource,
  groupList,
  groupOf,
  groupVersion,
  openApi,
  openApiIndex,
  type Resource,
  resourceList,
  resourcesOf,
} from './discovery.ts';
import { eventAs } from './events.ts';
import { isJsonMap, type JsonMap, type JsonValue, listAt, mapAt, mapOf, sameJson, textAt, valueOf } from './json.ts';
import {
  desired,
  dry,
  established,
  jsonText,
  judged,
  parsedJson,
  parsedMap,
  servedBy,
  withoutVersion,
  withVersion,
} from './judging.ts';
import { lastApplied, managedAfter, managedApplied, mergeTypeFor } from './managing.ts';
import { mergePatched } from './mergePatch.ts';
import { type Asked, keyOf, type Place, pageOf, prefixOf, selected, unselectable } from './places.ts';
import {
  asTable,
  conflict,
  exists,
  failedPrecondition,
  filled,
  missing,
  notAllowed,
  ok,
  otherUid,
  type Reply,
  refusal,
  status,
  unmanaged,
  unversioned,
  versioned,
} from './replies.ts';
import { isReview, reviewed } from './reviews.ts';
import { scaled, scaleOf, scalePaths } from './scale.ts';
import { type Judged, type Serving, timeText } from './serving.ts';
import { type Change, type Entry, Store } from './store.ts';
import { tableFor } from './tables.ts';

/** What a watch begins with, and whom it tells of changes. */
export interface Watch {
  readonly events: readonly JsonMap[];
  /** Nothing follows. */
  readonly ends?: true;
  listen(tell: (event: JsonMap) => void): () => void;
}

const ofCrds = prefixOf({ resource: crdResource, namespace: '' });

const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Answers requests as the API server does for CRDs, their objects and built-in kinds, from memory. */
export class ApiServer {
  private readonly store = new Store();
  private readonly serving: Serving;
  private readonly admission: Admission;
  private names = 0;
  /** What is served; undefined since a CRD changed. */
  private served: readonly Resource[] | undefined;

  constructor(serving: Serving) {
    this.serving = serving;
    this.store.listen(({ key }) => {
      if (key.startsWith(ofCrds)) this.served = undefined;
    });
    this.admission = new Admission(this.store, serving, () => this.resources());
    const resource = this.resources().find(({ group, kind }) => group === '' && kind === 'Namespace')!;
    for (const name of firstNamespaces) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      const place = { resource, namespace: '', name, subresource: undefined };
      this.store.put(keyOf(place), { object: this.completed(body, undefined, place) });
    }
  }

  get builtin(): BuiltinKinds {
    return this.serving.builtin;
  }

  async handle(asked: Asked): Promise<Reply> {
    const place = this.placeOf(asked.path);
    if (!place) return this.discovered(asked.path) ?? { code: 404, body: '404 page not found' };
    const { builtin } = place.resource;
    if (builtin?.verbs !== undefined && (asked.method !== 'POST' || place.name !== undefined)) return notAllowed;
    if ((asked.method === 'POST' || asked.method === 'PUT') && !isReadable(asked.type))
      return unreadable(builtin !== undefined);
    const reply = await this.answer(asked, place);
    const { crd, version } = place.resource;
    const deprecated = crd && deprecationWarning(servedBy(crd, this.serving.kubernetes).lowered, version);
    return { ...reply, warnings: [...new Set([...(reply.warnings ?? []), ...(deprecated ? [deprecated] : [])])] };
  }

  private async answer(asked: Asked, place: Place): Promise<Reply> {
    const { name, subresource } = place;
    const scale = subresource === 'scale' ? scalePaths(place.resource) : undefined;
    if (scale && name !== undefined) return this.again(place, () => this.scale(asked, place, scale));
    if (subresource !== undefined && (subresource !== 'status' || !place.resource.hasStatus)) {
      return status(404, 'NotFound', 'the server could not find the requested resource');
    }
    if (name === undefined) return this.ofAll(asked, place);
    switch (asked.method) {
      case 'GET':
        return this.read(asked, place);
      case 'PUT':
        return this.again(place, () => this.replace(asked, place, asked.body));
      case 'PATCH': {
        const applies = asked.type.startsWith('application/apply-patch');
        return this.again(place, () => (applies ? this.apply(asked, place) : this.patch(asked, place)));
      }
      case 'DELETE':
        return this.remove(asked, place, name);
      default:
        return notAllowed;
    }
  }

  watch(asked: Asked): Watch | undefined {
    if (asked.query.get('watch') !== 'true' || asked.query.has('sendInitialEvents')) return undefined;
    const place = this.placeOf(asked.path);
    if (!place) return undefined;
    const since = Number(asked.query.get('resourceVersion') ?? 0);
    if (since > 0 && since < this.store.oldest) return tooOld(since, this.store.oldest);
    const prefix = prefixOf(place);
    const chosen = ({ key, version }: Change) => version > since && key.startsWith(prefix);
    const event = (change: Change): JsonMap[] => {
      const type = typeFor(asked.query, change);
      return type ? [{ type, object: this.shown(change.entry, place.resource) }] : [];
    };
    const past = since === 0 ? this.store.list(prefix).filter(({ object }) => selected(asked.query, object)) : [];
    return {
      events:
        since === 0
          ? past.map((entry) => ({ type: 'ADDED', object: this.shown(entry, place.resource) }))
          : this.store.changes.filter(chosen).flatMap(event),
      listen: (tell) =>
        this.store.listen((change) => {
          if (chosen(change)) for (const told of event(change)) tell(told);
        }),
    };
  }

  // Where

  private resources(): readonly Resource[] {
    const ofDefinitions = () => this.store.list(ofCrds).flatMap(({ object }) => resourcesOf(object));
    this.served ??= [...builtinResources(this.serving.builtin), crdResource, ...ofDefinitions()];
    return this.served;
  }

  private placeOf(path: string): Place | undefined {
    const match =
      /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path);
    if (!match) return undefined;
    const parts = match.slice(1).map((part) => part && decoded(part));
    const [group = '', version, namespace, plural, name, subresource] = parts;
    const resources = this.resources().filter((one) => one.group === group && one.version === version);
    const resource = resources.find((one) => one.plural === plural);
    // A namespace's own subresource looks like a kind in it.
    const ofNamespace = resource || !namespace || name ? undefined : resources.find((one) => one.kind === 'Namespace');
    if (ofNamespace) return { resource: ofNamespace, namespace: '', name: namespace, subresource: plural };
    return resource && { resource, namespace: namespace ?? '', name, subresource };
  }

  private discovered(path: string): Reply | undefined {
    const resources = this.resources();
    const release = this.serving.kubernetes.name;
    const [, first, group, version, ...below] = path.split('/');
    if (/^\/(?:readyz|livez|healthz)$/.test(path)) return { code: 200, body: 'ok' };
    if (path === '/api') return ok({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] });
    if (path === '/api/v1') return ok(resourceList('v1', resources));
    const isServed = (one: Resource) => one.group === group && (version === undefined || one.version === version);
    if (/^\/api\/v1\/[^/]+$/.test(path)) return unfound;
    if (path === '/version') return ok({ major: '1', minor: release.split('.')[1]!, gitVersion: `v${release}.0` });
    if (path === '/openapi/v3') return ok(openApiIndex(resources));
    const [, published] = /^\/openapi\/v3\/apis?\/(.+)$/.exec(path) ?? [];
    if (published !== undefined) return ok(openApi(published, resources));
    if (first !== 'apis') return undefined;
    if (group === undefined) return ok(groupList(resources));
    if (below.length > 0 || !resources.some(isServed)) return undefined;
    if (version === undefined) return ok({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, resources) });
    return ok(resourceList(`${group}/${version}`, resources));
  }

  // Reading

  private shown({ object }: Entry, resource: Resource): JsonMap {
    const { crd, group, version } = resource;
    if (!crd) return resource.kind === 'Event' ? eventAs(groupVersion(resource), object) : object;
    const served = servedBy(crd, this.serving.kubernetes);
    const of = served.versions.get(version);
    const inStore = kept(mapOf(object), served);
    const read = inStore && of && readBack(inStore, of, served);
    return read ? JSON.parse(printJson(read)) : { ...object, apiVersion: `${group}/${version}` };
  }

  private read({ accept }: Asked, place: Place): Reply {
    const entry = this.store.get(keyOf(place));
    if (!entry) return missing(place);
    const object = this.shown(entry, place.resource);
    return ok(asTable(accept) ? tableFor(place.resource, [object], this.serving) : object);
  }

  private async ofAll(asked: Asked, place: Place): Promise<Reply> {
    const { resource } = place;
    if (asked.method === 'POST') return this.create(asked, place);
    const unknown = unselectable(asked.query, resource);
    if (unknown !== undefined) return status(400, 'BadRequest', `field label not supported: ${unknown}`);
    const entries = this.store.list(prefixOf(place)).filter(({ object }) => selected(asked.query, object));
    const items = entries.map((entry) => this.shown(entry, resource));
    if (asked.method === 'DELETE') {
      for (const item of items) {
        const { namespace, name } = mapAt(item, 'metadata');
        await this.remove(asked, { ...place, namespace: String(namespace ?? '') }, String(name));
      }
    } else if (asked.method !== 'GET') return notAllowed;
    if (asked.query.has('sendInitialEvents')) return status(422, 'Invalid', 'sendInitialEvents is not supported');
    if (asTable(asked.accept)) return ok(tableFor(resource, items, this.serving));
    const page = pageOf(asked.query, items);
    const metadata = { resourceVersion: String(this.store.version), ...page.metadata };
    const apiVersion = groupVersion(resource);
    return ok({ kind: resource.listKind, apiVersion, metadata, items: page.items });
  }

  // Writing

  /** Writes once more where another request came between reading an object and writing it. */
  private async again(place: Place, write: () => Promise<Reply>): Promise<Reply> {
    for (let i = 0; i < mostTries; i++) {
      const reply = await write();
      if (reply !== stale) return reply;
    }
    return conflict(place);
  }

  private async create(asked: Asked, place: Place): Promise<Reply> {
    const body = this.named(jsonText(asked), place);
    if (typeof body !== 'string') return body;
    const object = parsedMap(body);
    const named = { ...place, name: textAt(object, 'metadata', 'name') };
    const changing = { asked, place: named, operation: 'CREATE', old: undefined } as const;
    const came = await this.admission.admitted(changing, body, this.judge(asked, named, undefined), (made) =>
      unnumbered(this.completed(made, undefined, named)),
    );
    if ('refused' in came) return came.refused;
    const { answer } = came;
    if (answer.body && isReview(place.resource.kind) && place.resource.builtin?.verbs) {
      const managedFields = managedAfter(asked, named, undefined, answer.body, this.serving);
      const metadata = { ...mapAt(answer.body, 'metadata'), managedFields };
      return { code: 201, body: { ...answer.body, metadata, status: reviewed(place.resource.kind, asked.user) } };
    }
    if (answer.body) {
      const lost = this.lostNamespace(named);
      if (lost) return lost;
      const isDry = asked.query.get('dryRun') === 'All';
      if (!isDry && hasVersion(object)) return versioned;
      if (this.store.get(keyOf(named))) return exists(named);
    }
    return this.written(asked, named, answer, undefined);
  }

  private judge(asked: Asked, place: Place, old: JsonMap | undefined): Judge {
    return (body, isSent) => {
      const judging = { body, ...(old && { old }), ...(!isSent && { validation: 'Ignore' as const }) };
      return judged(asked, place, judging, this.serving);
    };
  }

  /** What is in a namespace needs it to be there. */
  private lostNamespace({ resource, namespace }: Place): Reply | undefined {
    if (!resource.namespaced || this.store.get(`/namespaces/${namespace}`)) return undefined;
    const details = { name: namespace, kind: 'namespaces' };
    return status(404, 'NotFound', `namespaces ${JSON.stringify(namespace)} not found`, details);
  }

  /** The body in the namespace of the path, and with a name where one is to be made. */
  private named(text: string, { resource, namespace }: Place): string | Reply {
    const object = parsedMap(text);
    const given = textAt(object, 'metadata', 'namespace');
    if (!isJsonMap(object.metadata)) return text;
    if (resource.namespaced && given !== '' && given !== namespace) {
      return status(
        400,
        'BadRequest',
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
    const base = textAt(object, 'metadata', 'generateName');
    const makes = base !== '' && textAt(object, 'metadata', 'name') === '';
    const name = makes ? `${base}${String(this.names++).padStart(5, '0')}` : undefined;
    const places = resource.namespaced && given === '';
    if (name === undefined && !places) return text;
    const metadata = { ...object.metadata, ...(name && { name }), ...(places && { namespace }) };
    return JSON.stringify({ ...object, metadata });
  }

  private async replace(asked: Asked, place: Place, text: string): Promise<Reply> {
    const entry = this.store.get(keyOf(place));
    if (!entry) return missing(place);
    const body = this.named(text, place);
    if (typeof body !== 'string') return body;
    const given = textAt(parsedMap(body), 'metadata', 'resourceVersion');
    const stored = textAt(entry.object, 'metadata', 'resourceVersion');
    if (given !== '' && given !== stored) return conflict(place);
    const [wanted, uid] = [parsedMap(body), entry.object].map((one) => textAt(one, 'metadata', 'uid'));
    if (wanted && uid && wanted !== uid) return otherUid(place, wanted, uid);
    const old = this.shown(entry, place.resource);
    const changing = { asked, place, operation: 'UPDATE', old } as const;
    const came = await this.admission.admitted(changing, body, this.judge(asked, place, old), (made) =>
      this.completed(made, entry, place),
    );
    if ('refused' in came) return came.refused;
    // Most built-in kinds are updated whatever they are by now.
    if (given === '' && came.answer.code !== 400 && !place.resource.builtin) return unversioned(place);
    if (this.store.get(keyOf(place)) !== entry) return stale;
    return this.written(asked, place, came.answer, entry);
  }

  private async patch(asked: Asked, place: Place): Promise<Reply> {
    const entry = this.store.get(keyOf(place));
    if (!entry) return missing(place);
    const live = this.shown(entry, place.resource);
    const patch = parsedJson(asked.body);
    if (patch === undefined) return status(400, 'BadRequest', 'invalid JSON patch');
    if (asked.type.startsWith('application/merge-patch')) {
      return this.patched(asked, place, mergePatched(live, patch));
    }
    const { builtin } = place.resource;
    if (builtin && asked.type.startsWith('application/strategic-merge-patch')) {
      return this.strategic(asked, place, live, patch, builtin.root);
    }
    if (!asked.type.startsWith('application/json-patch')) return unpatchable(builtin !== undefined);
    const steps = valueOf(patch);
    const patched = jsonPatched(mapOf(live), isList(steps) ? steps : []);
    if ('error' in patched) {
      return status(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    }
    return this.patched(asked, place, JSON.parse(printJson(patched.value)));
  }

  private async strategic(asked: Asked, place: Place, live: JsonMap, patch: JsonValue, root: string): Promise<Reply> {
    if (!isJsonMap(patch)) return status(400, 'BadRequest', 'error decoding patch: it is not an object');
    try {
      const merged = strategicMerged(mapOf(live), mapOf(patch), root, this.serving.builtin);
      return await this.patched(asked, place, JSON.parse(printJson(merged)));
    } catch (error) {
      if (!(error instanceof BadPatch)) throw error;
      return status(500, 'InternalError', `Internal error occurred: ${error.message}`);
    }
  }

  /** What is asked of the scale of an object: its replicas are read and written, and nothing else. */
  private async scale(asked: Asked, place: Place, paths: NonNullable<ReturnType<typeof scalePaths>>): Promise<Reply> {
    const entry = this.store.get(keyOf(place));
    if (!entry) return missing(place);
    const live = this.shown(entry, place.resource);
    if (asked.method === 'GET') return ok(scaleOf(live, paths));
    const sent = parsedJson(jsonText(asked));
    const isMerge = asked.type.startsWith('application/merge-patch');
    if (asked.method !== 'PUT' && (asked.method !== 'PATCH' || !isMerge)) return notAllowed;
    const wanted = asked.method === 'PUT' ? sent : mergePatched(scaleOf(live, paths), sent ?? {});
    if (!isJsonMap(wanted)) return status(400, 'BadRequest', 'the scale is not an object');
    if (textAt(wanted, 'kind') !== 'Scale') return status(400, 'BadRequest', 'the object is not a Scale');
    const text = JSON.stringify(scaled(live, wanted, paths));
    const reply = await this.replace(asked, place, text);
    return reply.code === 200 && typeof reply.body !== 'string'
      ? { ...reply, body: scaleOf(reply.body, paths) }
      : reply;
  }

  /** Fields that are not known are said of the whole patched object. */
  private async patched(asked: Asked, place: Place, object: JsonValue): Promise<Reply> {
    const text = JSON.stringify(object);
    const reply = await this.replace(asked, place, text);
    const said = textAt(reply.body as JsonMap, 'message');
    const start = said.indexOf(': strict decoding error: ');
    if (reply.code !== 400 || start < 0) return reply;
    const problem = said.slice(start + 2);
    const message = `Invalid value: ${JSON.stringify(text)}: ${problem}`;
    const causes = [{ reason: 'FieldValueInvalid', message, field: 'patch' }];
    return status(422, 'Invalid', ` "" is invalid: patch: ${message}`, { causes });
  }

  private async apply(asked: Asked, place: Place): Promise<Reply> {
    const manager = asked.query.get('fieldManager');
    if (!manager) return unmanaged;
    const body = this.named(jsonText(asked), place);
    if (typeof body !== 'string') return body;
    const entry = this.store.get(keyOf(place));
    // CRDs are written as they are applied: how their fields are merged is no part of the engine.
    if (!place.resource.crd && !place.resource.builtin)
      return entry
        ? this.replace(asked, place, withVersion(body, entry))
        : this.create(asked, { ...place, name: undefined });
    const live = entry && this.shown(entry, place.resource);
    const last = live && lastApplied(asked, place, live, this.serving);
    const merged = place.resource.builtin
      ? this.mergedBuiltin(asked, place, body, live, last)
      : judged(asked, place, { body, ...(live && { old: live }), last, applied: true }, this.serving);
    const managers =
      merged.body && managedApplied(asked, place, live, merged.body, merged.owned ?? empty, this.serving);
    if (managers && !Array.isArray(managers)) return managers;
    const changing = { asked, place, operation: live ? 'UPDATE' : 'CREATE', old: live } as const;
    const complete = (made: JsonMap) => this.completed(made, entry, place);
    const came = await this.admission.admittedMerged(changing, merged, this.judge(asked, place, live), complete);
    if ('refused' in came) return came.refused;
    if (this.store.get(keyOf(place)) !== entry) return stale;
    if (came.answer.body && !live) {
      const lost = this.lostNamespace(place);
      if (lost) return lost;
    }
    return this.written(asked, place, came.answer, entry, managers);
  }

  private mergedBuiltin(
    asked: Asked,
    place: Place,
    body: string,
    live: JsonMap | undefined,
    last: LastApplied | undefined,
  ): Judged {
    const type = mergeTypeFor(place.resource, this.serving)!;
    const came = mergeApplied(mapOf(parsedMap(body)), last ?? { live: new Map() }, type);
    if ('refused' in came) return { code: 500, message: came.refused };
    const answer = this.judge(asked, place, live)(live ? printJson(came.object) : body, true);
    return { ...answer, owned: came.owned };
  }

  /** Keeps what was accepted, with what only a server sets, and answers with it. */
  private written(
    asked: Asked,
    place: Place,
    answer: Judged,
    entry: Entry | undefined,
    managers?: readonly JsonValue[],
  ): Reply {
    const { warnings = [] } = answer;
    if (!answer.body) return { ...refusal(answer, place), warnings };
    const live = entry && this.shown(entry, place.resource);
    const managed = managers ?? managedAfter(asked, place, live, answer.body, this.serving);
    const object = this.completed(answer.body, entry, place, managed);
    const { code } = answer;
    if (live && sameJson(withoutVersion(object), withoutVersion(live))) return { code, body: live, warnings };
    if (asked.query.get('dryRun') === 'All') return { code, body: dry(object, entry), warnings };
    const isGone =
      textAt(object, 'metadata', 'deletionTimestamp') !== '' && listAt(object, 'metadata', 'finalizers').length === 0;
    const key = keyOf(place);
    if (isGone) this.store.drop(key);
    else this.store.put(key, { object });
    return { code, body: object, warnings };
  }

  private completed(
    body: JsonMap,
    entry: Entry | undefined,
    { resource }: Place,
    managers?: readonly JsonValue[],
  ): JsonMap {
    const before = entry && mapAt(entry.object, 'metadata');
    const changed = entry && !sameJson(desired(body), desired(entry.object));
    const metadata: JsonMap = {
      ...mapAt(body, 'metadata'),
      uid: before?.uid ?? this.serving.uid(),
      creationTimestamp: before?.creationTimestamp ?? timeText(this.serving),
      ...(counts(resource) && { generation: Number(before?.generation ?? 0) + (entry && !changed ? 0 : 1) }),
      resourceVersion: this.store.next,
    };
    const managedFields = managers ?? listAt(before, 'managedFields');
    if (managedFields.length > 0) metadata.managedFields = [...managedFields];
    else delete metadata.managedFields;
    const object = { ...body, metadata };
    if (resource.crd) return object;
    return resource.builtin
      ? resource.kind === 'Namespace'
        ? active(object)
        : object
      : established(object, this.serving);
  }

  private async remove(asked: Asked, place: Place, name: string): Promise<Reply> {
    const named = { ...place, name };
    const entry = this.store.get(keyOf(named));
    if (!entry) return missing(named);
    const options = parsedMap(asked.body);
    const failed = failedPrecondition(named, entry, mapAt(options, 'preconditions'));
    if (failed) return failed;
    const changing = { asked, place: named, operation: 'DELETE', old: this.shown(entry, place.resource) } as const;
    const { refused, warnings } = await this.admission.deleted(changing);
    if (refused) return refused;
    return { ...this.removed(asked, named, options), warnings };
  }

  private removed(asked: Asked, named: Place, options: JsonMap): Reply {
    const entry = this.store.get(keyOf(named));
    if (!entry) return missing(named);
    const dry = [asked.query.get('dryRun'), ...listAt(options, 'dryRun')].includes('All');
    const policy = asked.query.get('propagationPolicy') ?? textAt(options, 'propagationPolicy');
    const finalizers = finalizersFor(policy, listAt(entry.object, 'metadata', 'finalizers'));
    if (finalizers.length > 0) {
      const object = ending(withFinalizers(entry.object, finalizers), this.store.next, timeText(this.serving));
      if (!dry && object !== entry.object) this.store.put(keyOf(named), { object });
      return ok(object);
    }
    if (!dry) this.drop(named, entry);
    const { group, plural } = named.resource;
    const details = { name: named.name ?? '', group, kind: plural, uid: textAt(entry.object, 'metadata', 'uid') };
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: filled(details) };
    return ok(body);
  }

  /** A CRD goes with its objects, and a namespace with what is in it. */
  private drop(place: Place, { object: definition }: Entry): void {
    this.store.drop(keyOf(place));
    if (place.resource.kind === 'Namespace' && place.resource.group === '') this.empty(place.name ?? '');
    if (place.resource.builtin) return;
    for (const resource of place.resource.crd ? [] : resourcesOf(definition)) {
      for (const { object } of this.store.list(prefixOf({ resource, namespace: '' }))) {
        const { namespace, name } = mapAt(object, 'metadata');
        this.store.drop(keyOf({ resource, namespace: String(namespace ?? ''), name: String(name) }));
      }
    }
  }

  private empty(namespace: string): void {
    for (const resource of this.resources().filter((one) => one.namespaced))
      for (const { object } of this.store.list(prefixOf({ resource, namespace })))
        this.store.drop(keyOf({ resource, namespace, name: textAt(object, 'metadata', 'name') }));
  }
}

const unfound = status(404, 'NotFound', 'the server could not find the requested resource', {});

/** How often a request is tried where others come between. */
const mostTries = 5;

/** Stands for an answer where the object is no longer what it was when it was read. */
const stale: Reply = { code: 0, body: '' };

/** The groups of built-in kinds whose objects count their changes. */
const countingGroups = new Set(['apps', 'batch', 'networking.k8s.io', 'policy', 'admissionregistration.k8s.io']);

const counts = ({ builtin, group }: Resource) => !builtin || countingGroups.has(group);

/** What is not written yet has no version. */
function unnumbered(object: JsonMap): JsonMap {
  const { resourceVersion: _, ...metadata } = mapAt(object, 'metadata');
  return { ...object, metadata };
}

/** What has happened since is not remembered: the client lists again. */
function tooOld(since: number, oldest: number): Watch {
  const { body } = status(410, 'Expired', `too old resource version: ${since} (${oldest})`);
  return { events: [{ type: 'ERROR', object: body as JsonMap }], ends: true, listen: () => () => {} };
}

/** Objects of CRDs come as JSON or YAML; those of built-in kinds come so as well here. */
const isReadable = (type: string) => /^(?:application\/(?:json|yaml)\b|\*\/\*|$)/.test(type);

function unreadable(isBuiltin: boolean): Reply {
  const listed = `application/json, application/yaml${isBuiltin ? ', application/vnd.kubernetes.protobuf' : ''}`;
  const message = `the body of the request was in an unknown format - accepted media types include: ${listed}`;
  return status(415, 'UnsupportedMediaType', message);
}

/** A path that means nothing leads nowhere. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** Every namespace has its own name as a label, and a phase. */
function active(object: JsonMap): JsonMap {
  const metadata = mapAt(object, 'metadata');
  const labels = { ...mapAt(metadata, 'labels'), 'kubernetes.io/metadata.name': textAt(metadata, 'name') };
  return {
    ...object,
    metadata: { ...metadata, labels },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

const hasVersion = (object: JsonMap) => !['', '0'].includes(textAt(object, 'metadata', 'resourceVersion'));

function unpatchable(isBuiltin: boolean): Reply {
  const types = ['json-patch+json', 'merge-patch+json', ...(isBuiltin ? ['strategic-merge-patch+json'] : [])];
  const listed = [...types, 'apply-patch+yaml'].map((type) => `application/${type}`).join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${listed}`;
  return status(415, 'UnsupportedMediaType', message);
}

/** What is to go once its finalizers have gone. */
function ending(object: JsonMap, resourceVersion: string, now: string): JsonMap {
  const metadata = mapAt(object, 'metadata');
  if (textAt(metadata, 'deletionTimestamp') !== '') return object;
  const counted = metadata.generation === undefined ? {} : { generation: Number(metadata.generation) + 1 };
  const since = { deletionTimestamp: now, deletionGracePeriodSeconds: 0 };
  return { ...object, metadata: { ...metadata, ...since, ...counted, resourceVersion } };
}

/** Who deletes may ask for what is owned to go first, or to stay; both are finalizers, which a controller takes away. */
const ofPolicies = new Map([
  ['Foreground', 'foregroundDeletion'],
  ['Orphan', 'orphan'],
]);

function finalizersFor(policy: string, finalizers: readonly JsonValue[]): JsonValue[] {
  if (policy === '') return [...finalizers];
  const own = ofPolicies.get(policy);
  const others = finalizers.filter((one) => one === own || ![...ofPolicies.values()].includes(String(one)));
  return own === undefined || others.includes(own) ? others : [...others, own];
}

function withFinalizers(object: JsonMap, finalizers: JsonValue[]): JsonMap {
  if (sameJson(finalizers, listAt(object, 'metadata', 'finalizers'))) return object;
  return { ...object, metadata: { ...mapAt(object, 'metadata'), finalizers } };
}

/** What a change is to a watch of chosen objects: those that are chosen no longer go, for it. */
function typeFor(query: URLSearchParams, { type, entry, before }: Change): Change['type'] | undefined {
  const was = before !== undefined && selected(query, before.object);
  if (type === 'DELETED') return was ? 'DELETED' : undefined;
  if (!selected(query, entry.object)) return was ? 'DELETED' : undefined;
  return was ? 'MODIFIED' : 'ADDED';
}
