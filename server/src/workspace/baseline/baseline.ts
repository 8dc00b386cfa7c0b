import { isMap, isString, type ValueMap } from '../../base/value.ts';
import { type Manifest, metadataText, splitApiVersion } from '../manifest.ts';

/** What a commit holds of the objects in a file: the state that a change to them starts from. */
export interface Baseline {
  /** As a person calls the commit: `HEAD`, a branch, `merge-base:main`. */
  readonly ref: string;
  /** Empty where there is none. */
  readonly commit: string;
  /** The file is in no repository that git knows. */
  readonly isOutside?: boolean;
  /** There is a repository, but nothing in it that the setting names. */
  readonly unknownRef: boolean;
  /** By object key: the object as committed; undefined where the commit has none. */
  readonly objects: ReadonlyMap<string, Committed | undefined>;
  /** By the key of a CRD that the commit does not have: the name that the CRD of its kind has there, in the same file. */
  readonly renamed?: ReadonlyMap<string, string>;
}

/** An object as a commit holds it. */
export interface Committed {
  readonly ref: string;
  readonly manifest: Manifest;
  /** The CRD of its kind in that commit; undefined for CRDs, and where the commit has none. */
  readonly crd: ValueMap | undefined;
  /** For a CRD: versions that some commit marked as storage, and that commit. */
  readonly storage: ReadonlyMap<string, string>;
  /** For a CRD: since when its file has objects stored as this commit does. */
  readonly storedSince?: Since | undefined;
}

/** A moment, in seconds since 1970; or one before it, where no earlier commits were looked at. */
export interface Since {
  readonly time: number;
  readonly orEarlier: boolean;
}

/** Group, kind, namespace and name: what makes two manifests the same object. Undefined while it has no name. */
export function objectKey(manifest: Manifest): string | undefined {
  const { apiVersion, kind } = manifest;
  const name = metadataText(manifest, 'name');
  const { group } = splitApiVersion(apiVersion);
  return name === '' ? undefined : [group, kind, metadataText(manifest, 'namespace'), name].join('/');
}

/** The names of versions that a CRD stores objects under; a sound one names a single one. */
export function storageVersions({ value }: Manifest): string[] {
  const spec = value.get('spec');
  const versions = isMap(spec) ? spec.get('versions') : undefined;
  if (!Array.isArray(versions)) return [];
  return versions.flatMap((version) => {
    const name = isMap(version) && version.get('storage') === true ? version.get('name') : undefined;
    return isString(name) ? [name] : [];
  });
}
