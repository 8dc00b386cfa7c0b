/** The first thing in a certificate that Go cannot read, in its words. */
export class Malformed extends Error {}

/** What is read here does not say whether Go reads the certificate. */
export class Unsure extends Error {}

/** What was read, where there is something; the problem is one of package x509. */
export function need<T>(found: T | undefined | false, problem: string): T {
  if (found === undefined || found === false) throw new Malformed(`x509: ${problem}`);
  return found;
}
