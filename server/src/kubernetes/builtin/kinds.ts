import { memo } from '../../base/memo.ts';
import { reaches } from '../releases/environments.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { BuiltinFile, FieldFacts, KindFacts, Since } from './file.ts';
import { type GoType, readGoType } from './goType.ts';

/** The kinds that one release has built in, and the Go types that its API server decodes their objects into. */
export interface BuiltinKinds {
  /** By `apps/v1/Deployment` or `v1/Pod`. */
  readonly kinds: ReadonlyMap<string, BuiltinKind>;
  object(id: string): BuiltinObject;
  /** The values of a type of strings. */
  values(id: string): readonly string[];
  /** The oldest release known that has had a field ever since; undefined where that is the oldest known of all. */
  fieldSince(id: string, name: string): string | undefined;
  kindSince(key: string): string | undefined;
  /** The first release known to have a kind that this one does not have yet; undefined where none does. */
  kindFrom(key: string): string | undefined;
}

export interface BuiltinKind extends KindFacts {
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Its code is gone: no server of this release has it. */
  readonly isGone: boolean;
  readonly root: string;
}

export interface BuiltinObject {
  /** The name of its Go type, with its package. */
  readonly name: string;
  readonly text: string;
  readonly fields: readonly BuiltinField[];
  /** How its fields are numbered in protobuf (`file.ts`). */
  readonly wire: string;
}

export interface BuiltinField extends FieldFacts {
  readonly name: string;
  readonly type: GoType;
  readonly text: string;
}

function at<T>(rows: Since<T> | undefined, release: number): T | undefined {
  return rows?.findLast(([since]) => since <= release)?.[1];
}

/** What a file says of a release; of one that it does not know, what it says of the newest. */
export const builtinKindsOf = memo((file: BuiltinFile, version: KubernetesVersion): BuiltinKinds => {
  const known = file.releases.indexOf(version.name);
  return kindsIn(file, known === -1 ? file.releases.length - 1 : known);
});

function kindsIn(file: BuiltinFile, release: number): BuiltinKinds {
  const objects = new Map<string, BuiltinObject>();
  const object = (id: string): BuiltinObject => {
    const held = objects.get(id) ?? readObject(file, release, id);
    objects.set(id, held);
    return held;
  };
  const kinds = new Map<string, BuiltinKind>();
  for (const [key, rows] of Object.entries(file.kinds)) {
    const facts = at(rows, release);
    // What has no API of its own is a part of others, such as an eviction.
    if (facts && facts.verbs !== 'none') kinds.set(key, readKind(key, facts, file.releases[release]!));
  }
  return {
    kinds,
    object,
    values: (id) => at(file.enums[id], release) ?? [],
    fieldSince: (id, name) => fieldSince(file, release, id, name),
    kindSince: (key) => sinceOf(file, (one) => (at(file.kinds[key], one) ?? null) !== null, release),
    kindFrom: (key) => {
      const first = file.kinds[key]?.find(([since, now]) => since > release && now !== null);
      return first && file.releases[first[0]];
    },
  };
}

function readKind(key: string, facts: KindFacts, release: string): BuiltinKind {
  const [kind = '', version = '', group = ''] = key.split('/').reverse();
  const isGone = facts.removed !== undefined && reaches(release, facts.removed);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { ...facts, apiVersion, group, version, kind, isGone, root: facts.type.slice(1) };
}

function readObject(file: BuiltinFile, release: number, id: string): BuiltinObject {
  const [name = '', text = 0, rows = [], wire = ''] = file.structs[at(file.objects[id], release) ?? -1] ?? [];
  const nameOf = (other: string) => file.structs[at(file.objects[other], release) ?? -1]?.[0] ?? '';
  const fields = rows.map(([field, type, doc, facts]) => ({
    ...facts,
    name: field,
    type: readGoType(file.types[type] ?? '', nameOf),
    text: file.texts[doc] ?? '',
  }));
  return { name, text: file.texts[text] ?? '', fields, wire };
}

function sinceOf(file: BuiltinFile, has: (release: number) => boolean, from: number): string | undefined {
  let first = from;
  while (first > 0 && has(first - 1)) first--;
  return first === 0 ? undefined : file.releases[first];
}

function fieldSince(file: BuiltinFile, release: number, id: string, name: string): string | undefined {
  const structAt = (one: number) => file.structs[at(file.objects[id], one) ?? -1];
  // What is new with its whole object is said of the object's own field.
  if (structAt(0) === undefined) return undefined;
  return sinceOf(file, (one) => structAt(one)?.[2].some(([field]) => field === name) ?? false, release);
}
