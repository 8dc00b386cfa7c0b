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

/** The rule that is broken, at its place in the CRD, with the values that it saw. */
export function brokenRule(
  manifest: Manifest,
  definition: Definition,
  facts: unknown,
  stored: Value | undefined,
  kubernetes: KubernetesVersion,
): RelatedProblem[] {
  const { rule: broken, index, self = [] } = (facts ?? {}) as RuleFacts;
  const rule = broken?.rule;
  const root = rootSchema(definition, manifest.apiVersion);
  const node = root && schemaAt(root, self);
  if (rule === undefined || index === undefined || !node?.path) return [];
  const { file, manifest: crd } = definition;
  const place = locateInFile(file, crd, [...node.path, 'x-kubernetes-validations', index, 'rule'], 'value');
  const seen = seenValues(rule, valueAt(stored, self), kubernetes);
  const where = seen.length === 0 ? '' : `, where ${seen.join(' and ')}`;
  const message = `the rule: ${rule.replace(/\s+/g, ' ').trim()}${where}`;
  return [{ ...place, message }];
}

const mostSeen = 6;
const longest = 40;

/** The fields of `self` that a rule reads, with what the object has there. */
function seenValues(rule: string, self: Value | undefined, kubernetes: KubernetesVersion): string[] {
  const env = baseEnvironment(kubernetes, environmentMinor(kubernetes, true));
  const found = new Map<string, string>();
  collect(compile(rule, env).expr, self, found);
  return [...found].slice(0, mostSeen).map(([field, value]) => `${field} is ${value}`);
}

function collect(expr: Expr, self: Value | undefined, into: Map<string, string>): void {
  const fields = selfFields(expr);
  if (fields === undefined) {
    for (const child of childrenOf(expr)) collect(child, self, into);
    return;
  }
  const value = valueAt(self, fields);
  const text = value === undefined ? 'not set' : printJson(value);
  into.set(['self', ...fields].join('.'), text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** The fields of a chain `self.a.b`; undefined for anything else. */
function selfFields(expr: Expr): string[] | undefined {
  if (expr.kind === 'ident') return expr.name === 'self' ? [] : undefined;
  if (expr.kind !== 'select') return undefined;
  const before = selfFields(expr.operand);
  return before && [...before, unescapeName(expr.field) ?? expr.field];
}
