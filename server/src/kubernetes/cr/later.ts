import { isList, isMap, type Path, type Value, type ValueMap } from '../../base/value.ts';
import { childrenOf, type Expr } from '../../cel/ast.ts';
import type { Json } from '../../gostd/json.ts';
import { unescapeName } from '../cel/escape.ts';
import { evaluateSchemaRules } from '../cel/evaluate.ts';
import type { RuleFacts, RuleFinding } from '../cel/findings.ts';
import { type RuleNode, ruleNode } from '../cel/ruleTree.ts';
import type { DecodeError } from '../decode.ts';
import { rootPath } from '../field.ts';
import { newestVersion } from '../releases/all.ts';
import { createResource, prepared, type ResourceOptions } from './create.ts';
import { readResource } from './decode.ts';
import type { CrFinding } from './findings.ts';
import { wholeObject } from './object.ts';
import type { ServedCrd } from './served.ts';
import type { ResourceVerdict } from './verdict.ts';

// The API server runs no rule over an object that has a wrong type, a missing field or a value that is none of the
// choices. What a rule says that reads nothing of this stays true when it is mended.

/** What rules will say about a new object once it has none of these errors. */
export function laterRules(
  document: Json,
  crd: ServedCrd,
  errors: readonly CrFinding[],
  { kubernetes = newestVersion, text }: ResourceOptions,
): readonly RuleFinding[] {
  if (!errors.some(({ code }) => code === 'cr/rules-not-checked')) return [];
  const read = readResource(document, crd, kubernetes, { text });
  if ('error' in read) return [];
  const resource = prepared(read.resource);
  const { served } = resource;
  const root = served.structural && ruleNode(served.structural, true, kubernetes);
  if (!served.structural || !root) return [];
  const wrong = errors.filter(({ code }) => code !== 'cr/rules-not-checked').flatMap(placesOf);
  if (wrong.length > mostErrors) return [];
  const value = wrong.reduce(without, wholeObject(resource) as Value);
  const found = evaluateSchemaRules({
    schema: served.structural,
    value,
    spot: rootPath,
    isRoot: true,
    version: kubernetes,
  });
  return found.errors.filter(({ facts }) => isIndependent(facts, root, wrong));
}

const mostErrors = 100;
/** How many values that cannot be decoded are looked for; each takes a verdict of its own, so of large metadata few. */
const mostUndecoded = 20;
const mostDecoded = 40_000;

/** What comes after a value that cannot be decoded. */
export interface BehindDecoding {
  /** More such values. */
  readonly decode: readonly DecodeError[];
  readonly strict: ResourceVerdict['strict'];
  readonly errors: readonly CrFinding[];
}

/**
 * What the API server will say about a new object once its metadata can be decoded. The first value that cannot be hides
 * everything else; what is about other places stays true when it is mended.
 */
export function behindDecoding(
  document: Json,
  crd: ServedCrd,
  first: DecodeError,
  options: ResourceOptions,
): BehindDecoding {
  const undecoded = [first];
  let value = document;
  const metadata = isMap(document as Value) ? (document as ValueMap).get('metadata') : undefined;
  const most = Math.min(mostUndecoded, Math.floor(mostDecoded / (1 + count(metadata, mostDecoded))));
  while (undecoded.length <= most) {
    const gone = undecoded.map(({ path }) => wholeField(path));
    const isApart = (at: Path) => !gone.some((one) => holds(at, one));
    const place = gone.at(-1)!;
    if (place[0] !== 'metadata' || place.length === 1) break;
    value = without(value as Value, place);
    const { decode, strict, errors } = createResource(value, crd, options);
    if (!decode) {
      return {
        decode: undecoded.slice(1),
        strict: strict.filter(({ path }) => isApart(path)),
        errors: errors.filter((one) => one.code !== 'cr/rules-not-checked' && placesOf(one).every(isApart)),
      };
    }
    // The same again: it could not be taken out.
    if (!isApart(decode.path)) break;
    undecoded.push(decode);
  }
  return { decode: undecoded.slice(1), strict: [], errors: [] };
}

/** How many values there are in one, or a number above the limit. */
function count(value: Value | undefined, limit: number): number {
  const inner = isMap(value) ? value.values() : isList(value) ? value : [];
  let sum = 1;
  for (const one of inner) {
    if (sum > limit) break;
    sum += count(one, limit - sum);
  }
  return sum;
}

/** For items of a list the whole list. */
const wholeField = (path: Path): Path => path.slice(0, path.findLastIndex((step) => typeof step === 'string') + 1);

/** What a finding is about: for items of a list the whole list, since rules may look at all of it. */
function placesOf({ path, missing = [] }: CrFinding): Path[] {
  const places = missing.length === 0 ? [path] : missing.map((name) => [...path, name]);
  return places.map(wholeField);
}

/** A value without what is at a path in it. */
export function without(value: Value, [step, ...rest]: Path): Value {
  if (isList(value)) return value.map((item, i) => (i === step ? without(item, rest) : item));
  if (!isMap(value) || typeof step !== 'string' || !value.has(step)) return value;
  const left = new Map(value);
  if (rest.length === 0) left.delete(step);
  else left.set(step, without(value.get(step)!, rest));
  return left;
}

/** Whether a rule reads nothing of what is wrong. */
function isIndependent({ rule, index, self, kind }: RuleFacts, root: RuleNode, wrong: readonly Path[]): boolean {
  const compiled = index === undefined ? undefined : nodeAt(root, self)?.rules[index];
  if (!rule || !compiled?.compiled || (kind !== 'failed' && kind !== 'error')) return false;
  const read: Path[] = [];
  collectRead(compiled.compiled.expr, read);
  if (compiled.message) collectRead(compiled.message.expr, read);
  return !wrong.some((place) => read.some((fields) => holds([...self, ...fields], place)));
}

/** Whether one of two places is in the other. */
function holds(a: Path, b: Path): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).every((step, i) => step === b[i]);
}

function nodeAt(root: RuleNode, path: Path): RuleNode | undefined {
  let node: RuleNode | undefined = root;
  for (const step of path) node = typeof step === 'number' ? node?.items : (node?.property(step) ?? node?.values);
  return node;
}

/** The fields of `self` that an expression reads. */
function collectRead(expr: Expr, into: Path[]): void {
  const fields = fieldsOfSelf(expr);
  if (fields) into.push(fields);
  else for (const child of childrenOf(expr)) collectRead(child, into);
}

function fieldsOfSelf(expr: Expr): Path | undefined {
  if (expr.kind === 'ident') return expr.name === 'self' ? [] : undefined;
  const before = expr.kind === 'select' ? fieldsOfSelf(expr.operand) : undefined;
  return before && expr.kind === 'select' ? [...before, unescapeName(expr.field) ?? expr.field] : undefined;
}
