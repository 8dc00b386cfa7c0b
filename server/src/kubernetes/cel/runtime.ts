import { memo } from '../../base/memo.ts';
import type { EvalRules } from '../../cel/eval/implementation.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { reboxOptional } from './reboxOptional.ts';

/** How a server evaluates, beside what the functions of its environments do. */
export const evalRules = memo(({ cel }: KubernetesVersion): EvalRules => {
  const { orPassesNonOptionals, eagerAccumulators, ignoresRangeErrors, reboxesOptionals, valueTypes } = cel;
  const rebox = reboxesOptionals ? reboxOptional : undefined;
  return { orPassesNonOptionals, eagerAccumulators, ignoresRangeErrors, reboxOptional: rebox, valueTypes };
});
