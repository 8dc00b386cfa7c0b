/** A strategic merge patch over a resource. */
import type { Context } from '../context.ts';
import { apiVersionOf, idText } from '../ids.ts';
import { merge } from '../merge/merge.ts';
import type { Origin, Place } from '../origin.ts';
import { placeOf } from '../place.ts';
import { buildAnnotations, labelsOf, noted, type Resource, setAnnotations, setLabels } from '../resource.ts';
import { type Node, saysTheSame, valueIn } from '../tree/node.ts';

/** Merges a patch into a resource; it keeps its name and kind, unless the patch may change them. */
export function mergePatch(resource: Resource, patch: Resource, context: Context, place: Place): void {
  const { name, namespace, kind } = resource;
  const metadata = valueIn(resource.node, 'metadata');
  const nameOrigin = valueIn(metadata, 'name')?.origin;
  const kindOrigin = valueIn(resource.node, 'kind')?.origin;
  const mayRename = patch.isEnabled(noted.allowNameChange);
  const mayBecome = patch.isEnabled(noted.allowKindChange);
  if (mayRename || mayBecome) resource.storePreviousId();
  const before = resource.node?.copy();
  const merged = merge(resource.node, patch.node, {
    schemas: context.schemas,
    replacedList: (path, before, after) => noteList(context, resource, path, placeOf(before), placeOf(after)),
  });
  if (merged === undefined) resource.node = undefined;
  if (resource.isEmpty) return;
  if (!mayBecome) {
    resource.setKind(kind);
    setOrigin(valueIn(resource.node, 'kind'), kindOrigin);
  }
  if (!mayRename) resource.setName(name, nameOrigin);
  resource.setNamespace(namespace);
  resource.touch({ what: 'patch', place });
  if (!mayRename && !mayBecome && before && saysTheSame(before, resource.node!))
    context.note({ code: 'patch-changes-nothing', about: idText(resource.id), place, related: undefined }, resource);
}

function setOrigin(node: Node | undefined, origin: Origin | undefined): void {
  if (node) node.origin = origin;
}

function noteList(
  context: Context,
  resource: Resource,
  path: readonly string[],
  before: Place | undefined,
  after: Place | undefined,
): void {
  if (!after) return;
  const list = { apiVersion: resource.apiVersion, kind: resource.kind, path };
  context.note({ code: 'list-replaced', about: path.join('.'), place: after, related: before, list }, resource);
}

/** Merges a patch into resources that it does not name itself. */
export function mergeInto(resource: Resource, patch: Resource, context: Context, place: Place): void {
  const copy = patch.copy();
  takeMetadata(copy, patch);
  copy.setKind(resource.gvk.kind);
  copy.setApiVersion(apiVersionOf(resource.gvk));
  copy.setKind(patch.kind);
  mergePatch(resource, copy, context, place);
}

/** Labels, annotations, name and namespace of another resource, under its own. */
export function takeMetadata(resource: Resource, other: Resource): void {
  setLabels(resource.node, new Map([...labelsOf(other.node), ...labelsOf(resource.node)]));
  const own = resource.annotations;
  const before = other.annotations;
  const merged = new Map([...before, ...own]);
  for (const key of buildAnnotations) {
    const kept = before.get(key);
    if (kept === undefined) merged.delete(key);
    else merged.set(key, kept);
  }
  if (!own.has(noted.needsHash)) merged.delete(noted.needsHash);
  setAnnotations(resource.node, merged);
  resource.setName(other.name, valueIn(valueIn(other.node, 'metadata'), 'name')?.origin);
  resource.setNamespace(other.namespace);
  resource.varNames = other.varNames;
}
