import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified } from '../../../gostd/netip.ts';
import { type FieldPath, index } from '../../field.ts';
import { goString } from '../../goValue.ts';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { pointedText } from './goTexts.ts';
import { protocols, validateProtocol } from './ports.ts';
import { address, canonicalAddress, portNumber, qualifiedDomain, sloppyAddress } from './texts.ts';

/** An address that other nodes can reach. */
export function validateUsableAddress(fields: Fields, spot: FieldPath, text: string): void {
  const found = sloppyAddress(text);
  if (!found) {
    fields.check.invalid(spot, text, 'must be a valid IP address');
    return;
  }
  const wrong = (is: boolean, why: string) => {
    if (is) fields.check.invalid(spot, text, why);
  };
  wrong(isUnspecified(found), `may not be unspecified (${text})`);
  wrong(isLoopback(found), 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  wrong(isLinkLocalUnicast(found), 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  wrong(isLinkLocalMulticast(found), 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

export function validateEndpoints(object: Fields): void {
  object.each('subsets', (subset) => {
    const lists = ['addresses', 'notReadyAddresses'];
    if (lists.every((key) => subset.list(key).length === 0)) {
      subset.check.required(
        { ...subset.spot, steps: [...subset.spot.steps, 'addresses'] },
        'must specify `addresses` or `notReadyAddresses`',
      );
    }
    for (const key of lists) subset.each(key, endpointAddress);
    const many = subset.list('ports').length > 1;
    subset.each('ports', (port) => {
      const [name, number] = [port.text('name'), port.integer('port') ?? 0n];
      if (name === '' && many) port.required('name');
      else if (name !== '') port.wrong(port.at('name'), name, dns1123Label(name), 'builtin/name');
      port.wrong(port.at('port'), number, portNumber(number), 'builtin/port');
      validateProtocol(port);
      appProtocol(port);
    });
  });
}

function appProtocol(port: Fields): void {
  const protocol = port.pointed('appProtocol');
  if (protocol === undefined) return;
  port.wrong(port.at('appProtocol'), protocol, qualifiedName(protocol, port.version), 'builtin/name');
}

function endpointAddress(one: Fields): void {
  const [ip, host, node] = [one.text('ip'), one.text('hostname'), one.pointed('nodeName')];
  one.wrong(one.at('ip'), ip, address(ip, one.version));
  if (host !== '') one.wrong(one.at('hostname'), host, dns1123Label(host), 'builtin/name');
  if (node !== undefined) one.wrong(one.at('nodeName'), node, dns1123Subdomain(node), 'builtin/name');
  validateUsableAddress(one, one.at('ip'), ip);
}

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const most = { endpoints: 1000, addresses: 100, ports: 20_000, zones: 8, nodes: 8 };

export function validateEndpointSlice(object: Fields): void {
  const { check } = object;
  const type = object.text('addressType');
  object.part(() => {
    if (type === '') object.required('addressType');
    else if (!addressTypes.includes(type)) check.unsupported(object.at('addressType'), goString(type), addressTypes);
  });
  object.part(() => slicePorts(object));
  const { length } = object.list('endpoints');
  if (length > most.endpoints) {
    check.tooMany(object.at('endpoints'), length, most.endpoints);
    return;
  }
  object.each('endpoints', (endpoint) => sliceEndpoint(endpoint, type));
}

function slicePorts(object: Fields): void {
  const { check } = object;
  const ports = object.items('ports');
  const limit = check.version.builtin.mostSlicePorts;
  if (ports.length > limit) {
    check.tooMany(object.at('ports'), ports.length, limit);
    return;
  }
  const names = new Set<string>();
  for (const port of ports) {
    const [name, protocol] = [port.text('name'), port.pointed('protocol')];
    if (name !== '') port.wrong(port.at('name'), name, dns1123Label(name), 'builtin/name');
    if (names.has(name)) check.duplicate(port.at('name'), pointedText(name));
    names.add(name);
    if (protocol !== undefined && !protocols.includes(protocol)) {
      check.unsupported(port.at('protocol'), goString(protocol), protocols);
    }
    appProtocol(port);
  }
}

function sliceEndpoint(endpoint: Fields, type: string): void {
  const { check } = endpoint;
  const addresses = endpoint.texts('addresses');
  const list = endpoint.at('addresses');
  if (addresses.length === 0) endpoint.declared('addresses', 'must contain at least 1 address');
  else if (addresses.length > most.addresses) check.tooMany(list, addresses.length, most.addresses);
  for (const [i, text] of addresses.entries()) sliceAddress(endpoint, index(list, i), text, type);
  const [node, host] = [endpoint.pointed('nodeName'), endpoint.pointed('hostname')];
  if (node !== undefined) endpoint.wrong(endpoint.at('nodeName'), node, dns1123Subdomain(node), 'builtin/name');
  if (host !== undefined) endpoint.wrong(endpoint.at('hostname'), host, dns1123Label(host), 'builtin/name');
  endpoint.within('hints', zoneHints);
}

function sliceAddress(endpoint: Fields, spot: FieldPath, text: string, type: string): void {
  const { check } = endpoint;
  if (type === 'FQDN') {
    if (text === '') {
      check.required(spot);
      return;
    }
    for (const [part, why] of qualifiedDomain(text)) check.invalid(spot, part, why);
    return;
  }
  if (type !== 'IPv4' && type !== 'IPv6') return;
  const bytes = sloppyAddress(text)?.bytes.length;
  const isOfFamily = bytes === (type === 'IPv4' ? 4 : 16);
  if (check.version.builtin.sliceAddresses === 'ofFamily') {
    if (!isOfFamily) check.invalid(spot, text, `must be a valid ${type} address`);
    validateUsableAddress(endpoint, spot, text);
    return;
  }
  const texts = type === 'IPv4' ? address(text, check.version) : canonicalAddress(text);
  endpoint.wrong(spot, text, texts);
  if (texts.length > 0) return;
  if (!isOfFamily) {
    const list = { ...spot.parent!, steps: [...spot.parent!.steps, ...spot.steps] };
    check.invalid(list, text, `must be an ${type} address`);
  }
  validateUsableAddress(endpoint, spot, text);
}

function zoneHints(hints: Fields): void {
  const { check } = hints;
  const zones = hints.items('forZones');
  if (zones.length > most.zones) {
    check.tooMany(hints.at('forZones'), zones.length, most.zones);
    return;
  }
  const seen = new Set<string>();
  for (const zone of zones) {
    const name = zone.text('name');
    if (seen.has(name)) check.duplicate(zone.at('name'), name);
    seen.add(name);
    zone.wrong(zone.at('name'), name, labelValue(name, check.version), 'builtin/name');
  }
  if (check.version.builtin.nodeHints) nodeHints(hints);
}

function nodeHints(hints: Fields): void {
  const { check } = hints;
  const nodes = hints.items('forNodes');
  if (nodes.length > most.nodes) {
    check.tooMany(hints.at('forNodes'), nodes.length, most.nodes);
    return;
  }
  const seen = new Set<string>();
  for (const node of nodes) {
    const name = node.text('name');
    if (seen.has(name)) check.duplicate(node.at('name'), name);
    seen.add(name);
    node.wrong(node.at('name'), name, dns1123Subdomain(name), 'builtin/name');
  }
}
