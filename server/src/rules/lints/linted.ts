import type { Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import type { LoweredCrd, LoweredVersion } from '../../kubernetes/crd/lower.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { inDocument, type Manifest } from '../../workspace/manifest.ts';
import type { Severity } from '../../workspace/settings.ts';
import { locate } from '../judging/locate.ts';

/** What of the user's settings our own warnings depend on. */
export interface LintSettings {
  readonly rules: ReadonlyMap<string, Severity | 'off'>;
  /** The oldest Kubernetes version that the CRD has to work on. */
  readonly minimumKubernetesVersion?: string | undefined;
  /** The commit that changes are compared with. */
  readonly baseline?: string | undefined;
}

/** A CRD that we have an opinion of. */
export interface Linted {
  readonly manifest: Manifest;
  readonly crd: LoweredCrd;
  readonly kubernetes: KubernetesVersion;
  readonly settings: LintSettings;
  /** The CRD as a commit has it, where that could have been stored. */
  readonly committed?: { readonly ref: string; readonly crd: LoweredCrd } | undefined;
  /** The name that the CRD of this kind has in the commit that the settings name, where that is another. */
  readonly formerName?: string | undefined;
}

/** Where a key of the manifest stands. */
export function lintPlace({ manifest }: Linted, at: Path): { readonly range: Range } {
  return { range: locate(manifest.document, inDocument(manifest, at), 'key') };
}

/** A version of a CRD that has a structural schema. */
export interface LintedVersion {
  readonly version: LoweredVersion;
  readonly path: Path;
  readonly root: SchemaPlace;
}

export function versionsOf({ crd }: Pick<Linted, 'crd'>): LintedVersion[] {
  return crd.versions.flatMap((version, i) => {
    if (!version.structural) return [];
    const path = ['spec', 'versions', i];
    const step = [...path, 'schema', 'openAPIV3Schema'];
    return [{ version, path, root: { schema: version.structural, step, name: undefined, parent: undefined } }];
  });
}

/** A node of a schema with the way to it. */
export interface SchemaPlace {
  readonly schema: Structural;
  /** From the parent's schema to this one, in the manifest. */
  readonly step: Path;
  /** The name of the property; undefined for items, values and the root. */
  readonly name: string | undefined;
  readonly parent: SchemaPlace | undefined;
}

export function propertyPlace(parent: SchemaPlace, name: string): SchemaPlace | undefined {
  const schema = parent.schema.properties?.get(name);
  return schema && { schema, step: ['properties', name], name, parent };
}

export function itemsPlace(parent: SchemaPlace): SchemaPlace | undefined {
  const schema = parent.schema.items;
  return schema && { schema, step: ['items'], name: undefined, parent };
}

export function valuesPlace(parent: SchemaPlace): SchemaPlace | undefined {
  const schema = parent.schema.additionalProperties?.schema;
  return schema && { schema, step: ['additionalProperties'], name: undefined, parent };
}

/** A schema's path in the manifest. */
export function schemaPath({ step, parent }: SchemaPlace): Path {
  return parent ? [...schemaPath(parent), ...step] : step;
}

/** What a person calls the field that a schema describes: `spec.parts[].name`. */
export function fieldName({ name, step, parent }: SchemaPlace): string {
  if (!parent) return '';
  const before = fieldName(parent);
  if (name === undefined) return `${before}${step[0] === 'items' ? '[]' : '[*]'}`;
  return before === '' ? name : `${before}.${name}`;
}

/** The nodes right below a node. */
export function placesBelow(place: SchemaPlace): SchemaPlace[] {
  const properties = [...(place.schema.properties?.keys() ?? [])].map((name) => propertyPlace(place, name));
  return [...properties, itemsPlace(place), valuesPlace(place)].filter((one) => one !== undefined);
}

/** Whether an object always has a field: it is required, or filled in. */
export function isAlwaysThere({ schema, name, parent }: SchemaPlace): boolean {
  if (!parent || name === undefined || schema.default !== undefined) return true;
  return parent.schema.validation?.required.includes(name) === true || isResourceField(parent, name);
}

/** Whether a field is one that every Kubernetes object has, of its own or embedded in another. */
export function isResourceField(of: SchemaPlace, name: string): boolean {
  const isResource = !of.parent || of.schema.extensions.embeddedResource;
  return isResource && (name === 'apiVersion' || name === 'kind' || name === 'metadata');
}
