/** Reads the files of a chart: those of its folder, and those of the archives in it. */
import { isList, isMap, isString, type Value, valueAt } from '../../base/value.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import { ignoring } from '../../helm/ignore.ts';
import { type Dependency, readMetadata } from '../../helm/metadata.ts';
import { isInRange } from '../../template/semver.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { valueOf } from '../../yaml/value.ts';
import { isArchive } from '../fileNames.ts';
import type { Files } from '../files.ts';
import { defaultLimits, sourceLimits } from '../limits.ts';
import { gunzipInStream, walkArchive } from '../sources/archive.ts';
import { archiveNames } from '../sources/charts.ts';
import { folderOf, isInside, resolve, withFolders } from '../uri.ts';
import { attempt } from './attempt.ts';
import type { ValueSet } from './valueSets.ts';

/** Files of one chart, with those of the charts in it, and their bytes together. */
const mostChartFiles = 5_000;
const mostChartBytes = 64_000_000;
const deepestChartFolders = 30;
/** Links to folders that are followed in one chart: they may lead to each other in circles. */
const mostLinks = 100;
/** Bytes of a marketplace's schema. */
const mostMarketplaceBytes = 1_000_000;

export interface ChartFiles {
  /** The chart's folder. */
  readonly root: string;
  readonly files: readonly ChartFile[];
  /** Archives by their addresses, whose files are among those. */
  readonly archives: readonly string[];
  /** What was left out, one line each. */
  readonly notes: readonly string[];
  /** Charts that it depends on, and that are not here. */
  readonly missing: readonly Dependency[];
  /** Charts in whose place those beside this one are taken, in a version that is wanted but not the one in Chart.lock. */
  readonly standIns: readonly StandIn[];
  /** There are no values of its own: a program makes them of another file. */
  readonly valuesMadeLater?: boolean;
  /** Values that Google's marketplace gives to the chart, as its schema around the chart names them: `image.tag`. */
  readonly givenByMarketplace?: ReadonlySet<string>;
  /** Files of values that those who install it name, by their addresses; nothing for those that are not there. */
  readonly named?: ReadonlyMap<string, ChartFile | undefined>;
  /** Values that somebody asks for, beside those of the chart's own files, and the files that they are in. */
  readonly asked?: { readonly sets: readonly ValueSet[]; readonly files: readonly ChartFile[] };
}

export interface StandIn {
  readonly of: Dependency;
  readonly version: string;
}

/** The chart that a file belongs to: the outermost one, since that is what is installed. */
export async function chartRootOf(files: Files, uri: string): Promise<string | undefined> {
  let found: string | undefined;
  let at = uri;
  for (let level = 0; level < deepestChartFolders; level++) {
    const slash = at.lastIndexOf('/');
    if (slash <= at.indexOf('://') + 2) break;
    at = at.slice(0, slash);
    const entries = await files.entries(at, ['Chart.yaml']);
    const isChart = entries.some(({ name, isFolder }) => name === 'Chart.yaml' && !isFolder);
    if (isChart) found = at;
    // Only a chart in `charts` of another one belongs to that.
    else if (found !== undefined && !at.endsWith('/charts')) break;
  }
  return found;
}

/** `helm` is where Helm keeps charts that it has fetched. */
export async function readChart(files: Files, root: string, helm: string | undefined): Promise<ChartFiles> {
  const reader = new ChartReading(files, root, helm);
  await reader.read();
  return reader;
}

/** Where a chart is, and its path in the outermost one. */
interface ChartAt {
  readonly folder: string;
  readonly prefix: string;
}

/** Whether there are no values, but what a program makes them of: `values.tmpl.yaml`, `values.yaml.in`. */
function areMadeLater(names: readonly string[]): boolean {
  return !names.includes('values.yaml') && names.some((name) => /^values\.(?:\w+\.ya?ml|ya?ml\.\w+)$/.test(name));
}

type Ignores = ReturnType<typeof ignoring>;

/** Where repositories of charts have the library charts of a chart, as seen from it. */
const besides = ['..', '../../library', '../../libraries', '../../lib'];

/** Charts beside each other that depend on each other in turn. */
const deepestBeside = 5;

class ChartReading implements ChartFiles {
  readonly root: string;
  readonly files: ChartFile[] = [];
  readonly archives: string[] = [];
  readonly notes: string[] = [];
  readonly missing: Dependency[] = [];
  readonly standIns: StandIn[] = [];
  valuesMadeLater = false;
  givenByMarketplace: ReadonlySet<string> = new Set();
  private readonly source: Files;
  private readonly helm: string | undefined;
  private bytes = mostChartBytes;
  private links = mostLinks;
  private repository: Promise<string> | undefined;

  constructor(source: Files, root: string, helm: string | undefined) {
    this.source = source;
    this.root = root;
    this.helm = helm;
  }

  async read(): Promise<void> {
    if (this.root.endsWith('!')) await this.packed(this.root.slice(0, -1));
    else {
      await this.chart({ folder: this.root, prefix: '' }, 0);
      this.givenByMarketplace = await this.marketplace();
    }
  }

  /** What is packed for the marketplace has a schema of what is asked of whoever installs it, above the folder of charts. */
  private async marketplace(): Promise<ReadonlySet<string>> {
    for (const place of ['..', '../..']) {
      const read = await this.source.read(resolve(this.root, `${place}/schema.yaml`), mostMarketplaceBytes);
      const text = read instanceof Uint8Array ? textOf(read) : '';
      if (/^x-google-marketplace:/m.test(text)) return propertiesGiven(readYaml(text));
    }
    return new Set();
  }

  /** A chart that is an archive itself. */
  private async packed(id: string): Promise<void> {
    const read = await this.source.read(id, sourceLimits.archiveBytes);
    if (!(read instanceof Uint8Array)) return this.note(`${id} cannot be read`);
    await this.unpack('', id, read);
  }

  /** A chart in a folder, as if it were at a path of the outermost one; and what it depends on. */
  private async chart(at: ChartAt, depth: number): Promise<void> {
    const ignored = await this.source.read(`${at.folder}/.helmignore`, defaultLimits.fileBytes);
    const ignores = ignoring(ignored instanceof Uint8Array ? textOf(ignored) : '');
    await this.folder({ ...at, ignores }, '', 0);
    for (const one of dependenciesOf(this.files, at.prefix)) {
      const path = `${at.prefix}charts/${one.name}`;
      if (!this.files.some((file) => isChartNamed(file, `${at.prefix}charts/`, one.name)))
        await this.dependency(one, path, at, depth);
    }
  }

  /** A chart that is beside this one, or was fetched by Helm. */
  private async dependency(one: Dependency, path: string, at: ChartAt, depth: number): Promise<void> {
    const before = this.files.length;
    if (one.repository.startsWith('file://') && depth < deepestBeside) {
      const folder = resolve(at.folder, one.repository.slice('file://'.length));
      await this.chart({ folder, prefix: `${path}/` }, depth + 1);
    } else {
      const locked = lockedVersion(this.files, at.prefix, one.name);
      for (const name of archiveNames({ name: one.name, version: locked ?? one.version })) {
        if (this.helm !== undefined && this.files.length === before)
          await this.file(`${path}.tgz`, `${this.helm}/${name}`);
      }
      if (this.files.length === before && depth < deepestBeside) await this.standIn(one, locked, path, depth);
    }
    if (this.files.length === before) this.missing.push(one);
  }

  /** A library chart of the same repository, which is where this one is and in a version that this one wants. */
  private async standIn(of: Dependency, locked: string | undefined, path: string, depth: number): Promise<void> {
    // A name that leads elsewhere names no neighbour.
    if (!/^\w[\w.-]*$/.test(of.name)) return;
    for (const place of besides) {
      const folder = resolve(this.root, `${place}/${of.name}`);
      if (folder !== this.root && (await this.isStandIn(of, locked, folder)))
        return await this.chart({ folder, prefix: `${path}/` }, depth + 1);
    }
  }

  private async isStandIn(of: Dependency, locked: string | undefined, folder: string): Promise<boolean> {
    const read = await this.source.read(`${folder}/Chart.yaml`, defaultLimits.fileBytes);
    if (!(read instanceof Uint8Array)) return false;
    const metadata = attempt(() => readMetadata(textOf(read), undefined));
    if (metadata instanceof ChartError || metadata.name !== of.name) return false;
    // What other charts print is judged where they are.
    if (!isInRange(metadata.version, of.version) || metadata.type.toLowerCase() !== 'library') return false;
    if (metadata.version !== locked) this.standIns.push({ of, version: metadata.version });
    return true;
  }

  private async folder(at: ChartAt & { readonly ignores: Ignores }, path: string, depth: number): Promise<void> {
    if (depth > deepestChartFolders) {
      this.note(`${path} is nested too deeply`);
      return;
    }
    const entries = await this.source.entries(resolve(at.folder, path));
    if (at.prefix === '' && path === '') this.valuesMadeLater = areMadeLater(entries.map(({ name }) => name));
    for (const { name, isFolder, leadsTo } of entries) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (this.files.length >= mostChartFiles) return this.note(`the chart has more than ${mostChartFiles} files`);
      if (at.ignores(inner, isFolder || leadsTo !== undefined)) continue;
      if (isFolder) await this.folder(at, inner, depth + 1);
      else if (leadsTo !== undefined) await this.linked(at, inner, leadsTo, depth);
      else await this.file(`${at.prefix}${inner}`, resolve(at.folder, inner));
    }
  }

  /** A folder elsewhere in the repository, which Helm reads where a link to it is: in most cases a chart in `charts`. */
  private async linked(
    at: ChartAt & { readonly ignores: Ignores },
    path: string,
    folder: string,
    depth: number,
  ): Promise<void> {
    const isAround = isInside(`${this.root}/`, folder) || isInside(`${at.folder}/`, folder);
    this.repository ??= repositoryAround(this.source, this.root);
    if (this.links-- <= 0) return this.note(`the chart has more than ${mostLinks} links to folders`);
    // A chart that is not ours to trust leads nowhere else.
    if (isAround || !(await this.source.isInside(folder, await this.repository))) return;
    const ignores: Ignores = (inner, isFolder) => at.ignores(`${path}/${inner}`, isFolder);
    await this.folder({ folder, prefix: `${at.prefix}${path}/`, ignores }, '', depth + 1);
  }

  private async file(path: string, id: string): Promise<void> {
    const isPacked = /(?:^|\/)charts\/[^/]*$/.test(path) && isArchive(path);
    const read = await this.source.read(id, isPacked ? sourceLimits.archiveBytes : defaultLimits.fileBytes);
    if (read === 'too-large') this.note(`${path} is too large`);
    if (!(read instanceof Uint8Array)) return;
    this.bytes -= read.length;
    if (this.bytes < 0) this.note(`the chart has more than ${mostChartBytes} bytes`);
    else if (isPacked) await this.archive(path, id, read);
    else this.files.push({ path, id, text: textOf(read) });
  }

  private async archive(path: string, id: string, bytes: Uint8Array): Promise<void> {
    this.archives.push(id);
    await this.unpack(`${path}/`, id, bytes);
  }

  private async unpack(prefix: string, id: string, bytes: Uint8Array): Promise<void> {
    const visitor = {
      wants: () => this.files.length < mostChartFiles,
      take: (inner: string, content: Uint8Array) => {
        // All of an archive is in a folder with the chart's name.
        const below = inner.slice(inner.indexOf('/') + 1);
        this.files.push({ path: `${prefix}${below}`, id: `${id}!/${inner}`, text: textOf(content) });
      },
    };
    const limits = { ...sourceLimits, fileBytes: defaultLimits.fileBytes };
    for (const note of await walkArchive(bytes, limits, visitor, this.source.gunzip ?? gunzipInStream))
      this.note(`${prefix || id}: ${note}`);
  }

  private note(what: string): void {
    if (!this.notes.includes(what)) this.notes.push(what);
  }
}

/** The properties of a marketplace's schema: those that are asked for, and those that its images are put into. */
function propertiesGiven(schema: Value | undefined): ReadonlySet<string> {
  const images = valueAt(schema, ['x-google-marketplace', 'images']);
  const all = [schema, ...(isMap(images) ? images.values() : [])].map((one) => valueAt(one, ['properties']));
  return new Set(all.flatMap((properties) => (isMap(properties) ? [...properties.keys()] : [])));
}

/** The folder around a chart that is a repository; where none is, the one that the chart is in. */
async function repositoryAround(files: Files, root: string): Promise<string> {
  for (const folder of withFolders(root))
    if ((await files.entries(folder, ['.git'])).some(({ name }) => name === '.git')) return folder;
  return folderOf(root);
}

function fileAt(files: readonly ChartFile[], path: string): ChartFile | undefined {
  return files.find((file) => file.path === path);
}

function dependenciesOf(files: readonly ChartFile[], prefix: string): readonly Dependency[] {
  const [about, old] = ['Chart.yaml', 'requirements.yaml'].map((name) => fileAt(files, prefix + name)?.text);
  const metadata = attempt(() => readMetadata(about ?? '', old));
  // What is wrong with it is said when the chart is put together.
  return metadata instanceof ChartError ? [] : metadata.dependencies;
}

function isChartNamed({ path, text }: ChartFile, folder: string, name: string): boolean {
  const inside = path.startsWith(folder) ? path.slice(folder.length).split('/') : [];
  return inside.length === 2 && inside[1] === 'Chart.yaml' && valueAt(readYaml(text), ['name']) === name;
}

/** The version of a chart that was chosen for a range. */
function lockedVersion(files: readonly ChartFile[], prefix: string, name: string): string | undefined {
  const lock = fileAt(files, `${prefix}Chart.lock`) ?? fileAt(files, `${prefix}requirements.lock`);
  const all = valueAt(readYaml(lock?.text ?? ''), ['dependencies']);
  const found = isList(all) ? all.find((one) => valueAt(one, ['name']) === name) : undefined;
  const version = valueAt(found, ['version']);
  return isString(version) ? version : undefined;
}

function readYaml(text: string): Value | undefined {
  return valueOf(parseDocument(text));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
