import { memo } from '../../base/memo.ts';
import { movedRange, type Range } from '../../base/text.ts';
import { isList, isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { locate } from '../../rules/judging/locate.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { inDocument, type Manifest, metadataText } from '../../workspace/manifest.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { placedIn } from '../../workspace/sourceFile.ts';
import type { PlacedDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import { type Location, placeIn } from '../place/location.ts';

export type SymbolKind = 'kind' | 'version' | 'property' | 'rule' | 'field' | 'list';

export interface OutlineSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: SymbolKind;
  /** All of it, and what to select. */
  readonly range: Range;
  readonly selection: Range;
  readonly children: readonly OutlineSymbol[];
}

/** Deeper fields than this say little in an outline. */
const deepest = 12;

/** The outline of a file: of a CRD versions, properties and rules; of a resource its fields. */
export function outline(snapshot: Snapshot, uri: string): OutlineSymbol[] {
  const file = fileAt(snapshot, uri);
  if (!file || file.template) return [];
  return file.manifests.flatMap((manifest) => {
    const placed = placedIn(file, manifest.document);
    if (!placed) return [];
    return [manifest.role === 'crd' ? crdSymbol(manifest, placed) : resourceSymbol(manifest, placed)];
  });
}

function symbol(
  manifest: Manifest,
  placed: PlacedDocument,
  path: Path,
  name: string,
  kind: SymbolKind,
  detail: string,
  children: readonly OutlineSymbol[],
): OutlineSymbol {
  const at = inDocument(manifest, path);
  const own = locate(placed.document, at, 'key');
  const whole =
    at.length === 0 ? { start: 0, end: placed.document.text.length } : (rangeOf(placed.document, at, 'pair') ?? own);
  const shift = ({ start, end }: Range) => movedRange({ start, end }, placed.start);
  const range = { start: Math.min(whole.start, own.start), end: Math.max(whole.end, own.end) };
  return { name: name || '""', detail, kind, range: shift(range), selection: shift(own), children };
}

function resourceSymbol(manifest: Manifest, placed: PlacedDocument): OutlineSymbol {
  const children = fieldSymbols(manifest, placed, manifest.value, [], 0);
  return symbol(manifest, placed, [], manifest.kind, 'kind', metadataText(manifest, 'name'), children);
}

function fieldSymbols(
  manifest: Manifest,
  placed: PlacedDocument,
  value: Value,
  path: Path,
  depth: number,
): OutlineSymbol[] {
  if (depth >= deepest) return [];
  if (isList(value)) {
    return value.flatMap((item, i) => {
      if (!isMap(item)) return [];
      const name = item.get('name');
      const inner = fieldSymbols(manifest, placed, item, [...path, i], depth + 1);
      return [symbol(manifest, placed, [...path, i], isString(name) ? name : `[${i}]`, 'list', '', inner)];
    });
  }
  if (!isMap(value)) return [];
  return [...value].map(([key, item]) => {
    const detail = isMap(item) || isList(item) || item === null ? '' : String(item).slice(0, 60);
    return symbol(
      manifest,
      placed,
      [...path, key],
      key,
      'field',
      detail,
      fieldSymbols(manifest, placed, item, [...path, key], depth + 1),
    );
  });
}

function crdSymbol(manifest: Manifest, placed: PlacedDocument): OutlineSymbol {
  const spec = manifest.value.get('spec');
  const versions = isMap(spec) ? spec.get('versions') : undefined;
  const children = (isList(versions) ? versions : []).flatMap((version, i) => {
    if (!isMap(version)) return [];
    const path: Path = ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];
    const schema = version.get('schema');
    const root = isMap(schema) ? schema.get('openAPIV3Schema') : undefined;
    const detail = version.get('storage') === true ? 'storage' : '';
    return [
      symbol(
        manifest,
        placed,
        ['spec', 'versions', i],
        String(version.get('name') ?? `[${i}]`),
        'version',
        detail,
        schemaSymbols(manifest, placed, root, path, 0),
      ),
    ];
  });
  return symbol(
    manifest,
    placed,
    [],
    metadataText(manifest, 'name') || manifest.kind,
    'kind',
    'CustomResourceDefinition',
    children,
  );
}

function schemaSymbols(
  manifest: Manifest,
  placed: PlacedDocument,
  schema: Value | undefined,
  path: Path,
  depth: number,
): OutlineSymbol[] {
  if (!isMap(schema) || depth >= deepest) return [];
  const properties = schema.get('properties');
  const rules = schema.get('x-kubernetes-validations');
  const below = (name: string) => schemaSymbols(manifest, placed, schema.get(name), [...path, name], depth + 1);
  return [
    ...(isList(rules) ? rules : []).flatMap((rule, i) => {
      const text = isMap(rule) ? rule.get('rule') : undefined;
      if (!isString(text)) return [];
      const at = [...path, 'x-kubernetes-validations', i];
      return [symbol(manifest, placed, at, text.replace(/\s+/g, ' ').trim().slice(0, 80), 'rule', '', [])];
    }),
    ...[...(isMap(properties) ? properties : [])].map(([name, property]) => {
      const at = [...path, 'properties', name];
      const type = isMap(property) ? property.get('type') : undefined;
      return symbol(
        manifest,
        placed,
        at,
        name,
        'property',
        isString(type) ? type : '',
        schemaSymbols(manifest, placed, property, at, depth + 1),
      );
    }),
    ...below('items'),
    ...below('additionalProperties'),
  ];
}

export interface WorkspaceSymbol extends Location {
  readonly name: string;
  readonly container: string;
  readonly kind: SymbolKind;
}

const mostSymbols = 500;

/** Kinds, versions and, for a query, properties of all CRDs whose name holds it: the name itself first. */
export function workspaceSymbols(snapshot: Snapshot, query: string): WorkspaceSymbol[] {
  const wanted = query.toLowerCase();
  const found = [...snapshot.definitions.values()].flat().flatMap((definition) =>
    namedIn(definition)
      .filter(({ kind, lower }) => lower.includes(wanted) && (wanted !== '' || kind !== 'property'))
      .map((named) => ({ definition, named, distance: distanceTo(named.lower, wanted) })),
  );
  // Many may match: only those that are shown are looked for in their files.
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostSymbols)
    .map(({ definition, named: { name, container, kind, path, place } }) => ({
      name,
      container,
      kind,
      ...placeIn(definition, path, place),
    }));
}

/** The name itself, one that begins with the query, one that holds it. */
function distanceTo(lower: string, wanted: string): number {
  if (lower === wanted) return 0;
  return lower.startsWith(wanted) ? 1 : 2;
}

interface Named {
  readonly name: string;
  readonly lower: string;
  readonly container: string;
  readonly kind: SymbolKind;
  readonly path: Path;
  readonly place: 'key' | 'value';
}

/** What a definition names: asked for with every letter of a query, so kept as long as the definition. */
const namedIn = memo((definition: Definition): readonly Named[] => [...collectNamed(definition)]);

function* collectNamed({ group, kind, versions, manifest }: Definition): Generator<Named> {
  const named = (name: string, container: string, symbol: SymbolKind, path: Path, place: 'key' | 'value'): Named => {
    return { name, lower: name.toLowerCase(), container, kind: symbol, path, place };
  };
  yield named(kind, group, 'kind', ['spec', 'names', 'kind'], 'value');
  for (const [i, version] of versions.entries()) {
    yield named(`${kind} ${version}`, group, 'version', ['spec', 'versions', i, 'name'], 'value');
    const root: Path = ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];
    for (const { name, container, path } of propertiesBelow(valueAt(manifest.value, root), root, ''))
      yield named(name, `${kind} ${version} ${container}`.trimEnd(), 'property', path, 'key');
  }
}

interface NamedProperty {
  readonly name: string;
  /** The way to what it is a property of, in resources. */
  readonly container: string;
  readonly path: Path;
}

function* propertiesBelow(schema: Value | undefined, path: Path, container: string): Generator<NamedProperty> {
  if (!isMap(schema) || path.length > 5 + 2 * deepest) return;
  const properties = schema.get('properties');
  for (const [name, property] of isMap(properties) ? properties : []) {
    const at = [...path, 'properties', name];
    yield { name, container, path: at };
    yield* propertiesBelow(property, at, `${container}.${name}`);
  }
  for (const keyword of ['items', 'additionalProperties'])
    yield* propertiesBelow(schema.get(keyword), [...path, keyword], `${container}[]`);
}
