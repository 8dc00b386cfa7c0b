/** A memory of bounded size: what was not asked for while `limit` others were added is forgotten. */
export interface Lru<Found> {
  get(key: string): Found | undefined;
  set(key: string, found: Found): void;
}

export function lru<Found>(limit: number): Lru<Found> {
  let young = new Map<string, Found>();
  let old = new Map<string, Found>();
  const set = (key: string, found: Found) => {
    if (young.size >= limit) {
      old = young;
      young = new Map();
    }
    young.set(key, found);
  };
  const get = (key: string) => {
    const found = young.get(key);
    if (found !== undefined) return found;
    const known = old.get(key);
    if (known !== undefined) set(key, known);
    return known;
  };
  return { get, set };
}
