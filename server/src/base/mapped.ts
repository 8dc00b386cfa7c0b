/** A map with other values. What stays as it is is the same map. */
export function mappedValues<V>(map: ReadonlyMap<string, V>, of: (value: V, key: string) => V): ReadonlyMap<string, V> {
  let out: Map<string, V> | undefined;
  for (const [key, value] of map) {
    const next = of(value, key);
    if (next === value) continue;
    out ??= new Map(map);
    out.set(key, next);
  }
  return out ?? map;
}
