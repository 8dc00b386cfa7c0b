type Report = (error: Error) => void;

let report: Report = (error) => {
  throw error;
};

/** What happens on a broken invariant: under test it throws, the server's entry points log instead. */
export function onBug(handler: Report): void {
  report = handler;
}

/** Says that an invariant of our own is broken. User input never leads here. */
export function bug(message: string): void {
  report(new Error(`bug: ${message}`));
}

/** For the end of an exhaustive switch: a forgotten case is a compile error. */
export function never(value: never): never {
  throw new Error(`bug: unexpected ${String(value)}`);
}
