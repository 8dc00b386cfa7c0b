/** Whether a schema is one that is judged here, which is said of it as a whole: a schema that is judged in part says nothing. */

import { firstFound } from '../../base/firstFound.ts';
import { unescapedStep } from '../../base/jsonPointer.ts';
import { isList, isMap, isString, type Value } from '../../base/value.ts';
import { quote } from '../../gostd/quote.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import type { Draft } from './drafts.ts';

const drafts: ReadonlyMap<string, Draft> = new Map([
  ['json-schema.org/schema', 2020],
  ['json-schema.org/draft/2020-12/schema', 2020],
  ['json-schema.org/draft/2019-09/schema', 2019],
  ['json-schema.org/draft-07/schema', 7],
  ['json-schema.org/draft-06/schema', 6],
  ['json-schema.org/draft-04/schema', 4],
]);

/** The draft that a schema is of, as the library of Helm's reads it: the newest where it names none. */
export function draftOf(schema: Value): Draft | undefined {
  const named = isMap(schema) ? schema.get('$schema') : undefined;
  return isString(named) ? drafts.get(named.replace(/^https?:\/\//, '').replace(/#$/, '')) : 2020;
}

/** The other one is no keyword of a draft. */
export const idOf = (draft: Draft) => (draft === 4 ? 'id' : '$id');

/** Where schemas are in a schema. */
const inside = {
  one: new Set(
    'additionalProperties propertyNames additionalItems contains not if then else items contentSchema'.split(' '),
  ),
  several: new Set('allOf anyOf oneOf prefixItems items'.split(' ')),
  byKey: new Set('properties patternProperties definitions $defs dependentSchemas dependencies'.split(' ')),
};

/** Keywords of schemas that count only where something refers to them. */
const ofLater: ReadonlySet<string> = new Set(['definitions', '$defs']);

/** What would change the meaning of others, or takes more than is here. */
const unknownHere: ReadonlySet<string> = new Set([
  ...['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
]);

/** What says where something is, wherever it stands. */
const named: ReadonlySet<string> = new Set(['$anchor', '$dynamicAnchor', '$vocabulary']);

/** The address that Helm gives a schema. */
export const address = 'file:///values.schema.json';

/** Levels of schemas in each other. */
const deepestSchema = 200;

/** Why a schema that its draft allows is not judged here. */
export interface NotJudged {
  readonly why: string;
  /** It is for want of another file. */
  readonly isElsewhere?: true;
}

/** What is to be known of a schema before anything is judged by it. */
export interface Shape {
  readonly notJudged: NotJudged | undefined;
  /** References that lead nowhere, though they are followed, and what Helm says of each. */
  readonly lost: readonly (readonly [ref: string, words: string])[];
  /** Those that lead to where the draft itself expects no schema, so that it has not judged what is there. */
  readonly odd: readonly string[];
}

export function shapeOf(schema: Value, draft: Draft): Shape {
  const shapes = new Shapes(schema, draft);
  const notJudged = shapes.whole();
  // What is not judged may have the name that a reference asks for.
  const lost = [...shapes.lost].filter(([ref]) => !notJudged || !isName(ref));
  return { notJudged, lost, odd: [...shapes.odd] };
}

type Why = NotJudged | undefined;

const because = (why: string): NotJudged => ({ why });

class Shapes {
  readonly lost = new Map<string, string>();
  readonly odd = new Set<string>();
  private readonly root: Value;
  private readonly draft: Draft;
  private readonly seen = new Set<Value>();
  /** What references lead to, and what nothing has led to yet. */
  private readonly due: (readonly Value[])[] = [];
  private readonly aside: (readonly Value[])[] = [];
  /** Whether Helm's library comes to it at all. */
  private isReached = true;

  constructor(root: Value, draft: Draft) {
    this.root = root;
    this.draft = draft;
  }

  whole(): Why {
    const why = this.schema(this.root, 0) ?? this.each(this.due);
    this.isReached = false;
    // It may have names.
    return why ?? this.each(this.aside);
  }

  /** Looks at all of them, and at what is added meanwhile. */
  private each(lists: Iterable<readonly Value[]>): Why {
    return firstFound(lists, (list) => firstFound(list, (one) => this.schema(one, 1)));
  }

  private schema(schema: Value | undefined, depth: number): Why {
    if (!isMap(schema) || this.seen.has(schema)) return undefined;
    if (depth > deepestSchema) return because('it is nested too deeply');
    this.seen.add(schema);
    // All else beside a reference means nothing to old drafts.
    const isOnlyRef = this.draft < 2019 && isString(schema.get('$ref'));
    return firstFound(schema, ([keyword, value]) =>
      this.keyword(keyword, value, depth, isOnlyRef && keyword !== '$ref'),
    );
  }

  private keyword(keyword: string, value: Value, depth: number, isIdle: boolean): Why {
    if (named.has(keyword)) return because(`\`${keyword}\` is not judged here`);
    if (keyword === idOf(this.draft) && depth > 0 && !isIdle && !this.isPlace(value))
      return because(`\`${keyword}\` below the top is not judged here`);
    if (this.isReached && !isIdle) {
      if (unknownHere.has(keyword)) return because(`\`${keyword}\` is not judged here`);
      if (keyword === '$ref') return this.ref(value);
      if (keyword === 'patternProperties' && isMap(value) && ![...value.keys()].every(isPattern))
        return because(`\`${keyword}\` is not what it has to be`);
    }
    const inner = schemasIn(keyword, value);
    if (isIdle || ofLater.has(keyword)) this.aside.push(inner);
    else return firstFound(inner, (one) => this.schema(one, depth + 1));
    return undefined;
  }

  /** Whether an identifier is no more than a place in the schema itself, as generators write it. */
  private isPlace(id: Value): boolean {
    return isString(id) && (this.draft < 2019 ? /^#(?:\/[\w./-]*)?$/ : /^#?$/).test(id);
  }

  private ref(ref: Value): Why {
    if (!isString(ref)) return undefined;
    if (!ref.startsWith('#')) return this.refElsewhere(ref);
    const target = refTarget(this.root, ref);
    if (isName(ref)) this.lost.set(ref, `anchor in ${quote(address + ref)} not found in schema ${quote(address)}`);
    else if (target === undefined) this.lost.set(ref, `json-pointer in ${quote(address + ref)} not found`);
    else this.due.push([target]);
    if (target !== undefined && !this.isExpected(refPath(ref))) this.odd.add(ref);
    return undefined;
  }

  /** Helm takes a schema for a file at the top of the disk, where no other one is. */
  private refElsewhere(ref: string): Why {
    const isNamed = isMap(this.root) && this.root.has(idOf(this.draft));
    // Behind two slashes is a host.
    const [, path] = /^(?!\/\/)((?:\w|[./-])+)(?:#|$)/.exec(ref) ?? [];
    const file = path && new URL(path, address).pathname;
    if (file && !file.endsWith('/') && !isNamed && `file://${file}` !== address)
      this.lost.set(ref, `failing loading "file://${file}": open ${file}: no such file or directory`);
    return { why: `\`${ref}\` is in another file`, isElsewhere: true };
  }

  /** Whether the draft expects a schema at a path. */
  private isExpected(path: readonly string[]): boolean {
    for (let i = 0; i < path.length; i++) {
      const keyword = path[i]!;
      if (this.draft < 2019 && later.has(keyword)) return false;
      const isIndex = /^\d+$/.test(path[i + 1] ?? '');
      if (inside.byKey.has(keyword) || (inside.several.has(keyword) && isIndex)) i++;
      else if (!inside.one.has(keyword)) return false;
    }
    return true;
  }
}

const isName = (ref: string) => /^#[^/]/.test(ref);
const isPattern = (key: string) => compileGoRegexp(key).ok;

/** Keywords of schemas that draft 7 does not know. */
const later: ReadonlySet<string> = new Set(['$defs', 'dependentSchemas', 'prefixItems', 'contentSchema']);

function schemasIn(keyword: string, value: Value): readonly Value[] {
  if (isList(value)) return inside.several.has(keyword) ? value : [];
  if (inside.one.has(keyword)) return [value];
  return isMap(value) && inside.byKey.has(keyword) ? [...value.values()] : [];
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
