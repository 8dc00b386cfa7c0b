/** Maps. What is in them is handed on with where it comes from; those that change a map change it for all who hold it. */
import { plain, traced } from '../functions.ts';
import { meterValue } from '../meter.ts';
import {
  type Call,
  type Cell,
  cell,
  GoBytes,
  GoError,
  GoList,
  GoMap,
  type GoValue,
  isNil,
  typeName,
} from '../value.ts';
import { isEmpty, textOf } from './shared.ts';

const map = 'map[string]any';

export const dicts = [
  traced(`dict(...any) ${map}`, (args, { from }) => {
    const made = new GoMap();
    for (let i = 0; i < args.length; i += 2) made.set(textOf(args[i]!.value), args[i + 1] ?? cell('', from));
    return cell(made, from);
  }),
  traced(`get(${map}, string) any`, ([one, key], { from }) => {
    const held = mapOf(one!);
    const name = key!.value as string;
    return held.get(name) ?? cell('', held.place?.child(name, true) ?? from);
  }),
  traced(`set(${map}, string, any) ${map}`, ([one, key, value]) => {
    if (isNil(one!.value)) throw new GoError('assignment to entry in nil map');
    mapOf(one!).set(key!.value as string, value!);
    return one!;
  }),
  traced(`unset(${map}, string) ${map}`, ([one, key]) => {
    mapOf(one!).delete(key!.value as string);
    return one!;
  }),
  plain(`hasKey(${map}, string) bool`, ([held, key]: [GoMap | null, string]) => held?.has(key) ?? false),
  traced(`pluck(string, ...${map}) []any`, ([key, ...all], { from }) => {
    const found = all.map((one) => mapOf(one).get(key!.value as string));
    return cell(new GoList(found.filter((one) => one !== undefined)), from);
  }),
  traced(`keys(...${map}) []string`, (all, { from }) => {
    const names = all.flatMap((one) => mapOf(one).sorted());
    return cell(
      new GoList(
        names.map(([key, one]) => cell(key, one.from)),
        '[]string',
      ),
      from,
    );
  }),
  traced(`values(${map}) []any`, ([one], { from }) =>
    cell(
      new GoList(
        mapOf(one!)
          .sorted()
          .map(([, value]) => value),
      ),
      from,
    ),
  ),
  traced(`pick(${map}, ...string) ${map}`, ([one, ...keys], { from }) => {
    const held = mapOf(one!);
    const entries = keys.map(({ value }) => [value as string, held.get(value as string)] as const);
    return cell(mapWith(entries, held), from);
  }),
  traced(`omit(${map}, ...string) ${map}`, ([one, ...keys], { from }) => {
    const held = mapOf(one!);
    const unwanted = new Set(keys.map(({ value }) => value));
    const rest = mapWith(
      held.sorted().filter(([key]) => !unwanted.has(key)),
      held,
    );
    rest.takeRest(held);
    return cell(rest, from);
  }),
  ...mergers('merge', false),
  ...mergers('mergeOverwrite', true),
  ...['deepCopy', 'mustDeepCopy'].map((name) =>
    traced(`${name}(any) any`, ([one], call) => {
      if (isNil(one!.value)) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
      return copied(one!, call);
    }),
  ),
  traced('dig(...any) any', dug),
];

/** A map that is nil has nothing in it. */
function mapOf({ value }: Cell): GoMap {
  return value instanceof GoMap ? value : new GoMap();
}

function mapWith(entries: readonly (readonly [string, Cell | undefined])[], { place }: GoMap): GoMap {
  const found = entries.filter((entry): entry is readonly [string, Cell] => entry[1] !== undefined);
  return new GoMap(new Map(found), { place });
}

function mergers(name: string, overwrites: boolean) {
  const capital = name[0]!.toUpperCase() + name.slice(1);
  return [name, `must${capital}`].map((one) =>
    traced(`${one}(${map}, ...${map}) any`, ([into, ...sources], call) => {
      const target = isNil(into!.value) ? cell(new GoMap(), into!.from) : into!;
      for (const source of sources) mergeInto(target.value as GoMap, mapOf(source), overwrites, call);
      return target;
    }),
  );
}

/** As the library mergo does it: what is empty in the target counts as missing, and a list is never merged. */
function mergeInto(into: GoMap, source: GoMap, overwrites: boolean, call: Call): void {
  call.spend(source.size);
  meterValue();
  into.takeRest(source);
  // Go goes through them in any order; to sort them for each merge would take longer than the merge.
  for (const [key, given] of [...source.all()]) {
    const held = into.get(key);
    if (isNil(given.value)) {
      if (overwrites) into.set(key, given);
      continue;
    }
    const isMerged = given.value instanceof GoMap && held?.value instanceof GoMap;
    if (isMerged && given.value !== held.value) {
      mergeInto(held.value as GoMap, given.value as GoMap, overwrites, call);
    }
    const isFilled = held !== undefined && !isEmpty(held.value);
    if (isFilled && isMerged) continue;
    if (overwrites || !isFilled) into.set(key, given);
  }
}

function copied(one: Cell, call: Call): Cell {
  meterValue();
  const { value, from } = one;
  if (value instanceof GoMap) {
    call.spend(value.size);
    const entries = Array.from(value.all(), ([key, item]) => [key, copied(item, call)] as const);
    const { type, place, methodsOf } = value;
    const copy = new GoMap(new Map(entries), { type, place, methodsOf });
    copy.takeRest(value);
    return cell(copy, from);
  }
  // Nothing changes bytes, and a copy of a chart has all its files.
  if (!(value instanceof GoList) || value instanceof GoBytes) return one;
  call.spend(value.items.length);
  const items = value.items.map((item) => copied(item, call));
  return cell(new GoList(items, value.type, value.isNil), from);
}

/** What a path of keys leads to, or the value to take instead. */
function dug(args: readonly Cell[], { from }: Call): Cell {
  if (args.length < 3) throw new GoError('dig needs at least three arguments');
  let at = asserted(args.at(-1)!.value, 'map[string]interface {}') as GoMap;
  const instead = args.at(-2)!;
  const keys = args.slice(0, -2).map(({ value }) => asserted(value, 'string') as string);
  for (const [i, key] of keys.entries()) {
    const next = at.get(key);
    if (next === undefined) return instead;
    if (i === keys.length - 1) return next;
    at = asserted(next.value, 'map[string]interface {}') as GoMap;
  }
  return cell(null, from);
}

function asserted(value: GoValue, type: string): GoValue {
  if (typeName(value) === type) return value;
  const actual = isNil(value) ? 'nil' : typeName(value);
  throw new GoError(`interface conversion: interface {} is ${actual}, not ${type}`);
}
