/** namePrefix and nameSuffix. */
import type { FieldSpec } from '../config.ts';
import { scalarSetter, visitField } from '../fieldSpec.ts';
import { isSelected, type ResId } from '../ids.ts';
import { type Computing, computed, type Place } from '../origin.ts';
import { addToList, noted } from '../resource.ts';
import { stringTag } from '../tree/node.ts';
import type { Transformer } from './transformer.ts';

/** Their names are made of what they define, or are namespaces. */
const kept = [
  { group: '', version: '', kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', version: '', kind: 'APIService' },
  { group: '', version: '', kind: 'Namespace' },
];

function keepsName(id: ResId): boolean {
  return kept.some((kind) => isSelected(id, kind));
}

export interface Affix {
  readonly text: string;
  readonly isPrefix: boolean;
  readonly specs: readonly FieldSpec[];
  readonly place: Place;
  readonly what: Computing;
}

export function affixTransformer({ text, isPrefix, specs, place, what }: Affix): Transformer {
  const note = isPrefix ? noted.prefixes : noted.suffixes;
  return {
    plugin: isPrefix ? 'PrefixTransformer' : 'SuffixTransformer',
    place,
    isAlone: true,
    transform: ({ set }) => {
      for (const resource of [...set.list]) {
        const id = resource.originalId;
        if (keepsName(id) || !resource.node) continue;
        for (const spec of specs) {
          if (!isSelected(id, spec)) continue;
          if (spec.path === 'metadata/name') {
            addToList(resource.node, note, text);
            if (text !== '') resource.storePreviousId();
          }
          visitField(resource.node, {
            spec,
            create: 'scalar',
            createTag: stringTag,
            set: (node) => {
              const value = isPrefix ? text + node.value : node.value + text;
              scalarSetter(value, '', (before) => computed(what, place, before))(node);
            },
          });
        }
      }
    },
  };
}
