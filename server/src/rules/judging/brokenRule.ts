import { shortened } from '../../base/text.ts';
import { type Path, type Value, valueAt } from '../../base/value.ts';
import { childrenOf, type Expr } from '../../cel/ast.ts';
import type { Val } from '../../cel/eval/values.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import type { RuleFacts } from '../../kubernetes/cel/findings.ts';
import { type FalsePart, whyFalse } from '../../kubernetes/cel/whyFalse.ts';
import { structuralAt } from '../../kubernetes/cr/schemaAt.ts';
import { serveCrd } from '../../kubernetes/cr/served.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { ValidationRule } from '../../kubernetes/schema/structural.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import type { RelatedProblem } from '../model/rule.ts';
import { locateInFile } from './locate.ts';

/** What a rule saw: the object, or a value in it, and the one it replaces. */
interface Seen {
  readonly self: Value | undefined;
  readonly old: Value | undefined;
}

/** The rule that is broken, at its place in the CRD: which part of it is false, and the values that this saw. */
export function brokenRule(
  manifest: Manifest,
  definition: Definition,
  { rule, index, self }: RuleFacts,
  whole: Seen,
  kubernetes: KubernetesVersion,
): RelatedProblem[] {
  const root = rootSchema(definition, manifest.apiVersion);
  const node = root && schemaAt(root, self);
  if (!rule || index === undefined || !node?.path) return [];
  const { file, manifest: crd } = definition;
  const place = locateInFile(file, crd, [...node.path, 'x-kubernetes-validations', index, 'rule'], 'value');
  // Items of lists are matched with old ones by more than their place.
  const old = self.every((step) => typeof step === 'string') ? valueAt(whole.old, self) : undefined;
  const seen = { self: valueAt(whole.self, self), old };
  const why = whyRuleFalse(manifest, definition, self, rule, seen, kubernetes);
  return [{ ...place, message: wordsOf(rule.rule, why, seen) }];
}

function whyRuleFalse(
  { apiVersion }: Manifest,
  definition: Definition,
  self: Path,
  rule: ValidationRule,
  { self: value, old }: Seen,
  kubernetes: KubernetesVersion,
): FalsePart | undefined {
  const served = serveCrd(definition.manifest.value, kubernetes);
  const root = 'error' in served ? undefined : served.versions.get(splitApiVersion(apiVersion).version)?.structural;
  const schema = root && structuralAt(root, self);
  if (!schema || value === undefined) return undefined;
  const isRoot = self.length === 0 || schema.extensions.embeddedResource;
  return whyFalse({ schema, isRoot, rule, value, old: old ?? null }, kubernetes);
}

const mostSeen = 6;
const longest = 40;

function wordsOf(rule: string, why: FalsePart | undefined, seen: Seen): string {
  const whole = oneLine(rule);
  if (!why) return `the rule: ${whole}`;
  const part = oneLine(rule.slice(why.part.start, why.part.end));
  const values = new Map<string, string>();
  collect(why.part, rule, why, seen, values);
  const where = [...values].slice(0, mostSeen).map(([field, value]) => `${field} is ${value}`);
  const isFalse = part === whole ? '' : `; this part is false: ${part}`;
  return `the rule: ${whole}${isFalse}${where.length === 0 ? '' : `, where ${where.join(' and ')}`}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The fields of `self`, `oldSelf` and of the variables of macros that a part reads, with what stood there. */
function collect(expr: Expr, rule: string, why: FalsePart, seen: Seen, into: Map<string, string>): void {
  const chain = chainOf(expr);
  if (!chain) {
    for (const child of childrenOf(expr)) collect(child, rule, why, seen, into);
    return;
  }
  const text = shownValue(chain, why.valueOf(expr), seen);
  if (text !== undefined) into.set(rule.slice(expr.start, expr.end).replace(/^has\((.*)\)$/, '$1'), text);
}

function shownValue({ root, fields }: Chain, value: Val | undefined, seen: Seen): string | undefined {
  if (root === 'oldSelf' && seen.old === undefined) return undefined;
  if (root !== 'self' && root !== 'oldSelf') return scalar(value);
  const found = valueAt(root === 'self' ? seen.self : seen.old, fields);
  return found === undefined ? 'not set' : shortened(printJson(found), longest);
}

/** What a variable of a macro held; of lists and maps nothing is shown. */
function scalar(value: Val | undefined): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  return shortened(printJson(value), longest);
}

interface Chain {
  readonly root: string;
  readonly fields: string[];
}

/** A variable, or fields of one such as `self.a.b`; undefined for anything else. */
function chainOf(expr: Expr): Chain | undefined {
  // What a macro made for itself has a name that nobody wrote.
  if (expr.kind === 'ident') return expr.name.startsWith('@') ? undefined : { root: expr.name, fields: [] };
  const before = expr.kind === 'select' ? chainOf(expr.operand) : undefined;
  if (!before || expr.kind !== 'select') return undefined;
  return { root: before.root, fields: [...before.fields, unescapeName(expr.field) ?? expr.field] };
}
