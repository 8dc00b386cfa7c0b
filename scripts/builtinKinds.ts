// npm run builtin-kinds: writes server/data/builtinKinds.json.gz from the Go types of every Kubernetes release, which the
// program test/conformance/oracle/builtin/describe prints. Go is needed for it, and nothing else but its module proxy.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuiltinFile, FieldRow, KindFacts, StructRow } from '../server/src/kubernetes/builtin/file.ts';
import { kubernetesVersions, newestVersion } from '../server/src/kubernetes/releases/all.ts';

const home = path.resolve('test/conformance/oracle');
const target = 'server/data/builtinKinds.json.gz';

/** What the Go program prints. */
interface Description {
  readonly kinds: Record<string, KindFacts & { readonly type: string }>;
  readonly objects: Record<string, { readonly go: string; readonly doc?: string; readonly fields: readonly Field[] }>;
  readonly enums: Record<string, readonly string[]>;
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional?: true;
  readonly in?: string;
  readonly doc?: string;
  readonly markers?: Record<string, string>;
  readonly wire: string;
}

function go(args: readonly string[]): string {
  const result = spawnSync('go', args, { cwd: home, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0) throw new Error(`go ${args.join(' ')}: ${result.error?.message ?? result.stderr}`);
  return result.stdout;
}

function describe(release: string): Description {
  const modfile = `-modfile=${release === newestVersion.name ? 'go.mod' : `mods/${release}.mod`}`;
  console.error(`asking Kubernetes ${release} …`);
  const modules = ['k8s.io/api', 'k8s.io/apimachinery', 'k8s.io/kube-aggregator'];
  const folders = modules.flatMap((name) => [name, go(['list', modfile, '-m', '-f', '{{.Dir}}', name]).trim()]);
  return JSON.parse(go(['run', modfile, './builtin/describe', ...folders])) as Description;
}

/** Numbers for texts and rows, each kept once. */
class Table<T> {
  readonly rows: T[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(row: T): number {
    const key = JSON.stringify(row);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.rows.length);
    return this.rows.push(row) - 1;
  }
}

const texts = new Table<string>();
const types = new Table<string>();
const structs = new Table<StructRow>();
const kinds: Record<string, [number, KindFacts | null][]> = {};
const objects: Record<string, [number, number][]> = {};
const enums: Record<string, [number, readonly string[] | null][]> = {};

/** Notes what something is from a release on, if that is something else than before. */
function since<T>(rows: Record<string, [number, T][]>, id: string, release: number, now: T, absent: T): void {
  rows[id] ??= release === 0 ? [] : [[0, absent]];
  const last = rows[id].at(-1);
  if (JSON.stringify(last?.[1]) !== JSON.stringify(now)) rows[id].push([release, now]);
}

function rowOf({ name, type, optional, in: holder, doc = '', markers = {} }: Field): FieldRow {
  const facts = { ...markers, ...(optional && { optional }), ...(holder !== undefined && { in: holder }) };
  const [typeNumber, text] = [types.numberOf(type), texts.numberOf(doc)];
  return Object.keys(facts).length === 0 ? [name, typeNumber, text] : [name, typeNumber, text, facts];
}

/** Most numbers are one more than the one before, and are left out. */
function wireOf(fields: readonly Field[]): string {
  let last = 0;
  const parts = fields.map(({ wire }) => {
    const [, number = '', kept = ''] = /^(.*?)([+!]?)$/.exec(wire)!;
    const isNext = number === String(last + 1);
    last = Number(number.split('.')[0]);
    return (isNext ? '' : number || '0') + kept;
  });
  return parts.join(',');
}

function isRemoved({ removed }: KindFacts, release: string): boolean {
  const number = (version: string) => Number(version.split('.')[1]);
  return removed !== undefined && number(removed) <= number(release);
}

/** The objects that kinds are made of; what only kinds are made of that no release serves is of no use. */
function reachable({ kinds, objects }: Description, release: string): Set<string> {
  const found = new Set<string>();
  const walk = (type: string) => {
    const id = /#(.*)$/.exec(type)?.[1];
    if (id === undefined || found.has(id)) return;
    found.add(id);
    for (const field of objects[id]?.fields ?? []) walk(field.type);
  };
  for (const kind of Object.values(kinds)) if (kind.served && !isRemoved(kind, release)) walk(kind.type);
  return found;
}

function takeIn(description: Description, release: string, at: number): void {
  const used = reachable(description, release);
  const usedEnums = new Set<string>();
  for (const id of [...used].sort()) {
    const { go: name, doc = '', fields } = description.objects[id]!;
    const row: StructRow = [name, texts.numberOf(doc), fields.map(rowOf), wireOf(fields)];
    since(objects, id, at, structs.numberOf(row), -1);
    for (const { type } of fields) for (const [, one] of type.matchAll(/\(([^)]*)\)/g)) usedEnums.add(one!);
  }
  for (const id of [...usedEnums].sort()) since(enums, id, at, description.enums[id]!, null);
  for (const [id, kind] of Object.entries(description.kinds).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (kind.served) since(kinds, id, at, kind, null);
  }
  for (const id of Object.keys(objects)) if (!used.has(id)) since(objects, id, at, -1, -1);
  for (const id of Object.keys(enums)) if (!usedEnums.has(id)) since(enums, id, at, null, null);
  for (const id of Object.keys(kinds)) if (!description.kinds[id]?.served) since(kinds, id, at, null, null);
}

const releases = kubernetesVersions.map(({ name }) => name).sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
for (const [at, release] of releases.entries()) takeIn(describe(release), release, at);
const generated = 'npm run builtin-kinds: from the Go types of k8s.io/api, never edited by hand';
const file: BuiltinFile = {
  ...{ generated, releases, texts: texts.rows, types: types.rows, structs: structs.rows },
  ...{ objects, enums, kinds },
};
const json = JSON.stringify(file);
const packed = gzipSync(json, { level: 9 });
writeFileSync(target, packed);
console.error(`${target}: ${Object.keys(objects).length} types, ${packed.length} bytes, ${json.length} unpacked`);
