import type { Steps } from '../features/steps.ts';
import { cancelled } from './guard.ts';

const stepsAtOnce = 8;

/** A key that arrives meanwhile comes next, and ends it. */
export async function inSteps<Result>(steps: Steps<Result>, isOld: () => boolean | undefined): Promise<Result> {
  for (let taken = 1; ; taken++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (taken % stepsAtOnce > 0) continue;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    if (isOld()) throw cancelled();
  }
}
