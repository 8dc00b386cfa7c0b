// What a repository's newest commit shows of where CRDs are published: which groups its CRDs are of, which of them its own
// Go types are, and which of its charts bring them.
import type { Published } from '../../server/src/workspace/sources/published.ts';

/** A CRD in a file of a repository. */
interface CrdFile {
  readonly group: string;
  readonly path: string;
  readonly kinds: ReadonlySet<string>;
}

interface Chart {
  readonly name: string;
  readonly folder: string;
}

export interface Evidence {
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly CrdFile[];
  /** Groups that Go code of the repository says are its own. */
  readonly own: ReadonlySet<string>;
  readonly modules: readonly Chart[];
  readonly charts: readonly Chart[];
  /** The addresses of chart repositories that its documents name. */
  readonly addresses: readonly string[];
}

type Git = (...args: string[]) => string;

/** Folders in which CRDs are not published, whatever they hold; and such in which that depends on the rest of the path. */
const tests = /(?:^|\/)(?:vendor|third_party|node_modules|tests?|testdata|e2e|fixtures?|test-[^/]*|integration)\//i;
const documents = /(?:^|\/)(?:hack|docs?|examples?|samples?|site|website)\//i;
const isElsewhere = (path: string) => tests.test(path) || (documents.test(path) && !/crd/i.test(path));

/** What a repository holds. `own` are groups that nothing in Go says are its own. */
export function publishedIn(repository: string, own: readonly string[], git: Git): Evidence {
  const paths = git('ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .filter((one) => !isElsewhere(one));
  return {
    repository,
    commit: git('rev-parse', 'HEAD').trim().slice(0, 12),
    files: crdFiles(git),
    own: new Set([...own, ...ownGroups(git)]),
    modules: named(git, paths, /(?:^|\/)go\.mod$/, /^module\s+([^\s/]+\.\S+)/m),
    charts: named(git, paths, /(?:^|\/)Chart\.ya?ml$/, /^name:\s*["']?([\w.-]+)/m),
    addresses: addressesIn(git),
  };
}

const manifests = ['HEAD', '--', '*.yaml', '*.yml', '*.tpl'];

/** The files with CRDs, by the groups and kinds of their specs. */
function crdFiles(git: Git): CrdFile[] {
  const listed = git('grep', '-l', '-I', '-E', '^kind: *CustomResourceDefinition', ...manifests).split('\n');
  const wanted = new Set(listed.map((line) => line.replace(/^HEAD:/, '')).filter((one) => !isElsewhere(one)));
  const found = new Map<string, { path: string; group: string; kinds: Set<string> }>();
  let current: { path: string; group: string; kinds: Set<string> } | undefined;
  for (const line of git('grep', '-I', '-E', '^(  group|    kind): *["\']?[A-Za-z0-9.-]+["\']? *$', ...manifests).split(
    '\n',
  )) {
    const [, path = '', field, value = ''] = /^HEAD:([^:]+): +(group|kind): *["']?([A-Za-z0-9.-]+)/.exec(line) ?? [];
    if (!wanted.has(path)) continue;
    if (field === 'group') {
      current = found.get(`${path} ${value}`) ?? { path, group: value, kinds: new Set() };
      if (value.includes('.')) found.set(`${path} ${value}`, current);
    } else if (current?.path === path) {
      // What comes later is of another object, or of an example.
      current.kinds.add(value);
      current = undefined;
    }
  }
  return [...found.values()];
}

function ownGroups(git: Git): Set<string> {
  const says = String.raw`\+groupName=|(GroupName|Group|GROUP|APIGroup|group)[A-Za-z]* *(string)? *:?[:=] *"[a-z0-9.-]+\.[a-z]+"|GroupVersion\{ *"`;
  const lines = git(
    'grep',
    '-h',
    '-I',
    '-E',
    says,
    'HEAD',
    '--',
    '*.go',
    ':!vendor',
    ':!*/vendor/*',
    ':!*_test.go',
  ).split('\n');
  const groups = new Set<string>();
  for (const line of lines)
    for (const [, group] of line.matchAll(/(?:groupName=|")([a-z0-9-]+(?:\.[a-z0-9-]+)+)/g)) groups.add(group!);
  return groups;
}

function named(git: Git, paths: readonly string[], file: RegExp, name: RegExp): Chart[] {
  return paths
    .filter((one) => file.test(one))
    .flatMap((one) => {
      const found = name.exec(git('show', `HEAD:${one}`))?.[1];
      return found === undefined ? [] : [{ name: found, folder: one.slice(0, one.lastIndexOf('/') + 1) }];
    });
}

/** As documents tell users to type them. */
function addressesIn(git: Git): string[] {
  const text = git(
    'grep',
    '-h',
    '-I',
    '-E',
    'helm repo add|--repo[ =]https|oci://',
    'HEAD',
    '--',
    '*.md',
    '*.adoc',
    '*.rst',
    '*.html',
    '*.gotmpl',
    'NOTES.txt',
  );
  const found = text.matchAll(
    /(?:helm repo add(?: --\S+)* \S+ |--repo[ =])(https:\/\/[^\s"'`)<>\\]+)|(oci:\/\/[^\s"'`)<>\\]+)/g,
  );
  const counts = new Map<string, number>();
  for (const [, https, oci] of found) {
    const address = (https ?? oci)!.replace(/[.,;/]+$/, '');
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([address]) => address)
    .filter((one) => !/[{}$*[\]]|example|localhost|localtest|<|\.svc\b/i.test(one));
}

/** Rows of the groups: each of its own repository, with the chart that brings it. */
export function rowsOf(found: readonly Evidence[]): Published[] {
  const all = found.flatMap(({ files }) => files.map(({ group }) => group));
  const groups = [...new Set(all)].filter((group) => !forTests.test(group)).sort();
  return joined(groups.flatMap((group) => rowsOfGroup(found, group)));
}

const forTests = /^(?:test|example)\.|\.internal\./;

function rowsOfGroup(found: readonly Evidence[], group: string): Published[] {
  const taken = new Set<string>();
  const owners = found.filter(({ own, files }) => own.has(group) && filesOf(files, group).length > 0);
  const rows = owners.flatMap((owner) => {
    const files = filesOf(owner.files, group);
    const kinds = [...new Set(files.flatMap((file) => [...file.kinds]))].filter((kind) => !taken.has(kind)).sort();
    for (const kind of kinds) taken.add(kind);
    if (kinds.length === 0) return [];
    const folder = likeliest(files.map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
    const module = around(owner.modules, folder);
    return [
      {
        group,
        kinds,
        repository: owner.repository,
        folder,
        ...(module && { module }),
        ...chartOf(found, owner, group, kinds),
      },
    ];
  });
  // Of a group that one repository has alone, all kinds are there.
  return rows.length === 1 ? rows.map(({ kinds: _, ...row }) => row) : rows;
}

const filesOf = (files: readonly CrdFile[], group: string) => files.filter((one) => one.group === group);

/** Many groups of one repository that end alike are one row: `*.cnrm.cloud.google.com`. */
const fewest = 8;

function joined(rows: readonly Published[]): Published[] {
  const ends = new Map<string, Published[]>();
  const endOf = ({ group, repository, module, chart, kinds }: Published) =>
    kinds ? undefined : JSON.stringify([group.slice(group.indexOf('.')), repository, module, chart]);
  for (const row of rows) {
    const end = endOf(row);
    if (end !== undefined) ends.set(end, [...(ends.get(end) ?? []), row]);
  }
  const alike = (row: Published) => ends.get(endOf(row) ?? '') ?? [row];
  return rows.flatMap((row) => {
    const all = alike(row);
    if (all.length < fewest || row.group.split('.').length < 4) return [row];
    return all[0] === row ? [{ ...row, group: `*${row.group.slice(row.group.indexOf('.'))}` }] : [];
  });
}

/** The module whose folder is nearest around the CRDs. */
function around(modules: readonly Chart[], folder: string): string | undefined {
  const [nearest] = modules
    .filter((one) => `${folder}/`.startsWith(one.folder))
    .sort((a, b) => b.folder.length - a.folder.length);
  return nearest?.name;
}

/** A chart of the owner's, or of a repository of charts, that brings CRDs of a group, and where charts of it come from. */
function chartOf(found: readonly Evidence[], owner: Evidence, group: string, kinds: readonly string[]) {
  for (const one of [owner, ...found.filter(isOfCharts)]) {
    const files = filesOf(one.files, group).filter((file) => kinds.some((kind) => file.kinds.has(kind)));
    const charts = one.charts.filter(
      ({ folder }) => folder !== '' && files.some(({ path }) => path.startsWith(folder)),
    );
    // A chart in another one comes with that.
    for (const { name } of charts.sort((a, b) => a.folder.length - b.folder.length)) {
      const chartRepository = addressFor(name, one);
      if (chartRepository) return { chart: name, chartRepository };
    }
  }
  return {};
}

const isOfCharts = ({ repository }: Evidence) => /charts?$|^istio\/istio$/.test(repository);

/** A registry's address names its chart; one of https has a name of whose it is, as documents name those of others too. */
function addressFor(chart: string, { addresses, repository }: Evidence): string | undefined {
  const words = repository
    .toLowerCase()
    .split(/[/-]/)
    .filter((word) => word.length > 3 && !common.has(word));
  const own = addresses.find(
    (one) => one.startsWith('https://') && words.some((word) => one.toLowerCase().includes(word)),
  );
  return own ?? addresses.find((one) => one.startsWith('oci://') && one.endsWith(`/${chart}`));
}

const common: ReadonlySet<string> = new Set([
  'charts',
  'chart',
  'controller',
  'helm',
  'kubernetes',
  'manager',
  'operator',
  'sigs',
]);

/** Of the folders with CRDs the one that is named for them, and of no old version. */
function likeliest(folders: readonly string[]): string {
  const worth = (folder: string) =>
    (/(?:^|\/)crds?(?:\/|$)/.test(folder) ? 2 : 0) - (/\d+\.\d+|releases|bundle/.test(folder) ? 3 : 0);
  const count = (folder: string) => folders.filter((one) => one === folder).length;
  const sorted = [...new Set(folders)].sort(
    (a, b) => worth(b) - worth(a) || count(b) - count(a) || a.length - b.length || (a < b ? -1 : 1),
  );
  return sorted[0] ?? '';
}
