/** Whether a schema is one that is judged here, which is said of it as a whole: a schema that is judged in part says nothing. */

import { unescapedStep } from '../../base/jsonPointer.ts';
import { isList, isMap, isString, type Value } from '../../base/value.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';

/** The draft that a schema is of, as the library of Helm's reads it: the newest where it names none. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

const drafts: ReadonlyMap<string, Draft> = new Map([
  ['json-schema.org/schema', 2020],
  ['json-schema.org/draft/2020-12/schema', 2020],
  ['json-schema.org/draft/2019-09/schema', 2019],
  ['json-schema.org/draft-07/schema', 7],
  ['json-schema.org/draft-06/schema', 6],
  ['json-schema.org/draft-04/schema', 4],
]);

export function draftOf(schema: Value): Draft | undefined {
  const named = isMap(schema) ? schema.get('$schema') : undefined;
  if (named === undefined) return 2020;
  return isString(named) ? drafts.get(named.replace(/^https?:\/\//, '').replace(/#$/, '')) : undefined;
}

/** The other one is no keyword of a draft. */
const idOf = (draft: Draft) => (draft === 4 ? 'id' : '$id');

type Shape =
  | 'schema'
  | 'schemas'
  | 'map of schemas'
  | 'names'
  | 'map of names'
  | 'type'
  | 'count'
  | 'number'
  | 'pattern';

type Check = Shape | 'boolean' | 'list' | 'text' | 'any' | 'items' | 'dependencies' | 'limit' | 'map of patterns';

const checks: ReadonlyMap<string, Check> = new Map([
  ...row('schema', 'additionalProperties', 'propertyNames', 'additionalItems', 'contains', 'not', 'if', 'then', 'else'),
  ...row('schemas', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...row('map of schemas', 'properties', 'definitions', '$defs', 'dependentSchemas'),
  ...row('count', 'minProperties', 'maxProperties', 'minItems', 'maxItems', 'minLength', 'maxLength'),
  ...row('count', 'minContains', 'maxContains'),
  ...row('number', 'minimum', 'maximum', 'multipleOf'),
  ...row('limit', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...row('any', 'const', 'default', 'examples'),
  ...row('names', 'required'),
  ...row('map of names', 'dependentRequired'),
  ...row('map of patterns', 'patternProperties'),
  ...row('dependencies', 'dependencies'),
  ...row('items', 'items'),
  ...row('type', 'type'),
  ...row('list', 'enum'),
  ...row('pattern', 'pattern'),
  ...row('boolean', 'uniqueItems'),
  ...row('text', '$ref', '$comment', 'title', 'description', 'format'),
]);

function row(check: Check, ...keywords: readonly string[]): [string, Check][] {
  return keywords.map((keyword) => [keyword, check]);
}

/** What would change the meaning of others, or takes more than is here. */
const unknownHere: ReadonlySet<string> = new Set([
  ...['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema', '$vocabulary'],
]);

/** Levels of schemas in each other. */
const deepestSchema = 200;

/** Why a schema is not judged here; undefined where it is. */
export function whyNotJudged(schema: Value): string | undefined {
  const draft = draftOf(schema);
  if (draft === undefined) return 'it is of a draft of JSON Schema that is not known here';
  return new Shapes(schema, draft).schema(schema, 0);
}

type Why = string | undefined;

class Shapes {
  private readonly root: Value;
  private readonly draft: Draft;

  constructor(root: Value, draft: Draft) {
    this.root = root;
    this.draft = draft;
  }

  schema(schema: Value, depth: number): Why {
    if (typeof schema === 'boolean') return this.draft === 4 && depth === 0 ? 'it is not a schema' : undefined;
    if (!isMap(schema)) return 'a part of it is not a schema';
    if (depth > deepestSchema) return 'it is nested too deeply';
    return first(schema, ([keyword, value]) => this.keyword(keyword, value, depth));
  }

  private keyword(keyword: string, value: Value, depth: number): Why {
    if (unknownHere.has(keyword)) return `\`${keyword}\` is not judged here`;
    if (keyword === '$id' && this.isRefused(value)) return `'${value}'${refusedId}`;
    if (keyword === '$ref') return this.ref(value);
    if (keyword === idOf(this.draft) && depth > 0 && !this.isPlace(value))
      return `\`${keyword}\` below the top is not judged here`;
    const check = checks.get(keyword);
    const why = check && this.value(check, value, depth + 1);
    return why === wrong ? `\`${keyword}\` is not what it has to be` : why;
  }

  /** Whether an identifier is a place in the schema itself, as generators write it: up to draft 7 that changes nothing. */
  private isPlace(id: Value): boolean {
    return this.draft < 2019 && isString(id) && /^#(?:\/[\w./-]*)?$/.test(id);
  }

  /** Whether the draft itself refuses an identifier, for what is behind its `#`. */
  private isRefused(id: Value): id is string {
    return this.draft >= 2019 && isString(id) && /#./.test(id);
  }

  private ref(value: Value): Why {
    if (!isString(value)) return '`$ref` is not a text';
    if (!/^#(?:\/|$)/.test(value)) return `\`${value}\`${inAnotherFile}`;
    return refTarget(this.root, value) === undefined ? `\`${value}\` leads nowhere` : undefined;
  }

  private value(check: Check, value: Value, depth: number): Why {
    switch (check) {
      case 'schema':
        return this.schema(value, depth);
      case 'schemas':
        return isList(value) && value.length > 0 ? first(value, (one) => this.schema(one, depth)) : wrong;
      case 'map of schemas':
        return isMap(value) ? first(value.values(), (one) => this.schema(one, depth)) : wrong;
      case 'map of patterns':
        return isMap(value)
          ? first(value, ([key, one]) => (compileGoRegexp(key).ok ? this.schema(one, depth) : wrong))
          : wrong;
      case 'items':
        return isList(value) ? this.listOfItems(value, depth) : this.schema(value, depth);
      case 'dependencies':
        return isMap(value)
          ? first(value.values(), (one) => (isNames(one) ? undefined : this.schema(one, depth)))
          : wrong;
      case 'map of names':
        return isMap(value) && [...value.values()].every(isNames) ? undefined : wrong;
      case 'limit':
        return this.draft === 4 ? 'it is of an old draft' : this.value('number', value, depth);
      default:
        return plainChecks[check](value) ? undefined : wrong;
    }
  }

  private listOfItems(value: readonly Value[], depth: number): Why {
    return this.draft < 2020 ? first(value, (one) => this.schema(one, depth)) : wrong;
  }
}

/** Stands for a value that a keyword may not have. */
const wrong = 'wrong';

type Plain = Exclude<
  Check,
  'schema' | 'schemas' | 'map of schemas' | 'map of patterns' | 'items' | 'dependencies' | 'map of names' | 'limit'
>;

const plainChecks: Readonly<Record<Plain, (value: Value) => boolean>> = {
  names: isNames,
  type: (value) => isTypeName(value) || (isList(value) && value.length > 0 && value.every(isTypeName)),
  count: (value) => isNumber(value) && Number.isInteger(Number(value)) && Number(value) >= 0,
  number: isNumber,
  pattern: (value) => isString(value) && compileGoRegexp(value).ok,
  boolean: (value) => typeof value === 'boolean',
  list: isList,
  text: isString,
  any: () => true,
};

function isNumber(value: Value): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isNames(value: Value): boolean {
  return isList(value) && value.every(isString);
}

const types: readonly Value[] = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];

function isTypeName(value: Value): boolean {
  return types.includes(value);
}

function first<T>(all: Iterable<T>, why: (one: T) => Why): Why {
  for (const one of all) {
    const found = why(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema that a reference within a file leads to. */
export function refTarget(root: Value, ref: string): Value | undefined {
  let at: Value | undefined = root;
  for (const step of refPath(ref)) {
    if (isMap(at)) at = at.get(step);
    else if (isList(at)) at = at[Number(step)];
    else return undefined;
  }
  return isMap(at) || typeof at === 'boolean' ? at : undefined;
}

/** The keys of a JSON pointer. */
export function refPath(ref: string): string[] {
  const steps = ref.slice(1).split('/').slice(1);
  return steps.map((step) => unescapedStep(unescaped(step)));
}

function unescaped(step: string): string {
  return step.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    const bytes = Uint8Array.from(codes.slice(1).split('%'), (code) => Number.parseInt(code, 16));
    return new TextDecoder().decode(bytes);
  });
}

/** As the draft's own schema says it. */
const refusedId = " does not match pattern '^[^#]*#?$'";

/** The identifier for which Helm refuses a schema, and with it every value, if that is why it is not judged. */
export function refusedIdIn(why: string): string | undefined {
  return why.endsWith(refusedId) ? why.slice(1, -refusedId.length - 1) : undefined;
}

const inAnotherFile = ' is in another file';

/** Whether it is for want of another file that a schema is not judged. */
export function isElsewhere(why: string): boolean {
  return why.endsWith(inAnotherFile);
}
