/** How many files are judged, on a terminal, from the first second on. */
export interface Progress {
  step(): void;
  /** Takes the line away before anything else is written. */
  clear(): void;
}

const patience = 1_000;
const pause = 100;

export function progressOn(stream: NodeJS.WriteStream, all: number): Progress {
  const began = performance.now();
  let count = 0;
  let shown = began + patience - pause;
  let isShown = false;
  const clear = () => {
    if (isShown) stream.write('\r\u001b[K');
    isShown = false;
  };
  return {
    step: () => {
      count++;
      const now = performance.now();
      if (!stream.isTTY || now - shown < pause) return;
      shown = now;
      isShown = true;
      stream.write(`\r\u001b[K${count} of ${all} files`);
    },
    clear,
  };
}
