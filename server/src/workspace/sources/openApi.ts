import { isList, isMap, isString, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { WantedKind } from '../kinds.ts';
import type { CatalogueVersion } from './turnBack.ts';

// Schemas as API servers publish them, in OpenAPI 2 and 3: all kinds of a group in one document, which refer to each other.

/** The schemas of a kind in a document, one a version. */
export function schemasOf(document: ValueMap, { group, kind }: Pick<WantedKind, 'group' | 'kind'>): CatalogueVersion[] {
  const schemas = valueAt(document, ['components', 'schemas']) ?? document.get('definitions');
  if (!isMap(schemas)) return [];
  const found: CatalogueVersion[] = [];
  for (const schema of schemas.values()) {
    const kinds = isMap(schema) ? schema.get('x-kubernetes-group-version-kind') : undefined;
    // What is of many groups, such as the options of a request, is of none.
    const [one, ...others] = isList(kinds) ? kinds : [];
    const version = valueAt(one, ['version']);
    const isIt = valueAt(one, ['group']) === group && valueAt(one, ['kind']) === kind;
    if (!isMap(schema) || !isIt || others.length > 0 || !isString(version)) continue;
    found.push({ version, schema: resolved(schema, schemas) });
  }
  return found;
}

/** How deep references are followed inside each other, how many of one schema, and how much it may become. */
const mostLevels = 20;
const mostReferences = 2_000;
const mostCharacters = 16_000_000;

/** What nothing more is known of. */
const anything: ValueMap = new Map<string, Value>([['x-kubernetes-preserve-unknown-fields', true]]);

/** The metadata of objects is not the kind's own. */
const metadataName = /\.ObjectMeta$/;
const referenceStart = /^#\/(?:definitions|components\/schemas)\//;

/** A schema with what it refers to in its place. Where that goes round, or on and on, anything may be. */
function resolved(root: ValueMap, schemas: ValueMap): ValueMap {
  let [references, characters] = [0, 0];
  const walk = (value: Value, levels: number): Value => {
    characters += isString(value) ? value.length : 10;
    if (isList(value)) return value.map((item) => walk(item, levels));
    if (!isMap(value)) return value;
    if (characters > mostCharacters) return anything;
    const target = targetOf(value, schemas);
    if (target === 'metadata') return new Map([['type', 'object']]);
    if (target !== undefined)
      return levels === 0 || ++references > mostReferences ? anything : walk(target, levels - 1);
    return new Map([...value].filter(([key]) => !dropped.has(key)).map(([key, inner]) => [key, walk(inner, levels)]));
  };
  return walk(root, mostLevels) as ValueMap;
}

/** What is said of a kind as a whole, which a CRD has no place for. */
const dropped: ReadonlySet<string> = new Set(['x-kubernetes-group-version-kind']);

/** What a schema refers to, be it alone or, as servers write it, beside a description and a default. */
function targetOf(schema: ValueMap, schemas: ValueMap): ValueMap | 'metadata' | undefined {
  const all = schema.get('allOf');
  const reference = schema.get('$ref') ?? (isList(all) && all.length === 1 ? valueAt(all[0], ['$ref']) : undefined);
  if (!isString(reference)) return undefined;
  const name = reference.replace(referenceStart, '');
  if (metadataName.test(name)) return 'metadata';
  const target = schemas.get(name);
  return isMap(target) ? target : anything;
}
