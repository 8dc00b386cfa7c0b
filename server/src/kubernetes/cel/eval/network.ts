import type { Impl } from '../../../cel/eval/implementation.ts';
import { error, isError, noSuchOverload, type Opaque, orNoSuchOverload, type Val } from '../../../cel/eval/values.ts';
import {
  type Addr,
  addrText,
  is4in6,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  masked,
  type Prefix,
  parseAddr,
  parsePrefix,
  prefixContains,
  sameAddr,
} from '../../../go/netip.ts';
import { quote } from '../../../go/quote.ts';
import { cidrType, ipType } from '../libraries/types.ts';
import { held, opaque } from './opaque.ts';

function ipValue(addr: Addr): Opaque {
  const same = (other: unknown) => sameAddr(addr, other as Addr);
  const key = addrText(addr);
  const native = () => `(netip.Addr)${key}`;
  return opaque({ type: ipType, goType: 'cel.IP', value: addr, same, size: addr.bytes.length, key, native });
}

function cidrValue(prefix: Prefix): Opaque {
  const same = (other: unknown) => {
    const { addr, bits } = other as Prefix;
    return bits === prefix.bits && sameAddr(addr, prefix.addr);
  };
  const key = `${addrText(prefix.addr)}/${prefix.bits}`;
  const native = () => `(netip.Prefix)${key}`;
  const size = Math.ceil(prefix.bits / 8);
  return opaque({ type: cidrType, goType: 'cel.CIDR', value: prefix, same, size, key, native });
}

function addrOf(text: string): Addr | { readonly error: string } {
  const addr = parseAddr(text);
  if ('error' in addr) {
    return { error: `IP Address ${quote(text)} parse error during conversion from string: ${addr.error}` };
  }
  if (addr.zone !== '') return { error: `IP address ${quote(text)} with zone value is not allowed` };
  return is4in6(addr) ? { error: `IPv4-mapped IPv6 address ${quote(text)} is not allowed` } : addr;
}

function prefixOf(text: string): Prefix | { readonly error: string } {
  const prefix = parsePrefix(text);
  if ('error' in prefix) {
    return { error: `network address parse error during conversion from string: ${prefix.error}` };
  }
  return is4in6(prefix.addr) ? { error: `IPv4-mapped IPv6 address ${quote(text)} is not allowed` } : prefix;
}

const toIp: Impl = (a) => {
  const addr = addrOf(a as string);
  return 'error' in addr ? error(addr.error) : ipValue(addr);
};

const toCidr: Impl = (a) => {
  const prefix = prefixOf(a as string);
  return 'error' in prefix
    ? error(`network address parse error during conversion from string: ${prefix.error}`)
    : cidrValue(prefix);
};

const ofIp =
  (apply: (addr: Addr) => Val): Impl =>
  (a) => {
    const addr = held<Addr>(a, ipType);
    return addr ? apply(addr) : noSuchOverload;
  };

const ofCidr =
  (apply: (prefix: Prefix) => Val): Impl =>
  (a) => {
    const prefix = held<Prefix>(a, cidrType);
    return prefix ? apply(prefix) : noSuchOverload;
  };

function containsIp(a: Val, b: Val): Val {
  const prefix = held<Prefix>(a, cidrType);
  const addr = held<Addr>(b, ipType);
  if (!prefix) return orNoSuchOverload(b);
  // An address that is none counts as a missing overload.
  return addr ? prefixContains(prefix, addr) : noSuchOverload;
}

function containsCidr(a: Val, b: Val): Val {
  const prefix = held<Prefix>(a, cidrType);
  const other = held<Prefix>(b, cidrType);
  if (!prefix) return noSuchOverload;
  if (!other) return isError(b) ? b : noSuchOverload;
  return prefix.bits <= other.bits && prefixContains(prefix, other.addr);
}

const prefixText = ({ addr, bits }: Prefix) => `${addrText(addr)}/${bits}`;

function isCanonical(text: string): Val {
  const addr = addrOf(text);
  return 'error' in addr ? error(addr.error) : addrText(addr) === text;
}

export const networkImpls: readonly (readonly [string, Impl])[] = [
  ['string_to_ip', toIp],
  ['ip_family', ofIp((addr) => (addr.bytes.length === 4 ? 4n : 6n))],
  ['ip_is_canonical', (a) => isCanonical(a as string)],
  ['ip_is_unspecified', ofIp(isUnspecified)],
  ['ip_is_loopback', ofIp(isLoopback)],
  ['ip_is_link_local_multicast', ofIp(isLinkLocalMulticast)],
  ['ip_is_link_local_unicast', ofIp(isLinkLocalUnicast)],
  ['ip_is_global_unicast', ofIp(isGlobalUnicast)],
  ['is_ip', (a) => !('error' in addrOf(a as string))],
  ['ip_to_string', ofIp(addrText)],
  ['string_to_cidr', toCidr],
  ['cidr_contains_ip_string', (a, b) => containsIp(a, toIp(b, null, null, null))],
  ['cidr_contains_ip_ip', containsIp],
  ['cidr_contains_cidr_string', (a, b) => containsCidr(a, toCidr(b, null, null, null))],
  ['cidr_contains_cidr', containsCidr],
  ['cidr_ip', ofCidr((prefix) => ipValue(prefix.addr))],
  ['cidr_prefix_length', ofCidr((prefix) => BigInt(prefix.bits))],
  ['cidr_masked', ofCidr(({ addr, bits }) => cidrValue({ addr: masked(addr, bits), bits }))],
  ['is_cidr', (a) => !('error' in prefixOf(a as string))],
  ['cidr_to_string', ofCidr(prefixText)],
];
