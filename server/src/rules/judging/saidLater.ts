import type { Problem } from '../model/rule.ts';

/** A problem that the API server will only tell of when it no longer stops at others. */
export function saidLater<P extends Problem>(problem: P): P {
  return { ...problem, severity: 'information', later: true };
}
