/** `v1`, `v2beta3`: a version that Kubernetes knows how to rank. */
const ranked = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stability: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/**
 * Kubernetes' order of version priority: stable before beta before alpha, newer before older, and names of any other
 * form last, in the order of the alphabet.
 */
export function compareVersions(a: string, b: string): number {
  const left = ranked.exec(a);
  const right = ranked.exec(b);
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : Number(a > b);
  const rank = ([, major, word, minor]: RegExpExecArray) => [
    stability[word ?? ''] ?? 2,
    Number(major),
    Number(minor ?? 0),
  ];
  const [x, y] = [rank(left), rank(right)];
  const at = x.findIndex((value, i) => value !== y[i]);
  return at === -1 ? 0 : y[at]! - x[at]!;
}
