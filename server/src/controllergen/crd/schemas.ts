import { append } from '../../base/append.ts';
import { movedRange, type Range } from '../../base/text.ts';
import type { Value } from '../../base/value.ts';
import { addTo } from '../markers/drafts.ts';
import type { Draft, Marker } from '../markers/model.ts';
import { unquote } from '../markers/strings.ts';
import {
  constantsOf,
  type Declared,
  isLeftOut,
  markersOfField,
  markersOfType,
  type Packages,
  packageMarkerNames,
  typesOf,
} from '../packages.ts';
import { comesWithGo, isStandard } from '../standard.ts';
import type { Field, TypeExpression } from '../syntax/model.ts';
import { descriptionOf } from './docs.ts';
import { draft, draftAt, draftsAt, setSource, sourceOf } from './draft.ts';
import { knownSchema, standIn } from './known.ts';
import type { GoMistake, GoPlace, Origin } from './model.ts';
import type { CrdOptions } from './optionTypes.ts';
import { type JsonTag, jsonTag } from './tags.ts';
import {
  behindAlias,
  inPackage,
  marshals,
  type Resolved,
  resolve,
  type Scope,
  scopeOf,
  underlying,
  writesText,
} from './types.ts';
import { invalidType, textBehind, typeText } from './typeText.ts';

/** What a run finds on its way. */
export interface Run {
  readonly packages: Packages;
  readonly options: CrdOptions;
  readonly mistakes: GoMistake[];
  readonly wanted: Set<string>;
  /** The schemas of types by `referenceTo`, with references to others in them. */
  readonly schemas: Map<string, Draft>;
  /** Types that others have named and whose schemas are not made yet. */
  readonly named: string[];
  /** Where the types that come with Go are first used. */
  readonly uses: Map<string, Use>;
  /** How many steps are left to put kinds together. */
  steps: number;
  /** The package whose kind is being put together. */
  flattening: string;
}

/** Where a type is used, and in which package. */
interface Use {
  readonly place: GoPlace;
  readonly package: string;
}

/** How a schema names another one: `path/of/package#Type`. */
export function referenceTo(path: string, name: string): string {
  return `${path}#${name}`;
}

function referenceOf({ package: of, type }: Declared): string {
  return referenceTo(of.path, type.name);
}

export function partsOfReference(reference: string): { path: string; name: string } {
  const at = reference.lastIndexOf('#');
  return { path: reference.slice(0, at), name: reference.slice(at + 1) };
}

/** How a schema names what a generic type is given. */
export const linkToParameter = '#/definitions/';

/** How a link that stays names a type, in a package. */
export function linkTo(reference: string, from: string): string {
  const { path, name } = partsOfReference(reference);
  return `${linkToParameter}${path === from ? '' : `${path.replaceAll('/', '~1')}~0`}${name}`;
}

/** Where that is now. */
export function placeOfOrigin(origin: Origin | undefined, packages: Packages): GoPlace | undefined {
  if (!origin) return undefined;
  const { path, name } = partsOfReference(origin.of);
  const found = inPackage(path, name, packages);
  if (found.kind !== 'declared') return undefined;
  const { file, type } = found.declared;
  const from = type.nameRange.start;
  return { uri: file.uri, range: { start: from + origin.start, end: from + origin.end } };
}

function withoutParentheses(type: TypeExpression): TypeExpression {
  return type.kind === 'parenthesized' ? withoutParentheses(type.of) : type;
}

/** A package that was not read: what is made of it is anything. */
export const unread = 'x-kube-crd-unread';

/** The schema of a type, with those of all types that it leads to. */
export function schemaOfType(run: Run, reference: string): Draft | undefined {
  const schema = makeSchema(run, reference);
  // One after the other, since types can lead to each other for as long as a file is.
  for (let named = run.named.pop(); named !== undefined; named = run.named.pop()) makeSchema(run, named);
  return schema;
}

function makeSchema(run: Run, reference: string): Draft | undefined {
  const kept = run.schemas.get(reference);
  if (kept) return kept;
  const { path, name } = partsOfReference(reference);
  const known = knownSchema(path, name, run.options);
  if (known) {
    run.schemas.set(reference, known);
    return known;
  }
  const found = inPackage(path, name, run.packages);
  if (found.kind === 'unread') {
    if (!run.packages.has(path)) run.wanted.add(path);
    const schema = standIn(path, name) ?? draft([unread, path]);
    run.schemas.set(reference, schema);
    return schema;
  }
  if (found.kind !== 'declared') {
    run.mistakes.push({ message: `unknown type "${path}".${name}`, place: undefined, said: undefined, package: path });
    return undefined;
  }
  // A type that is part of itself meets this.
  run.schemas.set(reference, new Map());
  const before = run.named.length;
  const schema = new TypeSchema(run, found.declared).schema();
  run.schemas.set(reference, schema);
  // Of the types that it names the first is made next.
  append(run.named, run.named.splice(before).reverse());
  return schema;
}

const integers = /^u?int(?:8|16|32|64)?$|^(?:byte|rune|uintptr)$/;
const validations = 'x-kubernetes-validations';
/** Of a type that is written so, nothing else is looked at. */
const refusedKinds: ReadonlySet<string> = new Set(['interface', 'generic', 'parenthesized', 'other']);
/** What Go has of itself and is an interface. */
const interfaces: ReadonlySet<string> = new Set(['any', 'comparable', 'error']);
/** What controller-gen ends with instead of an error. */
const crash = 'panic: runtime error: invalid memory address or nil pointer dereference';
const crashOfInterface = (name: string): string =>
  `${crash}. controller-gen ends so where it meets \`${name}\` itself.`;
const crashOfAlias = (of: string): string =>
  `${crash}. controller-gen ends so at an alias of a basic type of another package, unless this one has a type ${of} as well. A type of its own would do.`;
const crashOfConstant =
  'panic: runtime error: index out of range [0] with length 0. controller-gen ends so at a constant that only repeats the one before it.';
const floatRefused =
  'found float, the usage of which is highly discouraged, as support for them varies across languages. Please consider serializing your float as string instead. If you are really sure you want to use them, re-run with crd:allowDangerousTypes=true';

/** Makes the schema of one declared type. */
class TypeSchema {
  private readonly run: Run;
  private readonly declared: Declared;
  private readonly scope: Scope;
  private readonly parameters: readonly string[];

  constructor(run: Run, declared: Declared) {
    this.run = run;
    this.declared = declared;
    this.scope = scopeOf(declared, run.packages);
    this.parameters = declared.type.parameters;
  }

  schema(): Draft {
    const { type } = this.declared.type;
    const how = marshals(this.declared, this.run.packages);
    if (how === 'json') {
      const schema = draft();
      this.apply(this.ownMarkers(), schema, type);
      if (schema.has('type')) return schema;
    }
    if (how === 'text') {
      const schema = draft(['type', 'string']);
      this.apply(this.ownMarkers(), schema, type);
      if (schema.get('type') !== 'string') {
        const found = JSON.stringify(schema.get('type') ?? '');
        this.refuse(
          `"${this.declared.type.name}" implements encoding.TextMarshaler but schema type is not string: ${found}`,
          type,
        );
      }
      return schema;
    }
    const schema = this.of(type, true);
    if (refusedKinds.has(type.kind)) return schema;
    const { doc, groupDoc, nameRange } = this.declared.type;
    describe(schema, descriptionOf(doc ?? groupDoc));
    this.apply(this.ownMarkers(), schema, type);
    setSource(schema, { ...sourceOf(schema), place: this.origin(nameRange) });
    return schema;
  }

  /** The schema of a type expression, without what is said around it. */
  private of(type: TypeExpression, isWhole = false): Draft {
    switch (type.kind) {
      case 'name':
        return this.ofName(type.name, type);
      case 'selected':
        return this.ofSelected(type.package, type.name, type);
      case 'list':
        return this.ofList(type);
      case 'map':
        return this.ofMap(type);
      case 'pointer':
        return this.of(type.to);
      case 'struct':
        return this.ofStruct(type, isWhole);
      case 'interface':
        return this.refused(
          'interface type is not supported in CRD schemas; consider using an explicit type or apiextensionsv1.JSON instead',
          type,
        );
      case 'generic':
        return this.refused(
          `unsupported AST kind *ast.${type.arguments.length > 1 ? 'IndexListExpr' : 'IndexExpr'}`,
          type,
        );
      default:
        return this.refused(`unsupported AST kind ${astKind(this.text(type))}`, type);
    }
  }

  private ofName(name: string, type: TypeExpression): Draft {
    if (this.isParameter(name)) return this.ofParameter(name, type);
    const found = resolve(type, this.scope);
    if (found.kind === 'unknown') return this.refused(`unknown type ${name}`, type);
    const behind = behindAlias(found, this.run.packages);
    if (behind.kind === 'basic' && interfaces.has(behind.name)) {
      // Go has declared these in no package, which controller-gen does not expect; `any` itself is only another name.
      return this.refused(
        found === behind && behind.name === 'any' ? interfaceRefused(name) : crashOfInterface(behind.name),
        type,
      );
    }
    if (typeText(behind, this.scope) === invalidType) {
      const schema = this.refused(`unsupported type "${invalidType}"`, type);
      return schema.set('$ref', this.reference(found, type)) as Draft;
    }
    if (behind.kind === 'basic') {
      const schema = this.ofBasic(behind.name, type);
      if (found.kind === 'declared') schema.set('$ref', this.reference(found, type));
      return schema;
    }
    if (behind.kind === 'literal') {
      if (behind.type.kind === 'interface') return this.refused(interfaceRefused(name), type);
      return this.refused(`unsupported type ${goKind(behind)} for identifier ${name}`, type);
    }
    const schema = draft(['$ref', this.reference(behind, type)]);
    const base = underlying(behind, this.run.packages);
    if (base.kind === 'literal' && isSlice(base.type)) schema.set('type', 'array');
    else if (base.kind === 'literal' && base.type.kind === 'map') schema.set('type', 'object');
    else if (base.kind === 'basic' && !interfaces.has(base.name) && behind.kind === 'declared')
      this.takeBasic(schema, behind.declared, type);
    return schema;
  }

  private isParameter(name: string): boolean {
    return this.parameters.includes(name);
  }

  /** controller-gen looks for a type of that name in the package. */
  private ofParameter(name: string, type: TypeExpression): Draft {
    const { path } = this.scope.package;
    if (typesOf(this.scope.package).has(name)) {
      this.run.named.push(referenceTo(path, name));
      return draft(['$ref', referenceTo(path, name)]);
    }
    const use = this.inSight(this.at(type.range));
    for (const message of ['unknown type', 'unable to locate schema for type']) {
      const said = { message: `${message} "${path}".${name}`, said: undefined };
      this.run.mistakes.push({ ...said, place: use?.place, package: use?.package ?? path });
    }
    return draft(['$ref', linkToParameter + name]);
  }

  /**
   * A named basic type lends its type and format to where it is used, so that markers there know them. It is looked for
   * by its name in this package, where an alias of a type elsewhere may have it.
   */
  private takeBasic(schema: Draft, { type }: Declared, at: TypeExpression): void {
    const declared = typesOf(this.scope.package).get(type.name);
    // What controller-gen does not find there it uses all the same.
    if (!declared) this.refuse(crashOfAlias(type.name), at);
    const named = declared && this.basicSchema(declared);
    for (const key of ['type', 'format']) if (named?.has(key)) schema.set(key, named.get(key)!);
  }

  /** Names of names are made from the innermost on: each lends from the one behind it. */
  private basicSchema(declared: Declared): Draft | undefined {
    const chain = new Set<Declared>();
    for (let at: Declared | undefined = declared; at && !chain.has(at) && !this.isMade(at); at = this.lender(at)) {
      chain.add(at);
    }
    for (const one of [...chain].reverse()) makeSchema(this.run, referenceOf(one));
    return this.run.schemas.get(referenceOf(declared));
  }

  private isMade(declared: Declared): boolean {
    return this.run.schemas.has(referenceOf(declared));
  }

  /** The named basic type that a named basic type lends from. */
  private lender(declared: Declared): Declared | undefined {
    const { packages } = this.run;
    // What is behind one that writes itself as text is not looked at.
    if (marshals(declared, packages) === 'text') return undefined;
    const { type } = declared.type;
    const behind = type.kind === 'name' && behindAlias(resolve(type, scopeOf(declared, packages)), packages);
    return behind && behind.kind === 'declared' ? typesOf(declared.package).get(behind.declared.type.name) : undefined;
  }

  private ofSelected(packageName: string, name: string, type: TypeExpression): Draft {
    const found = resolve(type, this.scope);
    if (found.kind === 'unknown') return this.refused(`unknown type ${packageName}.${name}`, type);
    const schema = draft(['$ref', this.reference(found, type)]);
    const base = underlying(found, this.run.packages);
    if (base.kind === 'literal' && isSlice(base.type)) schema.set('type', 'array');
    else if (base.kind === 'literal' && base.type.kind === 'map') schema.set('type', 'object');
    return schema;
  }

  private reference(found: Resolved, type: TypeExpression): string {
    const [path, name] =
      found.kind === 'declared'
        ? [found.declared.package.path, found.declared.type.name]
        : found.kind === 'unread'
          ? [found.path, found.name]
          : ['', ''];
    if (found.kind === 'declared' && isLeftOut(found.declared.package)) return this.leftOut(path, name, type);
    const reference = referenceTo(path, name);
    if (!this.run.schemas.has(reference)) this.run.named.push(reference);
    if (comesWithGo(path)) this.used(reference, type);
    return reference;
  }

  /** The types of a package that is left out are not known. */
  private leftOut(path: string, name: string, type: TypeExpression): string {
    const place = this.at(type.range);
    const missing = `"${path}".${name}`;
    const own = this.scope.package.path;
    this.run.mistakes.push({ message: `unknown type ${missing}`, place, said: undefined, package: path });
    this.run.mistakes.push({
      message: `unable to locate schema for type ${missing}`,
      place,
      said: undefined,
      package: own,
    });
    return linkTo(referenceTo(path, name), own);
  }

  private used(reference: string, type: TypeExpression): void {
    const use = this.inSight(this.at(type.range));
    if (use && !this.run.uses.has(reference)) this.run.uses.set(reference, use);
  }

  private ofBasic(name: string, type: TypeExpression): Draft {
    if (name === 'bool') return draft(['type', 'boolean']);
    if (name === 'string') return draft(['type', 'string']);
    if (integers.test(name)) {
      const schema = draft(['type', 'integer']);
      const size = /^(?:u?int(32|64)|rune)$/.exec(name);
      if (size) schema.set('format', `int${size[1] ?? '32'}`);
      return schema;
    }
    if (name.startsWith('float')) {
      return this.run.options.allowDangerousTypes ? draft(['type', 'number']) : this.refused(floatRefused, type);
    }
    return this.refused(`unsupported type "${name}"`, type);
  }

  private ofList(type: TypeExpression & { kind: 'list' }): Draft {
    const of = withoutParentheses(type.of);
    if (type.length === undefined && of.kind === 'name' && of.name === 'byte') {
      if (!typesOf(this.scope.package).has('byte')) return draft(['type', 'string'], ['format', 'byte']);
    }
    const items = this.of(type.of);
    return draft(['type', 'array'], ['items', items]);
  }

  private ofMap(type: TypeExpression & { kind: 'map' }): Draft {
    if (!this.isKey(type.key)) return draft();
    const value = type.of;
    if (value.kind === 'interface') {
      return this.refused(
        'interface type is not supported as map value in CRD schemas; consider using an explicit type or apiextensionsv1.JSON instead',
        value,
      );
    }
    const supported = ['name', 'selected', 'list', 'pointer', 'map'];
    if (!supported.includes(value.kind)) {
      return this.refused(`not a supported map value type: ${astKind(this.text(value))}`, value);
    }
    return draft(['type', 'object'], ['additionalProperties', this.of(value)]);
  }

  /** Whether a map can have such keys in JSON. */
  private isKey(key: TypeExpression): boolean {
    if (key.kind === 'name' && this.isParameter(key.name)) {
      this.refuse(`map keys must be strings or implement encoding.TextMarshaler, not ${key.name}`, key);
      return false;
    }
    const found = resolve(key, this.scope);
    // What is not there has all methods, Go's checker says.
    if (found.kind === 'unknown') return true;
    if (found.kind === 'unread') {
      if (!this.run.packages.has(found.path)) this.run.wanted.add(found.path);
      return true;
    }
    const declared = found.kind === 'declared' ? found.declared : undefined;
    // Of an alias controller-gen does not look at what it stands for.
    const base = declared?.type.isAlias ? undefined : underlying(found, this.run.packages);
    // What is made of a type that is not there counts as one that has all methods.
    if (base?.kind === 'unknown' || (base && typeText(base, this.scope) === invalidType)) return true;
    if (base?.kind === 'unread' || (base?.kind === 'basic' && base.name === 'string')) return true;
    if (declared && writesText(declared, this.run.packages)) return true;
    const name = declared && !base ? `${declared.package.path}.${declared.type.name}` : this.keyText(base!, declared);
    this.refuse(`map keys must be strings or implement encoding.TextMarshaler, not ${name}`, key);
    return false;
  }

  /** controller-gen has gone from `error` to what it is. */
  private keyText(base: Resolved, declared: Declared | undefined): string {
    if (base.kind === 'basic' && base.name === 'error') return 'interface{Error() string}';
    return declared ? textBehind(declared, base, this.run.packages) : typeText(base, this.scope);
  }

  private ofStruct(type: TypeExpression & { kind: 'struct' }, isWhole: boolean): Draft {
    const schema = this.ofFields(type, isWhole);
    // Go leaves out what is empty.
    if (draftAt(schema, 'properties')?.size === 0) schema.delete('properties');
    return schema;
  }

  private ofFields(type: TypeExpression & { kind: 'struct' }, isWhole: boolean): Draft {
    const properties: Draft = new Map();
    const schema = draft(['type', 'object'], ['properties', properties]);
    if (!isWhole) {
      this.refuse('inline struct types are not supported, use a named type instead', type);
      return schema;
    }
    const oneOf = this.oneOfFields(type);
    if (!oneOf) return schema;
    const required: string[] = [];
    const immutable: string[] = [];
    for (const field of type.fields) {
      for (const name of field.names.length > 0 ? field.names.map(({ name }) => name) : ['']) {
        if (this.run.options.ignoreUnexportedFields && name !== '' && !/^\p{Lu}/u.test(name)) continue;
        const stops = this.addField({ field, name, schema, required, immutable, oneOf, type });
        if (stops) return withRequired(schema, required);
      }
    }
    withRequired(schema, required);
    const demanded = new Set(required);
    const forgotten = immutable.filter((name) => !demanded.has(name));
    if (forgotten.length > 0) {
      schema.set('x-kubernetes-validations', [
        ...((schema.get('x-kubernetes-validations') as Value[] | undefined) ?? []),
        ...forgotten.map((name) =>
          draft(
            ['rule', `!has(oldSelf.${name}) || has(self.${name})`],
            ['message', `field ${name} is immutable once set`],
          ),
        ),
      ]);
    }
    return schema;
  }

  /** Adds a field to the schema of its struct; true where controller-gen stops reading the struct. */
  private addField(added: {
    field: Field;
    name: string;
    schema: Draft;
    required: string[];
    immutable: string[];
    oneOf: ReadonlySet<string>;
    type: TypeExpression;
  }): boolean {
    const { field, name, schema } = added;
    const tag = jsonTag(field);
    if (!tag) {
      const text = `encountered struct field ${JSON.stringify(name)} without JSON tag in type ${JSON.stringify(this.declared.type.name)}`;
      this.refuse(text, { range: fieldStart(field) });
      return false;
    }
    if (tag.isSkipped) return false;
    const markers = markersOfField(this.declared.file, field);
    const has = (wanted: string) => markers.some(({ definition }) => definition?.name === wanted);
    const demand = this.demandOf(tag, has);
    if (demand) {
      if (added.oneOf.has(tag.name)) {
        const how = demand === 'marked' ? 'cannot be marked as required' : 'must have omitempty or omitzero tag';
        this.refuse(`field ${tag.name} is part of OneOf constraint and ${how}`, added.type);
        return true;
      }
      added.required.push(tag.name);
    }
    const property = has('kubebuilder:validation:Schemaless') ? draft() : this.of(field.type);
    describe(property, descriptionOf(field.doc));
    this.apply(markers, property, { range: fieldStart(field) });
    setSource(property, { ...sourceOf(property), place: this.origin(field.names[0]?.range ?? field.type.range) });
    if (tag.isInline) {
      addTo(schema, 'allOf', property);
      return false;
    }
    if (has('k8s:immutable')) added.immutable.push(tag.name);
    draftAt(schema, 'properties')!.set(tag.name, property);
    return false;
  }

  /** Whether a field has to be there, and who says so. */
  private demandOf(tag: JsonTag, has: (marker: string) => boolean): 'marked' | 'implied' | undefined {
    if (has('kubebuilder:validation:Optional')) return undefined;
    if (has('kubebuilder:validation:Required')) return 'marked';
    if (has('optional') || has('k8s:optional')) return undefined;
    if (has('required') || has('k8s:required')) return 'marked';
    const isOptionalByDefault = this.packageHas('kubebuilder:validation:Optional');
    return isOptionalByDefault || tag.isInline || tag.omits ? undefined : 'implied';
  }

  private packageHas(name: string): boolean {
    return packageMarkerNames(this.declared.package).has(name);
  }

  /** The fields that some OneOf marker of the type names; undefined where one of them is refused. */
  private oneOfFields(type: TypeExpression): ReadonlySet<string> | undefined {
    const fields = new Set<string>();
    for (const kind of ['ExactlyOneOf', 'AtMostOneOf', 'AtLeastOneOf']) {
      const name = `kubebuilder:validation:${kind}`;
      for (const { definition, value } of this.ownMarkers()) {
        if (definition?.name !== name) continue;
        const named = (Array.isArray(value) ? value : []).map(String);
        const nested = named.filter((field) => field.includes('.'));
        if (nested.length > 0) {
          this.refuse(`${name}: cannot reference nested fields: ${nested.join(',')}`, type);
          return undefined;
        }
        for (const field of named) fields.add(field);
      }
    }
    return fields;
  }

  private ownMarkers(): readonly Marker[] {
    return markersOfType(this.declared);
  }

  /** Lets markers change a schema: those of items last, each in the order of their priority. */
  private apply(markers: readonly Marker[], schema: Draft, node: { readonly range: Range }): void {
    const applied = markers.filter(({ definition, mistakes }) => definition?.apply && mistakes.length === 0);
    const inOrder = [...applied].sort((a, b) => (a.definition!.priority ?? 10) - (b.definition!.priority ?? 10));
    const forItems = (marker: Marker) => marker.definition!.name.startsWith('kubebuilder:validation:items:');
    for (const marker of inOrder) if (!forItems(marker)) this.applyOne(marker, schema, node);
    for (const marker of inOrder) {
      if (!forItems(marker)) continue;
      const items = draftAt(schema, 'items');
      if (schema.get('type') === 'array' && items) this.applyOne(marker, items, node);
      else
        this.refuse(
          `must apply ${marker.definition!.name} to an array value, found ${schema.get('type') ?? ''}`,
          node,
          marker,
        );
    }
  }

  private applyOne(marker: Marker, schema: Draft, node: { readonly range: Range }): void {
    const before = new Map(schema);
    const rulesBefore = draftsAt(schema, validations).length;
    const refused = marker.definition!.apply!(schema, marker.value, { enumValues: () => this.enumValues() });
    if (refused !== undefined) this.refuse(refused, node, marker);
    const place = this.origin(marker.range);
    const keywords = new Map(sourceOf(schema).keywords);
    if (!place) return;
    for (const [key, value] of schema) if (before.get(key) !== value) keywords.set(key, place);
    // A list of rules is added to.
    for (const rule of draftsAt(schema, validations).slice(rulesBefore)) {
      keywords.set(validations, place);
      setSource(rule, { place, keywords: new Map() });
    }
    setSource(schema, { place: sourceOf(schema).place, keywords });
  }

  /** The string constants of this type. */
  private enumValues(): { values: readonly string[] } | { refused: string } {
    const { name } = this.declared.type;
    const base = underlying({ kind: 'declared', declared: this.declared }, this.run.packages);
    if (base.kind !== 'basic' || base.name !== 'string') {
      return { refused: `enum type must be a string, not ${this.declared.package.path}.${name}` };
    }
    const written = constantsOf(this.declared.package).get(name) ?? [];
    if (written.includes(undefined)) return { refused: crashOfConstant };
    const values = written.flatMap((one) => stringLiteral(one ?? ''));
    return values.length > 0
      ? { values: values.sort(byCodeUnits) }
      : { refused: `no enum values found for type ${name}` };
  }

  private refused(message: string, node: { readonly range: Range }): Draft {
    this.refuse(message, node);
    return draft();
  }

  private refuse(message: string, node: { readonly range: Range }, marker?: Marker): void {
    const place = this.at(marker?.range ?? node.range);
    const use = this.inSight(place);
    this.run.mistakes.push({
      message,
      place: use?.place,
      said: this.at(node.range),
      package: use?.package ?? this.scope.package.path,
    });
  }

  /** Nothing comes from where nobody can look. */
  private origin({ start, end }: Range): Origin | undefined {
    if (isStandard(this.declared.file.uri)) return undefined;
    const { package: of, type } = this.declared;
    const from = type.nameRange.start;
    return { of: referenceTo(of.path, type.name), ...movedRange({ start, end }, -from) };
  }

  /** What is wrong in a package that comes with Go is wrong where that is used. */
  private inSight(place: GoPlace): Use | undefined {
    if (isStandard(place.uri)) return this.run.uses.get(referenceOf(this.declared));
    return { place, package: this.scope.package.path };
  }

  private at({ start, end }: Range): GoPlace {
    return { uri: this.declared.file.uri, range: { start, end } };
  }

  private text({ range }: TypeExpression): string {
    return this.declared.file.go.text.slice(range.start, range.end);
  }
}

function describe(schema: Draft, text: string): void {
  if (text === '') schema.delete('description');
  else schema.set('description', text);
}

function withRequired(schema: Draft, required: readonly string[]): Draft {
  if (required.length > 0) schema.set('required', [...required].sort(byCodeUnits));
  return schema;
}

export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isSlice(type: TypeExpression): boolean {
  return type.kind === 'list' && type.length === undefined;
}

function fieldStart(field: Field): Range {
  return { start: (field.names[0]?.range ?? field.type.range).start, end: field.range.end };
}

function interfaceRefused(name: string): string {
  return `cannot generate schema for ${name}; interface type is not supported in CRD schemas, consider using an explicit type or apiextensionsv1.JSON instead`;
}

/** The kind of node that go/ast has for what is written. */
function astKind(text: string): string {
  if (/^func\b/.test(text)) return '*ast.FuncType';
  if (isChannel(text)) return '*ast.ChanType';
  if (/^struct\b/.test(text)) return '*ast.StructType';
  if (/^\(/.test(text)) return '*ast.ParenExpr';
  return /\[/.test(text) ? '*ast.IndexExpr' : '*ast.BadExpr';
}

function isChannel(text: string): boolean {
  return /^(?:chan\b|<-)/.test(text);
}

function goKind({ type, file }: Resolved & { kind: 'literal' }): string {
  if (type.kind === 'list') return type.length === undefined ? '*types.Slice' : '*types.Array';
  return (
    goKinds.get(type.kind) ??
    (isChannel(file.go.text.slice(type.range.start, type.range.end)) ? '*types.Chan' : '*types.Signature')
  );
}

const goKinds: ReadonlyMap<string, string> = new Map([
  ['map', '*types.Map'],
  ['pointer', '*types.Pointer'],
  ['struct', '*types.Struct'],
]);

/** The text of a string; nothing for any other expression. */
function stringLiteral(written: string): string[] {
  const text = /^["`]/.test(written) ? unquote(written, 0) : undefined;
  return text ? [text.value] : [];
}
