import { memo } from '../../base/memo.ts';
import type { Path } from '../../base/value.ts';
import type { Anchor } from '../../kubernetes/finding.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { fieldName, type SchemaPlace, schemaPath } from '../lints/linted.ts';
import type { Change, ChangeKind, Effect } from './change.ts';

/** A schema beside the one that it was. */
export interface ComparedSchema {
  readonly place: SchemaPlace;
  readonly old: Structural;
  readonly ref: string;
  readonly version: string;
  readonly kubernetes: KubernetesVersion;
  /** The status is written through an endpoint of its own. */
  readonly ownStatus: boolean;
  readonly onlyBroken: boolean;
}

/** A change of a schema, at a keyword of it. */
export function schemaChange(
  { place, version }: ComparedSchema,
  kind: ChangeKind,
  effect: Effect,
  title: string,
  message: string,
  at: Path = [],
  anchor: Anchor = 'key',
): Change {
  return { kind, effect, version, field: fieldName(place), title, message, at: [...schemaPath(place), ...at], anchor };
}

/** When objects that were right before are rejected: what an update leaves as it is, the API server does not judge again. */
export function refusedLater({ place, ownStatus, kubernetes }: ComparedSchema, which: string): string {
  const field = fieldName(matchedUnit(place));
  const part = field === '' ? 'anything in the object' : `\`${field}\``;
  return ownStatus && /^status\b/.test(field) && !kubernetes.statusRatchets
    ? `${which} are rejected at the next update of their status: before Kubernetes 1.33 it tolerates no old values.`
    : `${which} are rejected once an update changes ${part}, new ones at once.`;
}

/** What ratcheting does not forgive of a value of the wrong type, though an update leaves it as it is. */
export function notForgiven({ place }: ComparedSchema): string {
  const isKeyed = place.step[0] === 'items' && place.parent?.schema.extensions.listType === 'map';
  const unforgiving =
    isKeyed || isUnforgiving(place.schema)
      ? ' Items of lists of type `map` without their keys, and embedded resources that are none, are rejected also where an update leaves them as they are.'
      : '';
  for (let at: SchemaPlace | undefined = place; at; at = at.parent) {
    if (at.schema.extensions.validations.length > 0)
      return `${unforgiving} If a rule reads such a value, every update is rejected: rules take no values of another type.`;
  }
  return unforgiving;
}

/** Whether a schema has anything that is judged whatever an update changes. */
const isUnforgiving = memo(({ extensions, items, properties, additionalProperties }: Structural): boolean => {
  if (extensions.listType === 'map' || extensions.embeddedResource) return true;
  const below = [items, additionalProperties?.schema, ...(properties?.values() ?? [])];
  return below.some((schema) => schema !== undefined && isUnforgiving(schema));
});

/** The part of an object that has to stay as it is: items are matched with old ones in lists of type map only. */
function matchedUnit(place: SchemaPlace): SchemaPlace {
  const way: SchemaPlace[] = [];
  for (let at: SchemaPlace | undefined = place; at; at = at.parent) way.unshift(at);
  const unmatched = way.find((one, i) => way[i + 1]?.step[0] === 'items' && one.schema.extensions.listType !== 'map');
  return unmatched ?? place;
}
