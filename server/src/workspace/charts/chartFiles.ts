/** Reads the files of a chart: those of its folder, and those of the archives in it. */
import type { ChartFile } from '../../helm/chart.ts';
import { ignoring } from '../../helm/ignore.ts';
import { isArchive } from '../fileNames.ts';
import type { Files } from '../files.ts';
import { defaultLimits, sourceLimits } from '../limits.ts';
import { gunzipInStream, walkArchive } from '../sources/archive.ts';
import { resolve } from '../uri.ts';
import type { ValueSet } from './valueSets.ts';

/** Files of one chart, with those of the charts in it, and their bytes together. */
const mostChartFiles = 5_000;
const mostChartBytes = 64_000_000;
const deepestChartFolders = 30;

export interface ChartFiles {
  /** The chart's folder. */
  readonly root: string;
  readonly files: readonly ChartFile[];
  /** Archives by their addresses, whose files are among those. */
  readonly archives: readonly string[];
  /** What was left out, one line each. */
  readonly notes: readonly string[];
  /** Values that somebody asks for, beside those of the chart's own files, and the files that they are in. */
  readonly asked?: { readonly sets: readonly ValueSet[]; readonly files: readonly ChartFile[] };
}

/** The chart that a file belongs to: the outermost one, since that is what is installed. */
export async function chartRootOf(files: Files, uri: string): Promise<string | undefined> {
  let found: string | undefined;
  let at = uri;
  for (let level = 0; level < deepestChartFolders; level++) {
    const slash = at.lastIndexOf('/');
    if (slash <= at.indexOf('://') + 2) break;
    at = at.slice(0, slash);
    const isChart = (await files.entries(at)).some(({ name, isFolder }) => name === 'Chart.yaml' && !isFolder);
    if (isChart) found = at;
    // Only a chart in `charts` of another one belongs to that.
    else if (found !== undefined && !at.endsWith('/charts')) break;
  }
  return found;
}

export async function readChart(files: Files, root: string): Promise<ChartFiles> {
  const reader = new ChartReading(files, root);
  await reader.read();
  return reader;
}

class ChartReading implements ChartFiles {
  readonly root: string;
  readonly files: ChartFile[] = [];
  readonly archives: string[] = [];
  readonly notes: string[] = [];
  private readonly source: Files;
  private ignores = ignoring('');
  private bytes = mostChartBytes;

  constructor(source: Files, root: string) {
    this.source = source;
    this.root = root;
  }

  async read(): Promise<void> {
    const ignored = await this.source.read(`${this.root}/.helmignore`, defaultLimits.fileBytes);
    if (ignored instanceof Uint8Array) this.ignores = ignoring(textOf(ignored));
    await this.folder('', 0);
  }

  private async folder(path: string, depth: number): Promise<void> {
    if (depth > deepestChartFolders) {
      this.note(`${path} is nested too deeply`);
      return;
    }
    for (const { name, isFolder } of await this.source.entries(resolve(this.root, path))) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (this.ignores(inner, isFolder)) continue;
      if (isFolder) await this.folder(inner, depth + 1);
      else if (this.files.length >= mostChartFiles) this.note(`the chart has more than ${mostChartFiles} files`);
      else await this.file(inner);
    }
  }

  private async file(path: string): Promise<void> {
    const id = resolve(this.root, path);
    const isPacked = path.startsWith('charts/') && isArchive(path);
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
    const visitor = {
      wants: () => this.files.length < mostChartFiles,
      take: (inner: string, content: Uint8Array) => {
        // All of an archive is in a folder with the chart's name.
        const below = inner.slice(inner.indexOf('/') + 1);
        this.files.push({ path: `${path}/${below}`, id: `${id}!/${inner}`, text: textOf(content) });
      },
    };
    const limits = { ...sourceLimits, fileBytes: defaultLimits.fileBytes };
    for (const note of await walkArchive(bytes, limits, visitor, this.source.gunzip ?? gunzipInStream))
      this.note(`${path}: ${note}`);
  }

  private note(what: string): void {
    if (!this.notes.includes(what)) this.notes.push(what);
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
