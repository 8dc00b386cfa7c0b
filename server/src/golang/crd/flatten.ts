import { isList, type Value } from '../../base/value.ts';
import type { Draft } from '../markers/model.ts';
import { become, copied, draft, draftAt, draftsAt, partsOf, type Source, setSource, sourceOf } from './draft.ts';
import { byCodeUnits, partsOfReference, placeOfOrigin, type Run, schemaOfType } from './schemas.ts';

/** The schemas of types with all references to others replaced by what they refer to. */
export class Flattener {
  private readonly run: Run;
  private readonly flat = new Map<string, Draft>();
  readonly merged: Map<string, Draft>;
  /** Of a type that is part of itself, where it ends. */
  private readonly cut: Draft = new Map();
  /** Some type is part of itself: what is made of it depends on where one comes from. */
  isCyclic = false;
  /** The order of the steps matters. */
  private isDisputed = false;

  constructor(run: Run, merged: ReadonlyMap<string, Draft> = new Map()) {
    this.run = run;
    this.merged = new Map(merged);
  }

  /** The schema of a type, flat and with its embedded structs merged into it. It shares parts with others. */
  schemaOf(reference: string): Draft | undefined {
    this.run.flattening = partsOfReference(reference).path;
    const known = this.run.mistakes.length;
    this.isDisputed = false;
    const schema = this.whole(reference);
    if (!this.isDisputed) return schema;
    this.run.mistakes.length = known;
    this.merged.clear();
    return this.stepByStep(reference);
  }

  /**
   * Each type once, with everything in its place at once. That is the same as all steps one after the other unless
   * embedded structs say something of the same.
   */
  private whole(reference: string): Draft | undefined {
    const kept = this.merged.get(reference);
    if (kept === this.cut) this.isCyclic = true;
    if (kept) return kept;
    const base = schemaOfType(this.run, reference);
    if (!base) return undefined;
    this.merged.set(reference, this.cut);
    const schema = this.wholeOf(base);
    this.merged.set(reference, schema);
    return schema;
  }

  private wholeOf(schema: Draft): Draft {
    const reference = schema.get('$ref');
    if (typeof reference === 'string') return this.withType(schema, this.whole(reference));
    const whole = keptCopy(schema);
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
    if (!type) return keptCopy(field);
    const whole = keptCopy(type);
    const said = keptCopy(field);
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
      whole.set('properties', new Map(own));
    }
    if (whole.has('additionalProperties') && part.has('additionalProperties')) this.isDisputed = true;
    if (part.has('allOf') || whole.has('allOf')) this.isDisputed = true;
    mergeInto(whole, part, this.run);
  }

  /** All references first, then what is embedded, as controller-gen goes about it. */
  private stepByStep(reference: string): Draft | undefined {
    const kept = this.flat.get(reference);
    const base = kept ?? schemaOfType(this.run, reference);
    if (!base) return undefined;
    const schema = copied(base);
    if (!kept) {
      this.flatten(schema);
      this.flat.set(reference, copied(schema));
    }
    merge(schema, this.run);
    return schema;
  }

  private flatten(schema: Draft): void {
    const pending: { reference: string; field: Draft }[] = [];
    const seen = new Set<Value>();
    for (let isOpen = true; isOpen; ) {
      const reference = schema.get('$ref');
      if (typeof reference !== 'string' || seen.has(reference)) {
        for (const part of partsOf(schema)) this.flatten(part);
        break;
      }
      seen.add(reference);
      const kept = this.flat.get(reference);
      const base = kept ?? schemaOfType(this.run, reference);
      if (!base) break;
      const field = keptCopy(schema);
      become(schema, copied(base));
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
      this.flat.set(reference, copied(schema));
      preserve(schema, field);
    }
  }
}

const documentation = ['description', 'title', 'externalDocs', 'example'];

/** What a field says beside its type is demanded as well; its words win. */
function preserve(schema: Draft, field: Draft): void {
  const type = keptCopy(schema);
  const said = keptCopy(field);
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
function keptCopy(schema: Draft): Draft {
  const copy: Draft = new Map(schema);
  setSource(copy, sourceOf(schema));
  return copy;
}

/** Merges what is in `allOf` into the schema itself, as far as that says the same. */
function merge(schema: Draft, run: Run): void {
  const all = draftsAt(schema, 'allOf');
  schema.delete('allOf');
  for (const part of all) mergeInto(schema, part, run);
  for (const part of partsOf(schema)) merge(part, run);
}

const notMerged = new Set(['allOf', ...documentation]);
/** What Go compares by value: everything else differs as soon as it was said twice. */
const compared = new Set([
  ...['type', 'format', 'pattern', 'title', 'uniqueItems', 'exclusiveMaximum', 'exclusiveMinimum', 'nullable'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
]);

/** What an embedded struct adds without a question. */
const orderless = new Set(['properties', 'required', 'allOf', ...documentation]);

function mergeInto(schema: Draft, from: Draft, run: Run): void {
  for (const part of draftsAt(from, 'allOf')) mergeInto(schema, part, run);
  const rests = { schema: draft(), from: draft() };
  for (const [key, value] of from) {
    if (notMerged.has(key)) continue;
    const own = schema.get(key);
    if (own === undefined) {
      schema.set(key, value);
      keepKeyword(schema, from, key);
    } else if (key !== 'enum' && !(compared.has(key) && own === value)) {
      mergeKeyword(schema, from, key, rests, run);
    }
  }
  if (rests.schema.size > 0) schema.set('allOf', [...draftsAt(schema, 'allOf'), rests.schema, rests.from]);
  const required = schema.get('required');
  if (isList(required)) schema.set('required', [...new Set(required as string[])].sort(byCodeUnits));
}

function mergeKeyword(schema: Draft, from: Draft, key: string, rests: { schema: Draft; from: Draft }, run: Run): void {
  const own = schema.get(key)!;
  const value = from.get(key)!;
  switch (key) {
    case 'properties':
      for (const [name, part] of value as Draft) {
        const there = (own as Draft).get(name);
        if (there === undefined) (own as Draft).set(name, part);
        else mergeInto(there as Draft, part as Draft, run);
      }
      return;
    case 'required':
      schema.set(key, [...(own as Value[]), ...(value as Value[])]);
      return;
    case 'type':
      run.mistakes.push({
        message: `conflicting types in allOf branches in schema: ${own} vs ${value}`,
        place: placeOfOrigin(sourceOf(from).place ?? sourceOf(schema).place, run.packages),
        said: undefined,
        package: run.flattening,
      });
      return;
    case 'additionalProperties':
      if (value === true) return;
      if (own === true) schema.set(key, value);
      else mergeInto(own as Draft, value as Draft, run);
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

function keepKeyword(schema: Draft, from: Draft, key: string): void {
  const place = sourceOf(from).keywords.get(key);
  if (!place) return;
  const { place: whole, keywords } = sourceOf(schema);
  setSource(schema, { place: whole, keywords: new Map(keywords).set(key, place) });
}
