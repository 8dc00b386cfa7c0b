import { type Compiled, compile, issuesOf } from '../../../server/src/cel/compile.ts';
import { estimateCost } from '../../../server/src/cel/cost.ts';
import { programOf } from '../../../server/src/cel/eval/run.ts';
import { isError, type Val } from '../../../server/src/cel/eval/values.ts';
import { runtimeText } from '../../../server/src/cel/types.ts';
import { plainValue, readJson } from '../../../server/src/gostd/json.ts';
import { type SchemaProps, schemaStruct } from '../../../server/src/kubernetes/api/schema.ts';
import { type SchemaEnv, schemaEnvironment } from '../../../server/src/kubernetes/cel/environment.ts';
import { schemaDeclType } from '../../../server/src/kubernetes/cel/rules.ts';
import { evalRules } from '../../../server/src/kubernetes/cel/runtime.ts';
import { schemaValue } from '../../../server/src/kubernetes/cel/values.ts';
import { decodeInto } from '../../../server/src/kubernetes/decode.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { environmentName } from '../../../server/src/kubernetes/releases/environments.ts';
import type { KubernetesVersion } from '../../../server/src/kubernetes/releases/release.ts';
import { lowerSchema } from '../../../server/src/kubernetes/schema/lower.ts';
import type { Structural } from '../../../server/src/kubernetes/schema/structural.ts';
import type { Answer, CelAnswer, Request } from '../protocol.ts';

import { typed } from '../typed.ts';

const perCallLimit = 1_000_000;

export function cel(request: Request, kubernetes: string): Answer {
  const version = kubernetesVersion(kubernetes)!;
  const env = environmentOf(request, version);
  if ('decode' in env) return { decode: env.decode, cel: {} };
  const compiled = compile(JSON.parse(request.raw('expr') ?? '""') as string, env.env);
  if (compiled.panic !== undefined) return { panic: compiled.panic };
  const estimated = answer(compiled, env);
  if (estimated.issues !== undefined) return { cel: estimated };
  return evaluated(request, version, compiled, env, estimated);
}

/** The oracle evaluates constants always, and over a schema where there is a self. */
function evaluated(
  request: Request,
  version: KubernetesVersion,
  compiled: Compiled,
  env: Environment,
  estimated: CelAnswer,
): Answer {
  const self = valueOf(request, 'self', env, version);
  const oldSelf = valueOf(request, 'oldSelf', env, version);
  if (env.structural && self === undefined) return { cel: estimated };
  const programmed = programOf(compiled, env.env, evalRules(version));
  if ('unsupported' in programmed || 'panic' in programmed) return programmed;
  if ('error' in programmed) return { cel: { ...estimated, error: `program: ${programmed.error}` } };
  const values = new Map([
    ['self', self],
    ['oldSelf', oldSelf],
  ]);
  const result = programmed.program.evaluate((name) => values.get(name), perCallLimit);
  if ('unsupported' in result) return result;
  const cost = String(BigInt.asUintN(64, BigInt(result.cost)));
  if (isError(result.value)) return { cel: { ...estimated, error: result.value.message, cost } };
  return { cel: { ...estimated, value: typed(result.value), cost } };
}

function valueOf(
  request: Request,
  name: string,
  { structural }: Environment,
  version: KubernetesVersion,
): Val | undefined {
  const raw = request.raw(name);
  if (!structural || raw === undefined) return undefined;
  const read = readJson(raw);
  if ('error' in read) throw new Error('bug: a request with broken JSON');
  return schemaValue(plainValue(read.json), structural, version.cel);
}

interface Environment extends SchemaEnv {
  readonly structural?: Structural;
}

function answer(compiled: Compiled, { env, model }: SchemaEnv): CelAnswer {
  const issues = issuesOf(compiled, env);
  if (issues !== undefined) return { issues };
  const { min, max } = estimateCost(compiled.expr, model).total;
  return { type: runtimeText(compiled.expr.type), costMin: String(min), costMax: String(max) };
}

function environmentOf(request: Request, version: KubernetesVersion): Environment | { readonly decode: string } {
  const stored = request.raw('stored') === 'true';
  const asked = request.raw('environment');
  const named = asked === undefined ? '' : (JSON.parse(asked) as string);
  const release = stored || named === '' ? environmentName(version, stored) : named;
  const raw = request.raw('schema');
  if (raw === undefined || raw === 'null') return schemaEnvironment(version, release, undefined);
  if (lastSchema !== raw) ofLastSchema.clear();
  lastSchema = raw;
  const key = `${version.name} ${release}`;
  const known = ofLastSchema.get(key) ?? schemaEnvironmentOf(raw, version, release);
  ofLastSchema.set(key, known);
  return known;
}

// Cases that follow one another often ask about the same schema.
let lastSchema = '';
const ofLastSchema = new Map<string, ReturnType<typeof schemaEnvironmentOf>>();

function schemaEnvironmentOf(raw: string, version: KubernetesVersion, release: string) {
  const schema = structuralOf(raw, version);
  if ('decode' in schema) return schema;
  const decl = schemaDeclType(schema.structural, false, version);
  return decl
    ? { ...schemaEnvironment(version, release, decl), structural: schema.structural }
    : { decode: 'the schema has no CEL type' };
}

function structuralOf(
  text: string,
  version: KubernetesVersion,
): { readonly structural: Structural } | { readonly decode: string } {
  const read = readJson(text);
  if ('error' in read) return { decode: JSON.stringify(read.error) };
  const props: SchemaProps = {};
  const decoded = decodeInto(schemaStruct.decoding, props, read.json, version);
  if (decoded.error) return { decode: decoded.error.message };
  const lowered = lowerSchema(props);
  return 'error' in lowered ? { decode: lowered.error } : lowered;
}
