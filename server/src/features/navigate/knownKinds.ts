import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { nameIn } from '../../workspace/uri.ts';
import type { Location } from '../place/location.ts';
import { kindPlace } from './links.ts';

/** A kind that is known, as a list of them shows it. */
export interface KnownKind {
  readonly definition: Definition;
  /** The preferred one first. */
  readonly versions: readonly string[];
  readonly place: Location;
}

/** Every definition of every kind, in the order of the kinds' names. */
export function knownKinds({ definitions }: Snapshot): KnownKind[] {
  return [...definitions.values()]
    .flat()
    .sort((a, b) => compare(a.kind, b.kind) || compare(a.group, b.group))
    .map((definition) => ({
      definition,
      versions: [...definition.versions].sort(compareVersions),
      place: kindPlace(definition),
    }));
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Where a definition comes from, for a person: its source, or its file as seen from one of these folders. */
export function sourceOf({ file }: Definition, folders: readonly string[]): string {
  return file.origin ? file.origin.text : nameIn(folders)(file.uri);
}

/** Counts the objects of a file by `group/Kind`. */
export function countKinds(file: SourceFile, counts: Map<string, number>): void {
  if (file.template) return;
  for (const { role, apiVersion, kind } of file.manifests) {
    const key = `${splitApiVersion(apiVersion).group}/${kind}`;
    if (role === 'resource') counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}
