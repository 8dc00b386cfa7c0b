import { type Path, type Value, valueAt } from '../base/value.ts';
import { childrenOf, type Expr } from '../cel/ast.ts';
import { compile } from '../cel/compile.ts';
import { printJson } from '../go/jsonPrint.ts';
import { baseEnvironment, environmentMinor } from '../kubernetes/cel/environment.ts';
import { unescapeName } from '../kubernetes/cel/escape.ts';
import type { KubernetesVersion } from '../kubernetes/versions.ts';
import type { Definition } from '../workspace/definitions.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { rootSchema, schemaAt } from '../workspace/schemaNode.ts';
import { locateInFile } from './locate.ts';
import type { RelatedProblem } from './rule.ts';

/** What a finding about a broken rule knows of it. */
interface RuleFacts {
  readonly rule?: { readonly rule: string };
  readonly index?: number;
  /** The path of the value that the rule guards. */
  readonly self?: Path;
}

/** What a rule saw: the object, or a value in it, and the one it replaces. */
interface Seen {
  readonly self: Value | undefined;
  readonly old: Value | undefined;
}

/** The rule that is broken, at its place in the CRD, with the values that it saw. */
export function brokenRule(
  manifest: Manifest,
  definition: Definition,
  facts: unknown,
  seen: Seen,
  kubernetes: KubernetesVersion,
): RelatedProblem[] {
  const { rule: broken, index, self = [] } = (facts ?? {}) as RuleFacts;
  const rule = broken?.rule;
  const root = rootSchema(definition, manifest.apiVersion);
  const node = root && schemaAt(root, self);
  if (rule === undefined || index === undefined || !node?.path) return [];
  const { file, manifest: crd } = definition;
  const place = locateInFile(file, crd, [...node.path, 'x-kubernetes-validations', index, 'rule'], 'value');
  const old = self.every((step) => typeof step === 'string') ? valueAt(seen.old, self) : undefined;
  const values = seenValues(rule, { self: valueAt(seen.self, self), old }, kubernetes);
  const where = values.length === 0 ? '' : `, where ${values.join(' and ')}`;
  const message = `the rule: ${rule.replace(/\s+/g, ' ').trim()}${where}`;
  return [{ ...place, message }];
}

const mostSeen = 6;
const longest = 40;

/** The fields of `self` and `oldSelf` that a rule reads, with what the objects have there. */
function seenValues(rule: string, seen: Seen, kubernetes: KubernetesVersion): string[] {
  const env = baseEnvironment(kubernetes, environmentMinor(kubernetes, true));
  const found = new Map<string, string>();
  collect(compile(rule, env).expr, seen, found);
  return [...found].slice(0, mostSeen).map(([field, value]) => `${field} is ${value}`);
}

function collect(expr: Expr, seen: Seen, into: Map<string, string>): void {
  const read = fieldsRead(expr);
  if (read === undefined) {
    for (const child of childrenOf(expr)) collect(child, seen, into);
    return;
  }
  // Items of lists are matched with old ones by more than their place.
  if (read.root === 'oldSelf' && seen.old === undefined) return;
  const value = valueAt(read.root === 'self' ? seen.self : seen.old, read.fields);
  const text = value === undefined ? 'not set' : printJson(value);
  into.set([read.root, ...read.fields].join('.'), text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** The fields of a chain such as `self.a.b`; undefined for anything else. */
function fieldsRead(expr: Expr): { readonly root: 'self' | 'oldSelf'; readonly fields: string[] } | undefined {
  if (expr.kind === 'ident') {
    return expr.name === 'self' || expr.name === 'oldSelf' ? { root: expr.name, fields: [] } : undefined;
  }
  const before = expr.kind === 'select' ? fieldsRead(expr.operand) : undefined;
  if (!before || expr.kind !== 'select') return undefined;
  return { root: before.root, fields: [...before.fields, unescapeName(expr.field) ?? expr.field] };
}
