import type { Steps } from '../base/steps.ts';
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { uncutWork } from '../cel/eval/work.ts';
import type { RuleFacts } from '../kubernetes/cel/findings.ts';
import { readBy } from '../kubernetes/cel/readBy.ts';
import { tryExpression } from '../kubernetes/cel/tryExpression.ts';
import { createResource, storedResource } from '../kubernetes/cr/create.ts';
import type { CrFinding } from '../kubernetes/cr/findings.ts';
import { structuralAt } from '../kubernetes/cr/schemaAt.ts';
import type { ServedVersion } from '../kubernetes/cr/served.ts';
import { updateResource } from '../kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../kubernetes/cr/verdict.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { boundedMatching } from '../kubernetes/schema/matching.ts';
import type { Structural } from '../kubernetes/schema/structural.ts';
import type { RulePath } from './rulePath.ts';
import type { Served } from './run.ts';
import { sizeOf } from './size.ts';
import { leastValue, valuesFor } from './values.ts';

// Looks for an object that breaks one rule and nothing else, by trying: from a smallest object that the server accepts, the
// fields that the rule reads get other values.

export interface Breaking {
  readonly verb: 'create' | 'update' | 'status';
  /** What the search started with, which need not be accepted. */
  readonly start: ValueMap;
  /** What is stored before a change. */
  readonly from: ValueMap | undefined;
  readonly object: ValueMap;
  /** What the server says, without the value that it shows. */
  readonly field: string;
  readonly message: string;
}

/** How many objects are judged at most. */
const mostTries = 3_000;

/** What judging them may come to: the items and costs of rules, and each value of an object as several of them. */
const mostSearchWork = 20_000_000;
const workOfValue = 4;

/** An object that breaks a rule and is right otherwise, looked for an object at a time. `starts` are objects to begin with. */
export function* breakRule(
  { crd }: Served,
  version: ServedVersion,
  rule: RulePath,
  starts: readonly ValueMap[],
  kubernetes: KubernetesVersion,
): Steps<Breaking | { readonly why: string }> {
  const root = version.structural;
  const at = rule.object.map((step) => (step === '*' ? 'a' : step));
  const schema = root && structuralAt(root, at);
  const text = schema?.extensions.validations[rule.nth]?.rule;
  if (!root || text === undefined) return { why: 'the CRD serves no such rule' };
  const search = new Search(crd, version, root, { at, nth: rule.nth, text }, kubernetes);
  for (const start of [...starts, leastObject(version, root)]) {
    const found = yield* search.from(start);
    if (found) return found;
  }
  if (search.isSpent) return { why: `judging ${search.tries} objects took too much, and none of them does` };
  return { why: `none of ${search.tries} objects breaks this rule and no other` };
}

function leastObject({ group, version, kind, namespaced }: ServedVersion, root: Structural): ValueMap {
  const least = leastValue(root);
  return new Map<string, Value>([
    ['apiVersion', `${group}/${version}`],
    ['kind', kind],
    ['metadata', new Map([['name', 'example'], ...(namespaced ? ([['namespace', 'default']] as const) : [])])],
    ...(isMap(least) ? [...least].filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key)) : []),
  ]);
}

interface WantedRule {
  /** The value that it judges. */
  readonly at: Path;
  readonly nth: number;
  readonly text: string;
}

/** What the server says of the wanted rule, and where it has something else against the request. */
interface Tried {
  readonly broken: { readonly field: string; readonly message: string } | undefined;
  readonly others: readonly Wrong[];
}

/** Something that the server has against a request: a field, or a rule. */
interface Wrong {
  readonly path: Path;
  readonly rule?: Omit<WantedRule, 'nth'>;
}

/** At how many fields, and with how many values each, a search looks. */
const mostFields = 12;
const mostValues = 60;
const mostInPairs = 16;

type Found = Pick<Breaking, 'object' | 'from' | 'field' | 'message'>;

/** A field with another value; null takes it away. */
interface Change {
  readonly path: Path;
  readonly value: Value;
}

class Search {
  tries = 0;
  #work = 0;
  readonly #crd: Served['crd'];
  readonly #root: Structural;
  readonly #rule: WantedRule;
  readonly #kubernetes: KubernetesVersion;
  readonly #verb: Breaking['verb'];
  readonly #isOfChange: boolean;

  constructor(
    crd: Served['crd'],
    { hasStatus }: ServedVersion,
    root: Structural,
    rule: WantedRule,
    kubernetes: KubernetesVersion,
  ) {
    this.#crd = crd;
    this.#root = root;
    this.#rule = rule;
    this.#kubernetes = kubernetes;
    const isOfStatus = hasStatus && rule.at[0] === 'status';
    this.#isOfChange = /\boldSelf\b/.test(rule.text);
    this.#verb = isOfStatus ? 'status' : this.#isOfChange ? 'update' : 'create';
  }

  *from(start: ValueMap): Steps<Breaking | undefined> {
    // What is created has no status yet; that comes with a change.
    const isOfStatus = this.#verb === 'status';
    const created = isOfStatus ? yield* this.#repaired(start, undefined) : undefined;
    if (isOfStatus && created === undefined) return undefined;
    const right = yield* this.#repaired(this.#withWayTo(created ?? start, this.#rule.at), created);
    if (right === undefined) return undefined;
    const found = this.#isOfChange ? yield* this.#inUpdate(right, created) : yield* this.#inObject(right, created);
    return found && { ...found, verb: this.#verb, start };
  }

  /** Whatever is missing on the way to a place, made as small as it may be. */
  #withWayTo(value: Value, path: Path): Value {
    const way = path.map((_, i) => path.slice(0, i + 1));
    return way.reduce(
      (now, part) => (valueAt(now, part) === undefined ? put(now, part, this.#least(part)) : now),
      value,
    );
  }

  #least(path: Path): Value {
    return leastValue(structuralAt(this.#root, path));
  }

  #changed(value: Value, changes: readonly Change[]): Value {
    return changes.reduce((now, { path, value: one }) => {
      return put(one === null ? now : this.#withWayTo(now, path.slice(0, -1)), path, one);
    }, value);
  }

  /** What judging comes to is known afterwards, and counts for the objects that follow. */
  *#try(object: Value, from?: Value): Steps<Tried> {
    yield;
    this.tries++;
    const size = sizeOf(object).values + sizeOf(from).values;
    this.#work += workOfValue * size;
    // An object that is too large is none that anybody would want.
    if (this.isSpent) return { broken: undefined, others: [{ path: [] }] };
    const { result, work } = uncutWork(() => this.#judged(object, from));
    this.#work += work;
    return result;
  }

  #judged(object: Value, from: Value | undefined): Tried {
    const kubernetes = this.#kubernetes;
    const subresource = this.#verb === 'status' ? ('status' as const) : undefined;
    const { result } = boundedMatching((): ResourceVerdict => {
      if (from === undefined) return createResource(object, this.#crd, { kubernetes });
      return updateResource(from, object, this.#crd, { kubernetes, subresource });
    });
    const said = result.errors.filter(({ code }) => code !== 'cr/rules-not-checked');
    const isWanted = (one: (typeof said)[number]) =>
      one.code === 'cr/rule' && one.facts.kind === 'failed' && this.#isOfRule(one.facts);
    const others = said.filter((one) => !isWanted(one)).flatMap((one) => this.#wrong(one));
    const unread = result.decode || result.strict.length > 0 ? [{ path: [] }] : [];
    const broken = said.find(isWanted);
    const told = broken?.code === 'cr/rule' ? { field: broken.field, message: broken.facts.detail } : undefined;
    return { broken: told, others: [...unread, ...others] };
  }

  #wrong(found: CrFinding): Wrong[] {
    const { path, missing } = found;
    const { self, rule } = found.code === 'cr/rule' ? found.facts : {};
    if (self && rule) return [{ path, rule: { at: self, text: rule.rule } }];
    return missing && missing.length > 0 ? missing.map((name) => ({ path: [...path, name] })) : [{ path }];
  }

  #isOfRule({ index, self }: RuleFacts): boolean {
    const { at, nth } = this.#rule;
    return (
      index === nth && self.length === at.length && structuralAt(this.#root, self) === structuralAt(this.#root, at)
    );
  }

  get isSpent(): boolean {
    return this.#work >= mostSearchWork;
  }

  get #isOver(): boolean {
    return this.tries >= mostTries || this.isSpent;
  }

  /** The object with other values where the server refuses what is there; undefined where none helps. */
  *#repaired(object: Value, from: Value | undefined): Steps<Value | undefined> {
    let now = { object, wrong: (yield* this.#try(object, from)).others };
    while (now.wrong.length > 0) {
      const better = yield* this.#better(now.object, now.wrong, from);
      if (!better) return undefined;
      now = better;
    }
    return now.object;
  }

  *#better(
    object: Value,
    wrong: readonly Wrong[],
    from: Value | undefined,
  ): Steps<{ readonly object: Value; readonly wrong: readonly Wrong[] } | undefined> {
    const byField = wrong.slice(0, mostFields).flatMap(({ path, rule }) => {
      return rule ? this.#changesFor(object, rule) : [this.#valuesAt(path, []).map((value) => ({ path, value }))];
    });
    for (const some of [byField.flat().map((one) => [one]), pairsOf(byField)]) {
      for (const changes of some) {
        if (this.#isOver) return undefined;
        const other = this.#changed(object, changes);
        const { others } = yield* this.#try(other, from);
        if (others.length < wrong.length) return { object: other, wrong: others };
      }
    }
    return undefined;
  }

  #valuesAt(path: Path, named: readonly Value[]): Value[] {
    const schema = path.length === 0 ? undefined : structuralAt(this.#root, path);
    return schema ? [...valuesFor(schema, named).slice(0, mostValues), null] : [];
  }

  /** One field is changed, or two. */
  *#inObject(right: Value, from: Value | undefined): Steps<Found | undefined> {
    const byField = this.#changesFor(right, this.#rule);
    for (const some of [[[]], byField.flat().map((one) => [one]), pairsOf(byField)]) {
      for (const changes of some) {
        if (this.#isOver) return undefined;
        const found = yield* this.#broken(this.#changed(right, changes), from);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** One field is changed, or has one value before and another one after. */
  *#inUpdate(right: Value, created: Value | undefined): Steps<Found | undefined> {
    const byField = this.#changesFor(right, this.#rule);
    const twice = byField.flatMap((all) => all.slice(0, mostInPairs).map((before) => [before, all] as const));
    for (const [before, all] of [[undefined, byField.flat()] as const, ...twice]) {
      const from = before ? this.#changed(right, [before]) : right;
      if (this.#isOver || (before && (yield* this.#try(from, created)).others.length > 0)) continue;
      for (const now of all) {
        const found = this.#isOver ? undefined : yield* this.#broken(this.#changed(from, [now]), from);
        if (found) return found;
      }
    }
    return undefined;
  }

  *#broken(object: Value, from: Value | undefined): Steps<Found | undefined> {
    const { broken, others } = yield* this.#try(object, from);
    if (!broken || others.length > 0 || !isMap(object)) return undefined;
    return { object, from: isMap(from) ? from : undefined, field: broken.field, message: broken.message };
  }

  /** What may become of the fields that a rule reads, by field. */
  #changesFor(object: Value, { at, text }: Omit<WantedRule, 'nth'>): readonly (readonly Change[])[] {
    const schema = structuralAt(this.#root, at);
    if (!schema) return [];
    const isRoot = at.length === 0 || schema.extensions.embeddedResource;
    // Defaults count as well.
    const stored = storedResource(object, this.#crd, { kubernetes: this.#kubernetes }) ?? object;
    const value = valueAt(stored, at) ?? null;
    const optionalOld = schema.extensions.validations.some((one) => one.rule === text && one.optionalOldSelf === true);
    const trial = { schema, isRoot, value, old: value, optionalOld };
    const { result: tried, work } = uncutWork(() => tryExpression(text, trial, this.#kubernetes));
    this.#work += work;
    if (!('expr' in tried)) return [];
    const read = readBy(tried.expr);
    const paths = read.fields.slice(0, mostFields).map((inner) => [...at, ...inner]);
    const seen = paths.map((path) => valueAt(stored, path)).filter((one) => one !== undefined);
    const named = [...read.literals, ...seen];
    return paths.map((path) => this.#valuesAt(path, named).map((one) => ({ path, value: one })));
  }
}

/** A value with another one at a path, made on the way; null takes away what is there. */
function put(value: Value | undefined, [step, ...rest]: Path, one: Value): Value {
  if (step === undefined) return one;
  if (typeof step === 'number') {
    const items = isList(value) ? [...value] : [];
    if (one === null && rest.length === 0) items.splice(step, 1);
    else items[Math.min(step, items.length)] = put(items[step], rest, one);
    return items;
  }
  const map = new Map(isMap(value) ? value : []);
  if (one === null && rest.length === 0) map.delete(step);
  else map.set(step, put(map.get(step), rest, one));
  return map;
}

function* pairsOf(byField: readonly (readonly Change[])[]): Generator<readonly Change[]> {
  const few = byField.map((all) => all.slice(0, mostInPairs));
  for (const [i, some] of few.entries()) {
    for (const others of few.slice(i + 1)) for (const one of some) for (const other of others) yield [one, other];
  }
}
