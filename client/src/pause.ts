/** Something that is done once it was not asked for during a pause: while somebody types, it waits. */
export function afterPause(milliseconds: number, run: () => unknown): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), milliseconds);
  };
}
