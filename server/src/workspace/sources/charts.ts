import { append } from '../../base/append.ts';
import { isList, isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { valueOf } from '../../yaml/value.ts';
import { archiveStem, isKustomization } from '../fileNames.ts';
import { splitApiVersion } from '../manifest.ts';
import type { SourceFile } from '../sourceFile.ts';
import { baseName } from '../uri.ts';

/** A chart in one version, as a file names it. */
export interface NamedChart {
  readonly name: string;
  readonly version: string;
  /** Where it is fetched from, https or a registry; undefined where nobody says. */
  readonly repository?: string;
  /** The name of the HelmRepository that says so. */
  readonly repositoryName?: string;
}

/** What a file of the workspace names: charts, and what a kustomization reads from elsewhere, relative to its folder. */
export interface Named {
  readonly charts: readonly NamedChart[];
  /** Files with CRDs. */
  readonly crds: readonly string[];
  /** Folders with a chart. */
  readonly chartFolders: readonly string[];
  /** Files with OpenAPI schemas. */
  readonly schemas: readonly string[];
  /** The addresses of Flux's HelmRepositories, by their names. */
  readonly repositories: ReadonlyMap<string, string>;
}

export const nothingNamed: Named = { charts: [], crds: [], chartFolders: [], schemas: [], repositories: new Map() };

/** Where objects of some kind name charts: the place of each, and in it the name and the version. */
interface ChartField {
  readonly group: string;
  readonly kind: string;
  readonly at: readonly Path[];
  readonly name: Path;
  readonly version: Path;
  readonly repository?: Path;
  readonly repositoryName?: Path;
}

const chartFields: readonly ChartField[] = [
  {
    group: 'helm.toolkit.fluxcd.io',
    kind: 'HelmRelease',
    at: [['spec', 'chart', 'spec']],
    name: ['chart'],
    version: ['version'],
    repositoryName: ['sourceRef', 'name'],
  },
  {
    group: 'source.toolkit.fluxcd.io',
    kind: 'HelmChart',
    at: [['spec']],
    name: ['chart'],
    version: ['version'],
    repositoryName: ['sourceRef', 'name'],
  },
  {
    group: 'source.toolkit.fluxcd.io',
    kind: 'OCIRepository',
    at: [['spec']],
    name: ['url'],
    version: ['ref', 'tag'],
    repository: ['url'],
  },
  {
    group: 'helm.cattle.io',
    kind: 'HelmChart',
    at: [['spec']],
    name: ['chart'],
    version: ['version'],
    repository: ['repo'],
  },
  {
    group: 'argoproj.io',
    kind: 'Application',
    at: [
      ['spec', 'source'],
      ['spec', 'sources'],
    ],
    name: ['chart'],
    version: ['targetRevision'],
    repository: ['repoURL'],
  },
  {
    group: 'argoproj.io',
    kind: 'ApplicationSet',
    at: [
      ['spec', 'template', 'spec', 'source'],
      ['spec', 'template', 'spec', 'sources'],
    ],
    name: ['chart'],
    version: ['targetRevision'],
    repository: ['repoURL'],
  },
  {
    group: 'helm.crossplane.io',
    kind: 'Release',
    at: [['spec', 'forProvider', 'chart']],
    name: ['name'],
    version: ['version'],
    repository: ['repository'],
  },
];

/** The words of a text, one of which it has if it may name charts or CRDs from elsewhere. */
const telling =
  /^(?:kind:[ \t]*["']?(?:HelmRelease|HelmRepository|HelmChart|OCIRepository|Application|ApplicationSet|Release)\b|helmCharts:|helmChartInflationGenerator:|crds:|openapi:)/m;

/** Whether a file may name something, by a look at its text. */
export function mayName(uri: string, text: string): boolean {
  return /^Chart\.ya?ml$/.test(baseName(uri)) ? text.includes('dependencies') : telling.test(text);
}

/** What a file names; Chart.yaml and Chart.lock name what a chart depends on. */
export function namedBy(file: SourceFile): Named {
  const charts: NamedChart[] = [];
  const crds: string[] = [];
  const chartFolders: string[] = [];
  const schemas: string[] = [];
  const repositories = new Map<string, string>();
  const name = baseName(file.uri);
  if (!file.template)
    for (const { apiVersion, kind, value } of file.manifests) {
      const { group } = splitApiVersion(apiVersion);
      for (const field of chartFields)
        if (field.group === group && field.kind === kind) append(charts, chartsIn(value, field));
      const [named, url] = [valueAt(value, ['metadata', 'name']), valueAt(value, ['spec', 'url'])];
      if (group === 'source.toolkit.fluxcd.io' && kind === 'HelmRepository' && isString(named) && isString(url))
        repositories.set(named, url);
    }
  for (const { document } of file.stream.documents) {
    const root = valueOf(document);
    if (/^Chart\.(?:lock|ya?ml)$/.test(name)) append(charts, chartsIn(root, dependencies));
    if (!isKustomization(name)) continue;
    const own = [helmCharts, generators].flatMap((field) => chartsIn(root, field));
    const home = valueAt(root, ['helmGlobals', 'chartHome']);
    append(charts, own);
    append(crds, itemsAt(root, ['crds']).filter(isString));
    const schema = valueAt(root, ['openapi', 'path']);
    if (isString(schema)) schemas.push(schema);
    if (isString(home))
      append(
        chartFolders,
        own.map((chart) => `${home}/${chart.name}`),
      );
  }
  return { charts, crds, chartFolders, schemas, repositories };
}

type Fields = Omit<ChartField, 'group' | 'kind'>;

const dependencies: Fields = {
  at: [['dependencies']],
  name: ['name'],
  version: ['version'],
  repository: ['repository'],
};
const helmCharts: Fields = { at: [['helmCharts']], name: ['name'], version: ['version'], repository: ['repo'] };
const generators: Fields = {
  at: [['helmChartInflationGenerator']],
  name: ['chartName'],
  version: ['chartVersion'],
  repository: ['chartRepo'],
};

/** Only whole versions: which one of a range is used, nobody says here. */
const exact = /^v?\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.+-]*)?$/;

function chartsIn(root: Value | undefined, fields: Fields): NamedChart[] {
  return fields.at.flatMap((path) => itemsAt(root, path)).flatMap((place) => chartAt(place, fields) ?? []);
}

function chartAt(place: Value, fields: Fields): NamedChart | undefined {
  const textAt = (path: Path | undefined) => {
    const value = path && valueAt(place, path);
    return isString(value) ? value : undefined;
  };
  const [named, version] = [textAt(fields.name), textAt(fields.version)];
  // An address in a registry ends with the chart's name.
  const name = named === undefined ? '' : named.slice(named.lastIndexOf('/') + 1);
  if (version === undefined || !exact.test(version) || !isFileName(name)) return undefined;
  const [repository, repositoryName] = [repositoryIn(textAt(fields.repository)), textAt(fields.repositoryName)];
  return { name, version, ...(repository && { repository }), ...(repositoryName && { repositoryName }) };
}

/** Argo CD leaves out that an address is a registry's; names of repositories in Helm's own configuration tell nothing. */
function repositoryIn(text: string | undefined): string | undefined {
  if (text === undefined || text.startsWith('@') || text.startsWith('alias:')) return undefined;
  if (/^(?:https|oci):\/\//.test(text)) return text;
  return text.includes('://') || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/|$)/i.test(text)
    ? undefined
    : `oci://${text}`;
}

/** The items of a list, or the one thing that is there instead. */
function itemsAt(root: Value | undefined, path: Path): readonly Value[] {
  const found = valueAt(root, path);
  if (isList(found)) return found;
  return isMap(found) ? [found] : [];
}

function isFileName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);
}

/** The names under which Helm keeps a chart: some write the version with a `v`, some without. */
export function archiveNames({ name, version }: NamedChart): string[] {
  const other = version.startsWith('v') ? version.slice(1) : `v${version}`;
  return [version, other].map((one) => `${name}-${one}.tgz`);
}

/** What the name of an archive says of the chart in it. */
export function chartOf(archive: string): string {
  const name = archiveStem(archive);
  const at = name.search(/-v?\d+\.\d+/);
  return at === -1 ? name : `${name.slice(0, at)} ${name.slice(at + 1)}`;
}
