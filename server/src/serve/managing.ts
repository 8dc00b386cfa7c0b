import type { Value } from '../base/value.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { builtinMergeType } from '../kubernetes/apply/builtinMergeType.ts';
import { crdMergeType } from '../kubernetes/apply/crdMergeType.ts';
import {
  conflictText,
  managersAfter,
  managersApplied,
  ownedBy,
  ownedByOthers,
  readManagers,
  type Writer,
  writeManagers,
} from '../kubernetes/apply/fieldManagers.ts';
import { empty, type FieldSet } from '../kubernetes/apply/fieldSet.ts';
import { type MergeType, objectMergeType } from '../kubernetes/apply/mergeType.ts';
import type { LastApplied } from '../kubernetes/apply/serverSide.ts';
import { emptyObject } from '../kubernetes/builtin/protobuf.ts';
import { groupVersion, type Resource } from './discovery.ts';
import { type JsonMap, type JsonValue, listAt, mapOf, valueOf } from './json.ts';
import { servedBy } from './judging.ts';
import type { Asked, Place } from './places.ts';
import { type Reply, status } from './replies.ts';
import { type Serving, timeText } from './serving.ts';

// Who manages which fields of what is kept.

/** How the objects of a resource are merged. */
export function mergeTypeFor(
  { crd, builtin, version }: Resource,
  serving: Serving,
  other = version,
): MergeType | undefined {
  if (builtin) return other === version ? builtinMergeType(serving.builtin, builtin) : undefined;
  if (!crd) return crdMergeType;
  const of = servedBy(crd, serving.kubernetes).versions.get(other);
  return of && objectMergeType(of);
}

function writerOf(asked: Asked, place: Place, operation: Writer['operation'], serving: Serving): Writer {
  const { resource, subresource = '' } = place;
  const [name, apiVersion] = [asked.query.get('fieldManager') || asked.agent, groupVersion(resource)];
  // The time of who scales is not noted.
  const time = subresource === 'scale' ? '' : timeText(serving);
  return { name, operation, apiVersion, subresource, time };
}

export const managersIn = (object: JsonMap | undefined) =>
  readManagers(valueOf(listAt(object, 'metadata', 'managedFields')));
export const writtenManagers = (managers: Parameters<typeof writeManagers>[0]): JsonValue[] =>
  JSON.parse(printJson(writeManagers(managers)));

/** The `managedFields` of an object after a plain write; what was sent of them counts, if anything was. */
export function managedAfter(
  asked: Asked,
  place: Place,
  live: JsonMap | undefined,
  made: JsonMap,
  serving: Serving,
): JsonValue[] {
  const type = mergeTypeFor(place.resource, serving);
  const sent = listAt(made, 'metadata', 'managedFields');
  if (!type) return listAt(live, 'metadata', 'managedFields');
  const before = sent.length > 0 ? managersIn(made) : managersIn(live);
  const from = live ? mapOf(live) : nothingOf(place.resource, made, serving);
  return writtenManagers(managersAfter(before, writerOf(asked, place, 'Update', serving), from, mapOf(made), type));
}

/** As Go has a CRD that says nothing; its status is not the writer's. */
const emptyCrd: JsonMap = {
  metadata: { creationTimestamp: null },
  spec: { group: '', names: { plural: '', kind: '' }, scope: '', versions: null },
};

/** What a new object is compared with. */
function nothingOf({ builtin, crd }: Resource, made: JsonMap, { builtin: kinds }: Serving): Value {
  if (!builtin && !crd) return mapOf({ ...emptyCrd, status: made.status ?? null });
  return builtin ? emptyObject(kinds.object(builtin.root), kinds) : new Map();
}

/** What an applied configuration meets. */
export function lastApplied(asked: Asked, place: Place, live: JsonMap, serving: Serving): LastApplied {
  const writer = writerOf(asked, place, 'Apply', serving);
  const managers = managersIn(live);
  const owned = ownedBy(managers, writer) ?? empty;
  return { live: mapOf(live), config: new Map(), owned, others: ownedByOthers(managers, writer) };
}

/** The `managedFields` of an object after it was applied, or the conflict with others. */
export function managedApplied(
  asked: Asked,
  place: Place,
  live: JsonMap | undefined,
  made: JsonMap,
  owned: FieldSet,
  serving: Serving,
): JsonValue[] | Reply {
  const type = mergeTypeFor(place.resource, serving);
  if (!type) return listAt(live, 'metadata', 'managedFields');
  const from = live ? mapOf(live) : nothingOf(place.resource, made, serving);
  const writer = writerOf(asked, place, 'Apply', serving);
  const { managers, conflicts } = managersApplied(managersIn(live), writer, owned, from, mapOf(made), type);
  if (conflicts.length === 0 || asked.query.get('force') === 'true') return writtenManagers(managers);
  const { message, causes } = conflictText(conflicts);
  return status(409, 'Conflict', message, {
    causes: causes.map((cause) => ({ reason: 'FieldManagerConflict', ...cause })),
  });
}
