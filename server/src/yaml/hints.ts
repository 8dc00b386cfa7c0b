import { jsonFloat } from '../gostd/float.ts';
import type { Typed } from './resolve.ts';

/** What plain text reads as, in words, where that is not what it looks like. */
export function wordHint(text: string, value: Typed, key: boolean): string | undefined {
  if (typeof value === 'boolean') {
    const plain = /^(?:true|false)$/i.test(text);
    return plain ? undefined : `the boolean ${value}${key ? `, so the key is \`${value}\`` : ''}`;
  }
  if (typeof value === 'bigint') return wordInteger(text, value);
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return key ? undefined : 'a number that JSON cannot hold';
  return /[eE_]/.test(text) ? `the number ${jsonFloat(value)}` : undefined;
}

function wordInteger(text: string, value: bigint): string | undefined {
  if (text === String(value) || /^[-+]?0$/.test(text) || text === `+${value}`) return undefined;
  const octal = /^[-+]?0[0-7_]+$/.test(text) ? ', because a leading 0 makes it octal' : '';
  return `the number ${value}${octal}`;
}
