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

/** A schedule that names a zone, as older releases took it, may stay and change, but not beside a zone of its own. */
export function keepsZone(before: Fields): boolean {
  return before.object('spec').text('schedule').includes('TZ');
}

export function updateCronJob(now: Fields, before: Fields): void {
  const spec = now.object('spec');
  const text = spec.text('schedule');
  if (!keepsZone(before) || !text.includes('TZ') || spec.pointed('timeZone') === undefined) return;
  const why = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  spec.check.invalid(spec.at('schedule'), text, why, 'builtin/schedule');
}
