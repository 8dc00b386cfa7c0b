import { quote } from './quote.ts';

/** An address as Go's net/netip parses it: 4 or 16 bytes. */
export interface Addr {
  readonly bytes: readonly number[];
  readonly zone: string;
}

export interface Prefix {
  readonly addr: Addr;
  readonly bits: number;
}

interface Problem {
  readonly error: string;
}

function problem(text: string, message: string, at = ''): Problem {
  const where = at === '' ? '' : ` (at ${quote(at)})`;
  return { error: `ParseAddr(${quote(text)}): ${message}${where}` };
}

/** Go's netip.ParseAddr. */
export function parseAddr(text: string): Addr | Problem {
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.':
      return parse4(text);
    case ':':
      return parse6(text);
    case '%':
      return problem(text, 'missing IPv6 address');
    default:
      return problem(text, 'unable to parse IP');
  }
}

function parse4(text: string): Addr | Problem {
  const fields = fields4(text, text);
  return 'error' in fields ? fields : { bytes: fields, zone: '' };
}

function fields4(whole: string, text: string): readonly number[] | Problem {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (/[0-9]/.test(char)) {
      if (digits === 1 && value === 0) return problem(whole, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(char);
      digits++;
      if (value > 255) return problem(whole, 'IPv4 field has value >255');
    } else if (char === '.') {
      if (i === 0 || i === text.length - 1 || text[i - 1] === '.') {
        return problem(whole, 'IPv4 field must have at least one digit', text.slice(i));
      }
      if (fields.length === 3) return problem(whole, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else return problem(whole, 'unexpected character', text.slice(i));
  }
  return fields.length < 3 ? problem(whole, 'IPv4 address too short') : [...fields, value];
}

function parse6(text: string): Addr | Problem {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return problem(text, 'zone must be a non-empty string');
  const body = percent < 0 ? text : text.slice(0, percent);
  const leading = body.startsWith('::');
  const read = groups6(text, leading ? body.slice(2) : body, leading);
  return 'error' in read ? read : { bytes: read, zone };
}

function groups6(whole: string, body: string, leading: boolean): readonly number[] | Problem {
  const bytes: number[] = [];
  let ellipsis = leading ? 0 : -1;
  let rest = body;
  if (leading && rest === '') return new Array(16).fill(0);
  while (bytes.length < 16) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)![0];
    if (digits.length > 4) return problem(whole, 'each group must have 4 or less digits', rest);
    if (digits === '') return problem(whole, 'each colon-separated field must have at least one digit', rest);
    if (rest[digits.length] === '.') {
      const fields = embedded4(whole, rest, bytes.length, ellipsis);
      if ('error' in fields) return fields;
      bytes.push(...fields);
      rest = '';
      break;
    }
    const value = Number.parseInt(digits, 16);
    bytes.push(value >> 8, value & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (rest[0] !== ':') return problem(whole, 'unexpected character, want colon', rest);
    if (rest.length === 1) return problem(whole, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (ellipsis >= 0) return problem(whole, 'multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') return problem(whole, 'trailing garbage after address', rest);
  return expanded(whole, bytes, ellipsis);
}

function embedded4(whole: string, rest: string, at: number, ellipsis: number): readonly number[] | Problem {
  if (ellipsis < 0 && at !== 12) {
    return problem(whole, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (at + 4 > 16) {
    return problem(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  return fields4(whole, rest);
}

function expanded(whole: string, bytes: number[], ellipsis: number): readonly number[] | Problem {
  if (bytes.length < 16) {
    if (ellipsis < 0) return problem(whole, 'address string too short');
    bytes.splice(ellipsis, 0, ...new Array<number>(16 - bytes.length).fill(0));
  } else if (ellipsis >= 0) return problem(whole, 'the :: must expand to at least one field of zeros');
  return bytes;
}

export function is4in6({ bytes }: Addr): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** Go's Addr.String: the canonical form. */
export function addrText({ bytes, zone }: Addr): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push((bytes[i]! << 8) | bytes[i + 1]!);
  const [start, end] = longestZeros(groups);
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === start) {
      text += '::';
      i = end;
      if (i >= 8) break;
    } else if (i > 0) text += ':';
    text += groups[i]!.toString(16);
  }
  return zone === '' ? text : `${text}%${zone}`;
}

/** The first of the longest runs of two or more zero groups. */
function longestZeros(groups: readonly number[]): readonly [number, number] {
  let best: readonly [number, number] = [-1, -1];
  for (let i = 0; i < 8; i++) {
    let j = i;
    while (j < 8 && groups[j] === 0) j++;
    if (j - i >= 2 && j - i > best[1] - best[0]) best = [i, j];
  }
  return best;
}

/** Go's netip.ParsePrefix. */
export function parsePrefix(text: string): Prefix | Problem {
  const refused = (message: string): Problem => ({ error: `netip.ParsePrefix(${quote(text)}): ${message}` });
  const slash = text.lastIndexOf('/');
  if (slash < 0) return refused("no '/'");
  const addr = parseAddr(text.slice(0, slash));
  if ('error' in addr) return refused(addr.error);
  if (addr.zone !== '') return refused('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d*)$/.test(digits) || digits.length > 18) {
    return refused(`bad bits after slash: ${quote(digits)}`);
  }
  const bits = Number(digits);
  return bits > addr.bytes.length * 8 ? refused('prefix length out of range') : { addr, bits };
}

/** The address with the bits behind a prefix cleared. */
export function masked(addr: Addr, bits: number): Addr {
  const bytes = addr.bytes.map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - i * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return { bytes, zone: '' };
}

export function sameAddr(a: Addr, b: Addr): boolean {
  return a.bytes.length === b.bytes.length && a.zone === b.zone && a.bytes.every((byte, i) => byte === b.bytes[i]);
}

export function prefixContains(prefix: Prefix, addr: Addr): boolean {
  if (addr.zone !== '' || addr.bytes.length !== prefix.addr.bytes.length) return false;
  return sameAddr(masked(addr, prefix.bits), masked(prefix.addr, prefix.bits));
}

export function isUnspecified({ bytes }: Addr): boolean {
  return bytes.every((byte) => byte === 0);
}

export function isLoopback({ bytes }: Addr): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
}

function isMulticast({ bytes }: Addr): boolean {
  return bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 0xff;
}

export function isLinkLocalMulticast({ bytes }: Addr): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && (bytes[1]! & 0x0f) === 2;
}

export function isLinkLocalUnicast({ bytes }: Addr): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;
}

export function isGlobalUnicast(addr: Addr): boolean {
  const broadcast = addr.bytes.length === 4 && addr.bytes.every((byte) => byte === 255);
  return !(broadcast || isUnspecified(addr) || isLoopback(addr) || isMulticast(addr) || isLinkLocalUnicast(addr));
}
