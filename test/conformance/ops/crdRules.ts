import { readJson } from '../../../server/src/go/json.ts';
import type { DeclType } from '../../../server/src/kubernetes/cel/declType.ts';
import { escapeName } from '../../../server/src/kubernetes/cel/escape.ts';
import {
  type CompiledRule,
  compileRules,
  noDeclType,
  schemaDeclType,
} from '../../../server/src/kubernetes/cel/rules.ts';
import { crdType, emptyCrd } from '../../../server/src/kubernetes/crd/decode.ts';
import { decodeInto } from '../../../server/src/kubernetes/decode.ts';
import { lowerSchema } from '../../../server/src/kubernetes/schema/lower.ts';
import type { Structural } from '../../../server/src/kubernetes/schema/structural.ts';
import { type KubernetesVersion, kubernetesVersion } from '../../../server/src/kubernetes/versions.ts';
import type { Answer, Request, RuleAnswer } from '../protocol.ts';

export function crdRules(request: Request, kubernetes: string): Answer {
  const version = kubernetesVersion(kubernetes)!;
  const read = readJson(request.raw('crd') ?? 'null');
  if ('error' in read) return { decode: JSON.stringify(read.error) };
  const crd = emptyCrd();
  const decoded = decodeInto(crdType, crd, read.json, version);
  if (decoded.error) return { decode: decoded.error.message };
  const rules: RuleAnswer[] = [];
  for (const { name, schema } of crd.spec.versions ?? []) {
    if (!schema?.openAPIV3Schema) continue;
    const lowered = lowerSchema(schema.openAPIV3Schema);
    if ('error' in lowered) rules.push({ version: name ?? '', path: '', index: 0, rule: '', error: lowered.error });
    else walk({ kubernetes: version, version: name ?? '', rules }, '', lowered.structural, true, undefined);
  }
  return rules.length > 0 ? { rules } : {};
}

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
