import { isList, isMap, isString, textAt, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { valueOf } from '../yaml/value.ts';
import { isKustomization, kustomizationNames } from './fileNames.ts';
import { graphOf, type KustomizationSays } from './kustomizations/graph.ts';
import { chartMark } from './kustomizations/paths.ts';
import { type Mutator, mutatorsIn } from './mutators.ts';
import type { Snapshot } from './snapshot.ts';
import type { SourceFile } from './sourceFile.ts';
import { baseName, folderOf, isVendored, resolve, testDataFolder } from './uri.ts';
import type { Variables } from './variables.ts';

/** What a file says of others, by their addresses. */
export interface SaysOfOthers {
  /**
   * They hold parts of objects, in which nothing is missing: what a kustomization applies as patches, and what a chainsaw
   * test compares with what a cluster holds; or objects that only the command lines of kyverno and Gatekeeper read, for their tests.
   */
  readonly parts: readonly string[];
  /** The files and folders that a kustomization takes objects from. */
  readonly resources: readonly string[];
  /** Whether their objects come to be in another namespace, or may, as those of a component. */
  readonly places: boolean;
  /** Whether it adds to their objects what these may lack, by patches or labels, or may do so, as a component. */
  readonly completes: boolean;
  /** Whether it may do anything to them. */
  readonly patches: boolean;
  /** What a kustomization calls the values that it puts in place of `$(NAME)`. */
  readonly vars: readonly string[];
  /** Whether it says itself in which fields. */
  readonly configures: boolean;
  readonly kustomization?: KustomizationSays;
  /** The webhooks that may add to objects. */
  readonly mutators?: readonly Mutator[];
}

export const saysNothing: SaysOfOthers = {
  parts: [],
  resources: [],
  places: false,
  completes: false,
  patches: false,
  vars: [],
  configures: false,
};

export function saidOfOthers(file: SourceFile, folder: string): SaysOfOthers {
  const all = file.stream.documents.flatMap(({ document }) => {
    const root = valueOf(document);
    return isMap(root) ? [ofDocument(root, folder)] : [];
  });
  const mutators = all.flatMap((one) => one.mutators ?? []);
  return {
    ...(mutators.length > 0 && { mutators }),
    parts: all.flatMap(({ parts }) => parts),
    resources: all.flatMap(({ resources }) => resources),
    places: all.some(({ places }) => places),
    completes: all.some(({ completes }) => completes),
    patches: all.some(({ patches }) => patches),
    vars: all.flatMap(({ vars }) => vars),
    configures: all.some(({ configures }) => configures),
    ...(isKustomization(file.uri) && { kustomization: kustomizationOf(file, folder) }),
  };
}

function kustomizationOf({ stream }: SourceFile, folder: string): KustomizationSays {
  const roots = stream.documents.map(({ document }) => valueOf(document)).filter(isMap);
  const named = roots.flatMap(namedPaths).map((path) => resolve(folder, path));
  const charts = roots.flatMap(chartFolders).map((path) => `${resolve(folder, path)}${chartMark}`);
  return {
    names: [...new Set([...named, ...charts])],
    isComponent: roots.some((root) => root.get('kind') === 'Component'),
  };
}

/** The folders that charts of a kustomization are in. */
function chartFolders(root: ValueMap): string[] {
  const globals = root.get('helmGlobals') ?? null;
  const old = listed(root, 'helmChartInflationGenerator');
  const homes = [valueAt(globals, ['chartHome']), ...old.map((one) => valueAt(one, ['chartHome'])), 'charts'];
  const home = homes.find((one) => isString(one) && one !== '') as string;
  const charts = [
    ...listed(root, 'helmCharts').map((one) => ['name', 'version', 'repo'].map((key) => textAt(one, [key]))),
    ...old.map((one) => ['chartName', 'chartVersion', 'chartRepoUrl'].map((key) => textAt(one, [key]))),
  ];
  return charts.flatMap(([name = '', version = '', repo = '']) => {
    if (!/^[\w.-]{1,200}$/.test(name)) return [];
    return [`${home}/${version && repo ? `${name}-${version}/` : ''}${name}`];
  });
}

/** How far down in a kustomization paths are written: `configMapGenerator[0].files[0]`. */
const deepestPath = 5;

/**
 * Every text of a kustomization that may be the path of a file or folder. One that is not leads nowhere, and so does no
 * harm: what a build really reads is known once it is built.
 */
function namedPaths(value: Value, depth = 0): string[] {
  if (isString(value)) return /^[^\n:{}]{1,1000}$/.test(value) ? [value.slice(value.indexOf('=') + 1)] : [];
  if (depth > deepestPath) return [];
  const inner = isList(value) ? value : isMap(value) ? [...value.values()] : [];
  return inner.flatMap((one) => namedPaths(one, depth + 1));
}

/** What of a kustomization may do anything to the objects that it takes. */
const patching = ['patches', 'patchesStrategicMerge', 'patchesJson6902', 'components', 'transformers', 'replacements'];

/** What of it adds fields to them. */
const completing = [...patching, 'commonLabels', 'labels', 'vars', 'openapi', 'configurations', 'plugins'];

function ofDocument(root: ValueMap, folder: string): SaysOfOthers {
  const resolved = (paths: readonly Value[]) => paths.filter(isString).map((path) => resolve(folder, path));
  if (isKyvernoTest(root)) return { ...saysNothing, parts: resolved(testedPaths(root)) };
  if (isGatorSuite(root)) return { ...saysNothing, parts: resolved(triedPaths(root)) };
  if (root.get('kind') === 'PolicyGenerator')
    return { ...saysNothing, resources: resolved(comparedPaths(root)), completes: true };
  if (isChainsawTest(root)) return { ...saysNothing, parts: resolved(expectationPaths(root)) };
  return {
    parts: resolved(patchPaths(root)),
    resources: resolved(['resources', 'components', 'bases'].flatMap((key) => listed(root, key))),
    places: isString(root.get('namespace')) || root.get('kind') === 'Component',
    completes: root.get('kind') === 'Component' || completing.some((key) => root.has(key)),
    patches: root.get('kind') === 'Component' || patching.some((key) => root.has(key)),
    vars: listed(root, 'vars')
      .flatMap((one) => (isMap(one) ? [one.get('name') ?? null] : []))
      .filter(isString),
    configures: listed(root, 'configurations').length > 0,
    mutators: mutatorsIn(root),
  };
}

/** What all that files say of others comes to. */
export function combined(
  said: ReadonlyMap<string, SaysOfOthers>,
): Pick<Snapshot, 'patches' | 'placed' | 'kustomized' | 'variables' | 'kustomizations' | 'resources' | 'mutators'> {
  const all = [...said.values()];
  return {
    mutators: [...said].flatMap(([uri, { mutators }]) => (mutators && isOfWorkspace(uri) ? mutators : [])),
    patches: new Set(all.flatMap(({ parts }) => parts)),
    placed: reached(
      said,
      all.filter(({ places }) => places),
    ),
    kustomized: {
      completed: reached(
        said,
        all.filter(({ places, completes }) => places || completes),
      ),
      patched: reached(
        said,
        all.filter(({ patches }) => patches),
      ),
      listed: reached(said, all),
      folders: new Set([...said.keys()].filter((uri) => kustomizationNames.includes(baseName(uri))).map(folderOf)),
    },
    variables: variablesIn(said),
    kustomizations: graphOf(said),
    resources: resourcesIn(said),
  };
}

/** Whether a webhook is one that is installed, as far as its place says: not data of a test, nor of another module. */
const isOfWorkspace = (uri: string) => testDataFolder(uri) === undefined && !isVendored(uri);

function resourcesIn(said: ReadonlyMap<string, SaysOfOthers>): ReadonlyMap<string, readonly string[]> {
  return new Map([...said].filter(([uri]) => isKustomization(uri)).map(([uri, { resources }]) => [uri, resources]));
}

/** The files that these take objects from, and whatever those take them from. */
function reached(said: ReadonlyMap<string, SaysOfOthers>, from: readonly SaysOfOthers[]): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (resources: readonly string[]) => {
    for (const uri of resources.filter((one) => !found.has(one))) {
      found.add(uri);
      const inner = kustomizationNames.map((name) => said.get(`${uri}/${name}`)).find((one) => one !== undefined);
      if (inner) follow(inner.resources);
    }
  };
  for (const { resources } of from) follow(resources);
  return found;
}

/**
 * By file: the variables that a kustomization may fill in there. What one declares holds for all that is built together, in
 * bases and overlays alike, so that those which lead to one another share theirs.
 */
function variablesIn(said: ReadonlyMap<string, SaysOfOthers>): ReadonlyMap<string, Variables> {
  const found = new Map<string, Variables>();
  if (![...said.values()].some(({ vars }) => vars.length > 0)) return found;
  for (const uris of groupsOf(said)) {
    const all = uris.flatMap((uri) => said.get(uri) ?? []);
    const names = new Set(all.flatMap(({ vars }) => vars));
    if (names.size === 0) continue;
    const variables = { names, everywhere: all.some(({ configures }) => configures) };
    for (const uri of uris) found.set(uri, variables);
  }
  return found;
}

/** Kustomizations that lead to one another, with all that they take objects from. */
function groupsOf(said: ReadonlyMap<string, SaysOfOthers>): string[][] {
  const beside = new Map<string, string[]>();
  const lead = (from: string, to: string) => {
    const known = beside.get(from);
    if (known) known.push(to);
    else beside.set(from, [to]);
  };
  for (const [uri, { resources }] of said) {
    for (const to of [folderOf(uri), ...resources]) {
      lead(uri, to);
      lead(to, uri);
    }
  }
  const seen = new Set<string>();
  return [...said.keys()].flatMap((first) => {
    const group = [first].filter((one) => !seen.has(one));
    for (const one of group) {
      seen.add(one);
      for (const next of beside.get(one) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        group.push(next);
      }
    }
    return group.length > 0 ? [group] : [];
  });
}

function listed(root: ValueMap, key: string): readonly Value[] {
  const list = root.get(key);
  return isList(list) ? list : [];
}

function isChainsawTest(root: ValueMap): boolean {
  const apiVersion = root.get('apiVersion');
  return isString(apiVersion) && apiVersion.startsWith('chainsaw.kyverno.io/');
}

function isKyvernoTest(root: ValueMap): boolean {
  const apiVersion = root.get('apiVersion');
  if (apiVersion === undefined) return ['policies', 'resources', 'results'].every((key) => isList(root.get(key)));
  return isString(apiVersion) && /^(?:cli\.)?kyverno\.io\//.test(apiVersion) && root.get('kind') === 'Test';
}

/** The objects that policies are tried on, and what is to come of them. */
function testedPaths(root: ValueMap): Value[] {
  const results = listed(root, 'results').filter(isMap);
  const expected = ['patchedResource', 'patchedResources', 'generatedResource', 'cloneSourceResource'];
  return [
    ...listed(root, 'resources'),
    ...listed(root, 'paramResources'),
    ...listed(root, 'targetResources'),
    ...results.flatMap((result) => expected.flatMap((key) => result.get(key) ?? [])),
  ];
}

/** What a generator of policies compares a cluster with, or has made there: files, and folders of them. */
function comparedPaths(root: ValueMap): Value[] {
  const policies = listed(root, 'policies').filter(isMap);
  return policies.flatMap((one) => listed(one, 'manifests').map((manifest) => valueAt(manifest, ['path']) ?? null));
}

function isGatorSuite(root: ValueMap): boolean {
  const apiVersion = root.get('apiVersion');
  return isString(apiVersion) && apiVersion.startsWith('test.gatekeeper.sh/') && root.get('kind') === 'Suite';
}

/** The objects that `gator verify` tries constraints on, and those that it takes for the cluster's. */
function triedPaths(root: ValueMap): Value[] {
  const cases = listed(root, 'tests')
    .filter(isMap)
    .flatMap((test) => listed(test, 'cases').filter(isMap));
  return cases.flatMap((one) => [one.get('object') ?? null, ...listed(one, 'inventory')]);
}

/** `file` below `assert` and `error`, wherever in the steps of a test, and where a cluster is to refuse it. */
function expectationPaths(value: Value): string[] {
  if (isList(value)) return value.flatMap(expectationPaths);
  if (!isMap(value)) return [];
  return [...value].flatMap(([key, inner]) => {
    const isExpected = key === 'assert' || key === 'error';
    const file = isMap(inner) && (isExpected || isRefused(inner)) ? inner.get('file') : undefined;
    return isString(file) ? [file] : expectationPaths(inner);
  });
}

/** Whether a step such as `apply` expects an error: `expect: [{check: {($error != null): true}}]`. */
function isRefused(step: ValueMap): boolean {
  return listed(step, 'expect').some((one) => {
    const check = isMap(one) ? one.get('check') : undefined;
    return isMap(check) && [...check.keys()].some((key) => /\$error\b(?!\s*==\s*null)/.test(key));
  });
}

function patchPaths(root: ValueMap): Value[] {
  const named = [...listed(root, 'patches'), ...listed(root, 'patchesJson6902')].map((patch) =>
    isMap(patch) ? (patch.get('path') ?? null) : null,
  );
  // A strategic merge patch may be written out here; then it is not a path.
  const merges = listed(root, 'patchesStrategicMerge').filter((entry) => isString(entry) && !entry.includes('\n'));
  return [...named, ...merges, ...dataPaths(root)];
}

/** What becomes the text of a ConfigMap or Secret is no object, whatever it looks like. */
function dataPaths(root: ValueMap): Value[] {
  const generators = [...listed(root, 'configMapGenerator'), ...listed(root, 'secretGenerator')];
  const files = generators.flatMap((one) => (isMap(one) ? listed(one, 'files') : []));
  return files.filter(isString).map((one) => one.slice(one.indexOf('=') + 1));
}
