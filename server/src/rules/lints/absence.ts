import { type Comprehension, childrenOf, type Expr } from '../../cel/ast.ts';
import { standardMacros } from '../../cel/macros.ts';
import { boolType } from '../../cel/types.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { isAlwaysThere, isResourceField, itemsPlace, propertyPlace, type SchemaPlace } from './linted.ts';

// What a rule comes to if one optional field is left out, found by evaluating it with sets of outcomes in place of
// values. Everything that does not depend on the field may be anything; where it is not clear whether something
// depends on it, the outcome is unclear, and nothing is said.

/** What an expression may come to: a set, as bits. */
type Outcomes = number;
const error = 1;
const yes = 2;
const no = 4;
const other = 8;
const unclear = 16;

/** A part of the value that a rule guards, as an expression reaches it. */
interface Ref {
  readonly place: SchemaPlace;
  /** Fields, and `[]` for the items of lists and the values of maps. */
  readonly steps: readonly string[];
  /** How an expression in the same scope writes it. */
  readonly text: string;
}

type Scope = ReadonlyMap<string, Ref>;

/** A field that may be left out, and that a rule reads. */
export interface OptionalField {
  readonly key: string;
  readonly steps: readonly string[];
  readonly text: string;
  readonly name: string;
  /** The part of the expression that reads it. */
  readonly read: Expr;
  /** The body of the innermost macro that reads it, where the rule goes through a list; the whole rule otherwise. */
  readonly within: Expr;
}

const keyOf = (steps: readonly string[]) => steps.join('\0');

function rootScope(place: SchemaPlace): Scope {
  const self = (text: string): Ref => ({ place, steps: [], text });
  return new Map([
    ['self', self('self')],
    ['oldSelf', self('oldSelf')],
  ]);
}

/** By rule and schema. Not a memo: what is looked at is a place, of which only the schema counts. */
const known = new WeakMap<Expr, WeakMap<Structural, readonly OptionalField[]>>();

/** Fields without which a rule is sure to fail with an error, though the schema lets objects leave them out. */
export function unguarded(expr: Expr, place: SchemaPlace): readonly OptionalField[] {
  if (isMetadata(place)) return [];
  // Not a memo: a part of the table above.
  const bySchema = known.get(expr) ?? new WeakMap<Structural, readonly OptionalField[]>();
  known.set(expr, bySchema);
  const found = bySchema.get(place.schema) ?? unguardedWithin(expr, place);
  bySchema.set(place.schema, found);
  return found.filter(({ name }) => !isDemandedAround(place.parent, name));
}

/** What can be told from the rule and its own schema. */
function unguardedWithin(expr: Expr, place: SchemaPlace): OptionalField[] {
  const scope = rootScope(place);
  const walk: Walk = { top: place, asked: false, found: new Map() };
  collect(expr, scope, expr, walk);
  const sure = [...walk.found.values()].filter((field) => fails(outcomes(expr, scope, field)));
  // What is further out is asked for first.
  return sure.sort((a, b) => a.steps.length - b.steps.length);
}

interface Walk {
  /** The schema that the rule is on. */
  readonly top: SchemaPlace;
  /** Fields that it asks for with `has()`, instead of those that it reads. */
  readonly asked: boolean;
  readonly found: Map<string, OptionalField>;
}

/** How many parts of expressions are looked at for one CRD: fields and rules that ask for each other are many pairs. */
const mostSteps = 200_000;
let steps = 0;

/** Begins counting anew: for a CRD. */
export function beginAbsence(): void {
  steps = 0;
}

/** Whether a rule is false, without an error, where a field is left out: then leaving it out is meant to be refused. */
export function refusesAbsence(expr: Expr, place: SchemaPlace, steps: readonly string[]): boolean {
  return outcomes(expr, rootScope(place), { key: keyOf(steps) }) === no;
}

/** The names of fields without which the rule does not come to read this one: it fails on objects that have them. */
export function neededFor(expr: Expr, place: SchemaPlace, { key }: OptionalField): readonly string[] {
  const scope = rootScope(place);
  const walk: Walk = { top: place, asked: true, found: new Map() };
  collect(expr, scope, expr, walk);
  return [...walk.found.values()]
    .filter((asked) => asked.key !== key && !fails(outcomes(expr, scope, { key, other: asked.key })))
    .map(({ name }) => name);
}

/** Each outcome refuses the object, one of them with an error. */
function fails(found: Outcomes): boolean {
  return (found & error) !== 0 && (found & ~(error | no)) === 0;
}

// Which fields an expression reads

function collect(expr: Expr, scope: Scope, within: Expr, walk: Walk): void {
  const quantified = macroOver(expr, scope);
  if (quantified) {
    collect(quantified.range, scope, within, walk);
    for (const body of quantified.bodies) collect(body, quantified.scope, body, walk);
    return;
  }
  if (expr.kind === 'select') addField(expr, scope, within, walk);
  for (const child of childrenOf(expr)) collect(child, scope, within, walk);
}

function addField(expr: Expr & { kind: 'select' }, scope: Scope, within: Expr, { top, asked, found }: Walk): void {
  const ref = refOf(expr, scope);
  if (!ref || expr.testOnly !== asked) return;
  const key = keyOf(ref.steps);
  const { place, steps, text } = ref;
  const { name } = place;
  if (found.has(key) || name === undefined || isAlwaysThere(place) || isDemandedElsewhere(place, top)) return;
  found.set(key, { key, steps, text, name, read: expr, within });
}

/** A junctor around may require the field under some condition, or the number of fields may. Metadata is always whole. */
function isDemandedElsewhere({ name, parent }: SchemaPlace, top: SchemaPlace): boolean {
  const { minProperties } = parent?.schema.validation ?? {};
  if (minProperties !== undefined && minProperties >= BigInt(parent?.schema.properties?.size ?? 0)) return true;
  return (parent !== undefined && parent !== top && isMetadata(parent)) || isDemandedAround(parent, name!, top);
}

function isMetadata({ name, parent }: SchemaPlace): boolean {
  return parent !== undefined && name !== undefined && isResourceField(parent, name);
}

/** Whether a junctor of a schema, or of one around it, requires a field. */
function isDemandedAround(place: SchemaPlace | undefined, name: string, top?: SchemaPlace): boolean {
  for (let at = place; at; at = at === top ? undefined : at.parent) {
    const { allOf = [], anyOf = [], oneOf = [], not } = at.schema.validation ?? {};
    if ([...allOf, ...anyOf, ...oneOf, ...(not ? [not] : [])].some((one) => requires(one, name))) return true;
  }
  return false;
}

type Nested = NonNullable<NonNullable<SchemaPlace['schema']['validation']>['not']>;

function requires(nested: Nested, name: string): boolean {
  if (nested.required.includes(name)) return true;
  const { allOf, anyOf, oneOf, not, items, properties, additionalProperties } = nested;
  const below = [...allOf, ...anyOf, ...oneOf, not, items, additionalProperties, ...(properties?.values() ?? [])];
  return below.some((one) => one !== undefined && requires(one, name));
}

/** What part of the guarded value an expression is. */
function refOf(expr: Expr, scope: Scope): Ref | undefined {
  if (expr.kind === 'ident') return scope.get(expr.name);
  if (expr.kind !== 'select') return undefined;
  const of = refOf(expr.operand, scope);
  const name = unescapeName(expr.field) ?? expr.field;
  const place = of && propertyPlace(of.place, name);
  return place && { place, steps: [...of.steps, name], text: `${of.text}.${expr.field}` };
}

interface Quantified {
  readonly range: Expr;
  readonly bodies: readonly Expr[];
  readonly scope: Scope;
  readonly name: string;
}

const overItems: ReadonlySet<string> = new Set(
  standardMacros.filter(({ on }) => on === 'collection').map(({ name }) => name),
);

/** A macro over one variable. */
function macroOver(expr: Expr, scope: Scope): Quantified | undefined {
  const call = expr.macro;
  if (expr.kind !== 'comprehension' || !call?.target || expr.iterVar2 !== '' || !overItems.has(call.name))
    return undefined;
  const [variable, ...bodies] = call.args;
  if (variable?.kind !== 'ident') return undefined;
  const inner = new Map(scope);
  const of = refOf(call.target, scope);
  const place = of && elementOf(of.place);
  if (place) inner.set(variable.name, { place, steps: [...of.steps, '[]'], text: variable.name });
  else inner.delete(variable.name);
  return { range: call.target, bodies, scope: inner, name: call.name };
}

/** A macro over a map goes over its keys, of which the schema says nothing. */
function elementOf(place: SchemaPlace): SchemaPlace | undefined {
  return place.schema.type === 'array' ? itemsPlace(place) : undefined;
}

// What the expression comes to

/** What an object lacks: a field, and perhaps one that the rule asks for. */
interface LeftOut {
  readonly key: string;
  readonly other?: string;
}

/** The outcomes of an expression where only these are left out, and lists on the way to the field have one item. */
function outcomes(expr: Expr, scope: Scope, left: LeftOut): Outcomes {
  if (++steps > mostSteps) return unclear;
  switch (expr.kind) {
    case 'literal':
      return expr.literal.of === 'bool' ? (expr.literal.value ? yes : no) : other;
    case 'ident':
      return plain(expr);
    case 'select':
      return ofSelect(expr, scope, left);
    case 'call':
      return ofCall(expr, scope, left);
    case 'comprehension':
      return ofComprehension(expr, scope, left);
    default:
      return strict(expr, childrenOf(expr), scope, left);
  }
}

const plain = ({ type }: Expr): Outcomes =>
  type === boolType ? yes | no : type.kind === 'dyn' ? yes | no | other : other;

function ofSelect(expr: Expr & { kind: 'select' }, scope: Scope, left: LeftOut): Outcomes {
  const operand = outcomes(expr.operand, scope, left);
  if (operand === error) return error;
  const ref = refOf(expr, scope);
  const found = ref ? keyOf(ref.steps) : undefined;
  const rest = operand & (error | unclear);
  if (found === left.key || (found !== undefined && found === left.other)) return expr.testOnly ? no | rest : error;
  // Every other field is there: that one is left out alone is a case that a rule has to expect.
  if (expr.testOnly) return rest | (ref ? yes : yes | no);
  return rest | plain(expr);
}

function ofCall(expr: Expr & { kind: 'call' }, scope: Scope, left: LeftOut): Outcomes {
  const [first, second, third] = expr.args.map((arg) => outcomes(arg, scope, left));
  switch (expr.name) {
    case '_&&_':
      return combined(first!, second!, no);
    case '_||_':
      return combined(first!, second!, yes);
    case '!_':
      return (first! & ~(yes | no)) | (first! & yes ? no : 0) | (first! & no ? yes : 0);
    case '_?_:_':
      return (first! & (error | unclear)) | (first! & yes ? second! : 0) | (first! & no ? third! : 0);
    case '_==_':
      return sameCount(expr.args, scope, left) ?? compared(first!, second!) ?? strict(expr, expr.args, scope, left);
    case '_!=_': {
      const same = sameCount(expr.args, scope, left) ?? compared(first!, second!);
      return same === undefined ? strict(expr, expr.args, scope, left) : same === yes ? no : yes;
    }
    case '_?._':
      return ofOptionalSelect(expr, scope, left);
    default:
      return strict(expr, expr.target ? [expr.target, ...expr.args] : expr.args, scope, left);
  }
}

/** `self.?field` gives something of the field, there or not. */
function ofOptionalSelect(expr: Expr & { kind: 'call' }, scope: Scope, left: LeftOut): Outcomes {
  const [operand, field] = expr.args;
  const of = operand && refOf(operand, scope);
  if (!operand || !of || field?.kind !== 'literal') return strict(expr, expr.args, scope, left) | unclear;
  const before = outcomes(operand, scope, left);
  if (before === error) return error;
  const found = keyOf([...of.steps, String(field.literal.value)]);
  return other | (before & unclear) | (isOnTheWay(found, left) ? unclear : 0);
}

const each: readonly Outcomes[] = [error, yes, no, other, unclear];

/** CEL's `&&` and `||`: the deciding value wins over an error on the other side. */
function combined(a: Outcomes, b: Outcomes, deciding: Outcomes): Outcomes {
  let found = 0;
  for (const x of each) {
    for (const y of each) {
      if (!(a & x) || !(b & y)) continue;
      if (x === deciding || y === deciding) found |= deciding;
      else if (x === unclear || y === unclear) found |= unclear;
      else if (x === error || y === error) found |= error;
      else found |= deciding === no ? yes : no;
    }
  }
  return found;
}

/** Whether two truths that are known are the same. */
function compared(a: Outcomes, b: Outcomes): Outcomes | undefined {
  const isKnown = (one: Outcomes) => one === yes || one === no;
  return isKnown(a) && isKnown(b) ? (a === b ? yes : no) : undefined;
}

/** Whether two numbers that are known are the same, as in `(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1`. */
function sameCount(args: readonly Expr[], scope: Scope, left: LeftOut): Outcomes | undefined {
  const [a, b] = args.map((arg) => countOf(arg, scope, left));
  return a === undefined || b === undefined ? undefined : a === b ? yes : no;
}

function countOf(expr: Expr, scope: Scope, left: LeftOut): bigint | undefined {
  if (expr.kind === 'literal') return expr.literal.of === 'int' ? expr.literal.value : undefined;
  if (expr.kind !== 'call') return undefined;
  const [first, second, third] = expr.args;
  if (expr.name === '_+_') {
    const [a, b] = [countOf(first!, scope, left), countOf(second!, scope, left)];
    return a === undefined || b === undefined ? undefined : a + b;
  }
  if (expr.name !== '_?_:_') return undefined;
  const asked = outcomes(first!, scope, left);
  return asked === yes || asked === no ? countOf(asked === yes ? second! : third!, scope, left) : undefined;
}

/** Anything that fails where a part of it fails, and is unclear where it looks at something around the field. */
function strict(expr: Expr, parts: readonly Expr[], scope: Scope, left: LeftOut): Outcomes {
  let found = plain(expr);
  for (const part of parts) {
    const of = outcomes(part, scope, left);
    if (of === error) return error;
    found |= of & (error | unclear);
    if (isAround(part, scope, left)) found |= unclear;
  }
  return found;
}

/** Whether an expression is something that holds the field. */
function isAround(expr: Expr, scope: Scope, left: LeftOut): boolean {
  const ref = refOf(expr, scope);
  return ref !== undefined && isOnTheWay(keyOf(ref.steps), left);
}

/** Whether a key is that of the field, or of something around it. */
function isOnTheWay(found: string, { key }: LeftOut): boolean {
  return found === '' || found === key || key.startsWith(`${found}\0`);
}

function ofComprehension(expr: Comprehension, scope: Scope, left: LeftOut): Outcomes {
  const quantified = macroOver(expr, scope);
  if (!quantified) return plain(expr) | (mentions(expr, scope, left) ? unclear : 0);
  const { range, bodies, scope: inner, name } = quantified;
  const over = outcomes(range, scope, left);
  if (over === error) return error;
  const of = refOf(range, scope);
  // A list on the way to the field has one item; of others nothing is known.
  if (!of || !left.key.startsWith(`${keyOf([...of.steps, '[]'])}\0`)) {
    return plain(expr) | (bodies.some((body) => mentions(body, inner, left)) ? unclear : 0);
  }
  const [first] = bodies.map((body) => outcomes(body, inner, left));
  if (name === 'all' || name === 'exists') return first!;
  return first === error ? error : plain(expr) | unclear;
}

/** Whether an expression has anything to do with the field. */
function mentions(expr: Expr, scope: Scope, left: LeftOut): boolean {
  const ref = refOf(expr, scope);
  if (ref) return isOnTheWay(keyOf(ref.steps), left) || keyOf(ref.steps).startsWith(`${left.key}\0`);
  return childrenOf(expr).some((child) => mentions(child, scope, left));
}
