import { movedRange, type Range } from '../../base/text.ts';
import { type DocumentPath, type ManifestPath, valueAt } from '../../base/value.ts';
import type { Anchor } from '../../kubernetes/finding.ts';
import { inDocument, type Manifest } from '../../workspace/manifest.ts';
import { placedIn, type SourceFile } from '../../workspace/sourceFile.ts';
import { keyByLines } from '../../yaml/keyByLines.ts';
import { isAsleep, type YamlDocument } from '../../yaml/parse.ts';
import { nodeAtPath, rangeOf } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';

/** A range in a file, in offsets. */
export interface FilePlace {
  readonly uri: string;
  readonly range: Range;
}

/**
 * The smallest range that a person would point at: a key for what should not be there, a value for what is wrong, the
 * parent's key for what is missing.
 */
export function locate(document: YamlDocument, path: DocumentPath, anchor: Anchor): Range {
  if (anchor === 'value') {
    const found = nodeAtPath(document, path);
    if (found?.node.kind === 'scalar' || found?.node.kind === 'alias') {
      const range = rangeOf(document, path, 'value');
      if (range && range.end > range.start) return firstLine(document, range);
    }
  }
  return nearestKey(document, path);
}

/** The same place, in offsets of the file that the manifest is in. */
export function locateInFile(file: SourceFile, manifest: Manifest, path: ManifestPath, anchor: Anchor): FilePlace {
  const { start, end } = locate(manifest.document, inDocument(manifest, path), anchor);
  const shift = placedIn(file, manifest.document)?.start ?? 0;
  return { uri: file.uri, range: movedRange({ start, end }, shift) };
}

/** The key of the value at a path, or of the nearest thing around it that has one; at last the document's first line. */
function nearestKey(document: YamlDocument, path: DocumentPath): Range {
  const byLines = nearestKeyByLines(document, path);
  if (byLines) return byLines;
  for (let length = path.length; length > 0; length--) {
    const at = path.slice(0, length);
    const range =
      rangeOf(document, at, 'key') ?? (typeof at.at(-1) === 'number' ? rangeOf(document, at, 'value') : undefined);
    if (range) return firstLine(document, range);
  }
  return firstKey(document);
}

/** The same without the tree, which may have to be made. */
function nearestKeyByLines(document: YamlDocument, path: DocumentPath): Range | undefined {
  const value = isAsleep(document) ? valueOf(document) : undefined;
  // To make the value made the tree, if it was not at hand.
  if (value === undefined || !isAsleep(document)) return undefined;
  let there = path;
  while (there.length > 0 && valueAt(value, there) === undefined) there = there.slice(0, -1);
  return keyByLines(document, value, there);
}

function firstKey(document: YamlDocument): Range {
  const root = document.root && nodeAtPath(document, []);
  const start = root?.start ?? 0;
  return firstLine(document, { start, end: document.text.length });
}

/** A range over several lines says less than its first line does. */
function firstLine({ text }: YamlDocument, { start, end }: Range): Range {
  const lineEnd = text.slice(start, end).search(/[\r\n]/);
  const cut = lineEnd === -1 ? end : start + lineEnd;
  return { start, end: start + text.slice(start, cut).trimEnd().length };
}
