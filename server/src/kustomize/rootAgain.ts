/** What is printed of a folder, after a few of its resources have changed: see `course.ts`. */
import { memo } from '../base/memo.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { again, type Course } from './course.ts';
import { attempt } from './failure.ts';
import { idKey, idText } from './ids.ts';
import { noted, type Resource } from './resource.ts';
import { byOldNames, fixReferencesOf, type Noting, record } from './transform/nameReference.ts';
import type { Addition, BuiltResource } from './types.ts';

export interface KeptRoot {
  readonly addition: Addition | undefined;
  readonly course: Course | undefined;
  readonly config: Config;
  /** The heads of what the steps made, and of the same once it had its names. */
  readonly results: readonly Resource[];
  readonly heads: readonly Resource[];
  /** Where in what is printed each of them is; undefined where it is not. */
  readonly positions: readonly (number | undefined)[];
  /** What each of them refers to. */
  readonly refers: readonly (readonly string[])[];
  readonly resources: readonly BuiltResource[];
}

/** By the resource that refers: the ids of those that it refers to. */
export type Referred = Map<Resource, string[]>;

/** Notes it for later, beside what is noted of the resource itself. */
export function referredBy(referred: Referred): Noting {
  return (referral, referrer) => {
    push(referred, referral, referrer);
    record(referral, referrer);
  };
}

function push(referred: Referred, referral: Resource, referrer: Resource): void {
  const known = referred.get(referrer);
  const id = idText(referral.id);
  if (known) known.push(id);
  else referred.set(referrer, [id]);
}

const namedIn = memo((heads: readonly Resource[]) => byOldNames(heads));

/** The results that have changed, with their names, by where they are; undefined where others have changed with them. */
export function changedResults(
  { results, heads, config, refers }: KeptRoot,
  course: Course,
  inputs: readonly Resource[],
  context: Context,
): { readonly course: Course; readonly resources: ReadonlyMap<number, Resource> } | undefined {
  const done = again(course, results, config, inputs, context);
  // The name of what ends with a hash of its content is another now.
  if (!done || done.changed.some(({ resource }) => resource.isEnabled(noted.needsHash))) return undefined;
  const list = done.changed.map(({ resource }) => resource);
  const referred: Referred = new Map();
  const noting: Noting = (referral, referrer) => push(referred, referral, referrer);
  const all = { list: heads, named: namedIn(heads) };
  if (attempt(() => fixReferencesOf(list, all, config, noting)).failure) return undefined;
  for (const { at, resource } of done.changed) {
    const refersTo = referred.get(resource) ?? [];
    const isSame = refersTo.length === refers[at]!.length && refersTo.every((id, i) => id === refers[at]![i]);
    if (!isSame || idKey(resource.id) !== idKey(heads[at]!.id)) return undefined;
  }
  return { course: done.course, resources: new Map(done.changed.map(({ at, resource }) => [at, resource])) };
}
