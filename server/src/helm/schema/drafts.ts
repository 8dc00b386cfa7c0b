/**
 * What each draft of JSON Schema wants of a schema, by which Helm judges a `values.schema.json` before it judges values: the drafts'
 * own schemas, as lines of keywords by what they take, so that `validate` says what is wrong with a schema as it does with values.
 */
import type { Value } from '../../base/value.ts';
import { plainValue, readJson } from '../../gostd/json.ts';

/** The draft that a schema is of. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

type Json = boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const schema: Json = { $ref: '#' };
const text: Json = { type: 'string' };
const regex: Json = { type: 'string', format: 'regex' };
const reference: Json = { type: 'string', format: 'uri-reference' };
const address: Json = { type: 'string', format: 'uri' };
const boolean: Json = { type: 'boolean' };
const list: Json = { type: 'array' };
const schemas: Json = { $ref: '#/$defs/schemas' };
const count: Json = { type: 'integer', minimum: 0 };
const names: Json = { type: 'array', items: text, uniqueItems: true };
const typeName: Json = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };
const mapOf = (one: Json): Json => ({ type: 'object', additionalProperties: one });
const patterns: Json = { ...(mapOf(schema) as object), propertyNames: { format: 'regex' } };
const anyOf = (...some: Json[]): Json => ({ anyOf: some });

/** What a keyword takes, by the name that the lines below give it. */
const takes = {
  schema,
  text,
  regex,
  reference,
  address,
  boolean,
  list,
  schemas,
  count,
  names,
  number: { type: 'number' },
  positive: { type: 'number', exclusiveMinimum: 0 },
  // Drafts with a default for it have it in an `allOf`, of which Helm tells.
  countOrNothing: { allOf: [count] },
  someNames: { ...(names as object), minItems: 1 },
  choices: { type: 'array', minItems: 1, uniqueItems: true },
  map: mapOf(schema),
  patterns,
  namesByKey: mapOf(names),
  booleans: { ...(mapOf(boolean) as object), propertyNames: address },
  schemaOrNames: mapOf(anyOf(schema, names)),
  schemaOrSomeNames: mapOf(anyOf(schema, { ...(names as object), minItems: 1 })),
  schemaOrBoolean: anyOf(boolean, schema),
  schemaOrSchemas: anyOf(schema, schemas),
  types: anyOf(typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }),
  place: { ...(reference as object), pattern: '^[^#]*#?$' },
  oldAnchor: { type: 'string', pattern: '^[A-Za-z][-A-Za-z0-9.:_]*$' },
  anchor: { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' },
} satisfies Record<string, Json>;

type Lines = Partial<Record<keyof typeof takes, string>>;

const old: Lines = {
  text: 'title description format',
  address: '$schema',
  positive: 'multipleOf',
  number: 'maximum minimum',
  count: 'maxLength maxItems maxProperties',
  countOrNothing: 'minLength minItems minProperties',
  regex: 'pattern',
  boolean: 'uniqueItems',
  schemaOrSchemas: 'items',
  map: 'definitions properties patternProperties',
  choices: 'enum',
  types: 'type',
  schemas: 'allOf anyOf oneOf',
  schema: 'not',
};
const draft4: Lines = {
  ...old,
  text: `${old.text} id $ref`,
  boolean: 'uniqueItems exclusiveMaximum exclusiveMinimum',
  schemaOrBoolean: 'additionalItems additionalProperties',
  someNames: 'required',
  schemaOrSomeNames: 'dependencies',
};
const draft6: Lines = {
  ...old,
  reference: '$id $ref',
  number: `${old.number} exclusiveMaximum exclusiveMinimum`,
  names: 'required',
  schemaOrNames: 'dependencies',
  schema: 'not additionalItems additionalProperties contains propertyNames',
};
const draft7: Lines = {
  ...draft6,
  text: `${old.text} $comment contentMediaType contentEncoding`,
  boolean: 'uniqueItems readOnly writeOnly',
  list: 'examples',
  map: 'definitions properties',
  patterns: 'patternProperties',
  schema: `${draft6.schema} if then else`,
};
const validation: Lines = {
  positive: 'multipleOf',
  number: draft6.number!,
  count: 'maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties',
  regex: 'pattern',
  boolean: 'uniqueItems',
  names: 'required',
  namesByKey: 'dependentRequired',
  list: 'enum',
  types: 'type',
};
const remarks: Lines = { text: 'title description', boolean: 'deprecated readOnly writeOnly', list: 'examples' };
const format: Lines = { text: 'format' };
const content: Lines = { text: 'contentEncoding contentMediaType', schema: 'contentSchema' };
const core: Lines = { address: '$schema', text: '$comment', place: '$id', booleans: '$vocabulary', map: '$defs' };
const applied: Lines = {
  schema: 'contains additionalProperties propertyNames if then else not',
  schemas: 'allOf anyOf oneOf',
  map: 'properties dependentSchemas',
  patterns: 'patternProperties',
};
const applied2019: Lines = {
  ...applied,
  schema: `${applied.schema} additionalItems unevaluatedItems unevaluatedProperties`,
  schemaOrSchemas: 'items',
};
const applied2020: Lines = { ...applied, schema: `${applied.schema} items`, schemas: 'prefixItems allOf anyOf oneOf' };
const core2019: Lines = { ...core, oldAnchor: '$anchor', reference: '$ref $recursiveRef', boolean: '$recursiveAnchor' };
const core2020: Lines = { ...core, anchor: '$anchor $dynamicAnchor', reference: '$ref $dynamicRef' };
const unevaluated: Lines = { schema: 'unevaluatedItems unevaluatedProperties' };
const kept: Lines = { map: 'definitions', schemaOrNames: 'dependencies' };

function ofLines(lines: Lines): { readonly [key: string]: Json } {
  const rows = Object.entries(lines) as [keyof typeof takes, string][];
  const properties = rows.flatMap(([name, keywords]) => keywords.split(' ').map((one) => [one, takes[name]] as const));
  return { type: ['object', 'boolean'], properties: Object.fromEntries(properties) };
}

/** What Helm tells is grouped by the parts that it comes from. */
function ofParts(lines: Lines, parts: readonly Lines[]): { readonly [key: string]: Json } {
  const defs = Object.fromEntries(parts.map((part, i) => [i, ofLines(part)]));
  const allOf = parts.map((_, i) => ({ $ref: `#/$defs/${i}` }));
  return { ...ofLines(lines), allOf, $defs: { ...defs, ...shared } };
}

const shared = { schemas: { type: 'array', minItems: 1, items: schema } };
const exclusive: Json = { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] };
const kept2020: Lines = { ...kept, anchor: '$recursiveAnchor', reference: '$recursiveRef' };

const ofDrafts: Readonly<Record<Draft, () => Json>> = {
  4: () => ({ ...ofParts(draft4, []), type: 'object', dependencies: exclusive }),
  6: () => ofParts(draft6, []),
  7: () => ofParts(draft7, []),
  2019: () => ofParts(kept, [core2019, applied2019, validation, remarks, format, content]),
  2020: () => ofParts(kept2020, [core2020, applied2020, unevaluated, validation, remarks, format, content]),
};

/** The schema that schemas of a draft are judged by. */
export function schemaOfDraft(draft: Draft): Value {
  const read = readJson(JSON.stringify(ofDrafts[draft]()));
  return 'json' in read ? plainValue(read.json) : true;
}

/** As the schemas of drafts name themselves. */
export function addressOf(draft: Draft): string {
  if (draft < 2019) return `http://json-schema.org/draft-0${draft}/schema#`;
  return `https://json-schema.org/draft/${draft === 2019 ? '2019-09' : '2020-12'}/schema#`;
}
