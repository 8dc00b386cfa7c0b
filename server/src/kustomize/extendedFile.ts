/** A kustomization of which parts are written elsewhere, by somebody who adds them to it. */
import type { Path } from '../base/value.ts';
import { nodeAtPath } from '../yaml/place.ts';
import { ConfigFile } from './configFile.ts';
import type { Place, Source } from './origin.ts';
import type { TextSource } from './tree/read.ts';
import type { SpecAt } from './types.ts';

/** Where a part is written: in what is added, or elsewhere in the kustomization itself. */
interface Moved {
  readonly path: Path;
  readonly isOwn?: boolean;
}

/** By the path of a part, as text. */
export type Moves = Map<string, Moved>;

/** Items, each with where among those that are added it is. */
export type Listed<T> = readonly (readonly [item: T, nth: number])[];

export function listed<T>(items: readonly T[] = []): Listed<T> {
  return items.map((item, nth) => [item, nth]);
}

/** What a list comes to that gets more items. */
export function followed<T>(name: string, own: readonly T[] = [], more: Listed<T>, moves: Moves): readonly T[] {
  for (const [i, [, nth]] of more.entries()) moves.set(`${name}/${own.length + i}`, { path: [name, nth] });
  return [...own, ...more.map(([item]) => item)];
}

/** How long the paths of parts may be: those of single labels are the longest. */
const lengths = [4, 2, 1];

/** A file that hands each part on to the file where that is written. */
abstract class SharedFile extends ConfigFile {
  protected abstract fileOf(path: Path): readonly [ConfigFile, Path];

  override place(path: Path, part: 'key' | 'value' = 'value'): Place {
    const [file, at] = this.fileOf(path);
    return file.place(at, part);
  }

  override placeWithin(path: Path, start: number, end: number): Place {
    const [file, at] = this.fileOf(path);
    return file.placeWithin(at, start, end);
  }

  override textAt(path: Path, text: string, offset: number, source: Source): TextSource {
    const [file, at] = this.fileOf(path);
    return file.textAt(at, text, offset, source);
  }
}

/** One spec in several files, the last one with the last word. */
export class LayeredFile extends SharedFile {
  private readonly layers: readonly (readonly [file: ConfigFile, spec: SpecAt])[];

  constructor(specs: readonly [SpecAt, ...SpecAt[]]) {
    super(specs[0].file, specs[0].document, null, specs[0].start);
    this.layers = specs.map((spec) => [new ConfigFile(spec.file, spec.document, null, spec.start), spec]);
  }

  protected override fileOf(path: Path): readonly [ConfigFile, Path] {
    const isWritten = ({ document, at }: SpecAt) => nodeAtPath(document, [...at, ...path]) !== undefined;
    const [file, { at }] = this.layers.findLast(([, spec]) => isWritten(spec)) ?? this.layers[0]!;
    return [file, [...at, ...path]];
  }
}

export class ExtendedFile extends SharedFile {
  override readonly whole: Place;
  private readonly own: ConfigFile;
  private readonly source: ConfigFile;
  private readonly below: Path;
  private readonly moves: ReadonlyMap<string, Moved>;

  constructor(own: ConfigFile, source: ConfigFile, below: Path, moves: ReadonlyMap<string, Moved>) {
    super(own.path, own.document, own.value);
    this.whole = own.whole;
    this.own = own;
    this.source = source;
    this.below = below;
    this.moves = moves;
  }

  protected override fileOf(path: Path): readonly [ConfigFile, Path] {
    for (const length of lengths) {
      const moved = path.length >= length ? this.moves.get(path.slice(0, length).join('/')) : undefined;
      if (!moved) continue;
      const at = [...moved.path, ...path.slice(length)];
      return moved.isOwn ? [this.own, at] : [this.source, [...this.below, ...at]];
    }
    return [this.own, path];
  }
}
