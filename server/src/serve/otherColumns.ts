import { humanDuration } from '../gostd/humanDuration.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import {
  age,
  type BuiltinColumn,
  type Cell,
  column,
  containers,
  count,
  integer,
  labels,
  name,
  number,
  numberAt,
  quantity,
  selectorText,
  text,
  textOr,
  wide,
} from './columnParts.ts';
import { at, type JsonMap, type JsonValue, listAt, mapAt, textAt } from './json.ts';

// The columns of kinds that are looked at less often: autoscaling, storage, quotas, endpoints, policies.

const flagAt = (otherwise: boolean, ...path: string[]): Cell => {
  return (object) => {
    const value = at(object, ...path);
    return typeof value === 'boolean' ? value : otherwise;
  };
};

/** A name that says that its object is the default, where an annotation does. */
const defaultName = (...annotations: string[]): BuiltinColumn => ({
  ...name,
  cell: (object) => {
    const isDefault = annotations.some((one) => at(object, 'metadata', 'annotations', one) === 'true');
    return `${textAt(object, 'metadata', 'name')}${isDefault ? ' (default)' : ''}`;
  },
});

/** As many are shown, and how many more there are. */
function first(most: number, all: readonly string[], between = ','): string {
  const shown = all.slice(0, most).join(between);
  return all.length > most ? `${shown} + ${all.length - most} more...` : shown;
}

// Autoscaling

const shownMetrics = 2;

function metrics(object: JsonMap): string {
  const specs = listAt(object, 'spec', 'metrics').map((one) => mapAt(one));
  const statuses = listAt(object, 'status', 'currentMetrics');
  if (specs.length === 0) return '<none>';
  return first(
    shownMetrics,
    specs.map((spec, i) => metric(spec, mapAt(statuses[i] ?? {}))),
    ', ',
  );
}

const metricMembers = new Map([
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Object', 'object'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
]);

function metric(spec: JsonMap, status: JsonMap): string {
  const type = textAt(spec, 'type');
  const member = metricMembers.get(type);
  if (member === undefined) return '<unknown type>';
  const target = mapAt(spec, member, 'target');
  const current = at(status, member, 'current');
  const isResource = type === 'Resource' || type === 'ContainerResource';
  const before = isResource ? `${textAt(spec, member, 'name')}: ` : '';
  if (isResource && target.averageValue === undefined) {
    return `${before}${percent(at(current, 'averageUtilization'), '<unknown>')}/${percent(target.averageUtilization, '<auto>')}`;
  }
  const isAverage = isResource || type === 'Pods' || target.averageValue !== undefined;
  const wanted = isAverage ? 'averageValue' : 'value';
  const is = at(current, wanted);
  const behind = isAverage && !isResource && type !== 'Pods' ? ' (avg)' : '';
  return `${before}${is === undefined ? '<unknown>' : quantity(is)}/${quantity(target[wanted])}${behind}`;
}

const percent = (value: JsonValue | undefined, otherwise: string) =>
  typeof value === 'number' ? `${value}%` : otherwise;

// Endpoints

const shownEndpoints = 3;

function endpoints(object: JsonMap): string {
  const subsets = listAt(object, 'subsets');
  const all = subsets.flatMap((subset) => {
    const addresses = listAt(mapAt(subset), 'addresses').map((one) => textAt(one, 'ip'));
    const ports = listAt(mapAt(subset), 'ports').map((one) => numberAt(mapAt(one), ['port']));
    return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((ip) => hostPort(ip, port)));
  });
  return subsets.length === 0 ? '<none>' : first(shownEndpoints, all);
}

const hostPort = (ip: string, port: number) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;

const slicePorts: Cell = (object) => {
  const ports = listAt(object, 'ports').map((one) => String(at(one, 'port') ?? at(one, 'name') ?? '*'));
  return first(shownEndpoints, ports) || '<unset>';
};
const sliceAddresses: Cell = (object) =>
  first(
    shownEndpoints,
    listAt(object, 'endpoints').flatMap((one) => listAt(mapAt(one), 'addresses').map(String)),
  ) || '<unset>';

// Quotas

/** What is used of what is limited: requests in one column, limits in the other. */
const used = (isLimits: boolean): Cell => {
  return (object) => {
    const hard = mapAt(object, 'status', 'hard');
    return Object.keys(hard)
      .sort(compareStrings)
      .filter((key) => key.startsWith('limits.') === isLimits)
      .map((key) => `${key}: ${quantity(at(object, 'status', 'used', key))}/${quantity(hard[key])}`)
      .join(', ');
  };
};

// Certificates

function requestStatus(object: JsonMap): string {
  const types = new Set(listAt(object, 'status', 'conditions').map((one) => textAt(one, 'type')));
  const said = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const issued = textAt(object, 'status', 'certificate') === '' ? '' : ',Issued';
  return `${said}${types.has('Failed') ? ',Failed' : ''}${issued}`;
}

const requestedDuration: Cell = (object) => {
  const seconds = at(object, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds) : '<none>';
};

// Policies

const paramKind: Cell = (object) => {
  const kind = at(object, 'spec', 'paramKind');
  return kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
};

const policyColumns = (heading: string, member: string) => [
  ...[name, integer(heading, count('spec', member)), column('ParamKind', paramKind), age],
];

function paramRef(object: JsonMap): string {
  const ref = at(object, 'spec', 'paramRef');
  if (ref === undefined) return '<unset>';
  const named = textAt(ref, 'name');
  if (named !== '') return `${textAt(ref, 'namespace') || '*'}/${named}`;
  const chosen = at(ref, 'selector');
  return chosen === undefined ? '<unset>' : selectorText(mapAt(chosen));
}

const bindingColumns = [name, column('PolicyName', text('spec', 'policyName')), column('ParamRef', paramRef), age];

// Others

const controller: Cell = (object) => {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((one) => at(one, 'controller') === true);
  if (owner === undefined) return '<none>';
  const [group = ''] = textAt(owner, 'apiVersion').split('/').reverse().slice(1);
  const kind = `${textAt(owner, 'kind')}${group === '' ? '' : `.${group}`}`;
  return `${kind.toLowerCase()}/${textAt(owner, 'name')}`;
};

const classParameters: Cell = (object) => {
  const parameters = at(object, 'spec', 'parameters');
  if (parameters === undefined) return '<none>';
  const group = at(parameters, 'apiGroup');
  return `${textAt(parameters, 'kind')}${group === undefined ? '' : `.${group}`}/${textAt(parameters, 'name')}`;
};

const audiences: Cell = (object) => {
  const requests = at(object, 'spec', 'tokenRequests');
  return Array.isArray(requests) ? requests.map((one) => textAt(one, 'audience')).join(',') : '<unset>';
};

const boolean = (heading: string, cell: Cell) => column(heading, cell, 'boolean');

export const otherColumns: Readonly<Record<string, readonly BuiltinColumn[]>> = {
  ReplicationController: [
    ...[name, integer('Desired', (object) => numberAt(object, ['spec', 'replicas'], 1))],
    ...[integer('Current', number('status', 'replicas')), integer('Ready', number('status', 'readyReplicas')), age],
    ...[...containers('spec', 'template'), wide('Selector', (object) => labels(mapAt(object, 'spec', 'selector')))],
  ],
  HorizontalPodAutoscaler: [
    name,
    column('Reference', (object) => {
      const target = mapAt(object, 'spec', 'scaleTargetRef');
      return `${textAt(target, 'kind')}/${textAt(target, 'name')}`;
    }),
    ...[
      column('Targets', metrics),
      column('MinPods', (object) => String(numberAt(object, ['spec', 'minReplicas'], 1))),
    ],
    ...[column('MaxPods', number('spec', 'maxReplicas')), column('Replicas', number('status', 'currentReplicas')), age],
  ],
  Endpoints: [name, column('Endpoints', endpoints), age],
  EndpointSlice: [
    ...[name, column('AddressType', text('addressType')), column('Ports', slicePorts)],
    ...[column('Endpoints', sliceAddresses), age],
  ],
  IngressClass: [
    defaultName('ingressclass.kubernetes.io/is-default-class'),
    ...[column('Controller', text('spec', 'controller')), column('Parameters', classParameters), age],
  ],
  StorageClass: [
    defaultName('storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'),
    ...[column('Provisioner', text('provisioner')), column('ReclaimPolicy', textOr('Delete', 'reclaimPolicy'))],
    column('VolumeBindingMode', textOr('Immediate', 'volumeBindingMode')),
    ...[column('AllowVolumeExpansion', flagAt(false, 'allowVolumeExpansion')), age],
  ],
  VolumeAttributesClass: [name, column('DriverName', text('driverName')), age],
  VolumeAttachment: [
    ...[name, { ...column('Attacher', text('spec', 'attacher')), isName: true }],
    column('PV', text('spec', 'source', 'persistentVolumeName')),
    ...[column('Node', text('spec', 'nodeName')), boolean('Attached', flagAt(false, 'status', 'attached')), age],
  ],
  CSINode: [name, integer('Drivers', count('spec', 'drivers')), age],
  CSIDriver: [
    ...[name, boolean('AttachRequired', flagAt(true, 'spec', 'attachRequired'))],
    boolean('PodInfoOnMount', flagAt(false, 'spec', 'podInfoOnMount')),
    boolean('StorageCapacity', flagAt(false, 'spec', 'storageCapacity')),
    column('TokenRequests', audiences),
    boolean('RequiresRepublish', flagAt(false, 'spec', 'requiresRepublish')),
    column('Modes', (object) => listAt(object, 'spec', 'volumeLifecycleModes').map(String).join(',') || 'Persistent'),
    age,
  ],
  ResourceQuota: [name, column('Request', used(false)), column('Limit', used(true)), age],
  PriorityClass: [
    ...[name, integer('Value', number('value')), boolean('Global-Default', flagAt(false, 'globalDefault')), age],
    column('PreemptionPolicy', textOr('PreemptLowerPriority', 'preemptionPolicy')),
  ],
  RuntimeClass: [name, column('Handler', text('handler')), age],
  ControllerRevision: [name, column('Controller', controller), column('Revision', number('revision')), age],
  CertificateSigningRequest: [
    ...[name, age, column('SignerName', textOr('<none>', 'spec', 'signerName'))],
    ...[column('Requestor', text('spec', 'username')), column('RequestedDuration', requestedDuration)],
    column('Condition', requestStatus),
  ],
  ValidatingAdmissionPolicy: policyColumns('Validations', 'validations'),
  MutatingAdmissionPolicy: policyColumns('Mutations', 'mutations'),
  ValidatingAdmissionPolicyBinding: bindingColumns,
  MutatingAdmissionPolicyBinding: bindingColumns,
};
