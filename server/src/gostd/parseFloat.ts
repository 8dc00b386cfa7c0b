/** What Go's strconv.ParseFloat makes of a text; undefined where it is not a number or too large. */
export function parseGoFloat(text: string): number | undefined {
  const word = /^([+-]?)(?:(inf(?:inity)?)|(nan))$/i.exec(text);
  if (word) return word[3] ? (word[1] ? undefined : Number.NaN) : word[1] === '-' ? -Infinity : Infinity;
  const plain = text.includes('_') ? undefined : text;
  if (plain === undefined) return undefined;
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(plain)) return finite(Number(plain));
  const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d+)$/.exec(plain);
  const [, sign, whole = '', fraction = '', exponent] = hex ?? [];
  if (whole + fraction === '') return undefined;
  return finite(hexFloat(sign === '-', whole, fraction, Number(exponent)));
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function hexFloat(negative: boolean, whole: string, fraction: string, exponent: number): number {
  const mantissa = Number(BigInt(`0x0${whole}${fraction}`));
  const value = mantissa * 2 ** (exponent - 4 * fraction.length);
  return negative ? -value : value;
}
