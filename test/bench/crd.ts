import { firstFlagsOf, setFlags } from '../../server/src/cli/compiled.ts';
import { readJson } from '../../server/src/gostd/json.ts';
import { createCrd } from '../../server/src/kubernetes/crd/create.ts';
import { lowerCrd } from '../../server/src/kubernetes/crd/lower.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { oracleBinary, startOracle } from '../conformance/oracle.ts';
import { seeded } from '../support/random.ts';

type Json = { [key: string]: unknown };

const random = seeded(7);
const description = 'Says what this field is for, as generated schemas do at some length, over and over again. ';

function leaf(): Json {
  return random.pick<() => Json>([
    () => ({ type: 'string', description, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
    () => ({ type: 'integer', description, format: 'int32', minimum: 0, default: 1 }),
    () => ({ type: 'boolean', description }),
    () => ({ 'x-kubernetes-int-or-string': true, description, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    () => ({ type: 'string', description, enum: ['Always', 'Never', 'IfNotPresent'], default: 'Always' }),
  ])();
}

/** A schema as code generators write them: objects in lists in objects, now and then with a rule. */
function schema(depth: number): Json {
  if (depth === 0) return leaf();
  const properties: Json = {};
  for (let i = 0; i < 8; i++) properties[`field${i}`] = i < 2 ? container(depth - 1) : leaf();
  const rule = { rule: 'self.all(x, x.field7 == x.field7)', message: 'must be alike' };
  const rules = random.chance(0.1)
    ? { 'x-kubernetes-validations': [{ ...rule, rule: 'has(self.field3) || true' }] }
    : {};
  return { type: 'object', description, properties, required: ['field5'], ...rules };
}

function container(depth: number): Json {
  if (random.chance(0.5)) return schema(depth);
  return { type: 'array', description, maxItems: 2, items: schema(depth) };
}

function crd(name: string, depth: number): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: `${name}s`, kind: name.toUpperCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema(depth), status: schema(1) } } },
        },
      ],
    },
  });
}

/** The oracle prints what it stores, which weighs little beside validating. */
async function theirs(texts: readonly string[]): Promise<number | undefined> {
  if (oracleBinary(newestVersion.name) === undefined) return undefined;
  const oracle = startOracle(newestVersion.name);
  const requests = texts.map((text) => `{"op":"crd.create","crd":${text}}`);
  await oracle.ask(requests.slice(0, 1));
  const start = performance.now();
  await oracle.ask(requests);
  const time = performance.now() - start;
  oracle.close();
  return time;
}

function ours(texts: readonly string[], judge: (text: string) => void): number {
  const start = performance.now();
  for (const text of texts) judge(text);
  return performance.now() - start;
}

function create(text: string): void {
  const read = readJson(text);
  if ('error' in read) throw new Error(read.error.message);
  const { errors } = createCrd(read.json);
  if (errors.length > 0) throw new Error(`refused: ${errors[0]!.field}: ${errors[0]!.message}`);
}

async function compare(what: string, texts: readonly string[]): Promise<void> {
  const mine = ours(texts, create);
  const other = await theirs(texts);
  const perSecond = (time: number) => ((texts.length * 1000) / time).toFixed(1);
  const beside = other === undefined ? '' : `; the Go code ${perSecond(other)} CRDs/s (${other.toFixed(0)} ms)`;
  console.log(`${what}: ${perSecond(mine)} CRDs/s (${mine.toFixed(0)} ms)${beside}`);
}

export async function bench(): Promise<void> {
  // As `check` runs, which is soon over.
  setFlags(firstFlagsOf('check'));
  const many = Array.from({ length: 500 }, (_, i) => crd(`kind${i}`, 3));
  const large = crd('large', 9);
  create(many[0]!);
  await compare(`500 CRDs of ${Math.round(many.join('').length / 500 / 1024)} KiB, cold`, many);
  await compare('the same again', many);
  await compare(`one CRD of ${(large.length / 1024 / 1024).toFixed(2)} MiB, five times`, Array(5).fill(large));
  const read = readJson(large);
  if ('error' in read) return;
  const again = ours(Array(5).fill(large), () => createCrd(read.json));
  console.log(`the large one as an unchanged tree: ${(again / 5).toFixed(1)} ms each`);
  const lowered = ours(Array(100).fill(large), () => lowerCrd(read.json));
  console.log(`lowered, an unchanged tree: ${(lowered / 100).toFixed(3)} ms each`);
}
