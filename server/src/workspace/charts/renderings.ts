import { memo } from '../../base/memo.ts';
import { fittingCluster } from '../../helm/capabilities.ts';
import type { Chart, ChartFile } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import { type Assumption, unknownValues } from '../../helm/made.ts';
import { asksClusterAt, Coverage, type Reached, reach } from '../../helm/reach.ts';
import {
  type Frame,
  isFailure,
  prepare,
  type Rendered,
  type RenderFailure,
  type RenderOptions,
} from '../../helm/render.ts';
import type { SchemaVerdict } from '../../helm/schema/index.ts';
import { type ListNode, printNode, type Statement, type Tree } from '../../template/nodes.ts';
import { attempt } from './attempt.ts';
import type { ChartFolder } from './chartFolder.ts';
import type { ChartSettings } from './cluster.ts';
import { type LinesReached, linesReached } from './lines.ts';
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
  /** Whether what a cluster has may well decide whether it fails. */
  readonly isOfCluster: boolean;
}

export interface MadeOfChart {
  readonly made: readonly MadeOfTemplate[];
  readonly failed: readonly FailedTemplate[];
}

const nothing: MadeOfChart = { made: [], failed: [] };

/** What a chart comes to in a cluster. */
export const renderingsOf = memo((folder: ChartFolder, cluster: ChartSettings) => new Renderings(folder, cluster));

/** Each template is rendered when somebody asks for it, and once. */
export class Renderings {
  private readonly coverage = new Coverage();
  private readonly byTemplate = new Map<string, MadeOfChart>();
  private readonly folder: ChartFolder;
  private readonly cluster: ChartSettings;
  private frames: readonly (readonly [ValueSet, Frame])[] | undefined;

  constructor(folder: ChartFolder, cluster: ChartSettings) {
    this.folder = folder;
    this.cluster = cluster;
  }

  /** The sets of values, each with the chart that is ready to be rendered with it. */
  get all(): readonly (readonly [ValueSet, Frame])[] {
    this.frames ??= this.makeFrames();
    return this.frames;
  }

  private makeFrames(): readonly (readonly [ValueSet, Frame])[] {
    const { chart, files, read, given } = this.folder;
    if (chart instanceof ChartError) return [];
    const cluster = fittingCluster(this.cluster, chart.metadata.texts.get('kubeVersion') ?? '');
    const own = given.isAll
      ? []
      : [...valueSetsOf({ ...read, files }, chart, this.cluster.valuesFiles), ...(read.asked?.sets ?? [])];
    return [...own, ...given.sets.filter(({ use }) => !use?.error)].flatMap((set) => {
      const frame = attempt(() => prepare(chartFor(chart, set), optionsFor(cluster, set)));
      return frame instanceof ChartError ? [] : [[set, frame] as const];
    });
  }

  /** What the schemas of values say of those that somebody wrote. */
  get verdicts(): readonly (readonly [ValueSet, SchemaVerdict])[] {
    const written = this.all.filter(([set]) => set.assumed.length === 0 && !set.use?.skipsSchema);
    return written.flatMap(([set, frame]) => frame.verdicts.map((verdict) => [set, verdict] as const));
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

  /** A template that nobody asks for again: what it came to is let go, and only why it failed is known of it. */
  letGo(name: string): void {
    const made = this.byTemplate.get(name);
    if (made) this.byTemplate.set(name, { made: [], failed: made.failed });
  }

  /** How many lines of the templates that are in files of their own are in some rendering. */
  get linesReached(): LinesReached {
    for (const name of this.names) this.madeOf(name);
    const { chart, root } = this.folder;
    const isLibrary = !(chart instanceof ChartError) && chart.metadata.type.toLowerCase() === 'library';
    const isVisited = (node: Statement) => this.coverage.visited.has(node);
    return linesReached(
      root,
      (isLibrary ? [] : this.all).map(([, frame]) => ({
        ...{ trees: frame.trees, isIncomplete: this.folder.read.missing.length > 0, isVisited },
        whyNot: (name) => (frame.names.includes(name) ? this.whyNot(name) : undefined),
      })),
    );
  }

  private whyNot(name: string): 'failed' | 'missing' {
    const { read } = this.folder;
    return read.missing.length > 0 && this.madeOf(name).failed.length > 0 ? 'missing' : 'failed';
  }

  private make(name: string): MadeOfChart {
    const made = new Map<string, MadeOfTemplate>();
    const failed: FailedTemplate[] = [];
    for (const [set, frame] of this.all) {
      if (!frame.names.includes(name)) continue;
      const result = judgeable(frame.render(name), this.folder.files);
      if (isFailure(result))
        failed.push({ name, set, failure: result, isOfCluster: !set.use?.rendersAlone && isOfCluster(result, frame) });
      else if (!made.has(result.text)) made.set(result.text, { name, set, assumptions: [], rendered: result });
    }
    const [first] = this.all.filter(([, frame]) => frame.names.includes(name));
    if (!first) return nothing;
    if (this.folder.given.isAll) return { made: [...made.values()], failed };
    const [set, frame] = first;
    // Nobody mends what is in an archive: what it comes to with the values that are here is enough.
    if (frame.fileOf(name).id.includes('!/')) return { made: [...made.values()], failed };
    for (const { rendered, assumptions } of this.reached(frame, name)) {
      if (!made.has(rendered.text) && !isFailure(judgeable(rendered, this.folder.files)))
        made.set(rendered.text, { name, set, assumptions, rendered });
    }
    return { made: [...made.values()], failed };
  }

  /** What else a template comes to. What conditions want is looked for again only where they are others. */
  private reached(frame: Frame, name: string): readonly Reached[] {
    const { memory } = this.folder;
    const basis = conditionsOf(frame.trees.get(name)) + this.folder.valuesText;
    const known = memory.waysFor(name, basis);
    if (known) return known.flatMap((assumptions) => this.assuming(frame, name, assumptions) ?? []);
    const found = reach(frame, name, this.coverage);
    memory.keepWays(
      name,
      basis,
      found.map(({ assumptions }) => assumptions),
    );
    return found;
  }

  private assuming(frame: Frame, name: string, assumptions: readonly Assumption[]): Reached | undefined {
    const rendered = frame.assuming(assumptions).render(name);
    return isFailure(rendered) ? undefined : { rendered, assumptions };
  }

  /** What a template comes to with other assumptions. */
  withAssumptions({ name, set }: MadeOfTemplate, assumptions: readonly Assumption[]): MadeOfTemplate | undefined {
    const frame = this.all.find(([one]) => one === set)?.[1];
    const reached = frame && this.assuming(frame, name, assumptions);
    return reached && { name, set, ...reached };
  }
}

function optionsFor(cluster: ChartSettings, { given, use, release = use?.release }: ValueSet): RenderOptions {
  return { ...cluster, ...(given && { values: given }), ...use?.cluster, ...(release && { release }) };
}

/** A chart with the values of its own that a set leaves it: others may be given in a place that is not here. */
function chartFor(chart: Chart, { use }: ValueSet): Chart {
  const known = use?.defaults ? { ...chart, values: use.defaults } : chart;
  return use?.isOpen ? asUnknown(known) : known;
}

const asUnknown = memo((chart: Chart): Chart => {
  return { ...chart, values: unknownValues(chart.values), dependencies: chart.dependencies.map(asUnknown) };
});

/** Characters of what one template comes to, beside as many as it has itself: some hold CRDs of some megabytes. */
const longestJudged = 4_000_000;

/** Characters of files that a template may print as well: boards of Grafana have some megabytes too. */
const mostOfFiles = 12_000_000;

const charactersOf = memo((files: readonly ChartFile[]): number => {
  return files.reduce((sum, { text }) => sum + text.length, 0);
});

/** Nobody writes as much: such a text would be read and judged with each key. */
function judgeable(result: Rendered | RenderFailure, files: readonly ChartFile[]): Rendered | RenderFailure {
  if (isFailure(result) || result.text.length <= result.file.text.length + longestJudged) return result;
  const ofFiles = Math.min(charactersOf(files), mostOfFiles);
  if (result.text.length <= result.file.text.length + longestJudged + ofFiles) return result;
  const { id, text } = result.file;
  const places = [{ file: id, start: 0, end: text.search(/[\r\n]|$/) }];
  return { message: `it renders ${longestJudged} characters more than it has`, places, isBound: true };
}

/** Whether it fails where what a cluster has is read, or would decide whether it comes there. */
function isOfCluster({ places, isBound, isUnparsed }: RenderFailure, { trees }: Frame): boolean {
  return !isBound && !isUnparsed && places.some((place) => asksClusterAt(trees, place));
}

/** The conditions of a template, by which it is decided what is looked for. */
function conditionsOf(tree: Tree | undefined): string {
  const conditions: string[] = [];
  const walk = (list: ListNode) => {
    for (const node of list.nodes) {
      if (node.kind !== 'if' && node.kind !== 'with' && node.kind !== 'range') continue;
      conditions.push(node.kind, printNode(node.pipe));
      walk(node.list);
      if (node.elseList) walk(node.elseList);
    }
  };
  if (tree) walk(tree.root);
  return conditions.join('\n');
}
