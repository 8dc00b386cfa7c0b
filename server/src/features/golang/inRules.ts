import { lineStartBefore, type Range } from '../../base/text.ts';
import { withMade } from '../../workspace/languages/go.ts';
import { escaped, type GoView, rulesMade, toMade } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { nodeAtPath } from '../../yaml/place.ts';
import { type Hover, hover } from '../at/hover.ts';
import { type SignatureHelp, signatureHelp } from '../at/signature.ts';
import { complete } from '../complete/complete.ts';
import type { Completion } from '../complete/completion.ts';
import { type ColoredRange, colors } from '../lenses/colors.ts';
import { type InlayHint, inlayHints } from '../lenses/inlayHints.ts';
import { definitionAt } from '../navigate/definition.ts';
import type { Location } from '../place/location.ts';
import type { ResourceIn } from '../trying/tryRule.ts';
import { valueHints } from '../trying/valueHints.ts';
import { completeMarker } from './completeMarker.ts';
import { hoverKind } from './hoverKind.ts';
import { hoverMarker } from './hoverMarker.ts';
import { judgedByTypes } from './lensesGo.ts';
import { writtenFrom } from './written.ts';

// What the other features give for the rules of a CRD, in the markers of a Go file.

export function completeGo(snapshot: Snapshot, view: GoView, offset: number): Completion[] {
  const at = toMade(view, offset);
  if (at === undefined) return completeMarker(view.file.go, offset);
  return complete(withMade(snapshot, view), view.made, at).flatMap((item) => {
    const place = view.types.writtenAt(item.range);
    const range = item.range.start === item.range.end ? { start: offset, end: offset } : place?.range;
    return range ? [{ ...item, range, text: written(view, offset, item.text) }] : [];
  });
}

export function hoverGo(snapshot: Snapshot, view: GoView, offset: number): Hover | undefined {
  const at = toMade(view, offset);
  if (at === undefined) return hoverMarker(view.file.go, offset) ?? hoverKind(view, offset);
  const found = hover(withMade(snapshot, view), view.made, at);
  const place = found && view.types.writtenAt(found.range);
  if (!found || !place) return undefined;
  const { definedIn, ...rest } = found;
  const origin = definedIn && locationInGo(view, definedIn);
  return { ...rest, range: place.range, ...(origin ? { definedIn: origin } : {}) };
}

export function signatureGo(snapshot: Snapshot, view: GoView, offset: number): SignatureHelp | undefined {
  const at = toMade(view, offset);
  return at === undefined ? undefined : signatureHelp(withMade(snapshot, view), view.made, at);
}

export function definitionGo(snapshot: Snapshot, view: GoView, offset: number): Location[] {
  const at = toMade(view, offset);
  if (at === undefined) {
    const written = writtenFrom(snapshot, view, offset);
    return written ? [written] : [];
  }
  return definitionAt(withMade(snapshot, view), view.made, at).flatMap((one) => locationInGo(view, one) ?? []);
}

function locationInGo(view: GoView, location: Location): Location | undefined {
  return location.uri === view.made ? view.types.writtenAt(location.range) : location;
}

export function colorsGo(snapshot: Snapshot, view: GoView, within?: Range): ColoredRange[] {
  const found = new Map<number, ColoredRange>();
  const made = withMade(snapshot, view);
  const all = within
    ? rulesMade(view, within).flatMap((rule) => colors(made, view.made, rule))
    : colors(made, view.made);
  for (const { color, ...range } of all) {
    const place = view.types.writtenAt(range);
    if (place?.uri !== view.uri || found.has(place.range.start)) continue;
    const { start, end } = place.range;
    if (!within || (end >= within.start && start <= within.end)) found.set(start, { start, end, color });
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** What rules cost, behind their markers. */
export function hintsGo(snapshot: Snapshot, view: GoView, within: Range): InlayHint[] {
  const whole = { start: 0, end: view.source.text.length };
  const found = new Map<number, InlayHint>();
  for (const hint of inlayHints(withMade(snapshot, view), view.made, whole)) {
    // The hint stands at the end of the line that the key is on.
    const line = lineStartBefore(view.source.text, hint.offset);
    const at = view.source.text.slice(line).search(/[^\s-]/) + line;
    const place = view.types.writtenAt({ start: at, end: at });
    if (place?.uri !== view.uri) continue;
    const offset = endOfLine(view.file.go.text, place.range.start);
    const dearer = (found.get(offset)?.share ?? -1) < hint.share;
    if (offset >= within.start && offset <= within.end && dearer) found.set(offset, { ...hint, offset });
  }
  return [...found.values()];
}

/** What the parts of rules come to in a resource, behind each of them. */
export function valueHintsGo(snapshot: Snapshot, view: GoView, within: Range, resource: ResourceIn): InlayHint[] {
  const made = judgedByTypes(snapshot, view);
  const all = rulesMade(view, within).flatMap((rule) => valueHints(made, view.made, rule, resource));
  return all.flatMap((hint) => {
    const place = view.types.writtenAt({ start: hint.offset - 1, end: hint.offset });
    return place?.uri === view.uri ? [{ ...hint, offset: place.range.end }] : [];
  });
}

function endOfLine(text: string, offset: number): number {
  const end = text.slice(offset).search(/[\r\n]/);
  return end === -1 ? text.length : offset + end;
}

/** A piece of an expression as the Go string around an offset has it, given as the YAML would have it. */
function written({ types, uri, file }: GoView, offset: number, text: string): string {
  const [part] = types.made({ uri, range: { start: offset, end: offset } });
  const placed = part && types.source.stream.documents[part.document];
  const found = placed && nodeAtPath(placed.document, part.path);
  const map = part && types.argumentAt(part)?.argument.map;
  if (!map || found?.node.kind !== 'scalar') return text;
  const { style } = found.node;
  const plain =
    style === 'single' ? text.replaceAll("''", "'") : style === 'double' ? text.replace(/\\(["\\])/g, '$1') : text;
  const quote = file.go.text[map.toText(0) - 1];
  return quote === '"' ? escaped(plain) : plain;
}
