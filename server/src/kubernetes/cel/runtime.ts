import type { EvalRules } from '../../cel/eval/implementation.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { reboxOptional } from './reboxOptional.ts';

const byVersion = new Map<string, EvalRules>();

/** How a server evaluates, beside what the functions of its environments do. */
export function evalRules({ name, cel }: KubernetesVersion): EvalRules {
  let known = byVersion.get(name);
  if (!known) {
    const { orPassesNonOptionals, eagerAccumulators, ignoresRangeErrors, reboxesOptionals } = cel;
    const rebox = reboxesOptionals ? reboxOptional : undefined;
    known = { orPassesNonOptionals, eagerAccumulators, ignoresRangeErrors, reboxOptional: rebox };
    byVersion.set(name, known);
  }
  return known;
}
