import type {
  Conversion,
  Crd,
  CrdSchema,
  CrdSpec,
  CrdVersion,
  PrinterColumn,
  SelectableField,
  Subresources,
} from '../api/crd.ts';
import { semanticEqual } from './equal.ts';

/**
 * The spec as the API server validates it. What all versions have alike stands at the top and is gone from the
 * versions, each of the four parts on its own; that decides where errors are reported.
 */
export interface InternalSpec extends CrdSpec {
  readonly version: string;
  readonly versions: CrdVersion[];
  readonly validation: CrdSchema | undefined;
  readonly subresources: Subresources | undefined;
  readonly additionalPrinterColumns: PrinterColumn[] | undefined;
  readonly selectableFields: SelectableField[] | undefined;
}

export type Part = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';
const parts: readonly Part[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];

function alike(versions: readonly CrdVersion[], part: Part): boolean {
  return versions.every((version) => semanticEqual(version[part], versions[0]![part]));
}

/** What all versions have alike: it is kept once. */
export function partsAlike(versions: readonly CrdVersion[]): ReadonlySet<Part> {
  return new Set(versions.length === 0 ? [] : parts.filter((part) => alike(versions, part)));
}

function without(version: CrdVersion, hoisted: ReadonlySet<Part>): CrdVersion {
  const rest = { ...version };
  for (const part of hoisted) rest[part] = undefined;
  return rest;
}

/** A webhook with nothing in it is none. */
function internalConversion(conversion: Conversion | undefined): Conversion | undefined {
  const webhook = conversion?.webhook;
  const says = webhook?.clientConfig !== undefined || (webhook?.conversionReviewVersions?.length ?? 0) > 0;
  return conversion && { strategy: conversion.strategy, webhook: says ? webhook : undefined };
}

export function internalSpec(crd: Crd): InternalSpec {
  const versions = crd.spec.versions ?? [];
  const hoisted = partsAlike(versions);
  const top = <P extends Part>(part: P): CrdVersion[P] => (hoisted.has(part) ? versions[0]?.[part] : undefined);
  return {
    ...crd.spec,
    conversion: internalConversion(crd.spec.conversion),
    version: versions[0]?.name ?? '',
    versions: versions.map((version) => without(version, hoisted)),
    validation: top('schema'),
    subresources: top('subresources'),
    additionalPrinterColumns: top('additionalPrinterColumns'),
    selectableFields: top('selectableFields'),
  };
}
