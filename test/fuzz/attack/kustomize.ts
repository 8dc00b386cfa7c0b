// Kustomizations that are there to take time and memory, to run in circles, or to have files read that are not offered.
import { build, type Files, newSession, print } from '../../../server/src/kustomize/build.ts';
import { argoAdditionIn } from '../../conformance/ops/argo.ts';
import { additionIn } from '../../conformance/ops/flux.ts';
import { filesOf } from '../../conformance/ops/kustomize.ts';
import type { Random } from '../../support/random.ts';
import { applying } from '../generators/flux.ts';
import { kustomizeGenerator, treeOfFlux } from '../generators/kustomize.ts';
import { attackShapes, type Bounds, grow } from './bombs.ts';
import { edited, randomEdit } from './documents.ts';
import { argoFile, fluxFile, kustomizeShapes, type Tree } from './kustomizeShapes.ts';
import type { Attack } from './part.ts';

const prefix = 'kustomize: ';
/** A build may take as much work as it is let, which is some seconds. */
const ofBuilds: Bounds = { characters: 150_000, mb: 900, ms: 5000 };

export function isKustomizeBomb(name: string): boolean {
  return name.startsWith(prefix);
}

/** What is built of a tree, printed, and built again after a key. */
export function* askedOfTree(tree: Tree): Generator<[string, () => unknown]> {
  const files = filesOf(tree);
  const addition = tree[argoFile] ? argoAdditionIn(tree[argoFile]) : additionIn(tree[fluxFile] ?? '');
  const options = { session: newSession(), ...(addition && { addition, anyFile: true }) };
  yield ['build', () => print(build(files, '/o', options))];
  yield ['again', () => print(build(files, '/o', options))];
  const [name] = Object.keys(tree);
  const changed = filesOf({ ...tree, [name!]: `${tree[name!]}\n# key` });
  yield ['key', () => build(changed, '/o', options)];
}

export async function growKustomizeBomb(named: string): Promise<void> {
  const shape = kustomizeShapes[named.slice(prefix.length)]!;
  const lengthOf = (size: number) => Object.values(shape(size)).reduce((sum, text) => sum + text.length, 0);
  await grow(ofBuilds, lengthOf, (size, timed) => {
    for (const [request, ask] of askedOfTree(shape(size))) timed(request, ask);
  });
}

export const attackKustomize: Attack = (attacked) => {
  const { bombs } = attackShapes(attacked, Object.keys(kustomizeShapes), prefix, ofBuilds);
  return { bombs, ...attackTrees(attacked) };
};

/** A case takes no longer, in milliseconds of CPU. */
const longestCase = 5000;

/** Random trees with random edits in their texts. */
export const attackTrees = ({ cases, random, failed }: Parameters<Attack>[0]): { trees: number } => {
  for (let i = 0; i < cases; i++) {
    const tree = hostileTree(random);
    const start = process.cpuUsage();
    try {
      const addition = random.chance(0.3) ? hostileAddition(random) : undefined;
      const options = { session: newSession(), ...(addition && { addition, anyFile: true }) };
      const made = build(offering(tree, failed), '/overlay', options);
      print(made);
    } catch (error) {
      failed(`${String(error instanceof Error ? error.stack : error)}\n${JSON.stringify(tree)}`);
    }
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > longestCase) failed(`${(user + system) / 1000} ms: ${JSON.stringify(tree)}`);
  }
  return { trees: cases };
};

function hostileTree(random: Random): Tree {
  const { files } = kustomizeGenerator.generate(random);
  const tree: Record<string, string> = { ...(files as Tree), ...(random.chance(0.3) ? withChart(random) : {}) };
  for (let i = random.below(4); i >= 0; i--) {
    const name = random.pick(Object.keys(tree));
    tree[name] = edited(tree[name]!, randomEdit(random, tree[name]!));
  }
  return tree;
}

/** A kustomization with a chart that names others, itself and what is not there. */
function withChart(random: Random): Tree {
  const home = random.pick(['charts', '..', '/', 'a/../..', './charts/web']);
  const name = random.pick(['web', '../web', '/web', '', '.', 'web/templates']);
  const merge = random.pick(['merge', 'override', 'replace', 'other']);
  const values = random.pick(['{replicas: 2, web: {a: null}}', '[]', '{a: &a {b: *a}}', '{replicas: {}}', 'null']);
  const charts = `helmGlobals: {chartHome: ${home}}
helmCharts:
- {name: ${JSON.stringify(name)}, releaseName: r, valuesMerge: ${merge}, valuesInline: ${values}, includeCRDs: true}
- {name: web, releaseName: r2, additionalValuesFiles: [../../etc/passwd]}
`;
  return {
    '/overlay/kustomization.yaml': `resources: [../base]\n${charts}`,
    '/overlay/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    '/overlay/charts/web/values.yaml': 'replicas: 1\nweb: {a: 1}\n',
    '/overlay/charts/web/templates/a.yaml': map,
    '/overlay/charts/web/crds/a.yaml': 'apiVersion: v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n',
  };
}

const map = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}", annotations: {a: "{{ randAlpha 3 }}"}}
data: {{ toJson .Values }}
`;

/** A Kustomization of Flux, with a random edit. */
function hostileAddition(random: Random) {
  const text = applying(JSON.parse(treeOfFlux(random).spec));
  return additionIn(edited(text, randomEdit(random, text)));
}

/** Paths that are asked for are clean and absolute, whatever is written. */
function offering(tree: Tree, failed: (what: string) => void): Files {
  const files = filesOf(tree);
  const checked = (path: string) => {
    const isClean = path.startsWith('/') && !path.split('/').some((part) => part === '..' || part === '.');
    if (!isClean) failed(`${JSON.stringify(path)} is asked for`);
    return path;
  };
  return {
    file: (path) => files.file(checked(path)),
    isFolder: (path) => files.isFolder(checked(path)),
    below: (path) => files.below!(checked(path)),
    chart: (request) => files.chart!({ ...request, folder: checked(request.folder) }),
  };
}
