import { isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { SimpleSchemaError } from './markers.ts';
import { readField } from './simpleSchema.ts';
import { customIn, type SimpleType } from './types.ts';

// Where in an RGD what is in the CRD that kro makes of it comes from, and back.

const inRgd: Path = ['spec', 'schema'];

/** The parts of a CRD that are one field of the RGD, or of what is in it. */
const parts: readonly (readonly [crd: Path, rgd: string, asIs?: true])[] = [
  [['metadata', 'labels'], 'metadata', true],
  [['metadata', 'annotations'], 'metadata', true],
  [['metadata'], 'kind'],
  [['spec', 'group'], 'group'],
  [['spec', 'names', 'shortNames'], 'shortNames', true],
  [['spec', 'names', 'categories'], 'categories', true],
  [['spec', 'names'], 'kind'],
  [['spec', 'scope'], 'scope'],
  [['spec', 'versions', 0, 'name'], 'apiVersion'],
  [['spec', 'versions', 0, 'additionalPrinterColumns'], 'additionalPrinterColumns', true],
];

const properties: Path = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties'];

/** What is at a path of the CRD, in the RGD; where kro added it, the nearest thing around it that was written. */
export function writtenAt(rgd: ValueMap, path: Path): Path {
  const inSection = (name: string) => startsWith(path, [...properties, name]);
  const rest = path.slice(properties.length + 1);
  if (inSection('spec')) return schemaAt(rgd, ['spec'], rest);
  if (inSection('status')) return schemaAt(rgd, ['status'], rest);
  const part = parts.find(([crd]) => startsWith(path, crd));
  if (!part) return inRgd;
  const [crd, key, asIs] = part;
  const inside = asIs ? path.slice(key === 'metadata' ? 1 : crd.length) : [];
  return asWritten(rgd, [...inRgd, key, ...inside]);
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((step, i) => path[i] === step);
}

function asWritten(rgd: ValueMap, path: Path): Path {
  let length = path.length;
  while (length > 0 && valueAt(rgd, path.slice(0, length)) === undefined) length--;
  return path.slice(0, length);
}

/** From a section of the RGD's schema, along the steps of a schema of OpenAPI. */
function schemaAt(rgd: ValueMap, section: Path, steps: Path): Path {
  let at: Path = [...inRgd, ...section];
  let value = valueAt(rgd, at);
  if (value === undefined) return inRgd;
  for (let i = 0; steps[i] === 'properties' && i + 1 < steps.length; i += 2) {
    const inner = below(rgd, at, value, steps[i + 1]!);
    if (!inner) return at;
    at = inner;
    value = valueAt(rgd, at)!;
    // Types in lists and maps have no place of their own.
    for (
      let depth = depthOf(value);
      depth > 0 && /^(?:items|additionalProperties)$/.test(String(steps[i + 2]));
      depth--
    )
      i++;
  }
  return at;
}

/** A field of what is at a place: of a map that is written there, or of the custom type that is named. */
function below(rgd: ValueMap, at: Path, value: Value, name: string | number): Path | undefined {
  for (const seen = new Set<string>(); isString(value); ) {
    const type = customOf(value);
    if (type === undefined || seen.has(type)) return undefined;
    seen.add(type);
    at = [...inRgd, 'types', type];
    value = valueAt(rgd, at) ?? null;
  }
  return isMap(value) && value.has(String(name)) ? [...at, name] : undefined;
}

function customOf(text: string): string | undefined {
  const type = typeOf(text);
  return type && customIn(type);
}

function depthOf(value: Value): number {
  let depth = 0;
  for (
    let type = isString(value) ? typeOf(value) : undefined;
    type?.is === 'list' || type?.is === 'map';
    type = type.of
  )
    depth++;
  return depth;
}

function typeOf(text: string): SimpleType | undefined {
  try {
    return readField(text).type;
  } catch (error) {
    if (!(error instanceof SimpleSchemaError)) throw error;
    return undefined;
  }
}

/** The parts of the CRD that come from a place of the RGD. What custom types hold may be in many, and is in none. */
export function madeAt(path: Path): readonly Path[] {
  if (!startsWith(path, inRgd) || path.length === inRgd.length) return [];
  const [section, ...rest] = path.slice(inRgd.length);
  if (section === 'spec' || section === 'status')
    return [[...properties, section, ...rest.flatMap((name) => ['properties', name])]];
  if (section === 'kind')
    return [
      ['spec', 'names', 'kind'],
      ['metadata', 'name'],
    ];
  if (section === 'metadata') return rest.length === 0 ? [] : [['metadata', ...rest]];
  const part = parts.find(([, key]) => key === section);
  return part ? [[...part[0], ...rest]] : [];
}
