/** The number constants of templates. */
import { parseGoFloat } from '../gostd/parseFloat.ts';
import { unquote } from './unquote.ts';

export interface NumberValue {
  readonly int: bigint | undefined;
  readonly float: number | undefined;
  readonly ideal: 'int' | 'float' | 'overflow';
}

const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;

/** A constant as Go reads it, or the error that Go gives. */
export function readNumber(text: string, type: 'charConstant' | 'complex' | 'number'): NumberValue | string {
  if (type === 'charConstant') return readCharacter(text);
  if (type === 'complex' || text.endsWith('i')) return readImaginary(text);
  const int = readInt(text);
  if (int !== undefined && int <= maxInt64) return { int, float: Number(int), ideal: 'int' };
  if (int !== undefined && int <= maxUint64) return { int: undefined, float: Number(int), ideal: 'overflow' };
  const float = readFloat(text);
  if (float === undefined) return `illegal number syntax: "${text}"`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: "${text}"`;
  const isWhole = Number.isInteger(float) && Math.abs(float) < 2 ** 63;
  return { int: isWhole ? BigInt(float) : undefined, float, ideal: 'float' };
}

function readCharacter(text: string): NumberValue | string {
  const inner = unquote(text);
  if (inner === undefined || text === "''") return 'invalid syntax';
  if ([...inner].length !== 1) return `malformed character constant: ${text}`;
  const code = inner.codePointAt(0)!;
  return { int: BigInt(code), float: code, ideal: 'int' };
}

/** Complex numbers have no use in a chart: only those without an imaginary part are numbers here. */
function readImaginary(text: string): NumberValue | string {
  return `complex numbers are not supported: "${text}"`;
}

const whole = /^[+-]?(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?[0-7])*|[1-9](?:_?[0-9])*)$/;

function readInt(text: string): bigint | undefined {
  if (!whole.test(text)) return undefined;
  const digits = text.replace(/^[+-]/, '').replaceAll('_', '');
  const octal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const value = BigInt(octal);
  const signed = text.startsWith('-') ? -value : value;
  return signed >= -(2n ** 63n) ? signed : undefined;
}

/** There may be underscores between digits. */
function readFloat(text: string): number | undefined {
  const float = parseGoFloat(text.replace(/(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])/g, ''));
  return Number.isFinite(float) ? float : undefined;
}
