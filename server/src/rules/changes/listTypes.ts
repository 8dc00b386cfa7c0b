import { type Change, listed } from './change.ts';
import { type ComparedSchema, schemaChange } from './schemaChange.ts';

/** How the items of a list, or the keys of a map, are merged and told apart. */
export function listTypeChanges(compared: ComparedSchema): Change[] {
  return [...listType(compared), ...mapType(compared)];
}

function listType(compared: ComparedSchema): Change[] {
  const { place, old, ref } = compared;
  const now = place.schema.extensions;
  const before = old.extensions;
  const [was, is] = [before.listType ?? 'atomic', now.listType ?? 'atomic'];
  const sameKeys = same(before.listMapKeys, now.listMapKeys);
  if (was === is && sameKeys) return [];
  const title =
    was === is
      ? `list map keys: ${listed(before.listMapKeys)} → ${listed(now.listMapKeys)}`
      : `list type: ${was} → ${is}`;
  const at = was === is ? ['x-kubernetes-list-map-keys'] : ['x-kubernetes-list-type'];
  const tellsApart = is === 'set' || (is === 'map' && !(was === 'map' && isPart(before.listMapKeys, now.listMapKeys)));
  const twins = is === 'set' ? 'the same item twice' : `two items that agree in ${listed(now.listMapKeys)}`;
  const refused = `In ${ref} the list may have ${twins}. New objects that do are rejected, and updates that are the first to do so; a stored object that does already is not rejected for that.`;
  const message = tellsApart ? `${refused} ${merged(is)}` : merged(is);
  return [schemaChange(compared, 'list-type-changed', tellsApart ? 'breaks' : 'changes', title, message, at, 'value')];
}

/** What the type of a list means to server-side apply and to rules. */
function merged(type: string): string {
  return type === 'atomic'
    ? 'The list is replaced as a whole by server-side apply, and rules compare it item by item, in its order.'
    : 'Server-side apply merges its items, and rules compare it in any order.';
}

function mapType(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  const [was, is] = [old.extensions.mapType ?? 'granular', place.schema.extensions.mapType ?? 'granular'];
  if (was === is) return [];
  const how = is === 'atomic' ? 'replaces it as a whole' : 'merges its fields';
  const message = `Server-side apply ${how} from now on: whoever applies parts of it may take fields away from others, or leave them.`;
  return [
    schemaChange(compared, 'map-type-changed', 'changes', `map type: ${was} → ${is}`, message, [
      'x-kubernetes-map-type',
    ]),
  ];
}

const isPart = (some: readonly string[], all: readonly string[]) => some.every((one) => all.includes(one));
const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && isPart(a, b);
