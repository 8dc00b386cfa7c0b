import { memo } from '../../base/memo.ts';
import { isMap, type Value, type ValueMap } from '../../base/value.ts';
import { error, list, type Val } from '../../cel/eval/values.ts';
import { plainVal } from './values.ts';

/**
 * Up to 1.36 an optional that is read from a variable, or chosen by a condition, holds afterwards what CEL makes of the
 * Go value inside: types become their names, documents lose their schema, optionals in it are gone, and Kubernetes' own
 * types are not taken back at all.
 */
export function reboxOptional(held: Val): Val {
  if (typeof held !== 'object' || held === null) return held;
  switch (held.kind) {
    case 'optional':
      return held.value === undefined ? null : reboxOptional(held.value);
    case 'type':
      return held.type.name;
    case 'error':
      return error(`unsupported conversion to ref.Val: (*errors.errorString)${held.message}`);
    case 'opaque':
      return held.native ? error(`unsupported conversion to ref.Val: ${held.native()}`) : held;
    case 'list':
      if (!held.items) return plain(held.raw);
      return held.joined ? list(held.items.map(reboxOptional)) : held;
    case 'map':
      return isMap(held.raw) ? plain(held.raw) : held;
    default:
      return held;
  }
}

const plain = memo((raw: readonly Value[] | ValueMap): Val => plainVal(raw));
