import { type Chart, type ChartFile, loadChart } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import { attempt } from './attempt.ts';
import type { ChartFiles } from './chartFiles.ts';
import { ChartMemory } from './chartMemory.ts';
import type { ValueSet } from './valueSets.ts';

/** Values that others install a chart with, and the texts that they are in. */
export interface GivenToChart {
  readonly sets: readonly ValueSet[];
  readonly files: readonly ChartFile[];
  /** Nothing is looked at but these values. */
  readonly isAll?: true;
}

export const nothingGiven: GivenToChart = { sets: [], files: [] };

/** A chart at one moment. What its templates come to is worked out when somebody asks for it, and once. */
export class ChartFolder {
  readonly root: string;
  readonly files: readonly ChartFile[];
  readonly read: ChartFiles;
  /** What was found out about earlier versions of the chart, which mostly holds for later ones. */
  readonly memory: ChartMemory;
  readonly given: GivenToChart;
  private readonly byId: ReadonlyMap<string, ChartFile>;
  private loaded: Chart | ChartError | undefined;

  constructor(read: ChartFiles, files = read.files, memory = new ChartMemory(), given = nothingGiven) {
    this.read = read;
    this.memory = memory;
    this.given = given;
    this.root = read.root;
    this.files = files;
    const all = [...(read.asked?.files ?? []), ...given.files, ...files];
    this.byId = new Map(all.map((file) => [file.id, file]));
  }

  /** The same with what others install it with now. */
  withGiven(given: GivenToChart): ChartFolder {
    return given === this.given ? this : new ChartFolder(this.read, this.files, this.memory, given);
  }

  /** The same with nothing but the values that are in a file: what a key there changes. */
  onlyWith(isOf: (file: ChartFile) => boolean, name: string): ChartFolder {
    const { sets, files } = this.given;
    const mine = sets.filter(
      ({ file, use }) =>
        file && (isOf(file) || use?.files.some((id) => files.some((one) => one.id === id && isOf(one)))),
    );
    return new ChartFolder(this.read, this.files, this.memory.of(name), { sets: mine, files, isAll: true });
  }

  /** The same with other texts of open files, and what is read from disk for all others. */
  withOpen(open: ReadonlyMap<string, string>): ChartFolder {
    const files = this.read.files.map((file) => {
      const text = open.get(file.id);
      const known = this.byId.get(file.id);
      if (text === undefined || text === file.text) return file;
      return known?.text === text ? known : { ...file, text };
    });
    const added = [...open]
      .filter(([uri]) => !this.read.files.some(({ id }) => id === uri))
      .map(([uri, text]) => this.added(uri, text));
    const all = [...files, ...added];
    const isSame = all.length === this.files.length && all.every((file, i) => file === this.files[i]);
    return isSame ? this : new ChartFolder(this.read, all, this.memory, this.given);
  }

  /** The same with another text of one file, as if somebody had written that. */
  withText(uri: string, text: string): ChartFolder {
    const files = this.files.map((file) => (file.id === uri ? { ...file, text } : file));
    return new ChartFolder(this.read, files, this.memory, this.given);
  }

  private added(uri: string, text: string): ChartFile {
    const known = this.byId.get(uri);
    return known?.text === text ? known : { path: uri.slice(this.root.length + 1), id: uri, text };
  }

  fileAt(uri: string): ChartFile | undefined {
    return this.byId.get(uri);
  }

  /** The files of values, as they decide what conditions want. */
  get valuesText(): string {
    return this.chart instanceof ChartError ? '' : (this.chart.valuesFile?.text ?? '');
  }

  /** Why there is no chart. */
  get error(): ChartError | undefined {
    return this.chart instanceof ChartError ? this.chart : undefined;
  }

  get chart(): Chart | ChartError {
    this.loaded ??= attempt(() => loadChart(this.files));
    return this.loaded;
  }
}
