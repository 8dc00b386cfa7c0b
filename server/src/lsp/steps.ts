import type { Steps } from '../base/steps.ts';
import { cancelled } from './guard.ts';

/** Milliseconds that steps take at once: nobody notices a key that waits so long. What comes of them rests on none of it. */
const atOnce = 10;

/** What arrives meanwhile comes next; a key that makes it old ends it. */
export async function inSteps<Result>(steps: Steps<Result>, isOld: () => boolean | undefined): Promise<Result> {
  for (const pause = pauses(isOld); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** What is called between two steps: it waits where they have taken long enough. */
export function pauses(isOld: () => boolean | undefined): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < atOnce) return;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    if (isOld()) throw cancelled();
    began = performance.now();
  };
}
