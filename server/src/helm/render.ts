/** Renders charts as Helm does. Nothing of a cluster is known here: `lookup` finds nothing. */

import { memo } from '../base/memo.ts';
import { quote } from '../gostd/quote.ts';
import { builtins } from '../template/builtins.ts';
import { ExecError } from '../template/failure.ts';
import { Computed, Joined, type Part, type Place, sliceOf, type ValuePlace } from '../template/from.ts';
import { type Functions, functionsOf, traced } from '../template/functions.ts';
import { metered } from '../template/meter.ts';
import type { Tree } from '../template/nodes.ts';
import { isEmptyList } from '../template/nodes.ts';
import { type Parsed, parseTemplate } from '../template/parse.ts';
import { execute, type Printed, type Watcher, Work, type World } from '../template/run.ts';
import { Bits, Doings, Sharing } from '../template/sharing.ts';
import { sprig } from '../template/sprig/index.ts';
import {
  type Call,
  type Cell,
  cell,
  compareGoStrings,
  GoError,
  GoMap,
  type GoValue,
  Int,
  ofEngine,
  TooMuchWork,
} from '../template/value.ts';
import { type Cluster, capabilities, servedIn } from './capabilities.ts';
import type { Chart, ChartFile } from './chart.ts';
import { coalesceValues } from './coalesce.ts';
import { keysSetIn, keysSetOnce } from './deciders.ts';
import { withDependencies } from './dependencies.ts';
import { filesMap } from './files.ts';
import type { PathsOf } from './flip.ts';
import { helmFunctions } from './functions/index.ts';
import { type Assumption, assumed } from './made.ts';
import { metadataMap } from './metadata.ts';
import { besides, type KeyPath, type PlacesInValues, pathsOf, placesIn } from './placesInValues.ts';
import { execErrorText, isWarned, missingTemplateIn, parseErrorText, warn } from './renderErrors.ts';
import { type SchemaVerdict, schemaVerdicts } from './schema/index.ts';
import { asValues, engineMap, sharedCopyOf } from './values.ts';

export interface Release {
  readonly name?: string;
  readonly namespace?: string;
  readonly isUpgrade?: boolean;
}

export interface RenderOptions extends Cluster {
  readonly release?: Release;
  /** What `helm template -f` gives, merged. */
  readonly values?: GoMap;
}

/** Nodes that are run, and characters that are made, for one template. */
export const mostWork = 20_000_000;

/** The name of a release where nothing says it, as `helm template` has it. */
export const madeUpRelease = 'release-name';

/** What one template came to. */
export interface Rendered extends Printed {
  readonly file: ChartFile;
}

export interface RenderFailure {
  /** In Helm's words. */
  readonly message: string;
  /** Where it went wrong, the innermost last; empty where that is no place in a template. */
  readonly places: readonly Place[];
  /** Whether it is not Helm's error but a bound of ours. */
  readonly isBound?: boolean;
  /** Whether the chart itself says so, by `fail` or `required`. */
  readonly isWished?: boolean;
  /** Whether the template cannot be read. */
  readonly isUnparsed?: true;
  /** A template that is not there. */
  readonly template?: string;
}

export function isFailure(result: Rendered | RenderFailure): result is RenderFailure {
  return 'message' in result;
}

interface Renderable {
  readonly file: ChartFile;
  /** The chart that it is in, by its number among all of them, and the names of those around it. */
  readonly chart: number;
  readonly home: string;
}

/** Makes a chart ready to be rendered template by template. Throws a `ChartError` where Helm does not come to that. */
export function prepare(chart: Chart, options: RenderOptions = {}): Frame {
  const given = options.values ?? new GoMap(new Map(), { place: chart.values.place });
  const known = withDependencies(chart, given);
  return new Frame(new Ready(known, coalesceValues(known, given), options), [], undefined);
}

/** What all renderings of a chart with some values share. */
class Ready {
  readonly chart: Chart;
  readonly options: RenderOptions;
  readonly renderables: ReadonlyMap<string, Renderable>;
  readonly trees = new Map<string, Tree>();
  readonly broken = new Map<string, RenderFailure>();
  /** The names of the templates, in the order in which Helm renders them. */
  readonly names: readonly string[];
  /** Whether templates were found to change the values: then each rendering has its own, and what it depends on is run before it. */
  isChanging = false;
  readonly sharing = new Sharing();
  /** What templates do with nothing assumed, and what they were seen to do with whatever values, in the order of their names. */
  private readonly usually: Doings[] = [];
  private readonly seen: Doings[] = [];
  private usual: Frame | undefined;
  /** The templates that were found to change what one reads, all by their numbers. */
  private readonly needed = new Map<number, Set<number>>();
  /** The values as they are before any template runs; templates see copies. */
  readonly coalesced: GoMap;
  private shared: GoMap;
  private places: PlacesInValues | undefined;
  private judged: readonly SchemaVerdict[] | undefined;

  constructor(chart: Chart, coalesced: GoMap, options: RenderOptions) {
    this.chart = chart;
    this.coalesced = coalesced;
    this.options = options;
    this.shared = this.fresh();
    this.renderables = renderablesOf(chart);
    const sorted = [...this.renderables.keys()].sort(byDepth);
    this.names = sorted.filter((name) => !baseName(name).startsWith('_'));
    for (const name of sorted) this.parse(name);
  }

  private fresh(): GoMap {
    return asValues(sharedCopyOf(this.coalesced, this.sharing));
  }

  get values(): GoMap {
    return this.isChanging ? this.fresh() : this.shared;
  }

  /** Whether a template has just been found to change the values: what others see of them is put right. */
  takeChanges(): boolean {
    if (this.isChanging || !this.sharing.hasChanged) return false;
    this.isChanging = true;
    this.shared = this.fresh();
    return true;
  }

  neededFor(nth: number): Set<number> {
    const known = this.needed.get(nth) ?? new Set();
    this.needed.set(nth, known);
    return known;
  }

  /** What a template does with nothing assumed, for which all are run in their order once. */
  usuallyOf(nth: number): Doings {
    this.usual ??= new Frame(this, [], undefined);
    while (this.usually.length <= nth) {
      const { doings } = this.usual.runNoting(this.usually.length, undefined);
      this.usually.push(doings);
      const seen = new Doings();
      seen.addAll(doings);
      this.seen.push(seen);
    }
    return this.usually[nth]!;
  }

  seenOf(nth: number): Doings {
    this.usuallyOf(nth);
    return this.seen[nth]!;
  }

  /** What a template may write: what it was seen to, and the keys that it names; those that are set once only where they are not. */
  mayWrite(nth: number, written: Bits): Bits {
    const may = new Bits();
    may.addAll(this.seenOf(nth).writes);
    const once = keysSetOnce(this.trees);
    for (const key of keysSetIn(this.trees, this.names[nth]!))
      this.sharing.addNamed(may, key, once.has(key) ? written : undefined);
    return may;
  }

  /** What is read by whom a value at a path is another one for; whether that can be told. */
  addReadersOf(to: Bits, path: readonly (string | number)[]): boolean {
    let map = this.shared;
    let chart: Chart | undefined = this.chart;
    for (const [at, step] of path.entries()) {
      chart = chart?.dependencies.find(({ name }) => name === step);
      const inner = map.get(String(step))?.value;
      if (inner instanceof GoMap && at < path.length - 1) {
        map = inner;
        continue;
      }
      // A chart in another one is given its values, and does not read them in those of that one.
      if (chart || !map.shared) return false;
      map.shared.addTo(to, String(step));
      return true;
    }
    return false;
  }

  /** What schemas say of the values; they are only read for this. */
  get verdicts(): readonly SchemaVerdict[] {
    this.judged ??= schemaVerdicts(this.chart, this.fresh());
    return this.judged;
  }

  get pathsOf(): PathsOf {
    this.places ??= placesIn(this.shared);
    const { places } = this;
    return (place) => pathsOf(places, place);
  }

  private parse(name: string): void {
    const { file } = this.renderables.get(name)!;
    const { trees, problems } = parsed(file, name);
    const [first] = problems;
    if (first) {
      const places = [{ file: file.id, start: first.start, end: first.end }];
      this.broken.set(name, { message: parseErrorText(name, first.message), places, isUnparsed: true });
    }
    for (const tree of trees.values()) define(this.trees, tree);
  }
}

/** A template that was run, and what it did with what it shares with others. */
interface Run {
  readonly nth: number;
  readonly result: Rendered | RenderFailure;
  readonly doings: Doings;
}

/** A chart with some values, and with what is assumed beside them. */
export class Frame {
  private readonly ready: Ready;
  private readonly assumptions: readonly Assumption[];
  private readonly watcher: Watcher | undefined;
  /** What templates see of the cluster. */
  readonly cluster: Cluster;
  private given: readonly GoMap[] | undefined;
  /** The work that was done for what was rendered. */
  spent = 0;

  constructor(ready: Ready, assumptions: readonly Assumption[], watcher: Watcher | undefined) {
    this.ready = ready;
    this.assumptions = assumptions;
    this.watcher = watcher;
    this.cluster = assumedCluster(ready.options, assumptions);
  }

  /** What the templates of each chart are given. */
  private get dots(): readonly GoMap[] {
    this.given ??= this.give();
    return this.given;
  }

  private give(): readonly GoMap[] {
    const { values, chart, options, sharing } = this.ready;
    return dotsOf(chart, topValues(assumed(values, this.assumptions), options, this.cluster), sharing);
  }

  get chart(): Chart {
    return this.ready.chart;
  }

  /** What the schemas of values, of the chart and of those in it, say of what it is rendered with. */
  get verdicts(): readonly SchemaVerdict[] {
    return this.ready.verdicts;
  }

  get names(): readonly string[] {
    return this.ready.names;
  }

  /** What cannot be read of the templates, by their names. */
  get broken(): ReadonlyMap<string, RenderFailure> {
    return this.ready.broken;
  }

  get trees(): ReadonlyMap<string, Tree> {
    return this.ready.trees;
  }

  fileOf(name: string): ChartFile {
    return this.ready.renderables.get(name)!.file;
  }

  /** Where a value of a file is in the values that templates see. */
  pathsOf(place: ValuePlace): ReturnType<PathsOf> {
    return this.ready.pathsOf(place);
  }

  besides(path: KeyPath, value: GoValue): readonly KeyPath[] {
    return besides(this.ready.coalesced, path, value);
  }

  /** What a file of templates is given. */
  givenTo(id: string): GoMap | undefined {
    for (const { file, chart } of this.ready.renderables.values()) if (file.id === id) return this.dots[chart];
    return undefined;
  }

  assuming(assumptions: readonly Assumption[], watcher?: Watcher): Frame {
    return new Frame(this.ready, assumptions, watcher);
  }

  /** What a template prints. */
  render(name: string): Rendered | RenderFailure {
    if (!this.ready.isChanging) {
      const result = this.run(name, this.watcher);
      if (!this.ready.takeChanges()) return result;
      this.watcher?.restarted();
    }
    return this.renderAmong(this.names.indexOf(name));
  }

  /** Where templates change values, those before one may have changed what it sees: they are run as far as it reads that. */
  private renderAmong(nth: number): Rendered | RenderFailure {
    const needed = this.ready.neededFor(nth);
    for (;;) {
      const frame = this.assuming(this.assumptions);
      const runs = [...needed].sort((a, b) => a - b).map((one) => frame.runNoting(one, undefined));
      const last = frame.runNoting(nth, this.watcher);
      this.spent += frame.spent;
      const missing = this.writersFor([...runs, last]);
      if (missing.length === 0) {
        for (const { nth: one, doings } of [...runs, last]) this.ready.seenOf(one).addAll(doings);
        return last.result;
      }
      for (const one of missing) needed.add(one);
      this.watcher?.restarted();
    }
  }

  /** Those that may write what others read that were run without them, the last of which is the one that is wanted. */
  private writersFor(runs: readonly Run[]): readonly number[] {
    const known = new Map(runs.map(({ nth, doings }) => [nth, doings]));
    const last = runs.at(-1)!;
    const writes = this.writesBefore(last.nth, known);
    const reads = new Bits();
    reads.addAll(last.doings.reads);
    const found: number[] = [];
    for (let nth = last.nth - 1; nth >= 0; nth--) {
      const doings = known.get(nth);
      if (!doings && !writes[nth]!.meets(reads)) continue;
      if (!doings) found.push(nth);
      reads.addAll((doings ?? this.ready.seenOf(nth)).reads);
    }
    return found;
  }

  /**
   * What each template before one writes, or may write if it was not run here. One that reads nothing which is other than usual does what
   * it does with nothing assumed.
   */
  private writesBefore(last: number, known: ReadonlyMap<number, Doings>): readonly Bits[] {
    const { changed, isKnown } = this.changedFirst();
    const written = new Bits();
    return Array.from({ length: last }, (_, nth) => {
      const usual = this.ready.usuallyOf(nth);
      const isUsual = isKnown && !usual.reads.meets(changed);
      const sure = known.get(nth)?.writes ?? (isUsual ? usual.writes : undefined);
      const writes = sure ?? this.ready.mayWrite(nth, written);
      if (sure) written.addAll(sure);
      if (!isUsual) {
        changed.addAll(writes);
        changed.addAll(usual.writes);
      }
      return writes;
    });
  }

  /** What is other than usual before any template is run, and whether that is all. */
  private changedFirst(): { readonly changed: Bits; readonly isKnown: boolean } {
    const changed = new Bits();
    const isKnown = this.assumptions.every((one) => one.kind === 'value' && this.ready.addReadersOf(changed, one.path));
    return { changed, isKnown };
  }

  runNoting(nth: number, watcher: Watcher | undefined): Run {
    const doings = new Doings();
    const result = this.run(this.names[nth]!, watcher, doings);
    return { nth, doings, result };
  }

  private run(name: string, watcher: Watcher | undefined, doings?: Doings): Rendered | RenderFailure {
    const failure = this.broken.get(name);
    if (failure) return failure;
    const { home, file, chart } = this.ready.renderables.get(name)!;
    const dot = this.dots[chart]!;
    const work = new Work(mostWork);
    const { sharing } = this.ready;
    const { hasChanged } = sharing;
    dot.set('Template', cell(asValues(engineMap({ Name: name, BasePath: `${home}/templates` })), ofEngine));
    sharing.hasChanged = hasChanged;
    sharing.doings = doings;
    try {
      const world = worldOf(this.trees, work, watcher);
      const run = () => execute(world, this.trees.get(name)!, cell(dot, ofEngine));
      return { ...withoutNoValue(metered(work, run)), file };
    } catch (error) {
      if (error instanceof TooMuchWork) return { message: error.message, places: [atTop(file)], isBound: true };
      // A map that was set into itself, which ends Helm as well.
      if (error instanceof RangeError)
        return { message: 'a value is nested too deeply', places: [atTop(file)], isBound: true };
      if (!(error instanceof GoError)) throw error;
      const template = missingTemplateIn(error.message);
      return {
        ...{ message: execErrorText(name, error), places: placesOf(error), isWished: isWarned(error.message) },
        ...(template !== undefined && { template }),
      };
    } finally {
      sharing.doings = undefined;
      this.spent += work.spent;
    }
  }
}

const parsed = memo((file: ChartFile, name: string): Parsed => {
  return parseTemplate(name, file.text, (word) => functionNames.has(word), file.id);
});

/** A definition without anything in it takes nothing away. */
function define(trees: Map<string, Tree>, tree: Tree): void {
  if (!trees.has(tree.name) || !isEmptyList(tree.root)) trees.set(tree.name, tree);
}

/** The template itself is named last by a path, the deepest first, and of those the last by name. */
function byDepth(a: string, b: string): number {
  const depth = (name: string) => name.split('/').length;
  return depth(b) - depth(a) || compareGoStrings(b, a);
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function topValues(values: GoMap, { release = {} }: RenderOptions, cluster: Cluster): Record<string, GoValue> {
  const { name = madeUpRelease, namespace = 'default', isUpgrade = false } = release;
  return {
    Values: values,
    Capabilities: capabilities(cluster),
    Release: engineMap({
      ...{ Name: name, Namespace: namespace, IsUpgrade: isUpgrade, IsInstall: !isUpgrade },
      ...{ Revision: new Int(1), Service: 'Helm' },
    }),
  };
}

/** The templates of a chart and of those in it, by their names. */
function renderablesOf(chart: Chart): ReadonlyMap<string, Renderable> {
  const all = new Map<string, Renderable>();
  let count = 0;
  const add = (one: Chart, home: string) => {
    const number = count++;
    for (const inner of one.dependencies) add(inner, `${home}/charts/${inner.name}`);
    const isLibrary = one.metadata.type.toLowerCase() === 'library';
    for (const file of one.templates)
      if (!isLibrary || baseName(file.path).startsWith('_'))
        all.set(`${home}/${file.path}`, { file, home, chart: number });
  };
  add(chart, chart.name);
  return all;
}

/** What the templates of a chart and of those in it are given, each with its part of the values, in the same order. */
function dotsOf(chart: Chart, top: Record<string, GoValue>, sharing: Sharing): readonly GoMap[] {
  const all: GoMap[] = [];
  addDots(all, chart, top, sharing, true);
  return all;
}

function addDots(
  all: GoMap[],
  chart: Chart,
  { Values, Release, Capabilities }: Record<string, GoValue>,
  sharing: Sharing,
  isRoot: boolean,
): GoMap {
  const inner = new GoMap();
  const seen: Record<string, GoValue> = {
    ...{ Values, Release, Capabilities, Subcharts: inner, Files: filesOf(chart) },
    Chart: aboutChart(chart, isRoot),
  };
  // Values have the numbers from 0 on.
  const dot = asValues(engineMap(seen, { shared: sharing.map(-1 - all.length) }));
  all.push(dot);
  for (const one of chart.dependencies) {
    const own = (Values as GoMap).get(one.name)?.value;
    const values = asValues(own instanceof GoMap ? own : new GoMap());
    inner.set(one.name, cell(addDots(all, one, { ...seen, Values: values }, sharing, false), ofEngine));
  }
  return dot;
}

const filesOf = memo((chart: Chart) => filesMap(chart.files));
const aboutChart = memo((chart: Chart, isRoot: boolean) => metadataMap(chart.metadata, chart.wanted, isRoot));

function assumedCluster(cluster: Cluster, all: readonly Assumption[]): Cluster {
  const assumptions = all.filter(({ kind }) => kind !== 'value');
  if (assumptions.length === 0) return cluster;
  const { kubeVersion } = cluster;
  const asked = assumptions.flatMap((one) => (one.kind === 'served' ? [one] : []));
  const version = assumptions.findLast((one) => one.kind === 'kubernetes')?.version ?? kubeVersion;
  const gone = new Set(asked.filter(({ isServed }) => !isServed).map(({ apiVersion }) => apiVersion));
  const added = asked.filter(({ isServed }) => isServed).map(({ apiVersion }) => apiVersion);
  return {
    ...cluster,
    ...(version !== undefined && { kubeVersion: version }),
    served: servedIn(cluster).filter((one) => !gone.has(one)),
    apiVersions: [...(cluster.apiVersions ?? []), ...added].filter((one) => !gone.has(one)),
  };
}

/** The first line of a file. */
function atTop({ id, text }: ChartFile): Place {
  return { file: id, start: 0, end: text.search(/[\r\n]|$/) };
}

/** Where it went wrong in the templates that called each other. */
function placesOf(error: GoError): Place[] {
  const places: Place[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof ExecError && at.place) places.push(at.place);
  }
  return places;
}

/** Helm takes out what Go prints for nothing, wherever it stands. */
function withoutNoValue(printed: Printed): Printed {
  const needle = '<no value>';
  if (!printed.text.includes(needle)) return printed;
  const parts: Part[] = [];
  let start = 0;
  for (let at = printed.text.indexOf(needle); at !== -1; at = printed.text.indexOf(needle, start)) {
    parts.push(sliceOf(printed.text, printed.from, start, at));
    start = at + needle.length;
  }
  parts.push(sliceOf(printed.text, printed.from, start));
  return { text: parts.map(({ text }) => text).join(''), from: new Joined(parts) };
}

/** Helm lets a template include itself as often. */
const mostRecursion = 1000;

function worldOf(trees: ReadonlyMap<string, Tree>, work: Work, watcher: Watcher | undefined): World {
  const counts = new Map<string, number>();
  const level = { depth: 0 };
  const worldWith = (known: Trees): World => {
    const late = functionsOf([
      traced('include(string, any) string', ([name, data]) => include(world, counts, String(name!.value), data!)),
      traced('required(string, any) interface {}', ([message, given]) => required(message!, given!, watcher)),
      traced('tpl(string, any) interface {}', ([text, data], call) => tpl(text!, data!, call, known, worldWith)),
    ]);
    const functions = { get: (name: string) => late.get(name) ?? baseFunctions.get(name) };
    const world: World = { tree: (name) => known.get(name), functions, work, level, watcher };
    return world;
  };
  return worldWith(trees);
}

function include(world: World, counts: Map<string, number>, name: string, data: Cell): Cell {
  const count = counts.get(name) ?? 0;
  if (count > mostRecursion)
    throw new GoError(`rendering template has a nested reference name: ${name}: unable to execute template`);
  counts.set(name, count + 1);
  try {
    const tree = world.tree(name);
    if (!tree) throw new GoError(`template: no template ${quote(name)} associated with template "gotpl"`);
    const { text, from } = execute(world, tree, cell(data.value ?? undefined, data.from));
    return cell(text, from);
  } finally {
    counts.set(name, count);
  }
}

/** The templates that one sees, by their names. */
type Trees = Pick<ReadonlyMap<string, Tree>, 'get'>;

/** Characters of texts whose parts are remembered. */
const mostRemembered = 2_000_000;

const remembered = { texts: new Map<string, Parsed>(), characters: 0 };

/**
 * The parts of a text that is run as a template: the same ones each time, so that a condition in it that has gone both ways is known
 * when the text is run again.
 */
function parsedText(text: string): Parsed {
  const known = remembered.texts.get(text);
  if (known) return known;
  if (remembered.characters + text.length > mostRemembered) {
    remembered.texts.clear();
    remembered.characters = 0;
  }
  const made = parseTemplate('gotpl', text, (word) => functionNames.has(word));
  remembered.texts.set(text, made);
  remembered.characters += text.length;
  return made;
}

/** Runs a text as a template, which sees the others and may define more for itself. */
function tpl({ value, from }: Cell, data: Cell, call: Call, known: Trees, worldWith: (trees: Trees) => World): Cell {
  const text = String(value);
  call.spend(text.length);
  const { trees, problems } = parsedText(text);
  const [problem] = problems;
  if (problem) throw new GoError(`cannot parse template ${quote(text)}: ${problem.message}`);
  const within = { from, place: call.from instanceof Computed ? call.from.place : undefined };
  const own = new Map<string, Tree>();
  for (const tree of trees.values())
    if (!known.get(tree.name) || !isEmptyList(tree.root)) own.set(tree.name, { ...tree, within });
  const all: Trees = { get: (name) => own.get(name) ?? known.get(name) };
  try {
    const main = { ...trees.get('gotpl')!, within };
    const printed = withoutNoValue(execute(worldWith(all), main, cell(data.value ?? undefined, data.from)));
    return cell(printed.text, printed.from);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`error during tpl function execution for ${quote(text)}: ${error.message}`, { cause: error });
  }
}

function required({ value: message }: Cell, given: Cell, watcher: Watcher | undefined): Cell {
  if (given.value !== null && given.value !== undefined && given.value !== '') return given;
  watcher?.missed(given, 'text');
  throw new GoError(warn(String(message)));
}

const chartFunctions = [
  traced('fail(string) string', ([message]) => {
    throw new GoError(warn(String(message!.value)));
  }),
  traced('lookup(string, string, string, string) map[string]interface {}', (_, call) => cell(new GoMap(), call.from)),
  traced('getHostByName(string) string', (_, call) => cell('', call.from)),
];

const baseFunctions: Functions = functionsOf(
  [...builtins.values()],
  [...sprig.values()],
  [...helmFunctions.values()],
  chartFunctions,
);
export const functionNames: ReadonlySet<string> = new Set([...baseFunctions.keys(), 'include', 'tpl', 'required']);
