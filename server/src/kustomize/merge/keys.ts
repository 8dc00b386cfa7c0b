/** Several keys tell the items of a list apart, of which some may be missing. */

/** Values that agree in one key, and in the others as far as both have them, are those of one item. */
export function mergedValues(all: readonly (readonly string[])[]): string[][] {
  const list = all.map((values) => [...values]);
  for (let i = 0; i < list.length; i++) {
    const first = list[i]!;
    for (let j = 0; j < list.length; j++) {
      const both = agreed(first, list[j]!);
      if (!both) continue;
      list[i] = both;
      list[j] = both;
    }
  }
  return list;
}

function agreed(a: readonly string[], b: readonly string[]): string[] | undefined {
  if (a.length !== b.length) return undefined;
  let share = false;
  const both: string[] = [];
  for (const [i, value] of a.entries()) {
    const other = b[i]!;
    if (value === other) share = true;
    else if (value !== '' && other !== '') return undefined;
    both.push(value === '' ? other : value);
  }
  return share ? both : undefined;
}

/** The keys that any item has, and the values that belong to them. */
export function keysInUse(
  all: readonly (readonly string[])[],
  values: readonly string[],
  keys: readonly string[],
): readonly [readonly string[], readonly string[]] {
  const used = new Set<string>();
  for (const one of all) for (const [i, value] of one.entries()) if (value !== '') used.add(keys[i]!);
  if (used.size === 0) return [keys, values];
  return [keys.filter((key) => used.has(key)), values.filter((value, i) => value !== '' || used.has(keys[i]!))];
}
