/** replicas: how many there are of what has a name. */
import { type FieldSpec, specKindText } from '../config.ts';
import { fail } from '../failure.ts';
import { visitField } from '../fieldSpec.ts';
import { isSelected } from '../ids.ts';
import type { Replica } from '../kustomization.ts';
import { type Computing, computed, type Place } from '../origin.ts';
import { setScalar } from '../tree/edit.ts';
import { intTag, scalarNode, textOf } from '../tree/node.ts';
import type { Transformer } from './transformer.ts';

export function replicaTransformer(
  { name = '', count = 0n }: Replica,
  specs: readonly FieldSpec[],
  place: Place,
  what: Computing = 'replicas',
): Transformer {
  return {
    plugin: 'ReplicaCountTransformer',
    place,
    isAlone: true,
    transform: ({ set, isPartial }) => {
      let found = false;
      for (const spec of specs) {
        for (const { node } of set.byAnyId((id) => id.name === name && isSelected(id, spec))) {
          found = true;
          visitField(node!, {
            spec,
            create: 'scalar',
            createTag: intTag,
            set: (at) => {
              const origin = computed(what, place, textOf(at) === '' ? undefined : at.origin);
              setScalar(at, scalarNode(String(count), origin, intTag));
            },
          });
        }
      }
      if (found || isPartial) return;
      const kinds = specs.map(specKindText).join(' ');
      fail(`resource with name ${name} does not match a config with the following GVK [${kinds}]`, place);
    },
  };
}
