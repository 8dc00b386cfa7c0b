/** Runs something after a pause; a newer call with the same name replaces an older one. */
export type Debounce = (name: string, pauseMs: number, run: () => void) => void;

/** How long typing must pause, at most, before a client that does not ask by itself gets its diagnostics. */
export const publishPause = 150;

/** How long nothing may be opened or changed before what is true of all open files is said anew. */
export const settledPause = 20;

/** A round of diagnostics that takes no longer than this is worth no waiting. */
const cheap = 15;

/** How long to wait with the next diagnostics of a file: as long as the last ones took to find. The first ones wait for nothing. */
export function pauseAfter(lastTook = 0): number {
  return lastTook <= cheap ? 0 : Math.min(lastTook, publishPause);
}

/** How long a repository must be quiet before it is looked at again: a commit writes several files. */
export const movedPause = 300;

/** How long everything must be quiet before files that are not open are judged again. */
export const checkPause = 1000;

/** How long typing must pause before tests are run for what is shown over the rules of a CRD. */
export const lensPause = 500;

/** How long typing must pause before an error at the place of typing is shown. */
export const typingPause = 700;

export function debouncer(): Debounce {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  return (name, pauseMs, run) => {
    clearTimeout(timers.get(name));
    const timer = setTimeout(() => {
      timers.delete(name);
      run();
    }, pauseMs);
    timers.set(name, timer);
  };
}
