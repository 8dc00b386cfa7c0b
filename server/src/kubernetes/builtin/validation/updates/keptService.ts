import { equalValues, isList, isMap, type Value, type ValueMap } from '../../../../base/value.ts';

/**
 * A Service as the server has it before it validates an update: what is not said stays as it was, and what belongs to the
 * type that it had is gone, unless it was changed as well.
 */
export function keptService(object: ValueMap, old: ValueMap): ValueMap {
  const [spec, before] = [specOf(object), specOf(old)];
  const kept = new Map(spec);
  const [type, oldType] = [typeOf(spec), typeOf(before)];
  if (type !== 'ExternalName' && oldType !== 'ExternalName') keepAddresses(kept, before);
  if (type === 'ExternalName' && oldType !== 'ExternalName') {
    for (const key of addressKeys) dropUnchanged(kept, before, key);
  }
  if (usesNodePorts(oldType) && !usesNodePorts(type)) dropNodePorts(kept, before);
  if (oldType === 'LoadBalancer' && type !== 'LoadBalancer') {
    dropUnchanged(kept, before, 'loadBalancerClass');
    dropUnchanged(kept, before, 'allocateLoadBalancerNodePorts', true);
  }
  if (needsHealthCheck(before) && !needsHealthCheck(spec)) dropUnchanged(kept, before, 'healthCheckNodePort');
  if (isOpen(before) && !isOpen(spec)) dropUnchanged(kept, before, 'externalTrafficPolicy', 'Cluster');
  return new Map(object).set('spec', kept);
}

function specOf(service: ValueMap): ValueMap {
  const spec = service.get('spec');
  return isMap(spec) ? spec : new Map();
}

const addressKeys = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

function typeOf(spec: ValueMap): Value {
  return spec.get('type') || 'ClusterIP';
}

const usesNodePorts = (type: Value) => type === 'NodePort' || type === 'LoadBalancer';

function needsHealthCheck(spec: ValueMap): boolean {
  return typeOf(spec) === 'LoadBalancer' && spec.get('externalTrafficPolicy') === 'Local';
}

/** Whether it can be reached from outside. */
function isOpen(spec: ValueMap): boolean {
  const external = spec.get('externalIPs');
  return usesNodePorts(typeOf(spec)) || (typeOf(spec) === 'ClusterIP' && isList(external) && external.length > 0);
}

/** The one address and the list begin alike; where only one of them is written, the server makes the other. */
function keepAddresses(kept: Map<string, Value>, before: ValueMap): void {
  const [old, oldList] = [firstOf(before), listOf(before)];
  if (old === undefined) return;
  if (isAbsent(kept.get('clusterIP'))) kept.set('clusterIP', old);
  const list = kept.get('clusterIPs');
  const isSame = !isList(list) || list.length === 0 || equalValues(list, oldList);
  if (isSame) kept.set('clusterIPs', kept.get('clusterIP') === old ? oldList : [kept.get('clusterIP')!]);
}

function listOf(spec: ValueMap): readonly Value[] {
  const [one, all] = [spec.get('clusterIP'), spec.get('clusterIPs')];
  if (isList(all) && all.length > 0) return all;
  return isAbsent(one) ? [] : [one!];
}

function firstOf(spec: ValueMap): Value | undefined {
  const one = spec.get('clusterIP');
  return isAbsent(one) ? listOf(spec)[0] : one;
}

function isAbsent(value: Value | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** `otherwise` is what it was where it is not written. */
function dropUnchanged(kept: Map<string, Value>, before: ValueMap, key: string, otherwise?: Value): void {
  const [is, was] = [kept.get(key), before.get(key) ?? otherwise];
  if (is !== undefined && was !== undefined && equalValues(is, was)) kept.delete(key);
}

function dropNodePorts(kept: Map<string, Value>, before: ValueMap): void {
  const old = nodePorts(before);
  const ports = kept.get('ports');
  if (!isList(ports) || [...nodePorts(kept)].some((port) => !old.has(port))) return;
  kept.set(
    'ports',
    ports.map((port) => (isMap(port) ? new Map([...port].filter(([key]) => key !== 'nodePort')) : port)),
  );
}

function nodePorts(spec: ValueMap): ReadonlySet<Value> {
  const ports = spec.get('ports');
  const all = isList(ports) ? ports.map((port) => (isMap(port) ? port.get('nodePort') : undefined)) : [];
  return new Set(all.filter((port): port is Value => port !== undefined && port !== 0n));
}
