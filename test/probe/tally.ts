import type { Completion } from '../../server/src/features/complete/completion.ts';

/** What came of one question: whether the item that was there is offered, and at which place of the list. */
export interface Outcome {
  readonly rank: number | undefined;
  /** The place, for whoever looks into what went wrong. */
  readonly about: string;
}

export interface Tally {
  asked: number;
  offered: number;
  first: number;
  five: number;
  readonly missed: string[];
  readonly notFirst: string[];
}

export function newTally(): Tally {
  return { asked: 0, offered: 0, first: 0, five: 0, missed: [], notFirst: [] };
}

export function count(tally: Tally, { rank, about }: Outcome): void {
  tally.asked++;
  if (rank === undefined) tally.missed.push(about);
  else {
    tally.offered++;
    if (rank === 0) tally.first++;
    else tally.notFirst.push(`${rank} ${about}`);
    if (rank < 5) tally.five++;
  }
}

/** The place of a label among the items that an editor shows for what is typed: those that start with it, in order. */
export function rankOf(items: readonly Completion[], label: string, typed: string): number | undefined {
  const shown = items
    .filter((item) => item.label.toLowerCase().startsWith(typed.toLowerCase()))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const rank = shown.findIndex((item) => item.label === label);
  return rank === -1 ? undefined : rank;
}
