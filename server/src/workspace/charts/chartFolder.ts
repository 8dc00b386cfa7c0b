import { memo } from '../../base/memo.ts';
import { type Chart, type ChartFile, loadChart } from '../../helm/chart.ts';
import { ChartError } from '../../helm/coalesce.ts';
import type { Assumption } from '../../helm/made.ts';
import { Coverage, reach } from '../../helm/reach.ts';
import { type Frame, isFailure, prepare, type Rendered, type RenderFailure } from '../../helm/render.ts';
import type { ChartFiles } from './chartFiles.ts';
import { type ValueSet, valueSetsOf } from './valueSets.ts';

/** What a template comes to with some values. */
export interface MadeOfTemplate {
  /** The template's name, as Helm says it. */
  readonly name: string;
  readonly set: ValueSet;
  /** What is assumed beside these values. */
  readonly assumptions: readonly Assumption[];
  readonly rendered: Rendered;
}

/** What Helm says instead of rendering. */
export interface FailedTemplate {
  readonly name: string;
  readonly set: ValueSet;
  readonly failure: RenderFailure;
}

export interface MadeOfChart {
  readonly made: readonly MadeOfTemplate[];
  readonly failed: readonly FailedTemplate[];
}

const nothing: MadeOfChart = { made: [], failed: [] };

/** Renderings of one chart that are looked at. */
export const mostRenderings = 4_000;

/** A chart at one moment. What its templates come to is worked out when somebody asks for it, and once. */
export class ChartFolder {
  readonly root: string;
  readonly files: readonly ChartFile[];
  readonly read: ChartFiles;
  private readonly byId: ReadonlyMap<string, ChartFile>;
  private readonly kubeVersion: string;
  private readonly coverage = new Coverage();
  private readonly byTemplate = new Map<string, MadeOfChart>();
  private frames: readonly (readonly [ValueSet, Frame])[] | undefined;
  private loaded: Chart | ChartError | undefined;

  constructor(read: ChartFiles, kubeVersion: string, files = read.files) {
    this.read = read;
    this.root = read.root;
    this.kubeVersion = kubeVersion;
    this.files = files;
    this.byId = new Map(files.map((file) => [file.id, file]));
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
    return isSame ? this : new ChartFolder(this.read, this.kubeVersion, all);
  }

  private added(uri: string, text: string): ChartFile {
    const known = this.byId.get(uri);
    return known?.text === text ? known : { path: uri.slice(this.root.length + 1), id: uri, text };
  }

  fileAt(uri: string): ChartFile | undefined {
    return this.byId.get(uri);
  }

  /** Why there is no chart. */
  get error(): ChartError | undefined {
    return this.chart instanceof ChartError ? this.chart : undefined;
  }

  private get chart(): Chart | ChartError {
    this.loaded ??= attempt(() => loadChart(this.files));
    return this.loaded;
  }

  private get all(): readonly (readonly [ValueSet, Frame])[] {
    this.frames ??= this.makeFrames();
    return this.frames;
  }

  private makeFrames(): readonly (readonly [ValueSet, Frame])[] {
    const { chart, kubeVersion } = this;
    if (chart instanceof ChartError) return [];
    return valueSetsOf(this.files).flatMap((set) => {
      const frame = attempt(() => prepare(chart, { kubeVersion, ...(set.given && { values: set.given }) }));
      return frame instanceof ChartError ? [] : [[set, frame] as const];
    });
  }

  /** The templates of the chart and of those in it. */
  get names(): readonly string[] {
    return [...new Set(this.all.flatMap(([, frame]) => frame.names))];
  }

  /** The template that a file is, by Helm's name for it. */
  nameOf(uri: string): string | undefined {
    return this.names.find((name) =>
      this.all.some(([, frame]) => frame.names.includes(name) && frame.fileOf(name).id === uri),
    );
  }

  /** What one template comes to. */
  madeOf(name: string): MadeOfChart {
    const known = this.byTemplate.get(name);
    if (known) return known;
    const made = this.make(name);
    this.byTemplate.set(name, made);
    return made;
  }

  private make(name: string): MadeOfChart {
    const made = new Map<string, MadeOfTemplate>();
    const failed: FailedTemplate[] = [];
    for (const [set, frame] of this.all) {
      if (!frame.names.includes(name)) continue;
      const result = frame.render(name);
      if (isFailure(result)) failed.push({ name, set, failure: result });
      else if (!made.has(result.text)) made.set(result.text, { name, set, assumptions: [], rendered: result });
    }
    const [first] = this.all.filter(([, frame]) => frame.names.includes(name));
    if (!first) return nothing;
    const [set, frame] = first;
    for (const { rendered, assumptions } of reach(frame, name, this.coverage)) {
      if (!made.has(rendered.text)) made.set(rendered.text, { name, set, assumptions, rendered });
    }
    return { made: [...made.values()], failed };
  }
}

function attempt<T>(make: () => T): T | ChartError {
  try {
    return make();
  } catch (error) {
    if (error instanceof ChartError) return error;
    throw error;
  }
}
