// npm run kustomize-data: writes server/src/kustomize/data, kustomize's own tables, from the module that the oracle asks:
// which fields its transformers change, and which lists of the built-in kinds are merged by which keys. Go is needed for it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';

const target = 'server/src/kustomize/data';

function folderOf(name: string): string {
  const options = { encoding: 'utf8', cwd: 'test/conformance/oracle/made' } as const;
  const result = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', name], options);
  if (result.status !== 0) throw new Error(`go list ${name}: ${result.error?.message ?? result.stderr}`);
  return result.stdout.trim();
}

interface FieldSpec {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly path?: string;
  readonly create?: boolean;
}

interface BackReference extends FieldSpec {
  readonly fieldSpecs: readonly FieldSpec[];
}

const specs = path.join(folderOf('sigs.k8s.io/kustomize/api'), 'internal/konfig/builtinpluginconsts');
const fields = new Map<string, readonly FieldSpec[]>();
const references: BackReference[] = [];
const sources = readdirSync(specs).filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'));
const goText = sources.map((name) => readFileSync(path.join(specs, name), 'utf8')).join('\n');
// Texts may go on with one that several share.
const constants = new Map(
  [...goText.matchAll(/(\w+) += `\n?([^`]*)`(?: \+ (\w+))?/g)].map(([, name, text, more]) => [
    name!,
    { text: text!, more },
  ]),
);
for (const { text, more } of constants.values()) {
  const parsed: unknown = parse(`${text}${more === undefined ? '' : constants.get(more)!.text}`);
  if (Array.isArray(parsed)) continue;
  for (const [name, rows] of Object.entries(parsed as Record<string, readonly FieldSpec[]>)) {
    if (name === 'nameReference') references.push(...(rows as readonly BackReference[]));
    else fields.set(name, rows);
  }
}

/** `path kind version group`, `+` in front of what is created; `-` for what is not said. */
function row({ path: at, kind, version, group, create }: FieldSpec): string {
  const parts = [at, kind, version, group].map((part) => (part === undefined || part === '' ? '-' : part));
  while (parts.length > 1 && parts.at(-1) === '-') parts.pop();
  return `${create ? '+' : ''}${parts.join(' ')}`;
}

const head = '/** Written by `npm run kustomize-data`. */\n';
const tables = Object.fromEntries([...fields].sort().map(([name, rows]) => [name, rows.map(row)]));
const named = references.map((one) => [row(one), one.fieldSpecs.map(row)]);
writeFileSync(
  `${target}/fields.ts`,
  `${head}export const fieldRows: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(tables, null, 2)};\n
export const referenceRows: readonly (readonly [string, readonly string[]])[] = ${JSON.stringify(named, null, 2)};\n`,
);

// Only what leads to lists that are merged is kept of the schemas.
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

const kyaml = folderOf('sigs.k8s.io/kustomize/kyaml');
const bundles = readdirSync(`${kyaml}/openapi/kubernetesapi/data`).filter((name) => name.endsWith('.json.gz'));
if (bundles.length !== 1) throw new Error(`one bundle is expected: ${bundles.join(', ')}`);
const bundle = JSON.parse(gunzipSync(readFileSync(`${kyaml}/openapi/kubernetesapi/data/${bundles[0]}`)).toString());
const definitions: Readonly<Record<string, Schema>> = bundle.definitions;
const refOf = ({ $ref }: Schema) => $ref?.replace('#/definitions/', '');

/** Types that lead to a merged list, found by going back from those that have one. */
const leading = new Set<string>();
for (let before = -1; before !== leading.size; ) {
  before = leading.size;
  for (const [name, schema] of Object.entries(definitions))
    if (Object.values(schema.properties ?? {}).some(leads)) leading.add(name);
}

function leads(schema: Schema): boolean {
  if (isMerged(schema)) return true;
  const ref = refOf(schema);
  if (ref !== undefined) return leading.has(ref);
  return [schema.items, schema.additionalProperties].some((inner) => inner !== undefined && leads(inner));
}

function isMerged(schema: Schema): boolean {
  return schema.type === 'array' && (schema['x-kubernetes-patch-strategy'] ?? '').split(',').includes('merge');
}

const numbers = new Map([...leading].sort().map((name, i) => [name, i]));

/** `field:TYPE`, `field[]:TYPE` for a list, `field{}:TYPE` for a map of any keys, `=KEYS` for a merged list. */
function part(name: string, schema: Schema): string {
  const inner = schema.items ?? schema.additionalProperties;
  const ref = refOf(inner ?? schema);
  const type = ref !== undefined && numbers.has(ref) ? numbers.get(ref) : '';
  const shape = schema.items ? '[]' : schema.additionalProperties ? '{}' : '';
  const keys = schema['x-kubernetes-list-map-keys'] ?? [schema['x-kubernetes-patch-merge-key']].filter(Boolean);
  return `${name}${shape}:${type}${isMerged(schema) ? `=${keys.join(',')}` : ''}`;
}

const types = [...numbers.keys()].map((name) => {
  const parts = Object.entries(definitions[name]!.properties ?? {}).filter(([, schema]) => leads(schema));
  return parts
    .map(([field, schema]) => part(field, schema))
    .sort()
    .join(' ');
});
interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly definition?: string;
  readonly scope?: string;
}
const kinds = (bundle.resources as Resource[])
  .filter(({ definition }) => definition !== undefined && numbers.has(definition))
  .map(({ apiVersion, kind, definition }) => `${apiVersion} ${kind} ${numbers.get(definition!)}`);
const precomputed = readFileSync(`${kyaml}/openapi/openapi.go`, 'utf8').matchAll(
  /\{APIVersion: "([^"]+)", Kind: "([^"]+)"\}:\s+false/g,
);
const cluster = [...precomputed].map(([, apiVersion, kind]) => `${apiVersion} ${kind}`).sort();
writeFileSync(
  `${target}/schema.ts`,
  `${head}export const schemaTypes: readonly string[] = ${JSON.stringify(types, null, 2)};\n
export const schemaKinds: readonly string[] = ${JSON.stringify(kinds, null, 2)};\n
export const clusterKinds: readonly string[] = ${JSON.stringify(cluster, null, 2)};\n`,
);
console.error(`${target}: ${types.length} types, ${kinds.length} kinds, ${references.length} references`);
