/** The stream that kustomize prints. */
import type { Path } from '../base/value.ts';
import { parseDocument, type YamlDocument } from '../yaml/document.ts';
import { goYaml } from '../yaml/goYaml.ts';
import { pathAt, rangeOf } from '../yaml/place.ts';
import type { Build, BuiltResource } from './types.ts';

export interface PlaceInBuild {
  readonly resource: number;
  readonly path: Path;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Printed {
  readonly text: string;
  /** Where a part of a resource is printed. */
  rangeOf(place: PlaceInBuild, part: 'key' | 'value' | 'pair'): Range | undefined;
  /** What is printed at an offset. */
  placeAt(offset: number): PlaceInBuild | undefined;
}

interface Part {
  readonly text: string;
  readonly start: number;
  document: YamlDocument | undefined;
}

const separator = '---\n';

/** A resource as it is printed. */
export function textOfResource({ value }: BuiltResource): string {
  return goYaml(value);
}

export function print({ resources }: Build): Printed {
  const parts: Part[] = [];
  let start = 0;
  for (const resource of resources) {
    const text = textOfResource(resource);
    parts.push({ text, start, document: undefined });
    start += text.length + separator.length;
  }
  const documentOf = (part: Part) => {
    part.document ??= parseDocument(part.text);
    return part.document;
  };
  return {
    text: parts.map(({ text }) => text).join(separator),
    rangeOf: ({ resource, path }, what) => {
      const part = parts[resource];
      const range = part && rangeOf(documentOf(part), path, what);
      return range && { start: part.start + range.start, end: part.start + range.end };
    },
    placeAt: (offset) => {
      const resource = parts.findIndex((part) => offset >= part.start && offset <= part.start + part.text.length);
      const part = parts[resource];
      return part && { resource, path: pathAt(documentOf(part), offset - part.start).path };
    },
  };
}
