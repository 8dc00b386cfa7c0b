import { memo } from '../base/memo.ts';
import { isList, isMap, type Value, type ValueMap } from '../base/value.ts';
import { externalDocsStruct, ruleStruct, schemaStruct } from '../kubernetes/api/schema.ts';
import { jsonName, type Struct } from '../kubernetes/api/struct.ts';

// Crossplane reads a schema with Go's usual JSON decoder, which drops what it does not know silently and does not
// mind upper and lower case, and writes it again without what is empty. Types that decode themselves, such as that of
// `items`, do so with the API server's own decoder, to which case matters from there on.

type Below = (value: Value, isFolding: boolean) => Value;

const schema: Below = (value, isFolding) => (isMap(value) ? readSchema(value, isFolding) : value);
const inList =
  (item: Below): Below =>
  (value, isFolding) =>
    isList(value)
      ? kept(
          value,
          value.map((one) => item(one, isFolding)),
        )
      : value;
const inMap =
  (item: Below): Below =>
  (value, isFolding) =>
    isMap(value) ? keptMap(value, (key, one) => [key, item(one, isFolding)]) : value;
const schemas = inList(schema);
const byName = inMap(schema);
const itself: Below = (value) => (isList(value) ? schemas(value, false) : schema(value, false));

/** What is below a keyword. */
const holders: ReadonlyMap<string, Below> = new Map(
  Object.entries({
    properties: byName,
    patternProperties: byName,
    definitions: byName,
    dependencies: inMap(itself),
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    additionalProperties: itself,
    additionalItems: itself,
    items: itself,
    externalDocs: (value, isFolding) => (isMap(value) ? fieldsOf(value, documentation, isFolding) : value),
    'x-kubernetes-validations': inList((value, isFolding) =>
      isMap(value) ? fieldsOf(value, ruleFields, isFolding) : value,
    ),
  }),
);

/** What is left out where it is empty. */
const lists: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'required', 'enum', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'],
]);
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

/** As Go's decoder compares names: two letters that are none of ASCII count as theirs. */
function folded(name: string): string {
  return name.replaceAll('\u017f', 's').toLowerCase();
}

function namesOf<O extends object>({ keys, fields }: Struct<O>): ReadonlyMap<string, string> {
  const names = keys.map((key) => jsonName(fields, key));
  return new Map([
    ...names.map((name) => [folded(name), name] as const),
    ...names.map((name) => [name, name] as const),
  ]);
}

const keywords = namesOf(schemaStruct);
/** All keywords of schemas. */
export const keywordNames: readonly string[] = [...new Set(keywords.values())];

const ruleFields = namesOf(ruleStruct);
const documentation = namesOf(externalDocsStruct);

/** The keyword that Go's usual decoder takes a key for. */
export function keywordFor(key: string): string | undefined {
  return keywords.get(folded(key));
}

/** A schema as Crossplane reads it; the same object where nothing is dropped. */
export function readSchema(written: ValueMap, isFolding = true): ValueMap {
  return read(written, isFolding);
}

/** By what was written: an edit elsewhere leaves the rest what it is, and with it all that was found out of it. */
const read = memo((written: ValueMap, isFolding: boolean): ValueMap => fieldsOf(written, keywords, isFolding));

function fieldsOf(written: ValueMap, names: ReadonlyMap<string, string>, isFolding: boolean): ValueMap {
  return keptMap(written, (key, value) => {
    const name = names.get(isFolding ? folded(key) : key);
    const isKnown = name !== undefined && (name === key || isFolding);
    // Of two spellings the right one counts, as that which the API server has put last.
    if (!isKnown || value === null || (name !== key && written.has(name))) return undefined;
    const inside = names === keywords ? (holders.get(name)?.(value, isFolding) ?? value) : value;
    return names === keywords && isOmitted(name, inside) ? undefined : [name, inside];
  });
}

function isOmitted(keyword: string, value: Value): boolean {
  if (isList(value)) return value.length === 0 && lists.has(keyword);
  return isMap(value) && value.size === 0 && maps.has(keyword);
}

function kept(before: readonly Value[], now: readonly Value[]): readonly Value[] {
  return now.every((one, i) => one === before[i]) ? before : now;
}

/** A map with its entries made anew, or left out; the same map where none is another. */
function keptMap(map: ValueMap, entry: (key: string, value: Value) => readonly [string, Value] | undefined): ValueMap {
  const out = new Map<string, Value>();
  let isSame = true;
  for (const [key, value] of map) {
    const now = entry(key, value);
    if (now) out.set(...(now as [string, Value]));
    isSame &&= now?.[0] === key && now[1] === value;
  }
  return isSame ? map : out;
}
