import type { Range } from '../../base/text.ts';
import { isList, isMap, type Path, type Value } from '../../base/value.ts';
import { whyNotMade } from '../../controllergen/crd/missing.ts';
import type { GeneratedCrd, GoPlace } from '../../controllergen/crd/model.ts';
import { crdText } from '../../workspace/projections/crdText.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { linesBefore, rangeOf } from '../../yaml/place.ts';

/** A CRD that comes of Go types, as controller-gen would write it. */
export interface ShownCrd {
  readonly name: string;
  readonly text: string;
  /** Where in the text what was asked for has come to. */
  readonly line: number;
}

/** The CRD that what is at an offset is part of; of several the first, and where the offset is in none, the first. */
export function crdAt(view: GoView, offset: number): ShownCrd | undefined {
  const found = partAt(view, offset);
  const crd = found?.crd ?? view.crds[0];
  return crd && shown(crd, found?.path ?? []);
}

/** The part of a CRD that comes from what is at an offset. */
export function partAt(view: GoView, offset: number): { crd: GeneratedCrd; path: Path } | undefined {
  const type = view.file.go.types.find(({ range }) => offset <= range.end);
  const within = type && { start: (type.doc ?? type.groupDoc ?? type).range.start, end: type.range.end };
  return within && within.start <= offset ? partIn(view, within, offset) : undefined;
}

export function crdNamed({ crds }: GoView, name: string): ShownCrd | undefined {
  const crd = crds.find((one) => nameOf(one) === name);
  return crd && shown(crd, []);
}

function shown(crd: GeneratedCrd, path: Path): ShownCrd {
  const head = `${missingLines(crd)}---\n`;
  const text = crdText(crd.value);
  const start = rangeOf(parseDocument(text), path, 'key')?.start ?? 0;
  return { name: nameOf(crd), text: head + text, line: linesBefore(head + text, head.length + start) };
}

function missingLines(crd: GeneratedCrd): string {
  const why = whyNotMade(crd);
  return why === undefined ? '' : `# Parts are left out: ${why}.\n`;
}

export function nameOf({ value }: GeneratedCrd): string {
  const metadata = value.get('metadata');
  return isMap(metadata) ? String(metadata.get('name') ?? '') : '';
}

/** The part of a CRD that comes from within a type, and of what comes from there the nearest before the offset. */
function partIn(view: GoView, within: Range, offset: number): { crd: GeneratedCrd; path: Path } | undefined {
  for (const crd of view.crds) {
    let best: { path: Path; start: number } | undefined;
    eachPath(crd.value, [], (path) => {
      const place = crd.originOf(path);
      if (!isIn(place, view.uri, within)) return;
      const { start } = place.range;
      const isNearer = !best || (start <= offset && (start > best.start || best.start > offset));
      if (isNearer) best = { path, start };
    });
    if (best) return { crd, path: best.path };
  }
  return undefined;
}

function isIn(place: GoPlace | undefined, uri: string, { start, end }: Range): place is GoPlace {
  return place?.uri === uri && place.range.start >= start && place.range.end <= end;
}

function eachPath(value: Value, path: Path, visit: (path: Path) => void): void {
  visit(path);
  if (isList(value)) for (const [i, item] of value.entries()) eachPath(item, [...path, i], visit);
  if (isMap(value)) for (const [key, item] of value) eachPath(item, [...path, key], visit);
}
