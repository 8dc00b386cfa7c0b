import type { Generator } from './generator.ts';

/** Every generator of the fuzzer, in the order in which they run. */
export const generators: readonly Generator[] = [];
