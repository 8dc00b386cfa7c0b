import type { Random } from '../../support/random.ts';

export interface Attacked {
  /** How many documents, expressions and so on. */
  readonly cases: number;
  readonly random: Random;
  /** Takes what has gone wrong. */
  readonly failed: (what: string) => void;
}

/** A part of the attack; gives how much it tried. */
export type Attack = (
  attacked: Attacked,
) => Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;

/** What comes of something, or something else where it takes too long: longer than `patience` milliseconds. */
export function inTime<Result>(running: Promise<Result>, patience: number, late: Result): Promise<Result> {
  const waited = new Promise<Result>((resolve) => setTimeout(() => resolve(late), patience).unref());
  return Promise.race([running, waited]);
}
