import { movedRange } from '../../base/text.ts';
import { isMap, valueAt } from '../../base/value.ts';
import type { Diagnostic } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { MadeFile } from '../../workspace/charts/madeFile.ts';
import type { ChartPlace } from '../../workspace/projections/chart.ts';
import { documentAt } from '../../yaml/parse.ts';
import { pathAt, rangeOf } from '../../yaml/place.ts';
import { readableValue } from '../../yaml/value.ts';

// Keys that one action prints into a map: `{{ include "shop.labels" . | indent 2 }}` below `metadata`, `{{ toYaml .Values.resources }}`
// below `env`. Where the map knows none of them they are in the wrong place, and the action is to blame.

/** The action of a template that prints a key into a map with others, and whether nothing that it prints there is known. */
export interface Together {
  readonly action: ChartPlace;
  readonly isMisplaced: boolean;
}

/** The findings of one rendering about keys that actions print, each with its action. */
export function printedTogether(file: MadeFile, found: readonly Diagnostic[]): ReadonlyMap<Diagnostic, Together> {
  const together = new Map<Diagnostic, Together>();
  const strange = new Set(found.filter(isStrange).map(({ range }) => range.start));
  for (const diagnostic of found) {
    const rule = ruleOf(diagnostic.code);
    const action = rule?.ofKey ? file.places.printingAction(diagnostic.range) : undefined;
    if (!action) continue;
    if (rule?.ofDuplicate && isOfOther(file, diagnostic, action))
      together.set(diagnostic, { action, isMisplaced: false });
    const keys = isStrange(diagnostic) ? keysPrintedWith(file, diagnostic, action) : [];
    const isMisplaced = keys.length > 0 && keys.every(({ at }) => strange.has(at)) && isNoSlip(keys);
    if (isMisplaced) together.set(diagnostic, { action, isMisplaced });
  }
  return together;
}

/** Whether the key is there before by the template itself, or by another action. */
function isOfOther({ places }: MadeFile, { related }: Diagnostic, action: ChartPlace): boolean {
  const before = related[0] && places.printingAction(related[0].range);
  return related.length > 0 && !(before && isSame(before, action));
}

function isStrange({ code, says }: Diagnostic): boolean {
  return ruleOf(code)?.ofKey === true && says.unknown !== undefined && !says.unknown.isMisspelled;
}

/** One word alone may be a field of somewhere else that is written among the values. No field has a dot or a slash. */
function isNoSlip(keys: readonly Printed[]): boolean {
  return keys.length > 1 || keys.some(({ key }) => /[./]/.test(key));
}

interface Printed {
  readonly key: string;
  readonly at: number;
}

/** All keys that an action prints into the map that one of them is in; none where the action prints the map. */
function keysPrintedWith({ source, places }: MadeFile, { range }: Diagnostic, action: ChartPlace): Printed[] {
  const at = documentAt(source.stream, range.start);
  const { path, where } = at ? pathAt(at.document, range.start - at.start) : { path: [], where: 'gap' };
  const map = at && where === 'key' ? valueAt(readableValue(at.document), path.slice(0, -1)) : undefined;
  if (!at || !isMap(map)) return [];
  const printed = [...map.keys()].flatMap((key): Printed[] => {
    const own = rangeOf(at.document, [...path.slice(0, -1), key], 'key');
    const made = own && movedRange(own, at.start);
    // In `{{ $key }}: a` the colon is the template's: the key alone is printed.
    const by = made && [made, { start: made.end, end: made.end + 1 }].map((one) => places.printingAction(one));
    return by?.every((one) => one && isSame(one, action)) ? [{ key, at: made!.start }] : [];
  });
  return printed.length < map.size ? printed : [];
}

function isSame(one: ChartPlace, other: ChartPlace): boolean {
  return one.uri === other.uri && one.range.start === other.range.start;
}
