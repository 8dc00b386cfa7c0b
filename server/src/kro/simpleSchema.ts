import { memo } from '../base/memo.ts';
import { isList, isMap, isString, type Path, type Value, type ValueMap } from '../base/value.ts';
import { quote } from '../gostd/quote.ts';
import { trimSpace } from '../gostd/trim.ts';
import { applyMarkers, type Draft } from './applyMarkers.ts';
import { type Mistake, readMarkers, SimpleSchemaError } from './markers.ts';
import { customIn, readType, type SimpleType } from './types.ts';

// kro's SimpleSchema: `{name: string | required=true, ports: "[]integer"}` stands for a schema of OpenAPI.

export interface SimpleSchema {
  /** The schema; what is wrong in it may be anything. */
  readonly schema: ValueMap;
  /** What kro says, which says one of them at a time; paths are in the spec. */
  readonly mistakes: readonly Mistake[];
  /** The same of custom types, behind which the spec is not looked at; paths are in these. */
  readonly ofTypes: readonly Mistake[];
  /** What holds more than is looked at, so that it may be anything. */
  readonly tooLarge?: Path;
}

/** The schema that kro makes of a spec, with the custom types that it may name. */
export const schemaOf = memo((spec: ValueMap, types: ValueMap): SimpleSchema => {
  const custom = new CustomTypes(types);
  const ofTypes = custom.mistakes(spec);
  const fields = new Fields(custom);
  const schema = fields.struct(spec, []);
  if (isTooLarge(fields.size)) return { schema: anyObject, mistakes: [], ofTypes, tooLarge: ['spec'] };
  const isStopped = ofTypes.some(({ isUnprintable }) => !isUnprintable);
  const tooLarge = custom.tooLarge && ({ tooLarge: ['types', custom.tooLarge] } as const);
  return { schema, mistakes: isStopped ? [] : fields.mistakes, ofTypes, ...tooLarge };
});

/** More parts of schemas are not made: custom types that name others twice double with each. */
const mostParts = 20_000;
/** Parts are no deeper inside each other: a custom type goes on where it is named. */
const deepestParts = 100;

/** What may be anything. */
export const anything: ValueMap = new Map([['x-kubernetes-preserve-unknown-fields', true]]);

const anyObject: ValueMap = new Map<string, Value>([['type', 'object'], ...anything]);

/** How much a schema holds. */
interface Size {
  readonly parts: number;
  readonly levels: number;
}

function isTooLarge({ parts, levels }: Size): boolean {
  return parts > mostParts || levels > deepestParts;
}

interface CustomType extends Size {
  readonly schema: ValueMap;
  readonly isRequired: boolean;
}

/** Makes the schemas of fields, and notes what kro would say. */
class Fields {
  readonly mistakes: Mistake[] = [];
  /** What the schema that was made last holds. */
  size: Size = { parts: 1, levels: 1 };
  private readonly custom: CustomTypes;

  constructor(custom: CustomTypes) {
    this.custom = custom;
  }

  struct(spec: ValueMap, path: Path): ValueMap {
    const properties = new Map<string, Value>();
    const required: string[] = [];
    let [parts, levels, hasDefault] = [1, 0, false];
    for (const [name, one] of spec) {
      const schema = this.field(name, one, [...path, name], required);
      parts += this.size.parts;
      levels = Math.max(levels, this.size.levels);
      hasDefault ||= schema.has('default');
      properties.set(name, schema);
    }
    this.size = { parts, levels: levels + 1 };
    const made: Draft = new Map([['type', 'object']]);
    if (required.length > 0) made.set('required', required.sort());
    if (properties.size > 0) made.set('properties', properties);
    // `{}` would lack what is required.
    if (hasDefault && required.length === 0) made.set('default', new Map());
    return made;
  }

  private field(name: string, spec: Value, path: Path, required: string[]): ValueMap {
    if (isMap(spec)) return this.struct(spec, path);
    this.size = { parts: 1, levels: 1 };
    if (!isString(spec)) return this.wrong(path, `unexpected type: ${goType(spec)}`);
    return this.text(name, spec, path, required);
  }

  /** A field of one line, such as `[]string | maxItems=3`. */
  text(name: string, text: string, path: Path, required: string[]): ValueMap {
    try {
      const { type, markers } = readField(text);
      const markersRead = markers === undefined ? [] : readMarkers(markers);
      const draft: Draft = new Map(this.typed(type));
      if (type.is === 'custom' && this.custom.named(type.name).isRequired) required.push(name);
      const notJson = new Map<string, string>();
      applyMarkers(markersRead, { schema: draft, field: name, required, notJson });
      for (const [keyword, value] of notJson) this.wrong(path, `the ${keyword} ${quote(value)} is not JSON`, true);
      return draft;
    } catch (error) {
      if (!(error instanceof SimpleSchemaError)) throw error;
      return this.wrong(path, error.message);
    }
  }

  private typed(type: SimpleType): ValueMap {
    switch (type.is) {
      case 'atomic':
        return new Map([['type', type.name]]);
      case 'object':
        return anyObject;
      case 'list':
        return this.around(new Map<string, Value>([['type', 'array']]), 'items', type.of);
      case 'map':
        return this.around(new Map<string, Value>([['type', 'object']]), 'additionalProperties', type.of);
      case 'custom': {
        const { schema, parts, levels } = this.custom.named(type.name);
        this.size = { parts, levels };
        return schema;
      }
    }
  }

  private around(draft: Draft, key: string, inner: SimpleType): Draft {
    draft.set(key, this.typed(inner));
    this.size = { parts: this.size.parts + 1, levels: this.size.levels + 1 };
    return draft;
  }

  private wrong(path: Path, message: string, isUnprintable = false): ValueMap {
    const where = path.map((name) => `field ${name}: `).join('');
    this.mistakes.push({ path, message: where + message, ...(isUnprintable && ({ isUnprintable: true } as const)) });
    return anything;
  }
}

/** A field in two: its type, and its markers if it has a `|`. */
export function readField(text: string): { readonly type: SimpleType; readonly markers: string | undefined } {
  const bar = text.indexOf('|');
  const type = trimSpace(bar === -1 ? text : text.slice(0, bar));
  if (type === '') throw new SimpleSchemaError('empty type');
  return { type: readType(type), markers: bar === -1 ? undefined : text.slice(bar + 1) };
}

/** The custom types of a definition, each made when it is first named. */
class CustomTypes {
  private readonly made = new Map<string, CustomType | 'being made'>();
  private readonly inTypes: Mistake[] = [];
  /** The first that holds more than is looked at. */
  tooLarge: string | undefined;
  private readonly types: ValueMap;

  constructor(types: ValueMap) {
    this.types = types;
  }

  named(name: string): CustomType {
    const known = this.made.get(name);
    // A circle is told of as a mistake of its own.
    if (known === 'being made') return unknownType;
    if (known) return known;
    const spec = this.types.get(name);
    if (spec === undefined) throw new SimpleSchemaError(`unknown type: ${name}`);
    this.made.set(name, 'being made');
    const made = this.make(name, spec);
    this.made.set(name, made);
    return made;
  }

  private make(name: string, spec: Value): CustomType {
    const fields = new Fields(this);
    const required: string[] = [];
    const schema = isMap(spec)
      ? fields.struct(spec, [])
      : isString(spec)
        ? fields.text(name, spec, [], required)
        : anything;
    for (const { path, message, ...rest } of fields.mistakes)
      this.inTypes.push({ path: [name, ...path], message: `building schema for ${name}: ${message}`, ...rest });
    const made = { schema, isRequired: required.length > 0, ...fields.size };
    if (!isTooLarge(made)) return made;
    this.tooLarge ??= name;
    return { ...unknownType, isRequired: made.isRequired };
  }

  /** What kro says of the types: first of those that cannot be read, then of how they name each other, then of the rest. */
  mistakes(spec: ValueMap): readonly Mistake[] {
    const unread: Mistake[] = [];
    const uses = new Map<string, readonly Use[]>();
    for (const [name, spec] of this.types) uses.set(name, usesIn(spec, [name], `parsing type ${name}: `, unread));
    const { order, left } = ordered(uses);
    // One by one, so that a long chain of types is no deep call.
    for (const name of left) this.made.set(name, unknownType);
    for (const name of order) this.named(name);
    if (unread.length > 0) return unread;
    const misplaced = [...uses].flatMap(([name, all]) => misused(name, all, uses));
    if (misplaced.length > 0) return misplaced;
    const circle = circleIn(uses, new Set(left));
    if (circle) return [circle];
    // What is not JSON counts only where it comes into the CRD.
    const reached = reachedFrom(usesIn(spec, [], '', []), uses);
    return this.inTypes.filter(({ isUnprintable, path }) => !isUnprintable || reached.has(String(path[0])));
  }
}

const unknownType: CustomType = { schema: anything, isRequired: false, parts: 1, levels: 1 };

interface Use {
  readonly name: string;
  readonly path: Path;
}

/** Which custom types a type names, and where. */
function usesIn(spec: Value, path: Path, before: string, unread: Mistake[]): readonly Use[] {
  if (isMap(spec))
    return [...spec].flatMap(([name, one]) => usesIn(one, [...path, name], `${before}field ${name}: `, unread));
  if (!isString(spec)) {
    unread.push({ path, message: `${before}unexpected type: ${goType(spec)}` });
    return [];
  }
  try {
    const name = customIn(readField(spec).type);
    return name === undefined ? [] : [{ name, path }];
  } catch (error) {
    if (!(error instanceof SimpleSchemaError)) throw error;
    unread.push({ path, message: before + error.message });
    return [];
  }
}

function misused(name: string, uses: readonly Use[], all: ReadonlyMap<string, readonly Use[]>): Mistake[] {
  return uses.flatMap((use) => {
    if (!all.has(use.name)) return [{ path: use.path, message: `node ${use.name} does not exist` }];
    return use.name === name ? [{ path: use.path, message: 'self references are not allowed' }] : [];
  });
}

function reachedFrom(uses: readonly Use[], all: ReadonlyMap<string, readonly Use[]>): ReadonlySet<string> {
  const reached = new Set(uses.map(({ name }) => name));
  for (const one of reached) for (const { name } of all.get(one) ?? []) reached.add(name);
  return reached;
}

/** Types that name each other in a circle, if there are such. */
function circleIn(all: ReadonlyMap<string, readonly Use[]>, left: ReadonlySet<string>): Mistake | undefined {
  const [first] = left;
  if (first === undefined) return undefined;
  const next = (name: string) => all.get(name)!.find((use) => left.has(use.name))!;
  const seen = new Set<string>();
  let at = first;
  for (; !seen.has(at); at = next(at).name) seen.add(at);
  const circle = [...seen].slice([...seen].indexOf(at));
  const message = `cyclic dependency in type ${at}: graph contains a cycle: ${[...circle, at].join(' -> ')}`;
  return { path: next(at).path, message };
}

/** Types behind those that they name, and what is left: those that name each other in a circle, or what is not there. */
function ordered(all: ReadonlyMap<string, readonly Use[]>): { order: readonly string[]; left: readonly string[] } {
  const users = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const [name, uses] of all) {
    const names = new Set(uses.map((use) => use.name));
    open.set(name, names.size);
    for (const used of names) {
      const known = users.get(used);
      if (known) known.push(name);
      else users.set(used, [name]);
    }
  }
  const done = [...open].flatMap(([name, count]) => (count === 0 ? [name] : []));
  for (const name of done) {
    for (const user of users.get(name) ?? []) {
      open.set(user, open.get(user)! - 1);
      if (open.get(user) === 0) done.push(user);
    }
  }
  const settled = new Set(done);
  return { order: done, left: [...all.keys()].filter((name) => !settled.has(name)) };
}

/** What Go calls the type of a value that was read from YAML. */
function goType(value: Value): string {
  if (value === null) return '<nil>';
  if (isList(value)) return '[]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'int64' : 'float64';
}
