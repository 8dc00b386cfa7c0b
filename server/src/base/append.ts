/** Adds items to a list, however many: `push(...items)` hands each over as an argument, for which there is a limit. */
export function append<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item);
}
