import { isSloppyCidr } from '../../../../gostd/ip.ts';
import { type Addr, addrText, is4in6, masked, parseAddr, parsePrefix, sameAddr } from '../../../../gostd/netip.ts';
import { quote } from '../../../../gostd/quote.ts';
import type { FieldPath } from '../../../field.ts';
import type { Check, Fields } from '../check.ts';
import { sloppyAddress } from '../texts.ts';

// Addresses that are accepted, though they are not written as they should be.

/** Warns of an address; of one that is none nothing is said here. */
export function warnOfAddress(check: Check, spot: FieldPath, text: string): void {
  const detail = isEarly(check) ? earlyAddress(text) : addressDetail(text, verdictOf(check));
  if (detail !== undefined) check.warn(spot, detail);
}

export function warnOfRange(check: Check, spot: FieldPath, text: string): void {
  const details = isEarly(check) ? earlyRange(text) : rangeDetails(text, verdictOf(check));
  for (const detail of details) check.warn(spot, detail);
}

const isEarly = ({ version }: Check) => version.builtin.warnings.addresses === 'early';

function verdictOf({ version }: Check): string {
  return version.builtin.warnings.addresses === 'invalid'
    ? 'is invalid'
    : 'will be considered invalid in a future Kubernetes release';
}

/** The addresses of a list of texts. */
export function warnOfAddresses(holder: Fields, key: string): void {
  eachText(holder, key, (spot, text) => warnOfAddress(holder.check, spot, text));
}

export function warnOfRanges(holder: Fields, key: string): void {
  eachText(holder, key, (spot, text) => warnOfRange(holder.check, spot, text));
}

function eachText(holder: Fields, key: string, warn: (spot: FieldPath, text: string) => void): void {
  for (const [i, item] of holder.list(key).entries()) {
    holder.part(() => {
      const text = holder.check.read(item);
      if (typeof text === 'string') warn({ parent: holder.at(key), field: `[${i}]`, steps: [i] }, text);
    });
  }
}

function addressDetail(text: string, verdict: string): string | undefined {
  const sloppy = sloppyAddress(text);
  if (!sloppy) return undefined;
  const parsed = parseAddr(text);
  if ('error' in parsed || is4in6(parsed)) {
    return `non-standard IP address ${quote(text)} ${verdict}: use ${quote(addrText(sloppy))}`;
  }
  const canonical = addrText(parsed);
  if (parsed.bytes.length === 4 || canonical === text) return undefined;
  return `IPv6 address ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`;
}

function rangeDetails(text: string, verdict: string): string[] {
  if (!isSloppyCidr(text)) return [];
  const slash = text.indexOf('/');
  const bits = Number(text.slice(slash + 1));
  const written = withoutZeros(text.slice(0, slash));
  if ('error' in written) return [];
  const first = masked(written, bits);
  const range = rangeText(first, bits);
  const details: string[] = [];
  if (!sameAddr(first, written)) {
    const single = `${plainText(written)}/${written.bytes.length * 8}`;
    details.push(
      `CIDR value ${quote(text)} is ambiguous in this context (should be ${quote(range)} or ${quote(single)}?)`,
    );
  }
  const parsed = parsePrefix(text);
  if ('error' in parsed || is4in6(parsed.addr)) {
    details.push(`non-standard CIDR value ${quote(text)} ${verdict}: use ${quote(range)}`);
  } else if (details.length === 0 && parsed.addr.bytes.length === 16) {
    const canonical = `${addrText(parsed.addr)}/${parsed.bits}`;
    if (canonical !== text) {
      details.push(`IPv6 CIDR value ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`);
    }
  }
  return details;
}

function withoutZeros(text: string): ReturnType<typeof parseAddr> {
  return parseAddr(text.replace(/[0-9a-fA-F]+/g, (digits) => digits.replace(/^0+(?=.)/, '')));
}

/** Go prints an IPv4 address that is written as IPv6 as IPv4, and its range with as many bits fewer. */
function plainText(addr: Addr): string {
  return addrText(is4in6(addr) ? { bytes: addr.bytes.slice(12), zone: '' } : addr);
}

function rangeText(first: Addr, bits: number): string {
  return `${plainText(first)}/${is4in6(first) ? bits - 96 : bits}`;
}

/** With the dots of an IPv4 address that is mapped to IPv6. */
function mappedText(addr: Addr): string {
  const zone = addr.zone === '' ? '' : `%${addr.zone}`;
  return is4in6(addr) ? `::ffff:${plainText(addr)}${zone}` : addrText(addr);
}

/** What releases before 1.33 said, of Services alone. */
function earlyAddress(text: string): string | undefined {
  const parsed = parseAddr(text);
  if ('error' in parsed) {
    return `IP address was accepted, but will be invalid in a future Kubernetes release: ${parsed.error}`;
  }
  const canonical = mappedText(parsed);
  if (parsed.bytes.length === 4 || canonical === text) return undefined;
  return `IPv6 address ${quote(text)} is not in RFC 5952 canonical format (${quote(canonical)}), which may cause controller apply-loops`;
}

function earlyRange(text: string): string[] {
  const parsed = parsePrefix(text);
  if ('error' in parsed) {
    return [`IP prefix was accepted, but will be invalid in a future Kubernetes release: ${parsed.error}`];
  }
  const canonical = `${mappedText(parsed.addr)}/${parsed.bits}`;
  if (parsed.addr.bytes.length === 4 || canonical === text) return [];
  return [
    `IPv6 prefix ${quote(text)} is not in RFC 5952 canonical format (${quote(canonical)}), which may cause controller apply-loops`,
  ];
}
