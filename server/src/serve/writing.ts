import { isList } from '../base/value.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { empty } from '../kubernetes/apply/fieldSet.ts';
import { jsonPatched } from '../kubernetes/apply/jsonPatch.ts';
import { type LastApplied, mergeApplied } from '../kubernetes/apply/serverSide.ts';
import { BadPatch, strategicMerged } from '../kubernetes/builtin/strategicMerge.ts';
import type { Admission, Judge } from './admission.ts';
import { convertsByWebhook } from './conversions.ts';
import { isDefinition, type Resource } from './discovery.ts';
import { isJsonMap, type JsonMap, type JsonValue, listAt, mapAt, mapOf, sameJson, textAt, valueOf } from './json.ts';
import { desired, dry, jsonText, judged, parsedJson, parsedMap, withoutVersion } from './judging.ts';
import { lastApplied, managedAfter, managedApplied, mergeTypeFor } from './managing.ts';
import { mergePatched } from './mergePatch.ts';
import { type PatchType, readPatch } from './mistakes.ts';
import { type Asked, keyOf, type Place } from './places.ts';
import type { Registry } from './registry.ts';
import {
  conflict,
  exists,
  missing,
  notAllowed,
  ok,
  otherUid,
  type Reply,
  refusal,
  status,
  unknownFormat,
  unmanaged,
  unversioned,
  versioned,
} from './replies.ts';
import { isReview, reviewed } from './reviews.ts';
import { scaled, scaleOf, type scalePaths } from './scale.ts';
import { type Judged, timeText } from './serving.ts';
import { settled, withStatusOf } from './settling.ts';
import type { Entry } from './store.ts';
import { asStored } from './written.ts';

/** Creates and changes what is kept. */
export class Writing {
  private readonly registry: Registry;
  private readonly admission: Admission;

  constructor(registry: Registry, admission: Admission) {
    this.registry = registry;
    this.admission = admission;
  }

  /** Writes once more where another request came between reading an object and writing it. */
  async again(place: Place, write: () => Promise<Reply>): Promise<Reply> {
    for (let i = 0; i < mostTries; i++) {
      const reply = await write();
      if (reply !== stale) return reply;
    }
    return conflict(place);
  }

  async create(asked: Asked, place: Place): Promise<Reply> {
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
      const managedFields = managedAfter(asked, named, undefined, answer.body, this.registry.serving);
      const metadata = { ...mapAt(answer.body, 'metadata'), managedFields };
      return { code: 201, body: { ...answer.body, metadata, status: reviewed(place.resource.kind, asked.user) } };
    }
    if (answer.body) {
      const lost = this.registry.lostNamespace(named);
      if (lost) return lost;
      const isDry = asked.query.get('dryRun') === 'All';
      if (!isDry && hasVersion(object)) return versioned;
      if (this.registry.store.get(keyOf(named))) return exists(named);
    }
    return this.written(asked, named, answer, undefined);
  }

  private judge(asked: Asked, place: Place, old: JsonMap | undefined): Judge {
    return (body, isSent) => {
      const judging = { body, ...(old && { old }), ...(!isSent && { validation: 'Ignore' as const }) };
      const answer = judged(asked, place, judging, this.registry.serving);
      // Who writes a CRD leaves its status as it was.
      const keepsStatus = answer.body && old && isDefinition(place.resource) && place.subresource === undefined;
      return keepsStatus ? { ...answer, body: withStatusOf(answer.body!, old) } : answer;
    };
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
    const name = makes ? `${base.slice(0, longestBase)}${suffixOf(this.registry.serving.uid())}` : undefined;
    const places = resource.namespaced && given === '';
    if (name === undefined && !places) return text;
    const metadata = { ...object.metadata, ...(name && { name }), ...(places && { namespace }) };
    return JSON.stringify({ ...object, metadata });
  }

  async replace(asked: Asked, place: Place, text: string): Promise<Reply> {
    const entry = await this.registry.entryAt(place);
    if (!entry) return missing(place);
    const body = this.named(text, place);
    if (typeof body !== 'string') return body;
    const given = textAt(parsedMap(body), 'metadata', 'resourceVersion');
    const stored = textAt(entry.object, 'metadata', 'resourceVersion');
    if (given !== '' && given !== stored) return conflict(place);
    const [wanted, uid] = [parsedMap(body), entry.object].map((one) => textAt(one, 'metadata', 'uid'));
    if (wanted && uid && wanted !== uid) return otherUid(place, wanted, uid);
    const old = this.registry.shown(entry, place.resource);
    const changing = { asked, place, operation: 'UPDATE', old } as const;
    const came = await this.admission.admitted(changing, body, this.judge(asked, place, old), (made) =>
      this.completed(made, entry, place),
    );
    if ('refused' in came) return came.refused;
    // Most built-in kinds are updated whatever they are by now.
    if (given === '' && came.answer.code !== 400 && !place.resource.builtin)
      return { ...unversioned(place), warnings: came.answer.warnings ?? [] };
    if (this.registry.store.get(keyOf(place)) !== entry) return stale;
    return this.written(asked, place, came.answer, entry);
  }

  async patch(asked: Asked, place: Place): Promise<Reply> {
    const entry = await this.registry.entryAt(place);
    if (!entry) return missing(place);
    const live = this.registry.shown(entry, place.resource);
    const type = patchTypes.find(([media]) => asked.type.startsWith(media))?.[1] ?? 'json';
    const read = readPatch(asked, type);
    if ('wrong' in read) return read.wrong;
    const { patch } = read;
    if (type === 'merge') return this.patched(asked, place, mergePatched(live, patch));
    if (type === 'strategic') return this.strategic(asked, place, live, patch, place.resource.builtin!.root);
    const steps = valueOf(patch);
    const patched = jsonPatched(mapOf(live), isList(steps) ? steps : []);
    if ('error' in patched) {
      return status(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    }
    return this.patched(asked, place, JSON.parse(printJson(patched.value)));
  }

  private async strategic(asked: Asked, place: Place, live: JsonMap, patch: JsonValue, root: string): Promise<Reply> {
    try {
      const merged = strategicMerged(mapOf(live), mapOf(patch as JsonMap), root, this.registry.serving.builtin);
      return await this.patched(asked, place, JSON.parse(printJson(merged)));
    } catch (error) {
      if (!(error instanceof BadPatch)) throw error;
      return status(500, 'InternalError', `Internal error occurred: ${error.message}`);
    }
  }

  /** What is asked of the scale of an object: its replicas are read and written, and nothing else. */
  async scale(asked: Asked, place: Place, paths: NonNullable<ReturnType<typeof scalePaths>>): Promise<Reply> {
    const entry = await this.registry.entryAt(place);
    if (!entry) return missing(place);
    const live = this.registry.shown(entry, place.resource);
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

  async apply(asked: Asked, place: Place): Promise<Reply> {
    const manager = asked.query.get('fieldManager');
    if (!manager) return unmanaged;
    const body = this.named(jsonText(asked), place);
    if (typeof body !== 'string') return body;
    const entry = await this.registry.entryAt(place);
    const live = entry && this.registry.shown(entry, place.resource);
    const last = live && lastApplied(asked, place, live, this.registry.serving);
    const merged =
      place.resource.builtin || isDefinition(place.resource)
        ? this.mergedByKind(asked, place, body, live, last)
        : judged(asked, place, { body, ...(live && { old: live }), last, applied: true }, this.registry.serving);
    // Who else has what is applied is looked at before what it comes to.
    const made = merged.body ?? merged.merged;
    const managers = made && managedApplied(asked, place, live, made, merged.owned ?? empty, this.registry.serving);
    if (managers && !Array.isArray(managers)) return managers;
    const changing = { asked, place, operation: live ? 'UPDATE' : 'CREATE', old: live } as const;
    const complete = (made: JsonMap) => this.completed(made, entry, place);
    const came = await this.admission.admittedMerged(changing, merged, this.judge(asked, place, live), complete);
    if ('refused' in came) return came.refused;
    if (this.registry.store.get(keyOf(place)) !== entry) return stale;
    if (came.answer.body && !live) {
      const lost = this.registry.lostNamespace(place);
      if (lost) return lost;
    }
    return this.written(asked, place, came.answer, entry, managers);
  }

  /** Kinds that are not a custom resource's are merged here, and judged when they are. */
  private mergedByKind(
    asked: Asked,
    place: Place,
    body: string,
    live: JsonMap | undefined,
    last: LastApplied | undefined,
  ): Judged {
    const type = mergeTypeFor(place.resource, this.registry.serving)!;
    const came = mergeApplied(mapOf(parsedMap(body)), last ?? { live: new Map() }, type, place.subresource);
    if ('refused' in came) return { code: 500, message: came.refused };
    const merged = printJson(came.object);
    const answer = this.judge(asked, place, live)(live ? merged : body, true);
    return { ...answer, owned: came.owned, merged: JSON.parse(merged) };
  }

  /** Keeps what was accepted, with what only a server sets, and answers with it. */
  private async written(
    asked: Asked,
    place: Place,
    answer: Judged,
    entry: Entry | undefined,
    managers?: readonly JsonValue[],
  ): Promise<Reply> {
    const warnings = worded(answer.warnings ?? [], asked.method);
    if (!answer.body) return { ...refusal(answer, place), warnings };
    const live = entry && this.registry.shown(entry, place.resource);
    const body = isNamespace(place.resource) ? named(answer.body) : answer.body;
    const managed = managers ?? managedAfter(asked, place, live, body, this.registry.serving);
    const { builtin } = place.resource;
    const kept = builtin ? asStored(body, builtin.root, this.registry.serving.builtin) : body;
    const object = this.completed(kept, entry, place, managed);
    const { code } = answer;
    if (live && sameJson(withoutVersion(object), withoutVersion(live))) return { code, body: live, warnings };
    if (asked.query.get('dryRun') === 'All') return { code, body: dry(object, entry), warnings };
    const isGone =
      textAt(object, 'metadata', 'deletionTimestamp') !== '' && listAt(object, 'metadata', 'finalizers').length === 0;
    const key = keyOf(place);
    if (isGone) {
      this.registry.store.drop(key);
      return { code, body: object, warnings };
    }
    const stored = await this.registry.stored(object, place.resource);
    // While a webhook converts it, another request may come between.
    if (this.registry.store.get(key) !== entry) return entry ? stale : exists(place);
    const numbered = stored === object ? object : withNumber(stored, this.registry.store.next);
    this.registry.store.put(key, { object: numbered });
    if (isDefinition(place.resource)) this.settle(key, object);
    if (stored === object) return { code, body: object, warnings };
    await this.registry.convert({ object: numbered }, place.resource);
    return { code, body: this.registry.shown({ object: numbered }, place.resource), warnings };
  }

  /** What controllers do to a CRD comes after the answer, as with a real server. */
  private settle(key: string, crd: JsonMap): void {
    const object = settled(crd, this.registry.store.next, this.registry.serving);
    if (object !== crd) this.registry.store.put(key, { object });
  }

  completed(body: JsonMap, entry: Entry | undefined, { resource }: Place, managers?: readonly JsonValue[]): JsonMap {
    const before = entry && mapAt(entry.object, 'metadata');
    const live = entry && convertsByWebhook(resource.crd) ? this.registry.shown(entry, resource) : entry?.object;
    const changed = live && !sameJson(desired(body), desired(live));
    const metadata: JsonMap = {
      ...mapAt(body, 'metadata'),
      uid: before?.uid ?? this.registry.serving.uid(),
      creationTimestamp: before?.creationTimestamp ?? timeText(this.registry.serving),
      ...(counts(resource) && { generation: Number(before?.generation ?? 0) + (entry && !changed ? 0 : 1) }),
      resourceVersion: this.registry.store.next,
    };
    const managedFields = managers ?? listAt(before, 'managedFields');
    if (managedFields.length > 0) metadata.managedFields = [...managedFields];
    else delete metadata.managedFields;
    const owners = listAt(metadata, 'ownerReferences');
    if (owners.length > 1) metadata.ownerReferences = distinctOwners(owners);
    const object = { ...body, metadata };
    return isNamespace(resource) ? active(object) : object;
  }
}

/** Of a patched object the API server looks for equal owners where it has admitted it. */
function worded(warnings: readonly string[], method: string): readonly string[] {
  if (method !== 'PATCH') return warnings;
  const [before, after] = [
    'contains duplicate entries;',
    'contains duplicate entries after mutating admission happens;',
  ];
  return warnings.map((text) => (text.startsWith('.metadata.ownerReferences ') ? text.replace(before, after) : text));
}

/** References that are equal are stored once. */
function distinctOwners(owners: readonly JsonValue[]): JsonValue[] {
  const texts = new Set<string>();
  return owners.filter((one) => {
    const text = JSON.stringify(Object.entries(one ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  });
}

/** How often a request is tried where others come between. */
const mostTries = 5;

/** Stands for an answer where the object is no longer what it was when it was read. */
const stale: Reply = { code: 0, body: '' };

/** The groups of built-in kinds whose objects count their changes. */
const countingGroups = new Set(['apps', 'batch', 'networking.k8s.io', 'policy', 'admissionregistration.k8s.io']);

const counts = ({ builtin, group }: Resource) => !builtin || countingGroups.has(group);

/** As the server makes names: they have room for what it adds, which spells no words. */
const longestBase = 58;
const letters = 'bcdfghjklmnpqrstvwxz2456789';

function suffixOf(uid: string): string {
  const digits = uid.replaceAll('-', '');
  const letter = (nth: number) => letters[Number.parseInt(digits.slice(4 * nth, 4 * nth + 4), 16) % letters.length];
  return Array.from({ length: 5 }, (_, nth) => letter(nth)).join('');
}

function withNumber(object: JsonMap, resourceVersion: string): JsonMap {
  return { ...object, metadata: { ...mapAt(object, 'metadata'), resourceVersion } };
}

/** What is not written yet has no version. */
function unnumbered(object: JsonMap): JsonMap {
  const { resourceVersion: _, ...metadata } = mapAt(object, 'metadata');
  return { ...object, metadata };
}

const isNamespace = ({ builtin, kind }: Resource) => builtin !== undefined && kind === 'Namespace';

/** A namespace with the label that has its name. */
function named(object: JsonMap): JsonMap {
  const metadata = mapAt(object, 'metadata');
  const labels = { ...mapAt(metadata, 'labels'), 'kubernetes.io/metadata.name': textAt(metadata, 'name') };
  return { ...object, metadata: { ...metadata, labels } };
}

/** A namespace as it is once it is there, with its label and a phase. */
function active(object: JsonMap): JsonMap {
  return {
    ...named(object),
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

const hasVersion = (object: JsonMap) => !['', '0'].includes(textAt(object, 'metadata', 'resourceVersion'));

const patchTypes: readonly (readonly [media: string, type: PatchType])[] = [
  ['application/merge-patch', 'merge'],
  ['application/strategic-merge-patch', 'strategic'],
  ['application/json-patch', 'json'],
];

/** A patch of a type that the resource does not take. */
export function unpatchable({ type }: Asked, { resource: { builtin } }: Place): Reply | undefined {
  const isBuiltin = builtin !== undefined;
  if (type.startsWith('application/apply-patch')) return undefined;
  if (patchTypes.some(([media, name]) => type.startsWith(media) && (isBuiltin || name !== 'strategic')))
    return undefined;
  if (isBuiltin) return status(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  return unknownFormat(
    ['json-patch+json', 'merge-patch+json', 'apply-patch+yaml'].map((type) => `application/${type}`),
  );
}
