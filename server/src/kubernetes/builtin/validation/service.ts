import { child, index, key as keyed } from '../../field.ts';
import { goAny, goString, goStrings } from '../../goValue.ts';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { validateUsableAddress } from './endpoints.ts';
import { type IntOrString, intOrString } from './goTexts.ts';
import { validatePort, validateProtocol } from './ports.ts';
import { validateLabels } from './selectors.ts';
import { address, addressRange, portNumber, sloppyAddress } from './texts.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinities = ['ClientIP', 'None'];
const trafficPolicies = ['Cluster', 'Local'];
const families = ['IPv4', 'IPv6'];
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const longestAffinity = 86_400n;

/** What several checks ask of a service. */
interface Kind {
  readonly type: string;
  /** Undefined where that is not known. */
  readonly clusterIPs: readonly string[];
  readonly isHeadless: boolean;
}

export function validateService(object: Fields): void {
  const spec = object.object('spec');
  object.part(() => topology(object));
  const kind = spec.check.known(() => kindOf(spec));
  if (!kind) return;
  spec.part(() => ofType(spec, kind));
  spec.part(() => ports(spec, kind));
  spec.part(() => validateLabels(spec, 'selector'));
  spec.part(() => sessionAffinity(spec));
  spec.part(() => clusterIPs(spec, kind));
  spec.part(() => externalIPs(spec));
  spec.part(() => sourceRanges(object, spec, kind));
  spec.part(() => ofLoadBalancer(spec, kind));
  spec.part(() => externalTraffic(spec, kind));
  spec.part(() => {
    const policy = spec.pointed('internalTrafficPolicy');
    if (policy === undefined || trafficPolicies.includes(policy)) return;
    spec.check.unsupported(spec.at('internalTrafficPolicy'), goString(policy), trafficPolicies);
  });
  spec.part(() => {
    const { trafficDistributions } = spec.version.builtin;
    const where = spec.pointed('trafficDistribution');
    if (where === undefined || trafficDistributions.includes(where)) return;
    spec.check.unsupported(spec.at('trafficDistribution'), where, trafficDistributions);
  });
}

/** The one address stands for the list, if that is not there. */
function kindOf(spec: Fields): Kind {
  const [one, all] = [spec.text('clusterIP'), spec.texts('clusterIPs')];
  const clusterIPs = one !== '' && all.length === 0 ? [one] : all;
  return {
    type: spec.text('type') || 'ClusterIP',
    clusterIPs,
    isHeadless: clusterIPs.length === 1 && clusterIPs[0] === 'None',
  };
}

const hints = 'service.kubernetes.io/topology-aware-hints';
const mode = 'service.kubernetes.io/topology-mode';

function topology(object: Fields): void {
  const annotations = object.object('metadata').textMap('annotations');
  const [hint, value] = [annotations?.get(hints), annotations?.get(mode)];
  if (hint === undefined || value === undefined || hint === value) return;
  const spot = keyed(child(object.at('metadata'), 'annotations'), mode);
  object.check.invalid(spot, value, `must match annotations[${hints}] when both are specified`);
}

function ofType(spec: Fields, { type, clusterIPs: ips, isHeadless }: Kind): void {
  const { check } = spec;
  // Of a type that does not exist the server says so, whatever the ports are.
  spec.part(() => {
    if (spec.list('ports').length === 0 && !isHeadless && type !== 'ExternalName') spec.required('ports');
  });
  if (isHeadless && (type === 'LoadBalancer' || type === 'NodePort')) {
    const spot = {
      ...index(spec.at('clusterIPs'), 0),
      parent: { ...spec.at('clusterIPs'), steps: [] },
      steps: ['clusterIP'],
    };
    check.invalid(spot, 'None', `may not be set to 'None' for ${type} services`);
  }
  if (!types.includes(type)) {
    check.unsupported(spec.at('type'), goString(type), types);
    return;
  }
  if (type !== 'ExternalName') return;
  const why = 'may not be set for ExternalName services';
  if (ips.length > 0) {
    const written = spec.has('clusterIPs') ? 'clusterIPs' : 'clusterIP';
    check.forbidden(child(spec.spot, 'clusterIPs', [written]), why);
  }
  for (const key of ['ipFamilies', 'ipFamilyPolicy']) {
    if (key === 'ipFamilies' ? spec.list(key).length > 0 : spec.has(key)) check.forbidden(spec.at(key), why);
  }
  const name = spec.text('externalName').replace(/\.$/, '');
  if (name === '') spec.required('externalName');
  else spec.wrong(spec.at('externalName'), name, dns1123Subdomain(name), 'builtin/name');
}

function ports(spec: Fields, { type }: Kind): void {
  const many = spec.list('ports').length > 1;
  spec.part(() => {
    const names = new Set<string>();
    for (const port of spec.items('ports')) {
      const name = port.text('name');
      if (name === '') {
        if (many) port.required('name');
        continue;
      }
      port.wrong(port.at('name'), name, dns1123Label(name), 'builtin/name');
      if (names.has(name)) port.check.duplicate(port.at('name'), name);
      names.add(name);
    }
  });
  spec.each('ports', (port) => {
    const number = port.integer('port') ?? 0n;
    port.part(() => port.wrong(port.at('port'), number, portNumber(number), 'builtin/port'));
    port.part(() => validateProtocol(port));
    port.part(() => targetPort(port, number));
    port.part(() => {
      const protocol = port.pointed('appProtocol');
      if (protocol === undefined) return;
      port.wrong(port.at('appProtocol'), protocol, qualifiedName(protocol, port.version), 'builtin/name');
    });
    port.part(() => {
      const node = port.integer('nodePort') ?? 0n;
      if (type !== 'ClusterIP' || node === 0n) return;
      port.check.forbidden(port.at('nodePort'), "may not be used when `type` is 'ClusterIP'", 'builtin/port');
    });
  });
  spec.part(() => portsTwice(spec));
}

/** Where it is not given, it is the port. */
function targetPort(port: Fields, number: bigint): void {
  const target: IntOrString | undefined = intOrString(port, 'targetPort');
  if (target !== undefined && target !== 0n && target !== '') {
    validatePort(port, 'targetPort');
    return;
  }
  const spot = { ...port.at('targetPort'), steps: ['port'] };
  port.wrong(spot, number, portNumber(number), 'builtin/follows');
}

function portsTwice(spec: Fields): void {
  const { check } = spec;
  const [nodes, seen] = [new Set<string>(), new Set<string>()];
  for (const port of spec.items('ports')) {
    const protocol = port.text('protocol') || 'TCP';
    const [node, number] = [port.integer('nodePort') ?? 0n, port.integer('port') ?? 0n];
    const [nodeKey, key] = [`${protocol} ${node}`, `${protocol} ${number}`];
    if (node !== 0n && nodes.has(nodeKey)) check.duplicate(port.at('nodePort'), node);
    nodes.add(nodeKey);
    if (seen.has(key)) check.duplicate(port.spot, servicePort(protocol, number));
    seen.add(key);
  }
}

/** What of a port makes it the same as another. */
function servicePort(protocol: string, port: bigint) {
  const target = { go: 'own', json: goAny(0n), syntax: 'intstr.IntOrString{Type:0, IntVal:0, StrVal:""}' } as const;
  return {
    go: 'struct',
    type: 'core.ServicePort',
    fields: [
      { name: 'Name', value: goString('') },
      { name: 'Protocol', value: goString(protocol) },
      { name: 'AppProtocol', value: { go: 'nil', type: '*string' } },
      { name: 'Port', value: goAny(port) },
      { name: 'TargetPort', value: target },
      { name: 'NodePort', value: goAny(0n) },
    ],
  } as const;
}

function sessionAffinity(spec: Fields): void {
  const { check } = spec;
  const kind = spec.text('sessionAffinity') || 'None';
  if (!affinities.includes(kind)) check.unsupported(spec.at('sessionAffinity'), goString(kind), affinities);
  if (kind !== 'ClientIP') return;
  const client = spec.object('sessionAffinityConfig').object('clientIP');
  const seconds = client.integer('timeoutSeconds') ?? 10_800n;
  if (seconds > 0n && seconds <= longestAffinity) return;
  const why = `must be greater than 0 and less than ${longestAffinity}`;
  check.invalid(client.at('timeoutSeconds'), goAny(seconds), why);
}

function clusterIPs(spec: Fields, { type, clusterIPs: ips, isHeadless }: Kind): void {
  if (type === 'ExternalName') return;
  const { check } = spec;
  const list = child(spec.spot, 'clusterIPs', [spec.has('clusterIPs') ? 'clusterIPs' : 'clusterIP']);
  const at = (i: number) => (spec.has('clusterIPs') ? index(list, i) : { ...index(list, i), steps: [] });
  const one = spec.text('clusterIP');
  if (one !== '' && ips[0] !== one) check.invalid(list, goStrings(ips), 'first value must match `clusterIP`');
  if (one === '' && ips.length > 0) {
    check.invalid(list, goStrings(ips), 'must be empty when `clusterIP` is not specified');
  }
  ipFamilies(spec);
  let wrong = 0;
  for (const [i, ip] of ips.entries()) {
    if (i === 0 && ip === 'None') {
      if (ips.length > 1) check.invalid(list, goStrings(ips), "'None' must be the first and only value");
      wrong += ips.length - 1;
      continue;
    }
    const texts = address(ip, spec.version);
    wrong += texts.length;
    spec.wrong(at(i), ip, texts);
  }
  if (ips.length > 2) check.invalid(list, goStrings(ips), 'may only hold up to 2 values');
  if (wrong > 0) return;
  const isSix = ips.map((ip) => sloppyAddress(ip)?.bytes.length === 16);
  if (ips.length > 1 && new Set(isSix).size < 2) {
    check.invalid(list, goStrings(ips), 'may specify no more than one IP for each IP family');
  }
  if (isHeadless) return;
  for (const [i, family] of spec.texts('ipFamilies').entries()) {
    const ip = ips[i];
    if (ip === undefined) break;
    if ((family === 'IPv4' && isSix[i]) || (family === 'IPv6' && !isSix[i])) {
      check.invalid(at(i), ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``);
    }
  }
}

function ipFamilies(spec: Fields): void {
  const { check } = spec;
  const seen = new Set<string>();
  for (const [i, family] of spec.texts('ipFamilies').entries()) {
    const spot = index(spec.at('ipFamilies'), i);
    if (!families.includes(family)) check.unsupported(spot, goString(family), families);
    if (seen.has(family)) check.duplicate(spot, goString(family));
    seen.add(family);
  }
  const policy = spec.pointed('ipFamilyPolicy');
  if (policy === undefined || familyPolicies.includes(policy)) return;
  check.unsupported(spec.at('ipFamilyPolicy'), goString(policy), familyPolicies);
}

function externalIPs(spec: Fields): void {
  for (const [i, ip] of spec.texts('externalIPs').entries()) {
    const spot = index(spec.at('externalIPs'), i);
    const texts = address(ip, spec.version);
    spec.wrong(spot, ip, texts);
    if (texts.length === 0) validateUsableAddress(spec, spot, ip);
  }
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function sourceRanges(object: Fields, spec: Fields, { type }: Kind): void {
  const { check } = spec;
  const why = "may only be used when `type` is 'LoadBalancer'";
  const ranges = spec.texts('loadBalancerSourceRanges');
  if (ranges.length > 0) {
    const list = child(spec.spot, 'LoadBalancerSourceRanges', ['loadBalancerSourceRanges']);
    if (type !== 'LoadBalancer') check.forbidden(list, why);
    for (const [i, range] of ranges.entries()) {
      spec.wrong(index(list, i), range.trim(), addressRange(range.trim(), spec.version));
    }
    return;
  }
  const annotation = object.object('metadata').textMap('annotations')?.get(rangesAnnotation);
  if (annotation === undefined) return;
  const spot = keyed(child(object.at('metadata'), 'annotations'), rangesAnnotation);
  if (type !== 'LoadBalancer') check.forbidden(spot, why);
  if (!check.version.builtin.rangesOfAnnotation || annotation.trim() === '') return;
  for (const range of annotation.split(',')) spec.wrong(spot, range.trim(), addressRange(range.trim(), spec.version));
}

function ofLoadBalancer(spec: Fields, { type }: Kind): void {
  if (type === 'LoadBalancer') {
    const name = spec.pointed('loadBalancerClass');
    if (name === undefined) return;
    spec.wrong(spec.at('loadBalancerClass'), name, qualifiedName(name, spec.version), 'builtin/name');
    return;
  }
  for (const key of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) {
    if (!spec.has(key)) continue;
    const quoted = key === 'loadBalancerClass' ? "may only be used when `type` is 'LoadBalancer'" : undefined;
    spec.check.forbidden(spec.at(key), quoted ?? "may only be used when `type` is 'LoadBalancer'");
  }
}

function externalTraffic(spec: Fields, { type }: Kind): void {
  const { check } = spec;
  const policy = spec.text('externalTrafficPolicy');
  const isOpen =
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && spec.list('externalIPs').length > 0);
  const spot = spec.at('externalTrafficPolicy');
  if (!isOpen) {
    if (policy !== '') check.invalid(spot, goString(policy), 'may only be set for externally-accessible services');
  } else if (policy !== '' && !trafficPolicies.includes(policy)) {
    check.unsupported(spot, goString(policy), trafficPolicies);
  }
  const port = spec.integer('healthCheckNodePort') ?? 0n;
  if (port === 0n) return;
  if (type === 'LoadBalancer' && policy === 'Local') {
    spec.wrong(spec.at('healthCheckNodePort'), port, portNumber(port), 'builtin/port');
  } else {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    check.invalid(spec.at('healthCheckNodePort'), port, why);
  }
}
