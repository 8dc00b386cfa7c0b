// npm run compare:go [-- MODULE …]: asks controller-gen and us what they make of the API types of public Go modules,
// which come through the Go proxy, and prints where we say something else, and whose files are the same to the byte.
// npm run compare:go -- MODULE@VERSION …: of any other module, with all of its packages with kinds.
// npm run compare:go -- --folder DIR: does so with all packages with kinds that are in a folder inside of a Go module.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { localCaches } from '../../server/src/cli/caches.ts';
import { hasMistakes } from '../../server/src/controllergen/crd/generate.ts';
import { crdOptionsText } from '../../server/src/controllergen/crd/options.ts';
import type { CrdOptions } from '../../server/src/controllergen/crd/optionTypes.ts';
import { GoPackages } from '../../server/src/workspace/goPackages.ts';
import { crdText } from '../../server/src/workspace/projections/crdText.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { packagedText } from '../support/packaged.ts';
import { differences, normal, type Plain } from './normal.ts';
import { said } from './ops/goCrd.ts';
import { startOracle } from './oracle.ts';
import { encode } from './protocol.ts';

/** A module at a version, and the folders of its API packages. */
const modules: readonly (readonly [module: string, ...folders: string[]])[] = [
  ['github.com/cert-manager/cert-manager@v1.18.2', 'pkg/apis/certmanager/v1', 'pkg/apis/acme/v1'],
  ['sigs.k8s.io/karpenter@v1.6.0', 'pkg/apis/v1'],
  ['sigs.k8s.io/cluster-api@v1.10.4', 'api/v1beta1', 'exp/api/v1beta1', 'bootstrap/kubeadm/api/v1beta1'],
  ['sigs.k8s.io/gateway-api@v1.3.0', 'apis/v1', 'apis/v1alpha2', 'apis/v1alpha3', 'apis/v1beta1'],
  ['github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring@v0.84.0', 'v1', 'v1alpha1', 'v1beta1'],
  ['github.com/fluxcd/source-controller/api@v1.6.2', 'v1', 'v1beta2'],
  ['github.com/fluxcd/kustomize-controller/api@v1.6.1', 'v1', 'v1beta2'],
  ['github.com/fluxcd/helm-controller/api@v1.3.0', 'v2'],
  [
    'github.com/kyverno/kyverno@v1.13.4',
    'api/kyverno/v1',
    'api/kyverno/v2',
    'api/kyverno/v2beta1',
    'api/policyreport/v1alpha2',
  ],
  [
    'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0',
    'api/v1beta1',
    'api/v1beta2',
    'exp/api/v1beta2',
    'controlplane/eks/api/v1beta2',
  ],
  ['github.com/crossplane/crossplane/apis/v2@v2.4.0', 'apiextensions/v1', 'apiextensions/v2', 'pkg/v1'],
  ['k8s.io/api@v0.34.1', 'apps/v1', 'batch/v1', 'networking/v1'],
];

const versionName = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;
const { values, positionals: asked } = parseArgs({ options: { folder: { type: 'string' } }, allowPositionals: true });
const oracle = startOracle('golang');
const counts = { equal: 0, equalTexts: 0, all: 0, equalErrors: 0, asked: 0 };
if (values.folder !== undefined) {
  const dir = realpathSync(values.folder);
  for (const folders of packagesWithKinds(dir)) await compare(folders.join(', '), dir, folders);
} else if (asked.some((one) => one.includes('@'))) {
  for (const module of asked) {
    const dir = download(module);
    for (const folders of packagesWithKinds(dir)) await compare(`${module} ${folders.join(', ')}`, dir, folders);
  }
} else {
  for (const [module, ...folders] of modules) {
    if (asked.length > 0 && !asked.some((part) => module.includes(part))) continue;
    await compare(module, download(module), folders);
  }
}
oracle.close();
console.log(
  `${counts.equal} of ${counts.all} CRDs equal, ${counts.equalTexts} byte for byte, the errors of ${counts.equalErrors} of ${counts.asked} runs equal`,
);
process.exit(counts.equal === counts.all && counts.equalTexts === counts.all ? 0 : 1);

/** Prints what we say otherwise of the packages in folders, which are taken together. */
async function compare(title: string, dir: string, folders: readonly string[]): Promise<void> {
  const roots = folders.map((folder) => `./${folder}`);
  const asked = (options?: string) =>
    oracle.ask([JSON.stringify({ op: 'go.crd', dir, roots, texts: true, ...(options && { options }) })]);
  // Being asked, Go fetches what the packages import.
  const [plain = ''] = await asked();
  const ours = await ask(dir, folders);
  const [line = ''] = ours.options ? await asked(ours.options) : [plain];
  const { stored: theirs, texts: theirTexts = {} } = normal(line) as { stored?: Answered; texts?: Texts };
  if (!theirs) throw new Error(`${title}: ${line.slice(0, 500)}`);
  const names = [...new Set([...Object.keys(theirs.crds), ...Object.keys(ours.crds)])];
  const wrong = names.flatMap((name) => rows(name, ours.crds[name], theirs.crds[name]));
  const otherTexts = names.flatMap((name) => firstLine(name, ours.texts[name], theirTexts[name]));
  const errors = differences(ours.errors ?? [], theirs.errors ?? []);
  const different = new Set(wrong.map(({ name }) => name)).size;
  counts.equal += names.length - different;
  counts.equalTexts += names.length - otherTexts.length;
  counts.all += names.length;
  counts.asked++;
  if (errors.length === 0) counts.equalErrors++;
  console.log(
    `${title}: ${names.length - different} of ${names.length} CRDs equal, ${names.length - otherTexts.length} byte for byte, errors ${errors.length === 0 ? 'equal' : 'different'} (${theirs.errors?.length ?? 0})`,
  );
  for (const { row } of wrong.slice(0, 5)) console.log(`  ${row.slice(0, 400)}`);
  for (const row of otherTexts.slice(0, 5)) console.log(`  ${row.slice(0, 400)}`);
  for (const row of errors.slice(0, 5)) console.log(`  errors${row.slice(0, 400)}`);
}

type Texts = Readonly<Record<string, string>>;

interface Answered {
  readonly crds: Readonly<Record<string, Plain>>;
  readonly errors?: string[];
}

function download(module: string): string {
  const result = spawnSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  const { Dir: dir, Error: error } = JSON.parse(result.stdout);
  if (error) throw new Error(`${module}: ${error}`);
  return dir;
}

/** The folders in a folder whose Go files speak of objects, those of the versions of an API together. */
function packagesWithKinds(dir: string): string[][] {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.go') && !name.endsWith('_test.go') && !/(?:^|\/)(?:vendor|testdata|[._])/.test(name),
  );
  const withKinds = files.filter((name) => /\bTypeMeta\b/.test(readFileSync(path.join(dir, name), 'utf8')));
  const together = new Map<string, string[]>();
  for (const folder of new Set(withKinds.sort().map((name) => path.dirname(name)))) {
    const api = versionName.test(path.basename(folder)) ? `${path.dirname(folder)}/v…` : folder;
    together.set(api, [...(together.get(api) ?? []), folder]);
  }
  return [...together.values()];
}

/** `options` are those that the module gives to controller-gen, which is then asked with them. */
async function ask(
  dir: string,
  folders: readonly string[],
): Promise<Answered & { texts: Texts; options: string | undefined }> {
  const home = pathToFileURL(dir).href;
  const packages = new GoPackages(nodeFiles, localCaches().goModules, packagedText);
  const { crds, mistakes, roots, calls } = await packages.generate(
    folders.map((folder) => (folder === '.' ? home : `${home}/${folder}`)),
  );
  const missing = [...new Set(crds.flatMap((crd) => crd.missing))];
  if (missing.length > 0) console.log(`  not found: ${missing.join(', ')}`);
  const texts = new Map(roots.flatMap(({ files }) => files.map(({ uri, go }) => [uri, go.text])));
  const dropped = new Set(roots.filter(hasMistakes).map(({ path }) => path));
  const errors = mistakes.filter(({ package: of }) => !dropped.has(of)).map((one) => said(one, texts, `${home}/`));
  const made = crds.filter(({ isDropped }) => !isDropped);
  const byName = made.map(({ fileName, value }) => [fileName, plain(encode({ stored: value }))]);
  const files = made.map(({ fileName, value }) => [fileName, `---\n${crdText(value)}`]);
  return {
    crds: Object.fromEntries(byName),
    texts: Object.fromEntries(files),
    options: calls[0] && crdOptionsText(withoutHeader(calls[0].options)),
    ...(errors.length > 0 ? { errors: [...new Set(errors)].sort() } : {}),
  };
}

/** Whether a header's file is part of a module is its authors' choice. */
function withoutHeader({ headerFile: _file, year: _year, crdVersions: _versions, ...options }: CrdOptions): CrdOptions {
  return options;
}

function plain(answer: string): Plain {
  return (normal(answer) as { stored: Plain }).stored;
}

function rows(name: string, ours: Plain | undefined, theirs: Plain | undefined): { name: string; row: string }[] {
  return deep(ours, theirs, '').map((row) => ({ name, row: `${name}${row}` }));
}

/** The first line in which two files differ. */
function firstLine(name: string, ours = '', theirs = ''): string[] {
  if (ours === theirs) return [];
  const [a, b] = [ours.split('\n'), theirs.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  return [`${name}:${at + 1}: ours ${JSON.stringify(a[at])} ≠ theirs ${JSON.stringify(b[at])}`];
}

/** Where two values differ, into lists as well: their order counts. */
function deep(ours: Plain | undefined, theirs: Plain | undefined, at: string): string[] {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
  if (!isParted(ours) || !isParted(theirs))
    return [`${at}: ours ${JSON.stringify(ours)} ≠ theirs ${JSON.stringify(theirs)}`];
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  return keys.flatMap((key) => deep(ours[key], theirs[key], `${at}.${key}`));
}

function isParted(value: Plain | undefined): value is { [member: string]: Plain } {
  return typeof value === 'object' && value !== null;
}
