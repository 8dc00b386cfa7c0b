// An evaluation never costs more than was estimated: the property that the API server's budget rests on. It is not
// quite true upstream. The exceptions and their reasons are listed here and compared with the recorded evaluations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Expr, eachChild } from '../../server/src/cel/ast.ts';
import { compile } from '../../server/src/cel/compile.ts';
import { readJson } from '../../server/src/gostd/json.ts';
import { type SchemaProps, schemaStruct } from '../../server/src/kubernetes/api/schema.ts';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { schemaDeclType } from '../../server/src/kubernetes/cel/rules.ts';
import { decodeInto } from '../../server/src/kubernetes/decode.ts';
import { kubernetesVersions } from '../../server/src/kubernetes/releases/all.ts';
import { environmentName } from '../../server/src/kubernetes/releases/environments.ts';
import type { KubernetesVersion } from '../../server/src/kubernetes/releases/release.ts';
import { lowerSchema } from '../../server/src/kubernetes/schema/lower.ts';
import { answerOf, readAnswers } from '../conformance/answers.ts';
import { loadCases } from '../conformance/cases.ts';

interface Asked {
  readonly expr: string;
  readonly schema?: Schema;
  readonly self?: unknown;
  readonly oldSelf?: unknown;
}

interface Schema {
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Whether a value keeps the limits that the estimate believes in. */
function keepsLimits(value: unknown, schema: Schema | undefined): boolean {
  const { maxLength = Infinity, maxItems = Infinity, maxProperties = Infinity } = schema ?? {};
  if (typeof value === 'string') return value.length <= maxLength;
  if (Array.isArray(value)) return value.length <= maxItems && value.every((item) => keepsLimits(item, schema?.items));
  if (typeof value !== 'object' || value === null) return true;
  const entries = Object.entries(value);
  const below = (name: string) => schema?.properties?.[name] ?? schema?.additionalProperties;
  return entries.length <= maxProperties && entries.every(([name, item]) => keepsLimits(item, below(name)));
}

const isIndex = (e: Expr) => e.kind === 'call' && ['_[_]', '_?._', '_[?_]'].includes(e.name);
const operandOf = (e: Expr) => (e.kind === 'select' ? e.operand : e.kind === 'call' ? e.args[0] : undefined);

const sized = ['string', 'bytes', 'list', 'map'];

/** What is compared under a schema without having a size is estimated at nothing; it costs 1, or a tenth of its fields. */
function comparison(e: Expr): number {
  if (e.kind !== 'call' || (e.name !== '_==_' && e.name !== '_!=_')) return 0;
  if (e.args.some((arg) => sized.includes(arg.type.kind))) return 0;
  return e.args.some((arg) => arg.type.kind === 'struct') ? 10 : 1;
}

/** A depth below zero is estimated as if it cost nothing for each item, and counted as if it took something back. */
function flattensBelowZero(e: Expr): boolean {
  const depth = e.kind === 'call' && e.name === 'flatten' ? e.args.at(-1) : undefined;
  return depth?.kind === 'literal' && depth.literal.of === 'int' && depth.literal.value < 0n;
}

/** What the nodes of a tree cost beyond their estimate; infinite where a loop repeats them. */
function exempt(e: Expr, looped: boolean): number {
  if (flattensBelowZero(e)) return Infinity;
  let beyond = comparison(e);
  if (e.kind === 'select' || isIndex(e)) {
    const operand = operandOf(e)!;
    // On anything dynamic a selection is estimated at nothing, and costs 1.
    if (!['map', 'struct', 'list'].includes(operand.type.kind)) beyond++;
    // The value of a call or literal is looked at once more before anything is selected from it.
    if (operand.kind !== 'ident' && operand.kind !== 'select' && !isIndex(operand)) beyond++;
  }
  if (looped && beyond > 0) return Infinity;
  eachChild(e, (child) => {
    const inside = e.kind === 'comprehension' && child !== e.range && child !== e.init;
    beyond += exempt(child, looped || inside);
  });
  return beyond;
}

function treeOf({ expr, schema }: Asked, version: KubernetesVersion): Expr {
  const release = environmentName(version, true);
  if (!schema) return compile(expr, schemaEnvironment(version, release, undefined).env).expr;
  const props: SchemaProps = {};
  const read = readJson(JSON.stringify(schema));
  if ('error' in read) throw new Error(read.error.message);
  decodeInto(schemaStruct.decoding, props, read.json, version);
  const lowered = lowerSchema(props);
  if ('error' in lowered) throw new Error(lowered.error);
  const decl = schemaDeclType(lowered.structural, false, version);
  return compile(expr, schemaEnvironment(version, release, decl).env).expr;
}

interface Costs {
  readonly cel?: { readonly cost?: string; readonly costMax?: string };
}

const files = loadCases((name) => name.startsWith('cel-eval/') || name.startsWith('cel/'));

for (const version of kubernetesVersions) {
  test(`no evaluation costs more than its estimate in ${version.name}`, () => {
    let checked = 0;
    const unexplained: string[] = [];
    for (const file of files) {
      const answers = readAnswers(file.name);
      for (const { name, request } of file.cases) {
        const { cel } = answerOf(answers.get(name)!, version.name) as Costs;
        if (cel?.cost === undefined || cel.costMax === undefined) continue;
        checked++;
        const beyond = BigInt(cel.cost) - BigInt(cel.costMax);
        if (beyond <= 0n) continue;
        const asked = JSON.parse(request) as Asked;
        if (!keepsLimits(asked.self, asked.schema) || !keepsLimits(asked.oldSelf, asked.schema)) continue;
        if (beyond > exempt(treeOf(asked, version), false)) unexplained.push(`${beyond}: ${asked.expr}`);
      }
    }
    assert.deepEqual(unexplained, []);
    assert.ok(checked > 1500, `${checked} evaluations`);
  });
}
