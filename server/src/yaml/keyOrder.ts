/** The order in which the YAML library of Kubernetes' Go programs writes the keys of a map. */

/** Below zero where the first key comes first: numbers in keys by their value, letters behind all other characters. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    // Most keys are words of plain letters.
    if (isPlainLetter(x) && isPlainLetter(y)) return x - y;
    return compareCharacters(a, b);
  }
  return a.length - b.length;
}

function isPlainLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function compareCharacters(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  const at = left.findIndex((char, i) => char !== right[i]);
  if (at === -1) return left.length - right.length;
  return at === right.length ? 1 : compareAt(left, right, at);
}

/** By the first characters that differ. */
function compareAt(left: readonly string[], right: readonly string[], at: number): number {
  const [a, b] = [left[at]!, right[at]!];
  const codes = a.codePointAt(0)! - b.codePointAt(0)!;
  const letters = [isLetter(a), isLetter(b)];
  if (letters[0] !== letters[1]) return letters[0] ? 1 : -1;
  if (letters[0] || !(isDigit(a) || isDigit(b))) return codes;
  // A zero behind other digits makes a number larger, in front of them it does not.
  const before = (a === '0' || b === '0') && isWithinNumber(left, at) ? 1n : 0n;
  const [one, other] = [numberAt(left, at, before), numberAt(right, at, before)];
  if (one.value !== other.value) return one.value < other.value ? -1 : 1;
  return one.end - other.end || codes;
}

function isWithinNumber(chars: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && isDigit(chars[i]!); i--) if (chars[i] !== '0') return true;
  return false;
}

/** The digits from a place on, behind what stands for those before it; Go's int64 starts anew when it is full. */
function numberAt(chars: readonly string[], at: number, before: bigint): { value: bigint; end: number } {
  let value = before;
  let end = at;
  for (; end < chars.length && isDigit(chars[end]!); end++)
    value = BigInt.asIntN(64, value * 10n + BigInt(chars[end]!.codePointAt(0)! - 48));
  return { value, end };
}

function isLetter(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 0x80 ? isPlainLetter(code) : /\p{L}/u.test(char);
}

function isDigit(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 0x80 ? code >= 48 && code <= 57 : /\p{Nd}/u.test(char);
}
