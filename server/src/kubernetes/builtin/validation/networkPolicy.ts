import { masked, type Prefix, sameAddr } from '../../../gostd/netip.ts';
import { index } from '../../field.ts';
import { goString } from '../../goValue.ts';
import type { Fields } from './check.ts';
import { goList, intOrString } from './goTexts.ts';
import { validateLabelSelector } from './selectors.ts';
import { addressRange, portName, portNumber, sloppyAddress } from './texts.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

export function validateNetworkPolicy(object: Fields): void {
  const spec = object.object('spec');
  spec.within('podSelector', validateLabelSelector);
  for (const [list, peers] of [['ingress', 'from'] as const, ['egress', 'to'] as const]) {
    spec.each(list, (rule) => {
      rule.each('ports', validatePolicyPort);
      rule.each(peers, validatePeer);
    });
  }
  spec.part(() => {
    const types = spec.texts('policyTypes');
    if (types.length > policyTypes.length) {
      const why = 'may not specify more than two policyTypes';
      return spec.check.invalid(spec.at('policyTypes'), goList('[]networking.PolicyType', types), why);
    }
    for (const [i, type] of types.entries()) {
      if (policyTypes.includes(type)) continue;
      spec.check.unsupported(index(spec.at('policyTypes'), i), goString(type), policyTypes);
    }
  });
}

function validatePolicyPort(port: Fields): void {
  const { check } = port;
  const [protocol, number, end] = [port.pointed('protocol'), intOrString(port, 'port'), port.integer('endPort')];
  if (protocol !== undefined && !protocols.includes(protocol)) {
    check.unsupported(port.at('protocol'), goString(protocol), protocols);
  }
  const spot = port.at('endPort');
  if (typeof number === 'bigint') {
    port.wrong(port.at('port'), number, portNumber(number), 'builtin/port');
    if (end === undefined) return;
    const shown = check.version.builtin.endPortShows === 'port' ? number : end;
    if (end < number) check.invalid(spot, shown, 'must be greater than or equal to `port`', 'builtin/port');
    port.wrong(spot, end, portNumber(end), 'builtin/port');
    return;
  }
  const what = number === undefined ? 'not specified' : 'non-numeric';
  if (end !== undefined) check.invalid(spot, end, `may not be specified when \`port\` is ${what}`, 'builtin/port');
  if (number !== undefined) port.wrong(port.at('port'), number, portName(number), 'builtin/port');
}

function validatePeer(peer: Fields): void {
  const { check } = peer;
  const selectors = ['podSelector', 'namespaceSelector'].filter((key) => peer.has(key));
  for (const key of selectors) peer.within(key, validateLabelSelector);
  const hasBlock = peer.within('ipBlock', validateBlock);
  if (selectors.length === 0 && !hasBlock) {
    check.required({ ...peer.spot, steps: [...peer.spot.steps, 'podSelector'] }, 'must specify a peer');
  }
  if (selectors.length > 0 && hasBlock) {
    check.forbidden(peer.spot, 'may not specify both ipBlock and another peer', 'builtin/one-of');
  }
}

function validateBlock(block: Fields): void {
  const { check } = block;
  const cidr = block.text('cidr');
  if (cidr === '') {
    block.required('cidr');
    return;
  }
  block.wrong(block.at('cidr'), cidr, addressRange(cidr, check.version));
  const whole = rangeOf(cidr);
  if (!whole) return;
  for (const [i, text] of block.texts('except').entries()) {
    const spot = index(block.at('except'), i);
    block.wrong(spot, text, addressRange(text, check.version));
    const part = rangeOf(text);
    if (!part || isStrictPart(part, whole)) continue;
    check.invalid(spot, text, 'must be a strict subset of `cidr`');
  }
}

function rangeOf(text: string): Prefix | undefined {
  const [address = '', bits = ''] = text.split('/');
  const addr = sloppyAddress(address);
  if (!addr || !/^\d{1,4}$/.test(bits) || text.split('/').length !== 2) return undefined;
  // An IPv4 address that is written as IPv6 has the length of that.
  const shift = address.includes(':') && addr.bytes.length === 4 ? 96 : 0;
  const length = Number(bits) - shift;
  return length >= 0 && length <= addr.bytes.length * 8 ? { addr, bits: length } : undefined;
}

function isStrictPart(part: Prefix, whole: Prefix): boolean {
  if (part.addr.bytes.length !== whole.addr.bytes.length || part.bits <= whole.bits) return false;
  return sameAddr(masked(part.addr, whole.bits), masked(whole.addr, whole.bits));
}
