/** Which lists of which kinds are merged item by item, and by which keys. */
import { unescapedStep } from '../../base/jsonPointer.ts';
import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { schemaKinds, schemaTypes } from '../data/schema.ts';

export interface Schema {
  field(name: string): Schema | undefined;
  /** The items of a list. */
  elements(): Schema | undefined;
  /** The keys by which the items are told apart, perhaps none; undefined where the list is replaced. */
  readonly mergeKeys: readonly string[] | undefined;
}

export interface Schemas {
  of(apiVersion: string, kind: string): Schema | undefined;
}

interface Part {
  readonly shape: '' | '[]' | '{}';
  readonly type: number | undefined;
  readonly keys: readonly string[] | undefined;
}

/** What is known of a type that leads to nothing. */
const nothing: Schema = { field: () => undefined, elements: () => undefined, mergeKeys: undefined };

const types: (ReadonlyMap<string, Part> | undefined)[] = [];
let kinds: ReadonlyMap<string, number> | undefined;

function partsOf(type: number): ReadonlyMap<string, Part> {
  let parts = types[type];
  if (!parts) {
    parts = new Map(schemaTypes[type]!.split(' ').map(readPart));
    types[type] = parts;
  }
  return parts;
}

function readPart(text: string): readonly [string, Part] {
  const [, name, shape, type, keys] = /^(\w+)(\[\]|\{\})?:(\d*)(?:=(.*))?$/.exec(text)!;
  const keyList = keys === undefined ? undefined : keys === '' ? [] : keys.split(',');
  return [
    name!,
    { shape: (shape ?? '') as Part['shape'], type: type === '' ? undefined : Number(type), keys: keyList },
  ];
}

function ofType(type: number): Schema {
  return {
    field: (name) => {
      const part = partsOf(type).get(name);
      return part && ofPart(part);
    },
    elements: () => undefined,
    mergeKeys: undefined,
  };
}

function ofPart({ shape, type, keys }: Part): Schema {
  const inner = type === undefined ? nothing : ofType(type);
  if (shape === '') return inner;
  if (shape === '[]') return { field: () => undefined, elements: () => inner, mergeKeys: keys };
  return { field: () => inner, elements: () => undefined, mergeKeys: undefined };
}

/** Those of the Kubernetes version that kustomize knows. */
export const builtinSchemas: Schemas = {
  of: (apiVersion, kind) => {
    kinds ??= new Map(
      schemaKinds.map((row) => {
        const [version, name, type] = row.split(' ') as [string, string, string];
        return [`${version} ${name}`, Number(type)];
      }),
    );
    const type = kinds.get(`${apiVersion} ${kind}`);
    return type === undefined ? undefined : ofType(type);
  },
};

/** Those of a file that a kustomization names in `openapi.path`, which has them all. */
export function customSchemas(root: Value): Schemas {
  const definitions = mapIn(root, 'definitions');
  const byKind = new Map<string, ValueMap>();
  for (const definition of definitions?.values() ?? []) {
    if (!isMap(definition)) continue;
    const ids = definition.get('x-kubernetes-group-version-kind');
    for (const id of isList(ids) ? ids : []) if (isMap(id)) byKind.set(kindText(id), definition);
  }
  return {
    of: (apiVersion, kind) => {
      const found = byKind.get(`${apiVersion} ${kind}`);
      return found && custom(found, definitions!);
    },
  };
}

function kindText(id: ValueMap): string {
  const [group, version, kind] = ['group', 'version', 'kind'].map((name) => id.get(name));
  return `${isString(group) && group !== '' ? `${group}/` : ''}${String(version)} ${String(kind)}`;
}

function mapIn(value: Value | undefined, name: string): ValueMap | undefined {
  const found = isMap(value) ? value.get(name) : undefined;
  return isMap(found) ? found : undefined;
}

function custom(schema: ValueMap, definitions: ValueMap): Schema {
  const inner = (found: ValueMap | undefined) => {
    const resolved = found && resolved1(found, definitions, 0);
    return resolved && custom(resolved, definitions);
  };
  return {
    field: (name) => inner(mapIn(schema.get('properties'), name) ?? mapIn(schema, 'additionalProperties')),
    elements: () => (schema.get('type') === 'array' ? inner(mapIn(schema, 'items')) : undefined),
    mergeKeys: mergeKeysOf(schema),
  };
}

/** References of references lead somewhere, or nowhere. */
const longestChain = 100;

function resolved1(schema: ValueMap, definitions: ValueMap, depth: number): ValueMap | undefined {
  const ref = schema.get('$ref');
  if (!isString(ref)) return schema;
  const name = unescapedStep(ref.replace('#/definitions/', ''));
  const found = definitions.get(name);
  return isMap(found) && depth < longestChain ? resolved1(found, definitions, depth + 1) : undefined;
}

function mergeKeysOf(schema: ValueMap): readonly string[] | undefined {
  const strategy = schema.get('x-kubernetes-patch-strategy');
  if (!isString(strategy) || !strategy.split(',').includes('merge')) return undefined;
  const list = schema.get('x-kubernetes-list-map-keys');
  if (isList(list)) return list.map(String);
  const key = schema.get('x-kubernetes-patch-merge-key');
  return isString(key) ? [key] : [];
}
