// Objects of Flux and Argo CD, and helmfiles, that are there to take time and memory, or to have files read that are none of
// theirs.
import { findingsIn } from '../../../server/src/features/charts/diagnoseChart.ts';
import { featuresOf } from '../../../server/src/features/languages/languages.ts';
import { callsIn, substituted } from '../../../server/src/flux/substitute.ts';
import type { SetFiles } from '../../../server/src/workspace/delivery/setFiles.ts';
import { readNamed } from '../../../server/src/workspace/delivery/uses.ts';
import { emptyListing, type Files } from '../../../server/src/workspace/files.ts';
import { withChart } from '../../../server/src/workspace/languages/chart.ts';
import type { Snapshot } from '../../../server/src/workspace/snapshot.ts';
import { chartOf } from '../../support/charts.ts';
import type { Random } from '../../support/random.ts';
import { builtinFile, snapshotOf } from '../../support/workspace.ts';
import { attackShapes, type Bounds, grow } from './bombs.ts';
import { edited, randomEdit } from './documents.ts';
import type { Attack } from './part.ts';

const prefix = 'delivery: ';
const ofDelivery: Bounds = { characters: 300_000, mb: 800, ms: 4000 };

export function isDeliveryBomb(name: string): boolean {
  return name.startsWith(prefix);
}

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'values.yaml': 'a: 1\n',
  'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "{{ .Values.a }}"}\n',
};
const root = 'file:///delivery';

/** A snapshot of a repository with one chart, as an editor has it. */
function snapshotWith(text: string, uri = `${root}/objects.yaml`): Snapshot {
  const plain = snapshotOf([{ uri, text }]);
  const charts = new Map([[`${root}/shop`, { name: 'shop', version: '1.0.0' }]]);
  const delivery = { ...plain.delivery, charts, repositories: new Map([[root, []]]), setFiles: setFilesOf(text) };
  return withChart({ ...plain, builtin: builtinFile(), delivery }, chartOf(chart, `${root}/shop`));
}

/** Files and folders that a git generator may find, as many as are read. */
function setFilesOf(text: string): SetFiles {
  const paths = Array.from({ length: 500 }, (_, i) => `${root}/${'a'.repeat(40)}/${'aab'.repeat(20)}${i}`);
  return {
    repositories: new Set([root]),
    patterns: new Set([...text.matchAll(/path: "([^"]*)"/g)].map(([, one]) => one!)),
    texts: new Map(paths.map((one) => [`${one}.json`, `{"n": "${one.length}", "m": [1, {"a": "b"}]}`])),
    folders: paths,
  };
}

const set = (generator: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators: [${generator}]\n  template: {metadata: {name: "{{n}}"}, spec: {source: {repoURL: "", path: shop}}}\n`;

const release = (name: string, spec: string) =>
  `---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec:\n  chart: {spec: {chart: shop, sourceRef: {kind: GitRepository, name: g}}}\n${spec}`;
const kustomization = (name: string, path: string, substitute: string) =>
  `---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}}\nspec:\n  path: ${path}\n  sourceRef: {kind: GitRepository, name: g}\n  postBuild: {substitute: {${substitute}}}\n`;
const many = (size: number, make: (nth: number) => string) => Array.from({ length: size }, (_, i) => make(i)).join('');
const map = (name: string, data: string) =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  a: "${data}"\n`;

/** Files that grow, by what is wrong with them. */
export const deliveryShapes: Readonly<Record<string, (size: number) => string>> = {
  releases: (size) => many(size / 8, (i) => release(`r${i}`, `  values: {a: ${i}}\n`)),
  'releases of one name': (size) => many(size / 8, () => release('r', '  values: {a: 1}\n')),
  'references of a release': (size) =>
    `${map('m', '1')}${release('r', `  valuesFrom:\n${many(size / 4, () => '    - {kind: ConfigMap, name: m, valuesKey: a, targetPath: "a.b"}\n')}`)}`,
  'deep paths': (size) =>
    `${map('m', '1')}${release('r', `  valuesFrom:\n    - {kind: ConfigMap, name: m, valuesKey: a, targetPath: "${'a.'.repeat(size)}b"}\n`)}`,
  'large indexes': (size) =>
    `${map('m', '1')}${release('r', `  valuesFrom:\n${many(size / 50, (i) => `    - {kind: ConfigMap, name: m, valuesKey: a, targetPath: "l${i}[65536]"}\n`)}`)}`,
  'commas in a value': (size) =>
    `${map('m', 'x,b=1'.repeat(size))}${release('r', '  valuesFrom: [{kind: ConfigMap, name: m, valuesKey: a, targetPath: a}]\n')}`,
  kustomizations: (size) => many(size / 8, (i) => kustomization(`k${i}`, '.', `A: "${i}"`)) + map('m', `\${A}`),
  variables: (size) =>
    kustomization(
      'k',
      '.',
      many(size, (i) => `A${i}: "${i}", `),
    ) +
    map(
      'm',
      many(size, (i) => `\${A${i}}`),
    ),
  'variables that nobody sets': (size) =>
    kustomization('k', '.', 'A: "1"') +
    map(
      'm',
      many(size, (i) => `\${B${i}}`),
    ),
  'variables within each other': (size) =>
    kustomization('k', '.', 'A: ""') + map('m', `${`\${B:-`.repeat(size)}x${'}'.repeat(size)}`),
  'variables that are never closed': (size) => kustomization('k', '.', 'A: "1"') + map('m', `\${A`.repeat(size)),
  'dollar signs': (size) => kustomization('k', '.', 'A: "1"') + map('m', '$'.repeat(size)),
  'stars in a pattern': (size) =>
    kustomization('k', '.', `A: "${'ab'.repeat(size)}"`) + map('m', `\${A%%${'*a'.repeat(50)}c}`),
  'a value many times': (size) => kustomization('k', '.', `A: "${'x'.repeat(size)}"`) + map('m', `\${A}`.repeat(size)),
  'elements of a set': (size) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators: [{list: {elements: [${many(size, (i) => `{n: a${i}}, `)}]}}]\n  template: {metadata: {name: "{{n}}"}, spec: {source: {repoURL: "", path: shop, helm: {valuesObject: {a: "{{n}}"}}}}}\n`,
  'a matrix of sets': (size) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators: [{matrix: {generators: [{list: {elements: [${many(size, (i) => `{n: a${i}}, `)}]}}, {list: {elements: [${many(size, (i) => `{m: "{{n}}${i}"}, `)}]}}]}}]\n  template: {metadata: {name: "{{n}}{{m}}"}, spec: {source: {repoURL: "", path: shop, helm: {valuesObject: {a: "{{m}}"}}}}}\n`,
  'a merge of sets': (size) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators: [{merge: {mergeKeys: [n], generators: [${`{list: {elements: [${many(size, (i) => `{n: a${i}}, `)}]}}, `.repeat(3)}]}}]\n  template: {metadata: {name: "{{n}}"}, spec: {source: {repoURL: "", path: shop}}}\n`,
  'generators within each other': (size) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators: [${'{matrix: {generators: ['.repeat(size)}{list: {elements: [{n: a}]}}${']}}'.repeat(size)}]\n  template: {metadata: {name: "{{n}}"}, spec: {source: {repoURL: "", path: shop}}}\n`,
  'templates of a set': (size) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  goTemplate: true\n  generators: [{list: {elements: [{n: a}]}}]\n  template: {metadata: {name: "{{range until 1000000}}{{range until 1000000}}x{{end}}{{end}}${'{{.n}}'.repeat(size)}"}, spec: {source: {repoURL: "", path: shop}}}\n`,
  'names of a set': (size) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators: [{list: {elements: [{n: a}]}}]\n  template: {metadata: {name: "${'{{'.repeat(size)}"}, spec: {source: {repoURL: "", path: shop}}}\n`,
  'patterns of files of a set': (size) => set(`{git: {files: [${many(size, (i) => `{path: "*a*${i}*b*"}, `)}]}}`),
  'patterns of folders of a set': (size) =>
    set(`{git: {directories: [${many(size, (i) => `{path: "*/*a*${i}"}, `)}]}}`),
  'stars in a pattern of a set': (size) => set(`{git: {files: [{path: "${'*a'.repeat(size)}c"}]}}`),
  'files for each file of a set': (size) =>
    set(
      `{matrix: {generators: [{git: {files: [{path: "*"}]}}, {git: {files: [{path: "${'*'.repeat(size)}{{path.basename}}*"}]}}]}}`,
    ),
  'values of a set': (size) => set(`{git: {files: [{path: "*"}], values: {${many(size, (i) => `a${i}: "{{n}}", `)}}}}`),
  'elements of a set as YAML': (size) =>
    set(`{list: {elements: [], elementsYaml: "[${many(size, (i) => `{n: a${i}}, `)}]"}}`),
  'expressions of a selector of a set': (size) =>
    set(
      `{git: {files: [{path: "*"}]}, selector: {matchExpressions: [${many(size, (i) => `{key: m.1.a, operator: NotIn, values: ["${i}"]}, `)}]}}`,
    ),
  parameters: (size) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {repoURL: "", path: shop, helm: {parameters: [${many(size, (i) => `{name: a${i}, value: "1"}, `)}]}}}\n`,
  'levels of values': (size) => release('r', `  values: ${'{a: '.repeat(size)}1${'}'.repeat(size)}\n`),
};

export async function growDelivery(name: string): Promise<void> {
  const make = deliveryShapes[name.slice(prefix.length)]!;
  await grow(
    ofDelivery,
    (size) => make(size).length,
    (size, timed) => {
      const text = make(size);
      const snapshot = timed('open', () => snapshotWith(text));
      for (const [request, ask] of askedOfDelivery(snapshot, text)) timed(request, ask);
    },
  );
}

/** What an editor asks about such a file. */
function* askedOfDelivery(snapshot: Snapshot, text: string): Generator<[string, () => unknown]> {
  const uri = `${root}/objects.yaml`;
  const features = featuresOf(snapshot, uri);
  const offset = text.lastIndexOf('${') + 3;
  yield ['diagnose', () => features.diagnose(snapshot, uri)];
  yield ['of the chart', () => [...snapshot.charts.values()].flatMap((one) => findingsIn(snapshot, one, uri))];
  yield ['hover', () => features.hover?.(snapshot, uri, offset)];
  yield ['complete', () => features.complete?.(snapshot, uri, offset)];
  yield ['definition', () => features.definition?.(snapshot, uri, offset)];
  yield ['references', () => features.search?.(snapshot, uri, offset)];
  yield ['lenses', () => features.lenses?.(snapshot, uri)];
}

/** A case takes no longer, in milliseconds of CPU. */
const longestCase = 8000;

export const attackDelivery: Attack = async (attacked) => {
  const { bombs } = attackShapes(attacked, Object.keys(deliveryShapes), prefix, ofDelivery);
  return { bombs, ...(await attackSmallDelivery(attacked)) };
};

/** Small files with random edits, and texts with variables; and what names files elsewhere. */
export const attackSmallDelivery: Attack = async ({ cases, random, failed }) => {
  const all = Object.values(deliveryShapes).map((make) => make(16));
  for (let i = 0; i < cases; i++) {
    let text = random.pick(all);
    for (let edits = random.below(4); edits > 0; edits--) text = edited(text, randomEdit(random, text));
    const start = process.cpuUsage();
    try {
      for (const [, ask] of askedOfDelivery(snapshotWith(text), text)) ask();
      const variables = randomText(random);
      callsIn(variables);
      substituted(variables, new Map([['A', randomText(random)]]));
    } catch (error) {
      failed(`${String(error instanceof Error ? error.stack : error)}\n${JSON.stringify(text)}`);
    }
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > longestCase) failed(`${(user + system) / 1000} ms: ${JSON.stringify(text)}`);
  }
  await attackNames(failed);
  return { files: cases };
};

const pieces = [
  '$',
  '{',
  '}',
  '${',
  '$$',
  ':',
  '-',
  '=',
  '#',
  '%',
  '/',
  '\\',
  '^',
  ',',
  'A',
  '1',
  '*',
  '[',
  ']',
  '\0',
  '\ud800',
  'é',
  '\n',
];

function randomText(random: Random): string {
  return Array.from({ length: random.below(30) }, () => random.pick(pieces)).join('');
}

/** Paths that lead out of the repository are not read. */
async function attackNames(failed: (what: string) => void): Promise<void> {
  const asked: string[] = [];
  const files: Files = {
    list: async () => emptyListing,
    expand: async () => emptyListing,
    startOf: (pattern) => pattern,
    entries: async () => [],
    isInside: async (uri, folder) => uri.startsWith(`${folder}/`),
    read: async (uri) => {
      asked.push(uri);
      return undefined;
    },
  };
  for (const path of [
    '../secret.yaml',
    '../../etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    '$ref/../../x.yaml',
    '..%2fx.yaml',
  ]) {
    const text = `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {sources: [{repoURL: "", path: shop, helm: {valueFiles: ["${path}"]}}, {repoURL: "", ref: ref}]}\n`;
    await readNamed(files, snapshotWith(text), `${root}/shop`);
  }
  for (const uri of asked) if (!uri.startsWith(`${root}/`) || uri.includes('/../')) failed(`${uri} is read`);
}
