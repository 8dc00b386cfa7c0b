import { memo } from '../../base/memo.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { metaFields } from '../schema/prune.ts';
import type { Structural } from '../schema/structural.ts';
import { type DeclType, hasType } from './declType.ts';
import { escapeName } from './escape.ts';
import { type CompiledRule, compileRules, noDeclType, schemaDeclType } from './rules.ts';

/** How a schema is seen where it stands among others. */
interface Place {
  readonly isRoot: boolean;
  readonly version: KubernetesVersion;
  /** Whether CEL has a type for it there. */
  readonly isTyped: boolean;
  /** Whether it or one above it has rules, so that its type is a part of another that is made anyway. */
  readonly isWithin: boolean;
  readonly declOf: () => DeclType | undefined;
}

/**
 * A schema node that has rules on it or below. What is below it, its type and its rules are made when the first value meets
 * them: most objects meet a small part of their schema.
 */
export class RuleNode {
  readonly schema: Structural;
  private readonly place: Place;
  private compiled: readonly CompiledRule[] | undefined;
  private readonly nodes = new Map<string, RuleNode | undefined>();

  constructor(schema: Structural, place: Place) {
    this.schema = schema;
    this.place = place;
  }

  get isRoot(): boolean {
    return this.place.isRoot;
  }

  /** Why the rules of this node could not be compiled at all. */
  get problem(): string | undefined {
    return hasOwn(this.schema) && !this.place.isTyped ? noDeclType : undefined;
  }

  get rules(): readonly CompiledRule[] {
    this.compiled ??= this.compile();
    return this.compiled;
  }

  get items(): RuleNode | undefined {
    return this.made('items', () => this.elementNode(this.schema.items));
  }

  get values(): RuleNode | undefined {
    return this.made('values', () => this.elementNode(this.schema.additionalProperties?.schema));
  }

  /** The names of the properties that have rules on them or below. */
  get names(): string[] {
    return [...(this.schema.properties?.keys() ?? [])].filter((name) => this.property(name));
  }

  property(name: string): RuleNode | undefined {
    return this.made(`.${name}`, () => this.propertyNode(name));
  }

  /** Whether it is the same at another place. Where its type is a part of another, that has to be the same as well. */
  isFor({ version, isRoot, isTyped, isWithin, declOf }: Place): boolean {
    const { place } = this;
    const isAlike = place.version === version && place.isRoot === isRoot && place.isTyped === isTyped;
    return isAlike && place.isWithin === isWithin && (!isWithin || place.declOf() === declOf());
  }

  private made(key: string, make: () => RuleNode | undefined): RuleNode | undefined {
    if (!this.nodes.has(key)) this.nodes.set(key, make());
    return this.nodes.get(key);
  }

  private compile(): readonly CompiledRule[] {
    // The type of a whole schema is made only for who has rules.
    const decl = hasOwn(this.schema) ? this.place.declOf() : undefined;
    return decl ? compileRules(this.schema, decl, { kubernetes: this.place.version, isStored: () => true }) : [];
  }

  private elementNode(schema: Structural | undefined): RuleNode | undefined {
    return (
      schema &&
      nodeOf(
        schema,
        this.below(schema, hasElement(this.schema), (decl) => decl?.element),
      )
    );
  }

  private propertyNode(name: string): RuleNode | undefined {
    const property = this.schema.properties?.get(name);
    if (!property || !reachesProperty(this.schema, this.place, name, property)) return undefined;
    const escaped = escapeName(name);
    // What cannot be named inside CEL still has rules of its own.
    if (escaped === undefined) return nodeOf(property, this.alone(property));
    // Those have a type in every whole object, whatever the schema says of them.
    const isOfEvery = this.isRoot && metaFields.has(name);
    return nodeOf(
      property,
      this.below(property, true, (decl) => decl?.fields?.get(escaped), isOfEvery),
    );
  }

  /** The place of a schema below. Its type is a part of this one's where that is made anyway, and else one of its own. */
  private below(
    schema: Structural,
    isVisible: boolean,
    partOf: (decl: DeclType | undefined) => DeclType | undefined,
    isOfEvery = false,
  ): Place {
    const { version, isWithin, declOf } = this.place;
    const isTyped = this.place.isTyped && isVisible && (isOfEvery || hasType(schema));
    if (isTyped && !isWithin && !isOfEvery) return this.alone(schema);
    const { embeddedResource: isRoot } = schema.extensions;
    return { isRoot, version, isTyped, isWithin: true, declOf: () => partOf(declOf()) };
  }

  private alone(schema: Structural): Place {
    return placeAlone(schema, schema.extensions.embeddedResource, this.place.version);
  }
}

function placeAlone(schema: Structural, isRoot: boolean, version: KubernetesVersion): Place {
  const isWithin = hasOwn(schema);
  const declOf = () => schemaDeclType(schema, isRoot, version);
  return { isRoot, version, isTyped: hasType(schema), isWithin, declOf };
}

/**
 * The rules of a schema; undefined where it has none, or only such below what CEL has no type for: those are never
 * reached. Made once for a schema and version.
 */
export const ruleNode = memo((schema: Structural, isRoot: boolean, version: KubernetesVersion) => {
  return nodeOf(schema, placeAlone(schema, isRoot, version));
});

/** Whether it or anything below it has rules. */
export function hasRules(schema: Structural): boolean {
  if (hasOwn(schema)) return true;
  if (schema.items && hasRules(schema.items)) return true;
  if (schema.additionalProperties?.schema && hasRules(schema.additionalProperties.schema)) return true;
  for (const property of schema.properties?.values() ?? []) if (hasRules(property)) return true;
  return false;
}

const hasOwn = (schema: Structural) => schema.extensions.validations.length > 0;

/** Whether the type of such a schema has fields. */
function hasFields({ extensions, type, additionalProperties }: Structural): boolean {
  return !extensions.intOrString && type === 'object' && !additionalProperties?.schema;
}

/** Whether it is that of a list or a map. */
function hasElement({ extensions, type, additionalProperties }: Structural): boolean {
  if (extensions.intOrString) return false;
  return type === 'array' || (type === 'object' && additionalProperties?.schema !== undefined);
}

/** Whether a value of a schema can meet rules. */
const reachesRules = memo((schema: Structural, isTyped: boolean, isRoot: boolean): boolean => {
  if (hasOwn(schema)) return true;
  const below = (inside: Structural) =>
    reachesRules(inside, isTyped && hasElement(schema) && hasType(inside), inside.extensions.embeddedResource);
  if (schema.items && below(schema.items)) return true;
  if (schema.additionalProperties?.schema && below(schema.additionalProperties.schema)) return true;
  for (const [name, property] of schema.properties ?? [])
    if (reachesProperty(schema, { isTyped, isRoot }, name, property)) return true;
  return false;
});

function reachesProperty(
  schema: Structural,
  { isTyped, isRoot }: Pick<Place, 'isTyped' | 'isRoot'>,
  name: string,
  property: Structural,
): boolean {
  if (!reachesRules(property, true, property.extensions.embeddedResource)) return false;
  const isVisible = isTyped && hasFields(schema);
  if (escapeName(name) === undefined) return hasType(property);
  return isVisible && (hasType(property) || (isRoot && metaFields.has(name)));
}

/**
 * By schema: its node as it was last made. Schemas that an edit leaves alone are the same objects, and so are their types.
 * Not a memo: what it rests on is compared part by part.
 */
const lastMade = new WeakMap<Structural, RuleNode>();

function nodeOf(schema: Structural, place: Place): RuleNode | undefined {
  if (!reachesRules(schema, place.isTyped, place.isRoot)) return undefined;
  const known = lastMade.get(schema);
  if (known?.isFor(place)) return known;
  const node = new RuleNode(schema, place);
  lastMade.set(schema, node);
  return node;
}
