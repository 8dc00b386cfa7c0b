import type { Place } from './origin.ts';

/** What ends a build, or a step of it that has another way: an error of kustomize, in its words. */
export class Failure extends Error {
  readonly place: Place | undefined;
  /** What of its kind tells other code how to go on. */
  readonly kind: FailureKind | undefined;

  constructor(message: string, place?: Place, kind?: FailureKind) {
    super(message);
    this.place = place;
    this.kind = kind;
  }
}

export type FailureKind = 'wrong-kind' | 'wrong-kind-scalar' | 'unknown' | 'bound' | 'panic';

export function fail(message: string, place?: Place): never {
  throw new Failure(message, place);
}

/** Where kustomize itself breaks. */
export function panic(message: string, place?: Place): never {
  throw new Failure(`panic: ${message}`, place, 'panic');
}

export const nilPointer = 'runtime error: invalid memory address or nil pointer dereference';

/** Does something, and says in front of its failure what was done. */
export function within<T>(prefix: string | (() => string), act: () => T, place?: Place): T {
  try {
    return act();
  } catch (error) {
    throw prefixed(prefix, asFailure(error), place);
  }
}

export function prefixed(prefix: string | (() => string), failure: Failure, place?: Place): Failure {
  // What is not known is not an error, and keeps its name.
  if (failure.kind === 'unknown' || failure.kind === 'bound' || failure.kind === 'panic') return failure;
  const words = typeof prefix === 'string' ? prefix : prefix();
  return new Failure(`${words}: ${failure.message}`, failure.place ?? place, failure.kind);
}

/** Any other error is one of ours, and goes on as it is. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** What is done, or how it failed. */
export type Attempt<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: Failure };

export function attempt<T>(act: () => T): Attempt<T> {
  try {
    return { value: act() };
  } catch (error) {
    return { failure: asFailure(error) };
  }
}
