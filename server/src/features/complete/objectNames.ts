import { isMap, isString, type ValueMap, valueAt } from '../../base/value.ts';
import { type Manifest, metadataText, splitApiVersion } from '../../workspace/manifest.ts';
import { type SchemaNode, schemaAt } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { Cursor } from '../place/cursor.ts';

/** A value that refers to something of the workspace. */
export interface Reference {
  readonly text: string;
  readonly detail: string;
}

/**
 * What a reference in a resource can name. A schema says that a map is one by a `name` beside a `kind`, or by the name
 * of the field: `secretRef`, `issuerRef`.
 */
export function referredNames(snapshot: Snapshot, cursor: Cursor, root: SchemaNode): Reference[] {
  const { path, manifest } = cursor;
  const field = path.at(-1);
  const above = schemaAt(root, path.slice(0, -1))?.schema.get('properties');
  if (path.length < 2 || path[0] === 'metadata' || !manifest || !isMap(above)) return [];
  if (field === 'kind' && refersToKinds(above, path.at(-2))) return kinds(snapshot, siblings(cursor));
  if (field !== 'name') return [];
  const kind = above.has('kind') ? textOf(siblings(cursor), 'kind') : kindOfField(String(path.at(-2)));
  return kind === undefined ? [] : objects(snapshot, manifest, kind, siblings(cursor));
}

/** A `kind` beside a `name` alone may be a choice of the author's: a group beside it, or the field's name, says more. */
function refersToKinds(above: ValueMap, field: string | number | undefined): boolean {
  if (!above.has('name')) return false;
  return ['apiVersion', 'group', 'apiGroup'].some((key) => above.has(key)) || /ref(?:erence)?s?$/i.test(String(field));
}

function siblings({ manifest, path }: Cursor): ValueMap | undefined {
  const value = valueAt(manifest?.value, path.slice(0, -1));
  return isMap(value) ? value : undefined;
}

function textOf(map: ValueMap | undefined, key: string): string | undefined {
  const value = map?.get(key);
  return isString(value) && value !== '' ? value : undefined;
}

/** `secretRef` and `secretKeyRef` name a secret; letter case is all that is unsure then. */
function kindOfField(field: string): string | undefined {
  return /^(\w+?)(?:Key)?Ref(?:erence)?s?$/.exec(field)?.[1];
}

function groupOf(map: ValueMap | undefined): string | undefined {
  const apiVersion = textOf(map, 'apiVersion');
  return apiVersion === undefined
    ? (textOf(map, 'group') ?? textOf(map, 'apiGroup'))
    : splitApiVersion(apiVersion).group;
}

function kinds({ definitions }: Snapshot, beside: ValueMap | undefined): Reference[] {
  const group = groupOf(beside);
  const all = [...definitions.values()].flatMap(([one]) => (one ? [one] : []));
  return all
    .filter((one) => group === undefined || one.group === group)
    .map((one) => ({ text: one.kind, detail: one.group }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** Objects of the kind in open files: those of the same namespace, unless the reference names another. */
function objects({ open }: Snapshot, from: Manifest, kind: string, beside: ValueMap | undefined): Reference[] {
  const group = groupOf(beside);
  const namespace = textOf(beside, 'namespace') ?? metadataText(from, 'namespace');
  const found = [...open.values()]
    .flatMap(({ manifests }) => manifests)
    .filter((one) => one !== from && one.kind.toLowerCase() === kind.toLowerCase())
    .filter((one) => group === undefined || splitApiVersion(one.apiVersion).group === group)
    .filter((one) => namespace === '' || ['', namespace].includes(metadataText(one, 'namespace')));
  const names = new Map(found.map((one) => [metadataText(one, 'name'), one.kind]));
  return [...names].flatMap(([text, detail]) => (text === '' ? [] : [{ text, detail }]));
}
