/** What is found of the first of several for which anything is. */
export function firstFound<One, Found>(all: Iterable<One>, find: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
