import { fn, type Library } from '../../../cel/overload.ts';
import { containsCidr, containsCidrText, containsIp, containsIpText, walkArgument } from './cost.ts';
import { kubernetesTypes as types } from './types.ts';

const options = { types };
const parsing = { types, estimate: walkArgument(1) };

const flags = [
  ['isUnspecified', 'ip_is_unspecified', 'Whether this is 0.0.0.0 or ::.', '0.0.0.0'],
  ['isLoopback', 'ip_is_loopback', 'Whether this address is a loopback address.', '127.0.0.1'],
  [
    'isLinkLocalMulticast',
    'ip_is_link_local_multicast',
    'Whether this is a link-local multicast address.',
    '224.0.0.1',
  ],
  ['isLinkLocalUnicast', 'ip_is_link_local_unicast', 'Whether this is a link-local unicast address.', '169.254.1.1'],
  ['isGlobalUnicast', 'ip_is_global_unicast', 'Whether this is a global unicast address.', '192.0.2.1'],
] as const;

export const ips: Library = [
  fn(
    'ip',
    'An IPv4 or IPv6 address from a string; without leading zeros and zones.',
    [{ id: 'string_to_ip', signature: 'ip(string): net.IP', example: 'ip("192.0.2.1").family() == 4' }],
    parsing,
  ),
  fn(
    'family',
    '4 or 6.',
    [{ id: 'ip_family', signature: 'net.IP.family(): int', example: 'ip("::1").family() == 6' }],
    options,
  ),
  fn(
    'ip.isCanonical',
    'Whether a string is an address written the one canonical way.',
    [{ id: 'ip_is_canonical', signature: 'ip.isCanonical(string): bool', example: 'ip.isCanonical("::1")' }],
    { types, estimate: walkArgument(2) },
  ),
  ...flags.map(([name, id, doc, sample]) =>
    fn(name, doc, [{ id, signature: `net.IP.${name}(): bool`, example: `ip("${sample}").${name}()` }], options),
  ),
  fn(
    'isIP',
    'Whether a string is an IPv4 or IPv6 address.',
    [{ id: 'is_ip', signature: 'isIP(string): bool', example: 'isIP("192.0.2.1")' }],
    parsing,
  ),
  fn(
    'string',
    'The address as text.',
    [{ id: 'ip_to_string', signature: 'string(net.IP): string', example: 'string(ip("::1")) == "::1"' }],
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
      },
    ],
    parsing,
  ),
  fn(
    'containsIP',
    'Whether the network has an address, given as such or as a string.',
    [
      {
        id: 'cidr_contains_ip_string',
        signature: 'net.CIDR.containsIP(string): bool',
        example: 'cidr("192.0.2.0/24").containsIP("192.0.2.1")',
        estimate: containsIpText,
      },
      {
        id: 'cidr_contains_ip_ip',
        signature: 'net.CIDR.containsIP(net.IP): bool',
        example: 'cidr("192.0.2.0/24").containsIP(ip("192.0.2.1"))',
        estimate: containsIp,
      },
    ],
    { types },
  ),
  fn(
    'containsCIDR',
    'Whether the network has all of another one, given as such or as a string.',
    [
      {
        id: 'cidr_contains_cidr_string',
        signature: 'net.CIDR.containsCIDR(string): bool',
        example: 'cidr("192.0.2.0/24").containsCIDR("192.0.2.0/25")',
        estimate: containsCidrText,
      },
      {
        id: 'cidr_contains_cidr',
        signature: 'net.CIDR.containsCIDR(net.CIDR): bool',
        example: 'cidr("192.0.2.0/24").containsCIDR(cidr("192.0.2.0/25"))',
        estimate: containsCidr,
      },
    ],
    { types },
  ),
  fn(
    'ip',
    'The address that a network was written with.',
    [{ id: 'cidr_ip', signature: 'net.CIDR.ip(): net.IP', example: 'cidr("192.0.2.1/24").ip() == ip("192.0.2.1")' }],
    options,
  ),
  fn(
    'prefixLength',
    'The number of bits that all addresses of the network share.',
    [
      {
        id: 'cidr_prefix_length',
        signature: 'net.CIDR.prefixLength(): int',
        example: 'cidr("192.0.2.0/24").prefixLength() == 24',
      },
    ],
    options,
  ),
  fn(
    'masked',
    'The network with the bits behind its prefix cleared.',
    [
      {
        id: 'cidr_masked',
        signature: 'net.CIDR.masked(): net.CIDR',
        example: 'cidr("192.0.2.1/24").masked() == cidr("192.0.2.0/24")',
      },
    ],
    options,
  ),
  fn(
    'isCIDR',
    'Whether a string is a network in CIDR notation.',
    [{ id: 'is_cidr', signature: 'isCIDR(string): bool', example: 'isCIDR("192.0.2.0/24")' }],
    parsing,
  ),
  fn(
    'string',
    'The network as text.',
    [
      {
        id: 'cidr_to_string',
        signature: 'string(net.CIDR): string',
        example: 'string(cidr("192.0.2.0/24")) == "192.0.2.0/24"',
      },
    ],
    { types },
  ),
];
