/** The values that somebody installs a chart with, as Helm is given them. */
import { memo } from '../../base/memo.ts';
import { runAtEnd, shortened } from '../../base/text.ts';
import { isMap, type Path, valueAt } from '../../base/value.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { SetError, type SetOptions, setInto, TooManyItems } from '../../helm/set.ts';
import { copyOf, mapOf, mergedMaps, readFirstValues, readValues } from '../../helm/values.ts';
import { Computed, type From, ValuePlace } from '../../template/from.ts';
import { type Cell, cell, GoList, GoMap, type GoValue, openText } from '../../template/value.ts';
import type { ValueSet } from '../charts/valueSets.ts';
import { baseName } from '../uri.ts';
import type { ChartUse, Layer, SetAs } from './chartUse.ts';
import { type Delivered, nameOfDelivered } from './objects.ts';
import { templatePatch } from './setPatch.ts';
import { objectText, placeInObject, textAt } from './texts.ts';

/** Values, with the texts that they are in. */
export interface GivenSet {
  readonly set: ValueSet;
  readonly files: readonly ChartFile[];
}

/** Reads a file of values that is named. */
export type ReadFile = (uri: string) => ChartFile | undefined;

/** The set of values of a use; `files` are those that it names, as far as they are here. */
export function givenBy(use: ChartUse, files: ReadFile): GivenSet {
  return new Giving(use, files).set();
}

type SetLayer = Extract<Layer, { kind: 'set' | 'setFile' | 'unknown' }>;

class Giving {
  private readonly use: ChartUse;
  private readonly read: ReadFile;
  private readonly files = new Map<string, ChartFile>();
  private readonly unknown = new Set<string>();
  private readonly room = { left: mostItems };
  private isOpen = false;
  private error: string | undefined;

  constructor(use: ChartUse, read: ReadFile) {
    this.use = use;
    this.read = read;
  }

  set(): GivenSet {
    const { by, release, cluster, rendersAlone, at } = this.use;
    const file = objectText(by);
    this.files.set(file.id, file);
    const defaults = this.use.defaults && this.merged(this.use.defaults, undefined);
    const given = this.merged(this.use.layers, this.use.own);
    const name = `the values of ${nameOfDelivered(by)}`;
    const own = [...this.use.layers, this.use.own].find((layer) => layer?.kind === 'map');
    const below = own?.kind === 'map' ? own.path : undefined;
    const use = {
      ...(below && { below: [...by.manifest.at, ...below] }),
      skipsSchema: this.use.skipsSchema,
      files: [...this.files.keys()],
      ...{ release, unknown: [...this.unknown], isOpen: this.isOpen, at: [...by.manifest.at, ...at] },
      ...(defaults && { defaults }),
      ...(cluster && { cluster }),
      ...(rendersAlone && { rendersAlone }),
      ...(this.error !== undefined && { error: this.error }),
    };
    return { set: { name, file, given, assumed: [], use }, files: [...this.files.values()] };
  }

  /** One after the other; where one sets a single value, what is laid over all of them is there already. */
  private merged(layers: readonly Layer[], last: Layer | undefined): GoMap {
    const own = last && copyOf(this.mapOf(last) ?? emptyAt(this.use));
    let values = new GoMap(new Map(), { place: own?.place });
    for (const layer of layers) {
      if (layer.kind === 'unknown' && layer.name === undefined) this.anything(layer.what);
      else if (layer.kind === 'error') this.error ??= layer.message;
      else if (layer.kind === 'set' || layer.kind === 'setFile' || layer.kind === 'unknown') {
        if (own) values = mergedMaps(values, own);
        this.put(values, layer);
      } else values = mergedMaps(values, this.mapOf(layer) ?? new GoMap());
    }
    return own ? mergedMaps(values, own) : values;
  }

  private mapOf(layer: Layer): GoMap | undefined {
    if (layer.kind === 'map') return this.inObject(layer);
    const file = layer.kind === 'text' ? textAt(layer.of, layer.path) : this.fileOf(layer);
    if (!file) return undefined;
    this.files.set(file.id, file);
    // What Flux takes from an object it reads itself; a file, or a text that Argo CD writes to one, is read by Helm.
    const { values, error } = layer.kind === 'text' && layer.asked !== undefined ? readFirst(file) : readOnce(file);
    if (error === undefined) return this.withUnknown(copyOf(values));
    if (layer.kind === 'text' && layer.asked) this.error ??= `${layer.asked}: ${error}`;
    this.anything(file.path);
    return undefined;
  }

  /** What is not here may give any value. */
  private anything(what: string): void {
    this.unknown.add(what);
    this.isOpen = true;
  }

  private fileOf(layer: Layer): ChartFile | undefined {
    if (layer.kind !== 'file') return undefined;
    const file = this.read(layer.uri);
    if (!file && !layer.isOptional) this.anything(baseName(layer.uri));
    return file;
  }

  private inObject({ of, path, over = [] }: Extract<Layer, { kind: 'map' }>): GoMap | undefined {
    let map = this.ownMap(of, path);
    for (const one of over) map = patched(map ?? emptyAt(this.use), this.ownMap(one.of, one.path) ?? new GoMap());
    return map;
  }

  private ownMap(of: Delivered, path: Path): GoMap | undefined {
    const file = objectText(of);
    this.files.set(file.id, file);
    const value = valueAt(of.manifest.value, path);
    if (!isMap(value)) return undefined;
    const { template, patch } = of.layers ?? {};
    const [own, more] = [template, patch].map((layer) => layer && valueAt(layer, path.slice(2)));
    if (!isMap(more)) return this.withUnknown(mapOf(value, placeInObject(of, path)));
    // Each part is where it is written.
    const below = mapOf(isMap(own) ? own : new Map(), placeInObject(of, path));
    const above = mapOf(more, placeInObject(of, ['spec', templatePatch]));
    return this.withUnknown(mergedMaps(below, above));
  }

  private put(values: GoMap, layer: SetLayer): void {
    const { name = '' } = layer;
    if (layer.kind === 'unknown') this.unknown.add(layer.what);
    const file = this.textOf(layer);
    if (file) this.files.set(file.id, file);
    const isKnown = file !== undefined && !isUnknownText(file.text);
    if (file && !isKnown) this.unknown.add(`\`${name}\``);
    const [written, isText] = isKnown
      ? asSet(file.text, layer.kind === 'set' ? layer.as : 'literal')
      : [openText, true];
    try {
      if (name !== '') setInto(values, `${name}=${written}`, this.setting(isKnown ? file : undefined, isText));
    } catch (error) {
      if (!(error instanceof SetError || error instanceof TooManyItems)) throw error;
      if (layer.kind === 'set' && layer.asked && error instanceof SetError)
        this.error ??= `${layer.asked}: ${error.message}`;
      this.anything(name);
    }
  }

  private setting(file: ChartFile | undefined, isText: boolean): SetOptions {
    return { from: file ? new Whole(file.id) : unknownFrom(undefined), isText, room: this.room };
  }

  private textOf(layer: SetLayer): ChartFile | undefined {
    if (layer.kind === 'set') return textAt(layer.of, layer.path);
    const file = layer.kind === 'setFile' ? this.read(layer.uri) : undefined;
    if (layer.kind === 'setFile' && !file) this.anything(baseName(layer.uri));
    return file;
  }

  /** With what is encrypted, or filled in later, as values that nobody knows. */
  private withUnknown(map: GoMap): GoMap {
    for (const [key, one] of [...map.all()]) {
      const known = this.known(one);
      if (known !== one) map.set(key, known);
    }
    map.delete('sops');
    return map;
  }

  private known({ value, from }: Cell): Cell {
    if (value instanceof GoMap) this.withUnknown(value);
    if (value instanceof GoList) return cell(this.knownItems(value), from);
    if (typeof value !== 'string' || !isUnknownText(value)) return cell(value, from);
    this.unknown.add(shortened(value, longestShown));
    return cell(openText, unknownFrom(from));
  }

  private knownItems(list: GoList): GoValue {
    return new GoList(list.items.map((item) => this.known(item)));
  }
}

/** As a merge patch of JSON: null takes away. */
function patched(below: GoMap, above: GoMap): GoMap {
  const entries = new Map(below.all());
  for (const [key, one] of above.all()) {
    const before = entries.get(key)?.value;
    if (one.value === null) entries.delete(key);
    else if (one.value instanceof GoMap)
      entries.set(key, cell(patched(before instanceof GoMap ? before : new GoMap(), one.value), one.from));
    else entries.set(key, one);
  }
  return new GoMap(entries, { place: below.size === 0 ? (above.place ?? below.place) : below.place });
}

const longestShown = 30;

/** Items that single values of one release may make lists have. */
const mostItems = 100_000;

/** All of a text, of which a value was made. */
class Whole extends ValuePlace {
  constructor(source: string) {
    super(source, new ValuePlace(source, undefined, ''), '');
  }

  override get path(): (string | number)[] {
    return [];
  }
}

function unknownFrom(place: From | undefined): From {
  return new Computed(undefined, place ? [place] : [], true);
}

/** A text as what `--set` reads. Quotes around all of it say that it is a text. */
function asSet(text: string, as: SetAs): readonly [string, boolean] {
  if (as === 'argo' || as === 'argoText') return [withoutCommas(text), as === 'argoText'];
  if (as === 'literal') return [text.replace(/[\\,[\]{}]/g, '\\$&'), true];
  const isQuoted = ["'", '"'].some((quote) => text.startsWith(quote) && text.endsWith(quote));
  if (isQuoted) return [withoutQuotes(text), true];
  return [text, false];
}

/** In braces commas are between items. */
function withoutCommas(text: string): string {
  return text.startsWith('{') && text.endsWith('}') ? text : text.replace(/(?<!\\),/g, '\\,');
}

function withoutQuotes(text: string): string {
  const start = text.search(/[^'"]/);
  return start === -1 ? '' : text.slice(start, runAtEnd(text, /['"]/));
}

/** What SOPS has encrypted, and what is filled in later. */
function isUnknownText(text: string): boolean {
  return text.startsWith('ENC[') || /\$\{|<path:/.test(text);
}

function emptyAt({ by, at }: ChartUse): GoMap {
  return new GoMap(new Map(), { place: placeInObject(by, at) });
}

const readOnce = memo((file: ChartFile) => readValues(file.text, file.id));

const readFirst = memo((file: ChartFile) => readFirstValues(file.text, file.id));
