/** A chart as a kustomization has it rendered, with the places in templates and values that each part comes from. */
import { movedRange, type Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import { judgedText } from '../../helm/judgedText.ts';
import type { Rendered } from '../../helm/render.ts';
import { type Piece, piecesOf, type TemplateOptions } from '../../helm/templated.ts';
import { mergedMaps, readValues } from '../../helm/values.ts';
import {
  type BuiltNode,
  type ChartRequest,
  type MergedValues,
  type Place,
  placeIn,
  placesOf,
  type RenderedChart,
  type ValuesFile,
} from '../../kustomize/build.ts';
import { ValuePlace } from '../../template/from.ts';
import type { Printed } from '../../template/run.ts';
import { type Cell, cell, GoList, GoMap, type GoValue } from '../../template/value.ts';
import { attempt } from '../charts/attempt.ts';
import type { ChartFolder } from '../charts/chartFolder.ts';
import { type ChartPlace, RenderedPlaces } from '../projections/chart.ts';
import { pathOf } from './paths.ts';

type UriOf = (path: string) => string;

/** Nodes of templates that are run for all charts of one build. */
export const mostChartWork = 20_000_000;

/** Undefined where not all of the chart is here. */
export function renderedChart(
  folder: ChartFolder,
  request: ChartRequest,
  uriOf: UriOf,
  room: { left: number },
): RenderedChart | undefined {
  const { missing, standIns, notes } = folder.read;
  if (missing.length + standIns.length + notes.length > 0) return undefined;
  if (folder.chart instanceof ChartError) return { error: folder.chart.message };
  const values = valuesOf(request, uriOf);
  if ('error' in values) return values;
  const given = folder.withGiven({ sets: [], files: values.files });
  return new Rendering(given, optionsOf(request, values.map), room).rendered;
}

function optionsOf(request: ChartRequest, values: GoMap): TemplateOptions {
  const { apiVersions, kubeVersion, release, includeCRDs: crds } = request;
  const { skipHooks: noHooks, skipTests: noTests } = request;
  return { apiVersions, release, values, crds, noHooks, noTests, ...(kubeVersion && { kubeVersion }) };
}

interface GivenValues {
  readonly map: GoMap;
  readonly files: readonly ChartFile[];
}

function valuesOf({ values }: ChartRequest, uriOf: UriOf): GivenValues | { readonly error: string } {
  let map = new GoMap(new Map());
  const files: ChartFile[] = [];
  const take = ({ path, file }: ValuesFile, isObject?: true) => {
    const one = { path, id: uriOf(path), text: file.text, ...(isObject && { isObject }) };
    files.push(one);
    return one;
  };
  for (const one of values) {
    if ('merged' in one) {
      const above = rootAt(take(one.inline, true), one.inline.at);
      const below = one.below ? rootAt(take(one.below), []) : above;
      map = mergedMaps(map, new Merged(one).value(one.merged, above, below) as GoMap);
      continue;
    }
    const file = take(one);
    const read = readValues(file.text, file.id);
    if (read.error !== undefined) return { error: `failed to parse ${one.path}: ${read.error}` };
    map = mergedMaps(map, read.values);
  }
  return { map, files };
}

function rootAt({ id }: ChartFile, path: Path): ValuePlace {
  return path.reduce((at: ValuePlace, key) => at.child(key), new ValuePlace(id, undefined, ''));
}

/** Values that were merged: each is where what had the last word was written. */
class Merged {
  private readonly inline: string;

  constructor({ inline }: MergedValues) {
    this.inline = inline.path;
  }

  value(node: BuiltNode, above: ValuePlace, below: ValuePlace): GoValue {
    if (node.kind === 'scalar') return (typeof node.value === 'bigint' ? Number(node.value) : node.value) as GoValue;
    if (node.kind === 'list')
      return new GoList(node.items.map((item, i) => this.cell(item, above.child(i), below.child(i))));
    const cells = node.entries.map(({ key, value }): [string, Cell] => {
      return [key, this.cell(value, above.child(key), below.child(key))];
    });
    return new GoMap(new Map(cells), { place: this.isInline(node) ? above : below });
  }

  private cell(node: BuiltNode, above: ValuePlace, below: ValuePlace): Cell {
    return cell(this.value(node, above, below), this.isInline(node) ? above : below);
  }

  private isInline({ origin }: BuiltNode): boolean {
    return placesOf(origin).at(-1)?.file === this.inline;
  }
}

class Rendering {
  private readonly folder: ChartFolder;
  private readonly options: TemplateOptions;
  private readonly room: { left: number };
  private readonly printed = new Map<string, Printed>();

  constructor(folder: ChartFolder, options: TemplateOptions, room: { left: number }) {
    this.room = room;
    this.folder = folder;
    this.options = options;
  }

  get rendered(): RenderedChart | undefined {
    const { chart } = this.folder;
    if (chart instanceof ChartError) return { error: chart.message };
    const pieces = attempt(() =>
      piecesOf(chart, this.options, { textOf: (one, name) => this.take(one, name), room: this.room }),
    );
    if (pieces instanceof ChartError) return { error: pieces.message };
    if ('error' in pieces) return pieces.isBound ? undefined : pieces;
    const starts: number[] = [];
    let at = 0;
    for (const { text } of pieces) {
      starts.push(at);
      at += text.length;
    }
    const place = (start: number, end: number) => {
      const nth = starts.findLastIndex((from) => from <= start);
      const piece = pieces[nth]!;
      const within = starts[nth]! + piece.head.length;
      return this.placeIn(piece, movedRange({ start, end }, -within));
    };
    return { text: pieces.map(({ text }) => text).join(''), place };
  }

  private take(rendered: Rendered, name: string): string {
    const judged = judgedText(rendered);
    this.printed.set(name, judged);
    return judged.text;
  }

  private placeIn({ name, body }: Piece, range: Range): Place | undefined {
    // What takes several lines begins somewhere.
    const [line = ''] = body.slice(range.start, range.end).split('\n', 1);
    const [start, end] = [range.start, range.start + line.length];
    const printed = this.printed.get(name);
    if (!printed) return this.inFile(name, { start, end });
    const at = printed.text.indexOf(body);
    const [found] = new RenderedPlaces(this.folder, printed).written({ start: at + start, end: at + end });
    return found && placeOf(found.place);
  }

  /** A file that is printed as it is. */
  private inFile(name: string, range: Range): Place | undefined {
    const path = name.slice(name.indexOf('/') + 1);
    const file = this.folder.files.find((one) => one.path === path);
    return file && placeOf({ uri: file.id, range });
  }
}

function placeOf({ uri, range }: ChartPlace): Place {
  return placeIn(pathOf(uri), range.start, range.end);
}
