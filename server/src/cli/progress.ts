import { status } from './terminal.ts';
/** How many files are judged, on a terminal, from the first second on. */
export interface Progress {
  step(): void;
  /** Takes the line away before anything else is written. */
  clear(): void;
}

const patience = 1_000;
const pause = 100;

export function progressOn(all: number, show: (text?: string) => void = status): Progress {
  return progressOf((count) => `${count} of ${all} files`, show);
}

/** The same of whatever is counted. */
export function progressOf(said: (count: number) => string, show: (text?: string) => void = status): Progress {
  const began = performance.now();
  let count = 0;
  let shown = began + patience - pause;
  let isShown = false;
  const clear = () => {
    if (isShown) show();
    isShown = false;
  };
  return {
    step: () => {
      count++;
      const now = performance.now();
      if (now - shown < pause) return;
      shown = now;
      isShown = true;
      show(said(count));
    },
    clear,
  };
}
