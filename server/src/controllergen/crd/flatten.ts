import { memo } from '../../base/memo.ts';
import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import type { Draft } from '../markers/model.ts';
import { become, copyOf, draft, draftAt, draftsAt, partsOf, type Source, setSource, sourceOf } from './draft.ts';
import {
  byCodeUnits,
  linkTo,
  linkToParameter,
  partsOfReference,
  placeOfOrigin,
  type Run,
  schemaOfType,
} from './schemas.ts';
import { beyond, mostOfCrd, sizeOf } from './size.ts';

/** What a schema has instead of what would be too much of it: why it is. */
const tooMuch = 'x-kube-crd-too-much';

/** How many steps one kind may take, and how deep they may go. */
const most = { steps: 100_000, levels: 2 * mostOfCrd.levels };

/** Putting a kind together has taken too many steps. */
class TooManySteps extends Error {}

/** The schemas of types with all references to others replaced by what they refer to. */
export class Flattener {
  private readonly run: Run;
  private readonly flat = new Map<string, Draft>();
  readonly merged: Map<string, Draft>;
  /** Of a type that is part of itself, where it ends. */
  private readonly cut: Draft = new Map();
  /** Types that are part of themselves or lead to one: what is made of them depends on where one comes from. */
  private readonly cyclic = new Set<string>();
  /** The kinds among them, in their order, and how many of those went step by step. */
  private readonly cyclicKinds: string[] = [];
  private stepped = 0;
  /** By type, the open ones at which it ends: it is more where those are not open. */
  private readonly cutAt = new Map<string, ReadonlySet<string>>();
  /** The same of the type that is being put together. */
  private cuts = new Set<string>();
  private leadsToItself = false;
  /** The kind that is being put together. */
  private kind = '';
  /** The order of the steps matters. */
  private isDisputed = false;
  /** What is left of the steps of the kind that is being put together. */
  private steps = 0;
  private level = 0;

  constructor(run: Run, merged: ReadonlyMap<string, Draft> = new Map()) {
    this.run = run;
    this.merged = new Map(merged);
  }

  /** The schema of a type, flat and with its embedded structs merged into it. It shares parts with others. */
  schemaOf(reference: string): Draft | undefined {
    this.run.flattening = partsOfReference(reference).path;
    const given = Math.min(most.steps, this.run.steps);
    this.steps = given;
    this.level = 0;
    try {
      return this.wholeOrStepByStep(reference);
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      this.merged.clear();
      this.flat.clear();
      return draft([tooMuch, 'embedded structs that take too many steps to put together']);
    } finally {
      this.run.steps -= given - this.steps;
    }
  }

  /** Whether what is made of some type depends on where one comes from. */
  get isCyclic(): boolean {
    return this.cyclic.size > 0;
  }

  private wholeOrStepByStep(reference: string): Draft | undefined {
    const known = this.run.mistakes.length;
    this.kind = reference;
    this.isDisputed = false;
    const schema = this.whole(reference);
    const isCyclic = this.cyclic.has(reference);
    if (isCyclic) this.cyclicKinds.push(reference);
    const isFirst = this.cyclicKinds.length <= 1;
    // What is too much for one way is too much for the other.
    if (!(this.isDisputed || (isCyclic && !isFirst)) || !schema || whyTooMuch(schema) !== undefined) return schema;
    if (isCyclic) this.catchUp();
    this.run.mistakes.length = known;
    this.merged.clear();
    return within(this.stepByStep(reference));
  }

  /** Where types that are part of themselves end is settled by the first kind that leads to them. */
  private catchUp(): void {
    for (const kind of this.cyclicKinds.slice(this.stepped, -1)) this.stepByStep(kind);
    this.stepped = this.cyclicKinds.length;
  }

  /**
   * Each type once, with everything in its place at once. That is the same as all steps one after the other unless
   * embedded structs say something of the same. What a type is made of comes before it, one after the other: types can
   * lead to each other for as long as a file is.
   */
  private whole(reference: string): Draft | undefined {
    const open: OpenType[] = [];
    if (!this.merged.has(reference)) this.open(reference, open);
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const part = at.parts.pop();
      if (part === undefined) {
        this.merged.set(at.reference, within(this.closed(at))!);
        open.pop();
      } else if (!this.merged.has(part)) this.open(part, open);
    }
    return this.mergedAs(reference);
  }

  /** Puts a type behind those that are about to be put together, if it is there. */
  private open(reference: string, open: OpenType[]): void {
    const base = schemaOfType(this.run, reference);
    if (!base) return;
    this.merged.set(reference, this.cut);
    open.push({ reference, base, parts: [...referencesIn(base)].reverse() });
  }

  private closed(type: OpenType): Draft {
    this.cuts = new Set();
    this.leadsToItself = false;
    const schema = this.linkToItself(type) ?? this.wholeOf(type.base);
    if (this.leadsToItself) this.cyclic.add(type.reference);
    this.cuts.delete(type.reference);
    if (this.cuts.size > 0) this.cutAt.set(type.reference, this.cuts);
    return schema;
  }

  /** A type that was put together, or one that is part of itself. */
  private mergedAs(reference: string): Draft | undefined {
    const kept = this.merged.get(reference);
    if (kept === this.cut) {
      this.leadsToItself = true;
      this.cuts.add(reference);
      // A kind goes on once more within itself.
      if (reference === this.kind) this.isDisputed = true;
    }
    if (this.cyclic.has(reference)) this.leadsToItself = true;
    for (const at of this.cutAt.get(reference) ?? []) {
      // It ends where it would go on here.
      if (this.merged.get(at) !== this.cut) this.isDisputed = true;
      else this.cuts.add(at);
    }
    return kept;
  }

  /** Of types that only name each other, as in `type A *A`, a link is left. */
  private linkToItself({ reference, base }: OpenType): Draft | undefined {
    const next = base.get('$ref');
    if (!isReference(next) || this.merged.get(next) !== this.cut) return undefined;
    for (let at: Value | undefined = next; at !== reference; ) {
      this.step();
      at = isReference(at) ? schemaOfType(this.run, at)?.get('$ref') : undefined;
      if (at === undefined || at === next) return undefined;
    }
    this.leadsToItself = true;
    return copyOf(base).set('$ref', linkTo(next, partsOfReference(reference).path)) as Draft;
  }

  private wholeOf(schema: Draft): Draft {
    this.step();
    const reference = schema.get('$ref');
    if (isReference(reference)) return this.withType(schema, this.mergedAs(reference));
    const whole = copyOf(schema);
    for (const key of ['items', 'additionalProperties']) {
      const part = draftAt(schema, key);
      if (part) whole.set(key, this.wholeOf(part));
    }
    if (schema.has('anyOf'))
      whole.set(
        'anyOf',
        draftsAt(schema, 'anyOf').map((part) => this.wholeOf(part)),
      );
    const properties = draftAt(schema, 'properties');
    if (properties) {
      whole.set('properties', new Map(Array.from(properties, ([name, part]) => [name, this.wholeOf(part as Draft)])));
    }
    whole.delete('allOf');
    for (const part of draftsAt(schema, 'allOf')) {
      const embedded = this.wholeOf(part);
      // Which of both comes first depends on where the type is used.
      const isOrdered = (key: string) => whole.has(key) && !orderless.has(key) && whole.get(key) !== embedded.get(key);
      if ([...embedded.keys()].some(isOrdered)) this.isDisputed = true;
      this.take(whole, embedded);
    }
    return whole;
  }

  /** What a field says beside its type is demanded as well; its words win. */
  private withType(field: Draft, type: Draft | undefined): Draft {
    if (!type) return copyOf(field);
    const whole = copyOf(type);
    const said = copyOf(field);
    said.delete('$ref');
    this.take(whole, said);
    for (const key of documentation) if (field.has(key)) whole.set(key, field.get(key)!);
    setSource(whole, sourceOfBoth(field, whole));
    return whole;
  }

  private take(whole: Draft, part: Draft): void {
    const [own, other] = [draftAt(whole, 'properties'), draftAt(part, 'properties')];
    if (own && other) {
      if ([...other.keys()].some((name) => own.has(name))) this.isDisputed = true;
      this.step(own.size + other.size);
      whole.set('properties', new Map(own));
    }
    if (whole.has('additionalProperties') && part.has('additionalProperties')) this.isDisputed = true;
    if (part.has('allOf') || whole.has('allOf')) this.isDisputed = true;
    this.mergeInto(whole, part);
  }

  /** Each part of a schema that is made, copied or merged into another is a step. */
  private step(count = 1): void {
    this.steps -= count;
    if (this.steps < 0) throw new TooManySteps();
  }

  /** Steps inside of each other. */
  private deeper(go: () => void): void {
    this.step();
    if (this.level === most.levels) throw new TooManySteps();
    this.level++;
    go();
    this.level--;
  }

  /** All references first, then what is embedded, as controller-gen goes about it. */
  private stepByStep(reference: string): Draft | undefined {
    const kept = this.flat.get(reference);
    const base = kept ?? schemaOfType(this.run, reference);
    if (!base) return undefined;
    const schema = this.copied(base);
    if (!kept) {
      this.flatten(schema);
      this.flat.set(reference, this.copied(schema));
    }
    this.merge(schema);
    return schema;
  }

  private flatten(schema: Draft): void {
    const pending: { reference: string; field: Draft }[] = [];
    const seen = new Set<Value>();
    for (let isOpen = true; isOpen; ) {
      const reference = schema.get('$ref');
      if (!isReference(reference) || seen.has(reference)) {
        for (const part of partsOf(schema)) this.deeper(() => this.flatten(part));
        break;
      }
      seen.add(reference);
      const kept = this.flat.get(reference);
      const base = kept ?? schemaOfType(this.run, reference);
      if (!base) break;
      const field = copyOf(schema);
      become(schema, this.copied(base));
      if (kept) {
        preserve(schema, field);
        isOpen = false;
      } else {
        // A type that is part of itself ends here.
        this.flat.set(reference, new Map());
        pending.push({ reference, field });
      }
    }
    for (const { reference, field } of pending.reverse()) {
      this.flat.set(reference, this.copied(schema));
      preserve(schema, field);
    }
  }

  /** Merges what is in `allOf` into the schema itself, as far as that says the same. */
  private merge(schema: Draft): void {
    const all = draftsAt(schema, 'allOf');
    schema.delete('allOf');
    for (const part of all) this.mergeInto(schema, part);
    for (const part of partsOf(schema)) this.deeper(() => this.merge(part));
  }

  private mergeInto(schema: Draft, from: Draft): void {
    this.step();
    for (const part of draftsAt(from, 'allOf')) this.deeper(() => this.mergeInto(schema, part));
    const rests = { schema: draft(), from: draft() };
    for (const [key, value] of from) {
      if (notMerged.has(key)) continue;
      const own = schema.get(key);
      if (own === undefined) {
        schema.set(key, value);
        keepKeyword(schema, from, key);
      } else if (key !== 'enum' && !(compared.has(key) && own === value) && !isSameDefault(schema, from, key)) {
        this.mergeKeyword(schema, from, key, rests);
      }
    }
    if (rests.schema.size > 0) schema.set('allOf', [...draftsAt(schema, 'allOf'), rests.schema, rests.from]);
    const required = schema.get('required');
    if (isList(required)) {
      this.step(required.length);
      schema.set('required', [...new Set(required as string[])].sort(byCodeUnits));
    }
  }

  private mergeKeyword(schema: Draft, from: Draft, key: string, rests: { schema: Draft; from: Draft }): void {
    const own = schema.get(key)!;
    const value = from.get(key)!;
    switch (key) {
      case 'properties':
        for (const [name, part] of value as Draft) {
          const there = (own as Draft).get(name);
          if (there === undefined) (own as Draft).set(name, part);
          // What was taken over as it is says nothing new of itself.
          else if (there !== part) (own as Draft).set(name, this.both(there as Draft, part as Draft));
        }
        return;
      case 'required':
        schema.set(key, [...(own as Value[]), ...(value as Value[])]);
        return;
      case 'type':
        this.run.mistakes.push({
          message: `conflicting types in allOf branches in schema: ${own} vs ${value}`,
          place: placeOfOrigin(sourceOf(from).place ?? sourceOf(schema).place, this.run.packages),
          said: undefined,
          package: this.run.flattening,
        });
        return;
      case 'additionalProperties':
        if (value === true) return;
        schema.set(key, own === true ? value : this.both(own as Draft, value as Draft));
        return;
      case 'x-kubernetes-preserve-unknown-fields':
      case 'x-kubernetes-map-type':
      case 'x-kubernetes-list-type':
      case 'x-kubernetes-list-map-keys':
        schema.set(key, value);
        keepKeyword(schema, from, key);
        return;
      case 'x-kubernetes-validations':
        schema.set(key, [...(value as Value[]), ...(own as Value[])]);
        return;
      case 'minProperties':
      case 'maxProperties':
        if (own === value) return;
    }
    rests.schema.set(key, own);
    rests.from.set(key, value);
    setSource(rests.schema, sourceOf(schema));
    setSource(rests.from, sourceOf(from));
    schema.delete(key);
  }

  /** A part with another merged into it. It may be a part of other types as well, and even of the other one. */
  private both(own: Draft, other: Draft): Draft {
    const whole = copyOf(own);
    const properties = draftAt(own, 'properties');
    if (properties) whole.set('properties', new Map(properties));
    this.deeper(() => this.mergeInto(whole, other));
    return whole;
  }

  /** A copy that shares nothing that is changed while schemas are made. */
  private copied(schema: Draft): Draft {
    this.step();
    const copy = copyOf(schema);
    for (const key of ['items', 'additionalProperties']) {
      const part = draftAt(schema, key);
      if (part) copy.set(key, this.copied(part));
    }
    for (const key of ['allOf', 'anyOf']) {
      if (schema.has(key)) {
        copy.set(
          key,
          draftsAt(schema, key).map((part) => this.copied(part)),
        );
      }
    }
    const properties = draftAt(schema, 'properties');
    if (properties) {
      copy.set('properties', new Map(Array.from(properties, ([name, part]) => [name, this.copied(part as Draft)])));
    }
    return copy;
  }
}

/** A type with the types that it is made of and that were not looked at yet, the next one last. */
interface OpenType {
  readonly reference: string;
  readonly base: Draft;
  readonly parts: string[];
}

/** A link to the parameter of a type leads nowhere. */
function isReference(value: Value | undefined): value is string {
  return typeof value === 'string' && !value.startsWith(linkToParameter);
}

/** The types that a schema names, in the order in which they are put into their places. */
function referencesIn(schema: Draft): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (part: Draft): void => {
    const reference = part.get('$ref');
    if (isReference(reference)) found.add(reference);
    else for (const inner of partsOf(part)) collect(inner);
  };
  collect(schema);
  return found;
}

/** Why there is less of a schema than its types give; undefined where it is whole. */
export const whyTooMuch = memo((part: ValueMap | readonly Value[]): string | undefined => {
  const why = isMap(part) ? part.get(tooMuch) : undefined;
  if (typeof why === 'string') return why;
  for (const inner of part.values()) {
    const found = isMap(inner) || isList(inner) ? whyTooMuch(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
});

/** What is more than is made of one CRD ends here. */
function within(schema: Draft | undefined): Draft | undefined {
  const why = schema && beyond(sizeOf(schema), mostOfCrd);
  return why === undefined ? schema : draft([tooMuch, why]);
}

const documentation = ['description', 'title', 'externalDocs', 'example'];

/** What a field says beside its type is demanded as well; its words win. */
function preserve(schema: Draft, field: Draft): void {
  const type = copyOf(schema);
  const said = copyOf(field);
  said.delete('$ref');
  for (const key of documentation) said.delete(key);
  schema.clear();
  schema.set('allOf', [type, said]);
  for (const key of documentation) {
    const text = field.get(key) ?? type.get(key);
    if (text !== undefined) schema.set(key, text);
  }
  setSource(schema, sourceOfBoth(field, type));
}

/** What a field says comes first. */
function sourceOfBoth(field: Draft, type: Draft): Source {
  const [ofField, ofType] = [sourceOf(field), sourceOf(type)];
  return { place: ofField.place ?? ofType.place, keywords: new Map([...ofType.keywords, ...ofField.keywords]) };
}

/** A copy that shares its parts. */
const notMerged = new Set(['allOf', ...documentation]);
/** What Go compares by value: everything else differs as soon as it was said twice. */
const compared = new Set([
  ...['type', 'format', 'pattern', 'title', 'uniqueItems', 'exclusiveMaximum', 'exclusiveMinimum', 'nullable'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
]);

/** What an embedded struct adds without a question. */
const orderless = new Set(['properties', 'required', 'allOf', ...documentation]);

/** controller-gen's copies share a default: the one that both have of the same marker is one. */
function isSameDefault(schema: Draft, from: Draft, key: string): boolean {
  const [own, other] = [schema, from].map((one) => sourceOf(one).keywords.get(key));
  if (key !== 'default' || !own || !other) return false;
  return own.of === other.of && own.start === other.start && own.end === other.end;
}

function keepKeyword(schema: Draft, from: Draft, key: string): void {
  const place = sourceOf(from).keywords.get(key);
  if (!place) return;
  const { place: whole, keywords } = sourceOf(schema);
  setSource(schema, { place: whole, keywords: new Map(keywords).set(key, place) });
}
