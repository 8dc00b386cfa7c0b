import type { Fields } from '../check.ts';

/** How many pods of an Indexed job have to succeed may change together with how many run at a time. */
export function updateJob(now: Fields, before: Fields): void {
  const [spec, old] = [now.object('spec'), before.object('spec')];
  if (spec.text('completionMode') !== 'Indexed') return;
  const [is, was] = [spec.integer('completions'), old.integer('completions')];
  if (is === undefined || is === was || is === (spec.integer('parallelism') ?? 1n)) return;
  const why = 'can only be modified in tandem with spec.parallelism';
  spec.check.invalid(spec.at('completions'), is, why, 'builtin/immutable');
}
