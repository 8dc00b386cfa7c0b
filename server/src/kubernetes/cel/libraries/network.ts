import { nodeSize } from '../../../cel/estimate.ts';
import { walk } from '../../../cel/eval/costs.ts';
import type { Impl } from '../../../cel/eval/implementation.ts';
import { actualSize } from '../../../cel/eval/size.ts';
import { error, isError, noSuchOverload, type Opaque, orNoSuchOverload, type Val } from '../../../cel/eval/values.ts';
import { traverse, walks } from '../../../cel/libraries/walks.ts';
import { fn, type Library, type Price } from '../../../cel/overload.ts';
import { stringFactor } from '../../../cel/prices.ts';
import { add, oneUnit, type Range } from '../../../cel/range.ts';
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
} from '../../../gostd/netip.ts';
import { quote } from '../../../gostd/quote.ts';
import { held, opaque } from './opaque.ts';
import { cidrType, ipType, kubernetesTypes as types } from './types.ts';

// Prices

/** An address is 4 or 16 bytes. */
const address: Range = { min: 4, max: 16 };
const compareAddresses = traverse(add(address, address));
const compareNetworks = add(add(compareAddresses, traverse(address)), oneUnit);

const addressWalk = (network: Val) => Math.ceil(2 * actualSize(network) * stringFactor);
const networkWalk = (network: Val) => addressWalk(network) + walk(network) + 1;

function containing(most: Range, cost: (network: Val) => number): Price {
  return { estimate: () => ({ cost: most }), cost: (a) => cost(a) };
}

/** The other side is given as text, which is parsed first. */
function containingText(most: Range, cost: (network: Val) => number): Price {
  return {
    estimate: ({ args, model }) => ({ cost: add(most, traverse(nodeSize(args[0]!, model))) }),
    cost: (a, b) => cost(a) + walk(b),
  };
}

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

const flags = [
  ['isUnspecified', 'ip_is_unspecified', 'Whether this is 0.0.0.0 or ::.', '0.0.0.0', isUnspecified],
  ['isLoopback', 'ip_is_loopback', 'Whether this address is a loopback address.', '127.0.0.1', isLoopback],
  [
    'isLinkLocalMulticast',
    'ip_is_link_local_multicast',
    'Whether this is a link-local multicast address.',
    '224.0.0.1',
    isLinkLocalMulticast,
  ],
  [
    'isLinkLocalUnicast',
    'ip_is_link_local_unicast',
    'Whether this is a link-local unicast address.',
    '169.254.1.1',
    isLinkLocalUnicast,
  ],
  [
    'isGlobalUnicast',
    'ip_is_global_unicast',
    'Whether this is a global unicast address.',
    '192.0.2.1',
    isGlobalUnicast,
  ],
] as const;

export const ips: Library = [
  fn(
    'ip',
    'An IPv4 or IPv6 address from a string; leading zeros and zones are not allowed.',
    [{ id: 'string_to_ip', signature: 'ip(string): net.IP', example: 'ip("192.0.2.1").family() == 4', impl: toIp }],
    { types, price: walks(1) },
  ),
  fn(
    'family',
    '4 or 6.',
    [
      {
        id: 'ip_family',
        signature: 'net.IP.family(): int',
        example: 'ip("::1").family() == 6',
        impl: ofIp((addr) => (addr.bytes.length === 4 ? 4n : 6n)),
      },
    ],
    { types },
  ),
  fn(
    'ip.isCanonical',
    'Whether a string is an address in its canonical form.',
    [
      {
        id: 'ip_is_canonical',
        signature: 'ip.isCanonical(string): bool',
        example: 'ip.isCanonical("::1")',
        impl: (a) => isCanonical(a as string),
      },
    ],
    { types, price: walks(2) },
  ),
  ...flags.map(([name, id, doc, sample, holds]) =>
    fn(
      name,
      doc,
      [{ id, signature: `net.IP.${name}(): bool`, example: `ip("${sample}").${name}()`, impl: ofIp(holds) }],
      { types },
    ),
  ),
  fn(
    'isIP',
    'Whether a string is an IPv4 or IPv6 address.',
    [
      {
        id: 'is_ip',
        signature: 'isIP(string): bool',
        example: 'isIP("192.0.2.1")',
        impl: (a) => !('error' in addrOf(a as string)),
      },
    ],
    { types, price: walks(1) },
  ),
  fn(
    'string',
    'The address as a string.',
    [
      {
        id: 'ip_to_string',
        signature: 'string(net.IP): string',
        example: 'string(ip("::1")) == "::1"',
        impl: ofIp(addrText),
      },
    ],
    { types },
  ),
];

export const cidrs: Library = [
  fn(
    'cidr',
    'A network in CIDR notation from a string.',
    [
      {
        id: 'string_to_cidr',
        signature: 'cidr(string): net.CIDR',
        example: 'cidr("192.0.2.0/24").prefixLength() == 24',
        impl: toCidr,
      },
    ],
    { types, price: walks(1) },
  ),
  fn(
    'containsIP',
    'Whether the network contains an address, given as an IP or a string.',
    [
      {
        id: 'cidr_contains_ip_string',
        signature: 'net.CIDR.containsIP(string): bool',
        example: 'cidr("192.0.2.0/24").containsIP("192.0.2.1")',
        price: containingText(compareAddresses, addressWalk),
        impl: (a, b) => containsIp(a, toIp(b, null, null, null)),
      },
      {
        id: 'cidr_contains_ip_ip',
        signature: 'net.CIDR.containsIP(net.IP): bool',
        example: 'cidr("192.0.2.0/24").containsIP(ip("192.0.2.1"))',
        impl: containsIp,
      },
    ],
    { types, price: containing(compareAddresses, addressWalk) },
  ),
  fn(
    'containsCIDR',
    'Whether the network contains another one, given as a CIDR or a string.',
    [
      {
        id: 'cidr_contains_cidr_string',
        signature: 'net.CIDR.containsCIDR(string): bool',
        example: 'cidr("192.0.2.0/24").containsCIDR("192.0.2.0/25")',
        price: containingText(compareNetworks, networkWalk),
        impl: (a, b) => containsCidr(a, toCidr(b, null, null, null)),
      },
      {
        id: 'cidr_contains_cidr',
        signature: 'net.CIDR.containsCIDR(net.CIDR): bool',
        example: 'cidr("192.0.2.0/24").containsCIDR(cidr("192.0.2.0/25"))',
        impl: containsCidr,
      },
    ],
    { types, price: containing(compareNetworks, networkWalk) },
  ),
  fn(
    'ip',
    'The address that a network was written with.',
    [
      {
        id: 'cidr_ip',
        signature: 'net.CIDR.ip(): net.IP',
        example: 'cidr("192.0.2.1/24").ip() == ip("192.0.2.1")',
        impl: ofCidr((prefix) => ipValue(prefix.addr)),
      },
    ],
    { types },
  ),
  fn(
    'prefixLength',
    'The length of the prefix: the number of bits that all addresses in the network share.',
    [
      {
        id: 'cidr_prefix_length',
        signature: 'net.CIDR.prefixLength(): int',
        example: 'cidr("192.0.2.0/24").prefixLength() == 24',
        impl: ofCidr((prefix) => BigInt(prefix.bits)),
      },
    ],
    { types },
  ),
  fn(
    'masked',
    'The network with all bits after the prefix set to 0.',
    [
      {
        id: 'cidr_masked',
        signature: 'net.CIDR.masked(): net.CIDR',
        example: 'cidr("192.0.2.1/24").masked() == cidr("192.0.2.0/24")',
        impl: ofCidr(({ addr, bits }) => cidrValue({ addr: masked(addr, bits), bits })),
      },
    ],
    { types },
  ),
  fn(
    'isCIDR',
    'Whether a string is a network in CIDR notation.',
    [
      {
        id: 'is_cidr',
        signature: 'isCIDR(string): bool',
        example: 'isCIDR("192.0.2.0/24")',
        impl: (a) => !('error' in prefixOf(a as string)),
      },
    ],
    { types, price: walks(1) },
  ),
  fn(
    'string',
    'The network as a string.',
    [
      {
        id: 'cidr_to_string',
        signature: 'string(net.CIDR): string',
        example: 'string(cidr("192.0.2.0/24")) == "192.0.2.0/24"',
        impl: ofCidr(prefixText),
      },
    ],
    { types },
  ),
];
