/** Characters that are read again for one problem's fixes. */
const mostRead = 500_000;

/** How many changed versions of a text are looked at before fixes are offered; of a large one few, or none. */
export function triesOf(characters: number): number {
  return Math.floor(mostRead / Math.max(1, characters));
}
