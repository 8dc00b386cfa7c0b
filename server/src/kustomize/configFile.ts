/** A kustomization as it is written: its fields, and where each of them is. */
import type { Path, Value } from '../base/value.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { nodeAtPath, rangeOf } from '../yaml/place.ts';
import { mapOfScalar } from '../yaml/scalarMap.ts';
import { writtenPath } from './decode.ts';
import type { Kustomization } from './kustomization.ts';
import { type Place, placeIn, type Source, type Written } from './origin.ts';
import type { Node } from './tree/node.ts';
import { type TextSource, treeOf } from './tree/read.ts';

export class ConfigFile {
  readonly path: string;
  readonly document: YamlDocument;
  readonly value: Value;
  readonly whole: Place;
  /** Where the document begins in the file. */
  private readonly start: number;

  constructor(path: string, document: YamlDocument, value: Value, start = 0) {
    this.path = path;
    this.document = document;
    this.value = value;
    this.start = start;
    this.whole = placeIn(path, start);
  }

  private at(start: number, end: number): Place {
    return placeIn(this.path, this.start + start, this.start + end);
  }

  /** Where a value is, or the nearest one around it. */
  place(path: Path, part: 'key' | 'value' = 'value'): Place {
    const steps = writtenPath(this.value, path);
    for (let length = steps.length; length > 0; length--) {
      const range = rangeOf(this.document, steps.slice(0, length), part);
      if (range) return this.at(range.start, range.end);
    }
    return this.whole;
  }

  written(path: Path, part: 'key' | 'value' = 'value'): Written {
    return { how: 'written', in: 'kustomization', place: this.place(path, part) };
  }

  /** What is at a path, as a tree of its own. */
  treeAt(path: Path): Node | undefined {
    const found = nodeAtPath(this.document, writtenPath(this.value, path));
    if (!found || found.through) return undefined;
    const place = (start: number, end: number) => this.at(start, end);
    return treeOf(found.node, found.start, { text: this.document.text, in: 'kustomization', place });
  }

  /** A part of a text at a path, by offsets in the decoded text. */
  placeWithin(path: Path, start: number, end: number): Place {
    const found = nodeAtPath(this.document, writtenPath(this.value, path));
    if (found?.node.kind !== 'scalar' || found.through) return this.place(path);
    const map = mapOfScalar(this.document.text, found.node, found.start);
    return this.at(map.toText(start), end > start ? map.toTextEnd(end - 1) : map.toText(start));
  }

  /** The text at a path, from an offset on, as something that is read in its turn. */
  textAt(path: Path, text: string, offset: number, source: Source): TextSource {
    const found = nodeAtPath(this.document, writtenPath(this.value, path));
    // What a template is filled in with is nowhere in the text.
    if (found?.node.kind !== 'scalar' || found.through || !found.node.value.startsWith(text, offset)) {
      const whole = this.place(path);
      return { text, in: source, place: () => whole };
    }
    const map = mapOfScalar(this.document.text, found.node, found.start);
    return {
      text,
      in: source,
      place: (start, end) =>
        this.at(map.toText(offset + start), end > start ? map.toTextEnd(offset + end - 1) : map.toText(offset + start)),
    };
  }
}

export interface KustomizationFile {
  readonly name: string;
  readonly file: ConfigFile;
  readonly fields: Kustomization;
}
