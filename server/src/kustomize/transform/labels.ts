/** labels, commonLabels and commonAnnotations. */
import { compareStrings } from '../../gostd/jsonPrint.ts';
import type { FieldSpec } from '../config.ts';
import { entrySetter, visitField } from '../fieldSpec.ts';
import { type Computing, computed, type Origin, type Place } from '../origin.ts';
import { mapTag } from '../tree/node.ts';
import type { Transformer } from './transformer.ts';

export interface Entries {
  readonly plugin: 'LabelTransformer' | 'AnnotationsTransformer';
  readonly entries: ReadonlyMap<string, string>;
  readonly specs: readonly FieldSpec[];
  readonly what: Computing;
  readonly place: Place;
  /** Where an entry is written. */
  entryPlace(key: string): { readonly key: Place; readonly value: Place };
}

export function entriesTransformer({ plugin, entries, specs, what, place, entryPlace }: Entries): Transformer {
  return {
    plugin,
    place,
    isAlone: true,
    transform: ({ set }, context) => {
      context.visit(set.list.length * entries.size);
      const rows = [...entries].sort(([a], [b]) => compareStrings(a, b));
      const makers = rows.map(([key, value]) => {
        const places = entryPlace(key);
        const origin = (before: Origin | undefined) => computed(what, places.value, before);
        return () => entrySetter(key, value, origin, computed(what, places.key));
      });
      for (const { node } of set.list) {
        if (!node) continue;
        for (const make of makers) {
          const setEntry = make();
          for (const spec of specs) visitField(node, { spec, create: 'map', createTag: mapTag, set: setEntry });
        }
      }
    },
  };
}
