import { equalValues, isList, isMap, isString, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { sourceFile } from '../workspace/sourceFile.ts';

/** How many lines are said of one CRD. */
const mostLines = 50;

/** What is different in a CRD, one line a field: `+ v1 spec.size`, `- …`, or `~ …: maximum`. */
export function changesOf(before: string, after: string): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const lines: string[] = [];
  for (const [path, node] of now) {
    const was = old.get(path);
    if (was === undefined) {
      if (!isBelowNew(path, old)) lines.push(`+ ${path}`);
    } else {
      const keys = differences(was, node);
      if (keys.length > 0) lines.push(`~ ${path}: ${keys.join(', ')}`);
    }
  }
  for (const path of old.keys()) if (!now.has(path) && !isBelowNew(path, now)) lines.push(`- ${path}`);
  if (lines.length === 0) return ['~ the same schemas, written otherwise'];
  const more = lines.length - mostLines;
  return more > 0 ? [...lines.slice(0, mostLines), `… and ${more} more`] : lines;
}

/** What is inside of a field that came or went is not told of each part. */
function isBelowNew(path: string, others: ReadonlyMap<string, ValueMap>): boolean {
  const at = Math.max(path.lastIndexOf('.'), path.lastIndexOf('[]'), path.lastIndexOf(' '));
  return at > 0 && !others.has(path.slice(0, at));
}

/** Keys of a schema that hold other schemas, which have lines of their own. */
const nested: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties']);

function differences(a: ValueMap, b: ValueMap): string[] {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].filter((key) => !nested.has(key) && !equalValues(a.get(key), b.get(key)));
}

/** The CRD itself, each of its versions, and each field of their schemas, by a path as a person writes it. */
function fieldsOf(text: string): Map<string, ValueMap> {
  const fields = new Map<string, ValueMap>();
  const [manifest] = sourceFile('file:///crd.yaml', text).manifests;
  const spec = manifest?.value.get('spec');
  if (!isMap(spec)) return fields;
  fields.set('spec', new Map([...spec].filter(([key]) => key !== 'versions')));
  const versions = spec.get('versions');
  for (const version of isList(versions) ? versions : []) {
    const name = valueAt(version, ['name']);
    if (!isMap(version) || !isString(name)) continue;
    fields.set(name, new Map([...version].filter(([key]) => key !== 'schema')));
    const schema = valueAt(version, ['schema', 'openAPIV3Schema']);
    if (isMap(schema)) collect(schema, `${name} `, fields);
  }
  return fields;
}

function collect(schema: ValueMap, path: string, fields: Map<string, ValueMap>): void {
  if (path.endsWith(' ')) fields.set(`${path}(the object)`, schema);
  else fields.set(path, schema);
  const inner = (value: Value | undefined, at: string) => (isMap(value) ? collect(value, at, fields) : undefined);
  const properties = schema.get('properties');
  if (isMap(properties))
    for (const [name, one] of properties) inner(one, path.endsWith(' ') ? path + name : `${path}.${name}`);
  inner(schema.get('items'), `${path}[]`);
  inner(schema.get('additionalProperties'), `${path}.*`);
}
