import { humanDuration } from '../gostd/humanDuration.ts';
import { ageOf } from '../kubernetes/cr/table.ts';
import {
  age,
  type BuiltinColumn,
  type Cell,
  column,
  containers,
  count,
  integer,
  joinedSet,
  labels,
  name,
  number,
  numberAt,
  quantity,
  selector,
  selectorText,
  text,
  textOr,
  wide,
} from './columnParts.ts';
import { at, type JsonMap, type JsonValue, listAt, mapAt, textAt } from './json.ts';
import { otherColumns } from './otherColumns.ts';
import { podReady, podRestarts, podStatus, readinessGates } from './podCells.ts';

// The columns of built-in kinds in tables, as Kubernetes' printers have them. What a real server would have set as a default
// before it prints is shown as if it were set.

// What runs pods

const ofTemplate = containers('spec', 'template');
const desired: Cell = (object) => numberAt(object, ['spec', 'replicas'], 1);
const ready: Cell = (object) => `${numberAt(object, ['status', 'readyReplicas'])}/${desired(object, 0)}`;
const ofSelector = wide('Selector', selector('spec', 'selector'));

const jobConditions: readonly (readonly [type: string, status: string])[] = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

function jobStatus(object: JsonMap): string {
  const met = new Set(
    listAt(object, 'status', 'conditions')
      .filter((one) => textAt(one, 'status') === 'True')
      .map((one) => textAt(one, 'type')),
  );
  const goes = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  const found = jobConditions.find(([type]) => (type === '' ? goes : met.has(type)));
  return found?.[1] ?? 'Running';
}

function jobCompletions(object: JsonMap): string {
  const spec = mapAt(object, 'spec');
  const succeeded = numberAt(object, ['status', 'succeeded']);
  const wanted = spec.completions ?? (spec.parallelism === undefined ? 1 : undefined);
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallelism = numberAt(spec, ['parallelism']);
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(object: JsonMap, now: number): string {
  const [start, end] = [textAt(object, 'status', 'startTime'), textAt(object, 'status', 'completionTime')];
  if (start === '') return '';
  return humanDuration((end === '' ? now : Date.parse(end) / 1000) - Date.parse(start) / 1000);
}

// Networks

const addresses = (object: JsonMap) =>
  joinedSet(
    listAt(object, 'status', 'loadBalancer', 'ingress')
      .map((one) => textAt(one, 'ip') || textAt(one, 'hostname'))
      .filter((one) => one !== ''),
  );

function clusterIp(object: JsonMap): string {
  const [first] = listAt(object, 'spec', 'clusterIPs');
  return String(first ?? '') || textAt(object, 'spec', 'clusterIP') || '<none>';
}

function externalIp(object: JsonMap): string {
  const type = textAt(object, 'spec', 'type') || 'ClusterIP';
  if (type === 'ExternalName') return textAt(object, 'spec', 'externalName');
  const balanced = type === 'LoadBalancer' ? addresses(object) : '';
  const own = listAt(object, 'spec', 'externalIPs').map(String);
  const all = [...(balanced === '' ? [] : [balanced]), ...own].join(',');
  return all || (type === 'LoadBalancer' ? '<pending>' : '<none>');
}

function servicePorts(object: JsonMap): string {
  const ports = listAt(object, 'spec', 'ports').map((one) => {
    const nodePort = numberAt(mapAt(one), ['nodePort']);
    const port = numberAt(mapAt(one), ['port']);
    return `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(one, 'protocol') || 'TCP'}`;
  });
  return ports.join(',') || '<none>';
}

/** As many hosts are named, and then how many rules more there are. */
const namedHosts = 3;

function hosts(object: JsonMap): string {
  const rules = listAt(object, 'spec', 'rules').map((one) => textAt(one, 'host'));
  const named: string[] = [];
  let isCut = false;
  for (const host of rules) {
    if (named.length === namedHosts) isCut = true;
    if (!isCut && host !== '') named.push(host);
  }
  if (named.length === 0) return '*';
  return isCut ? `${named.join(',')} + ${rules.length - namedHosts} more...` : named.join(',');
}

const ingressPorts: Cell = (object) => (listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80');

// Volumes

const modes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function accessModes(all: readonly JsonValue[]): string {
  return modes
    .filter(([mode]) => all.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

const volumePhase: Cell = (object) =>
  textAt(object, 'metadata', 'deletionTimestamp') === ''
    ? textAt(object, 'status', 'phase') || 'Pending'
    : 'Terminating';

function storageClass(object: JsonMap): string {
  const named = at(object, 'metadata', 'annotations', 'volume.beta.kubernetes.io/storage-class');
  return typeof named === 'string' ? named : textAt(object, 'spec', 'storageClassName');
}

function claimOf(object: JsonMap): string {
  const claim = at(object, 'spec', 'claimRef');
  return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
}

const isBound = (object: JsonMap) => textAt(object, 'spec', 'volumeName') !== '';
const attributesClass = column('VolumeAttributesClass', textOr('<unset>', 'spec', 'volumeAttributesClassName'));
const volumeMode = wide('VolumeMode', textOr('Filesystem', 'spec', 'volumeMode'));

// Nodes and users

function nodeStatus(object: JsonMap): string {
  const condition = listAt(object, 'status', 'conditions').findLast((one) => textAt(one, 'type') === 'Ready');
  const said = condition === undefined ? 'Unknown' : textAt(condition, 'status') === 'True' ? 'Ready' : 'NotReady';
  return at(object, 'spec', 'unschedulable') === true ? `${said},SchedulingDisabled` : said;
}

const roleLabel = 'node-role.kubernetes.io/';

function nodeRoles(object: JsonMap): string {
  const roles = Object.entries(mapAt(object, 'metadata', 'labels')).map(([key, value]) =>
    key.startsWith(roleLabel) ? key.slice(roleLabel.length) : key === 'kubernetes.io/role' ? String(value) : '',
  );
  return joinedSet(roles.filter((role) => role !== '')) || '<none>';
}

const nodeAddress =
  (type: string): Cell =>
  (object) => {
    const found = listAt(object, 'status', 'addresses').find((one) => textAt(one, 'type') === type);
    return found === undefined ? '<none>' : textAt(found, 'address');
  };

const nodeInfo = (member: string) => textOr('<unknown>', 'status', 'nodeInfo', member);

function kernel(object: JsonMap, now: number): string {
  const architecture = textAt(object, 'status', 'nodeInfo', 'architecture');
  return `${nodeInfo('kernelVersion')(object, now)}${architecture === '' ? '' : ` (${architecture})`}`;
}

const subjects =
  (kind: string): Cell =>
  (object) =>
    listAt(object, 'subjects')
      .filter((one) => textAt(one, 'kind') === kind)
      .map((one) => `${kind === 'ServiceAccount' ? `${textAt(one, 'namespace')}/` : ''}${textAt(one, 'name')}`)
      .join(', ');

const ofBindings: readonly BuiltinColumn[] = [
  name,
  column('Role', (object) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`),
  age,
  wide('Users', subjects('User')),
  wide('Groups', subjects('Group')),
  wide('ServiceAccounts', subjects('ServiceAccount')),
];

// Events

const firstSeen: Cell = (object, now) => ageOf(textAt(object, 'firstTimestamp') || textAt(object, 'eventTime'), now);

function lastSeen(object: JsonMap, now: number): JsonValue {
  if (at(object, 'series') !== undefined) return ageOf(textAt(object, 'series', 'lastObservedTime'), now);
  const last = textAt(object, 'lastTimestamp');
  return last === '' ? firstSeen(object, now) : ageOf(last, now);
}

function eventCount(object: JsonMap): number {
  if (at(object, 'series') !== undefined) return numberAt(object, ['series', 'count']);
  return numberAt(object, ['count']) || 1;
}

function eventObject(object: JsonMap): string {
  const { kind, name: named } = mapAt(object, 'involvedObject');
  return `${String(kind ?? '').toLowerCase()}${named ? `/${named}` : ''}`;
}

function eventSource(object: JsonMap): string {
  const component = textAt(object, 'source', 'component') || textAt(object, 'reportingComponent');
  const instance = textAt(object, 'source', 'host') || textAt(object, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}

const entries = (object: JsonMap, member: string) => Object.keys(mapAt(object, member)).length;

/** The columns of each kind, in their order. */
const byKind = new Map<string, readonly BuiltinColumn[]>(
  Object.entries({
    Pod: [
      name,
      column('Ready', podReady),
      column('Status', podStatus),
      column('Restarts', podRestarts),
      age,
      wide('IP', (object) => textAt(listAt(object, 'status', 'podIPs')[0], 'ip') || '<none>'),
      wide('Node', textOr('<none>', 'spec', 'nodeName')),
      wide('Nominated Node', textOr('<none>', 'status', 'nominatedNodeName')),
      wide('Readiness Gates', readinessGates),
    ],
    Deployment: [
      name,
      column('Ready', ready),
      column('Up-to-date', number('status', 'updatedReplicas')),
      column('Available', number('status', 'availableReplicas')),
      age,
      ...ofTemplate,
      wide('Selector', (object) => selectorText(mapAt(object, 'spec', 'selector'))),
    ],
    StatefulSet: [name, column('Ready', ready), age, ...ofTemplate],
    ReplicaSet: [
      ...[name, integer('Desired', desired), integer('Current', number('status', 'replicas'))],
      ...[integer('Ready', number('status', 'readyReplicas')), age, ...ofTemplate, ofSelector],
    ],
    DaemonSet: [
      name,
      integer('Desired', number('status', 'desiredNumberScheduled')),
      integer('Current', number('status', 'currentNumberScheduled')),
      integer('Ready', number('status', 'numberReady')),
      integer('Up-to-date', number('status', 'updatedNumberScheduled')),
      integer('Available', number('status', 'numberAvailable')),
      column('Node Selector', (object) => labels(mapAt(object, 'spec', 'template', 'spec', 'nodeSelector'))),
      ...[age, ...ofTemplate, ofSelector],
    ],
    Job: [
      ...[name, column('Status', jobStatus), column('Completions', jobCompletions), column('Duration', jobDuration)],
      ...[age, ...ofTemplate, ofSelector],
    ],
    CronJob: [
      ...[name, column('Schedule', text('spec', 'schedule')), column('Timezone', textOr('<none>', 'spec', 'timeZone'))],
      column('Suspend', (object) => (at(object, 'spec', 'suspend') === true ? 'True' : 'False'), 'boolean'),
      integer('Active', count('status', 'active')),
      column('Last Schedule', (object, now) => {
        const last = textAt(object, 'status', 'lastScheduleTime');
        return last === '' ? '<none>' : ageOf(last, now);
      }),
      ...[age, ...containers('spec', 'jobTemplate', 'spec', 'template')],
      wide('Selector', selector('spec', 'jobTemplate', 'spec', 'selector')),
    ],
    Service: [
      ...[name, column('Type', textOr('ClusterIP', 'spec', 'type')), column('Cluster-IP', clusterIp)],
      ...[column('External-IP', externalIp), column('Port(s)', servicePorts), age],
      wide('Selector', (object) => labels(mapAt(object, 'spec', 'selector'))),
    ],
    Ingress: [
      ...[name, column('Class', textOr('<none>', 'spec', 'ingressClassName')), column('Hosts', hosts)],
      ...[column('Address', addresses), column('Ports', ingressPorts), age],
    ],
    NetworkPolicy: [name, column('Pod-Selector', selector('spec', 'podSelector')), age],
    ConfigMap: [name, column('Data', (object) => entries(object, 'data') + entries(object, 'binaryData')), age],
    Secret: [name, column('Type', textOr('Opaque', 'type')), column('Data', (object) => entries(object, 'data')), age],
    ServiceAccount: [name, age],
    Namespace: [name, column('Status', text('status', 'phase')), age],
    Node: [
      ...[name, column('Status', nodeStatus), column('Roles', nodeRoles), age],
      column('Version', text('status', 'nodeInfo', 'kubeletVersion')),
      wide('Internal-IP', nodeAddress('InternalIP')),
      wide('External-IP', nodeAddress('ExternalIP')),
      ...[wide('OS-Image', nodeInfo('osImage')), wide('Kernel-Version', kernel)],
      wide('Container-Runtime', nodeInfo('containerRuntimeVersion')),
    ],
    PersistentVolume: [
      ...[name, column('Capacity', (object) => quantity(at(object, 'spec', 'capacity', 'storage')))],
      column('Access Modes', (object) => accessModes(listAt(object, 'spec', 'accessModes'))),
      column('Reclaim Policy', textOr('Retain', 'spec', 'persistentVolumeReclaimPolicy')),
      ...[
        column('Status', volumePhase),
        column('Claim', claimOf),
        column('StorageClass', storageClass),
        attributesClass,
      ],
      ...[column('Reason', text('status', 'reason')), age, volumeMode],
    ],
    PersistentVolumeClaim: [
      ...[name, column('Status', volumePhase), column('Volume', text('spec', 'volumeName'))],
      column('Capacity', (object) => (isBound(object) ? quantity(at(object, 'status', 'capacity', 'storage')) : '')),
      column('Access Modes', (object) => (isBound(object) ? accessModes(listAt(object, 'status', 'accessModes')) : '')),
      ...[column('StorageClass', storageClass), attributesClass, age, volumeMode],
    ],
    Event: [
      ...[column('Last Seen', lastSeen), column('Type', text('type')), column('Reason', text('reason'))],
      ...[column('Object', eventObject), wide('Subobject', text('involvedObject', 'fieldPath'))],
      ...[wide('Source', eventSource), column('Message', (object) => textAt(object, 'message').trim())],
      ...[wide('First Seen', firstSeen), wide('Count', eventCount), { ...name, isWide: true }],
    ],
    Lease: [name, column('Holder', text('spec', 'holderIdentity')), age],
    RoleBinding: ofBindings,
    ClusterRoleBinding: ofBindings,
    PodDisruptionBudget: [
      name,
      ...(['minAvailable', 'maxUnavailable'] as const).map((member) =>
        column(member === 'minAvailable' ? 'Min Available' : 'Max Unavailable', (object) =>
          String(at(object, 'spec', member) ?? 'N/A'),
        ),
      ),
      ...[integer('Allowed Disruptions', number('status', 'disruptionsAllowed')), age],
    ],
    MutatingWebhookConfiguration: [name, integer('Webhooks', count('webhooks')), age],
    ValidatingWebhookConfiguration: [name, integer('Webhooks', count('webhooks')), age],
  }),
);

/** Kinds without a printer of their own. */
const plain: readonly BuiltinColumn[] = [name, column('Created At', text('metadata', 'creationTimestamp'), 'date')];
const unprinted = new Set(['Role', 'ClusterRole', 'LimitRange']);

/** The columns of a kind; those of kinds that are not here are their name and age. */
export function columnsOf(kind: string): readonly BuiltinColumn[] {
  return byKind.get(kind) ?? otherColumns[kind] ?? (unprinted.has(kind) ? plain : [name, age]);
}
