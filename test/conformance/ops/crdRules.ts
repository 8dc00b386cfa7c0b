import type { DeclType } from '../../../server/src/kubernetes/cel/declType.ts';
import { escapeName } from '../../../server/src/kubernetes/cel/escape.ts';
import {
  type CompiledRule,
  compileRules,
  noDeclType,
  schemaDeclType,
} from '../../../server/src/kubernetes/cel/rules.ts';
import { readCrd } from '../../../server/src/kubernetes/crd/read.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../../server/src/kubernetes/releases/release.ts';
import { lowerSchema } from '../../../server/src/kubernetes/schema/lower.ts';
import type { Structural } from '../../../server/src/kubernetes/schema/structural.ts';
import type { Answer, Request, RuleAnswer } from '../protocol.ts';
import { bodyOf } from './body.ts';

export function crdRules(request: Request, kubernetes: string): Answer {
  try {
    return rulesOf(request, kubernetes);
  } catch (error) {
    if (error instanceof Crash) return { panic: crash };
    throw error;
  }
}

function rulesOf(request: Request, kubernetes: string): Answer {
  const version = kubernetesVersion(kubernetes)!;
  const body = bodyOf(request, 'crd');
  if ('error' in body) return { decode: body.error };
  const read = readCrd(body.json, version);
  if ('error' in read) return { decode: read.error.message };
  const rules: RuleAnswer[] = [];
  for (const { name, schema } of read.crd.spec.versions ?? []) {
    if (!schema?.openAPIV3Schema) continue;
    const lowered = lowerSchema(schema.openAPIV3Schema);
    if ('error' in lowered) rules.push({ version: name ?? '', path: '', index: 0, rule: '', error: lowered.error });
    else walk({ kubernetes: version, version: name ?? '', rules }, '', lowered.structural, true, undefined);
  }
  return rules.length > 0 ? { rules } : {};
}

/** Go's text where the API server's own code crashes on a rule (1.31 only). */
const crash = 'runtime error: invalid memory address or nil pointer dereference';

/** Thrown by a rule that no server survives; the whole request is lost then. */
class Crash extends Error {}

interface Walk {
  readonly kubernetes: KubernetesVersion;
  readonly version: string;
  readonly rules: RuleAnswer[];
}

/** Compiles the rules of a schema and of all below it; a child's type comes from its parent's where that has one. */
function walk(w: Walk, path: string, schema: Structural, isRoot: boolean, known: DeclType | undefined): void {
  const decl = known ?? schemaDeclType(schema, isRoot || schema.extensions.embeddedResource, w.kubernetes);
  const where = { version: w.version, path };
  if (schema.extensions.validations.length > 0) {
    if (!decl) w.rules.push({ ...where, index: 0, rule: '', error: noDeclType });
    else
      for (const [index, rule] of compileRules(schema, decl, w).entries())
        w.rules.push({ ...where, index, ...answer(rule) });
  }
  for (const [name, property] of [...(schema.properties ?? [])].sort(byName)) {
    const escaped = escapeName(name);
    const field = escaped === undefined ? undefined : decl?.fields?.get(escaped);
    walk(w, `${path}.${name}`, property, false, field);
  }
  if (schema.items) walk(w, `${path}[]`, schema.items, false, decl?.element);
  const values = schema.additionalProperties?.schema;
  if (values) walk(w, `${path}{}`, values, false, decl?.element);
}

function byName([a]: readonly [string, Structural], [b]: readonly [string, Structural]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function answer(rule: CompiledRule): Omit<RuleAnswer, 'version' | 'path' | 'index'> {
  if (rule.panic !== undefined) throw new Crash();
  const costs = { maxCost: String(rule.maxCost), cardinality: String(rule.maxCardinality) };
  return {
    rule: rule.rule.rule,
    ...(rule.error ? { error: rule.error.detail } : costs),
    ...(rule.messageError
      ? { messageError: rule.messageError.detail }
      : rule.message
        ? { messageCost: String(rule.messageMaxCost) }
        : {}),
    ...(rule.usesOldSelf ? { oldSelf: true } : {}),
  };
}
