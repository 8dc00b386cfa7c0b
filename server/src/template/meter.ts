/**
 * What work is charged to where no call is at hand: values are written, compared and copied by many functions, and lists that
 * hold one list twice, over some levels, are more than any computer has memory for.
 */
export interface Meter {
  spend(work: number): void;
}

let current: Meter | undefined;

/** Charges what is done meanwhile. */
export function metered<T>(meter: Meter, run: () => T): T {
  const before = current;
  current = meter;
  try {
    return run();
  } finally {
    current = before;
  }
}

/** What a value takes that is written, copied or compared. */
const perValue = 20;

/** Charges for one value that is looked at. */
export function meterValue(): void {
  current?.spend(perValue);
}
