import type { ApiAnswer, ApiRequest } from '../support/apiServer.ts';

// Built-in objects, and how a table shows them.

type Json = Readonly<Record<string, unknown>>;
interface Shown {
  readonly path: string;
  readonly body: Json;
  /** What a controller would say of it. */
  readonly status?: Json;
}

const core = '/api/v1';
const ns = `${core}/namespaces/default`;
const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const network = '/apis/networking.k8s.io/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

const one = (path: string, apiVersion: string, kind: string, name: string, more: Json, status?: Json): Shown => {
  const { metadata, ...rest } = more;
  const body = { apiVersion, kind, metadata: { name, ...(metadata as Json) }, ...rest };
  return { path, body, ...(status && { status }) };
};

const containers = [
  { name: 'web', image: 'nginx:1.29' },
  { name: 'side', image: 'busybox' },
];
const selector = {
  matchLabels: { b: 'c', app: 'web' },
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['z', 'a'] },
    { key: 'old', operator: 'DoesNotExist' },
    { key: 'new', operator: 'Exists' },
    { key: 'env', operator: 'NotIn', values: ['dev'] },
  ],
};
const labels = { app: 'web', b: 'c', tier: 'a', new: 'x', env: 'prod' };
const template = { metadata: { labels }, spec: { containers } };
const pod = (name: string, spec: Json, status?: Json, metadata: Json = {}) =>
  one(`${ns}/pods`, 'v1', 'Pod', name, { metadata, spec: { containers, ...spec } }, status);
const job = (name: string, spec: Json, status?: Json) =>
  one(
    `${batch}/jobs`,
    'batch/v1',
    'Job',
    name,
    {
      spec: {
        ...{ manualSelector: true, selector: { matchLabels: { app: 'web' } } },
        template: { ...template, spec: { containers, restartPolicy: 'Never' } },
        ...spec,
      },
    },
    status,
  );
const service = (name: string, spec: Json, status?: Json) =>
  one(`${ns}/services`, 'v1', 'Service', name, { spec }, status);
const ended = {
  exitCode: 0,
  reason: 'Completed',
  startedAt: '2020-01-01T00:00:00Z',
  finishedAt: '2020-01-01T00:00:00Z',
};
const container = (name: string, state: Json, more: Json = {}) => ({
  ...{ name, image: 'i', imageID: 'i', ready: false, restartCount: 0, state },
  ...more,
});
const condition = (type: string, status = 'True', more: Json = {}) => ({ type, status, ...more });

const pods: readonly Shown[] = [
  pod('p1', {}),
  pod(
    'p2',
    { nodeName: 'n1' },
    {
      phase: 'Running',
      podIP: '10.1.1.1',
      podIPs: [{ ip: '10.1.1.1' }],
      conditions: [condition('Ready')],
      containerStatuses: [
        container('web', { running: {} }, { ready: true, restartCount: 3, lastState: { terminated: ended } }),
        container('side', { waiting: { reason: 'CrashLoopBackOff' } }),
      ],
    },
  ),
  pod('p3', {}, { phase: 'Succeeded', containerStatuses: [container('web', { terminated: ended })] }),
  pod('p4', {}, { phase: 'Failed', containerStatuses: [container('web', { terminated: { exitCode: 3 } })] }),
  pod('p5', {}, { phase: 'Failed', reason: 'Evicted' }),
  pod(
    'p6',
    {
      initContainers: [
        { name: 'a', image: 'i' },
        { name: 'b', image: 'i', restartPolicy: 'Always' },
      ],
    },
    {
      phase: 'Pending',
      initContainerStatuses: [
        container('a', { terminated: ended }, { restartCount: 2 }),
        container('b', { running: {} }, { started: true, ready: true, restartCount: 1 }),
      ],
      containerStatuses: [container('web', { running: {} }, { ready: true })],
    },
  ),
  pod(
    'p7',
    { initContainers: [{ name: 'a', image: 'i' }] },
    {
      phase: 'Pending',
      initContainerStatuses: [container('a', { terminated: { exitCode: 137, signal: 9 } }, { restartCount: 4 })],
    },
  ),
  pod(
    'p8',
    { initContainers: [{ name: 'a', image: 'i' }] },
    {
      phase: 'Pending',
      initContainerStatuses: [container('a', { waiting: { reason: 'PodInitializing' } })],
    },
  ),
  pod(
    'p9',
    { readinessGates: [{ conditionType: 'a.b/c' }, { conditionType: 'd.e/f' }] },
    {
      phase: 'Running',
      conditions: [condition('Ready'), condition('a.b/c'), condition('d.e/f', 'False')],
      containerStatuses: [container('web', { terminated: ended }), container('side', { running: {} }, { ready: true })],
    },
  ),
];

const workloads: readonly Shown[] = [
  one(`${apps}/deployments`, 'apps/v1', 'Deployment', 'd1', { spec: { selector, template } }),
  one(
    `${apps}/deployments`,
    'apps/v1',
    'Deployment',
    'd2',
    { spec: { replicas: 3, selector, template } },
    {
      ...{ replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
    },
  ),
  one(`${apps}/statefulsets`, 'apps/v1', 'StatefulSet', 's1', { spec: { serviceName: 's', selector, template } }),
  one(`${apps}/replicasets`, 'apps/v1', 'ReplicaSet', 'r1', { spec: { replicas: 0, selector, template } }),
  one(`${apps}/daemonsets`, 'apps/v1', 'DaemonSet', 'a1', {
    spec: { selector, template: { ...template, spec: { containers, nodeSelector: { z: '1', a: '2' } } } },
  }),
  one(
    `${apps}/daemonsets`,
    'apps/v1',
    'DaemonSet',
    'a2',
    { spec: { selector, template } },
    {
      ...{ desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2 },
      ...{ numberAvailable: 1, numberMisscheduled: 0 },
    },
  ),
  job('j1', {}),
  job('j2', { parallelism: 3 }),
  job(
    'j3',
    { completions: 4, parallelism: 2 },
    {
      ...{ succeeded: 1, startTime: '2020-01-01T00:00:00Z' },
    },
  ),
  job('j4', { suspend: true }, { conditions: [condition('Suspended')] }),
  one(`${batch}/cronjobs`, 'batch/v1', 'CronJob', 'c1', {
    spec: {
      ...{
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } },
      },
    },
  }),
  one(
    `${batch}/cronjobs`,
    'batch/v1',
    'CronJob',
    'c2',
    {
      spec: {
        ...{ schedule: '@daily', timeZone: 'Etc/UTC', suspend: true },
        jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } },
      },
    },
    { lastScheduleTime: '2020-01-01T00:00:00Z', active: [{ kind: 'Job', name: 'x' }] },
  ),
];

const rule = (host: string) => ({
  host,
  http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
});
const networks: readonly Shown[] = [
  service('v1', { clusterIP: '10.0.0.50', selector: { b: 'c', a: 'd' }, ports: [{ port: 80 }] }),
  service('v2', { clusterIP: 'None', externalIPs: ['1.2.3.4', '1.2.3.5'] }),
  service('v3', {
    ...{ type: 'NodePort', clusterIP: '10.0.0.51' },
    ports: [
      { name: 'a', port: 80, nodePort: 30080 },
      { name: 'b', port: 53, protocol: 'UDP', nodePort: 30053 },
    ],
  }),
  service('v4', { type: 'ExternalName', externalName: 'example.com' }),
  service('v5', { type: 'LoadBalancer', clusterIP: '10.0.0.52', ports: [{ port: 80, nodePort: 30081 }] }),
  service(
    'v6',
    {
      ...{ type: 'LoadBalancer', clusterIP: '10.0.0.53', ports: [{ port: 80, nodePort: 30082 }] },
      externalIPs: ['9.9.9.9'],
    },
    { loadBalancer: { ingress: [{ hostname: 'z.example.com' }, { ip: '5.6.7.8' }] } },
  ),
  one(`${network}/ingresses`, 'networking.k8s.io/v1', 'Ingress', 'i1', {
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  }),
  one(
    `${network}/ingresses`,
    'networking.k8s.io/v1',
    'Ingress',
    'i2',
    {
      spec: {
        ...{ ingressClassName: 'nginx', tls: [{ hosts: ['a.example.com'] }] },
        rules: ['a', 'b', 'c', 'd', 'e'].map((letter) => rule(`${letter}.example.com`)),
      },
    },
    { loadBalancer: { ingress: [{ ip: '1.1.1.1' }, { hostname: 'a.b' }] } },
  ),
  one(`${network}/networkpolicies`, 'networking.k8s.io/v1', 'NetworkPolicy', 'n1', { spec: { podSelector: {} } }),
  one(`${network}/networkpolicies`, 'networking.k8s.io/v1', 'NetworkPolicy', 'n2', { spec: { podSelector: selector } }),
];

const event = (name: string, more: Json) =>
  one(`${ns}/events`, 'v1', 'Event', name, {
    ...{ involvedObject: { kind: 'Pod', name: 'p1', namespace: 'default', fieldPath: 'spec.containers{web}' } },
    ...{ type: 'Warning', reason: 'BackOff', message: ' it waits \n', ...more },
  });
const group = 'rbac.authorization.k8s.io';
const subjects = [
  { kind: 'User', name: 'jane', apiGroup: group },
  { kind: 'User', name: 'joe', apiGroup: group },
  { kind: 'Group', name: 'devs', apiGroup: group },
  { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
];
const claim = { accessModes: ['ReadWriteMany', 'ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } };
const others: readonly Shown[] = [
  one(`${ns}/configmaps`, 'v1', 'ConfigMap', 'm1', { data: { a: 'b', c: 'd' }, binaryData: { e: 'eA==' } }),
  one(`${ns}/configmaps`, 'v1', 'ConfigMap', 'm2', {}),
  one(`${ns}/secrets`, 'v1', 'Secret', 'x1', { data: { a: 'eA==' } }),
  one(`${ns}/secrets`, 'v1', 'Secret', 'x2', { type: 'example.com/own' }),
  one(`${ns}/serviceaccounts`, 'v1', 'ServiceAccount', 'u1', {}),
  one(`${core}/namespaces`, 'v1', 'Namespace', 'space', {}),
  one(`${core}/nodes`, 'v1', 'Node', 'n1', {}),
  one(
    `${core}/nodes`,
    'v1',
    'Node',
    'n2',
    {
      metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' } },
      spec: { unschedulable: true },
    },
    {
      conditions: [condition('Ready')],
      addresses: [{ type: 'InternalIP', address: '10.2.2.2' }],
      nodeInfo: {
        ...{
          kubeletVersion: 'v1.36.3',
          osImage: 'Debian',
          kernelVersion: '6.1',
          containerRuntimeVersion: 'containerd://2',
        },
        ...{
          architecture: 'arm64',
          machineID: '',
          systemUUID: '',
          bootID: '',
          kubeProxyVersion: '',
          operatingSystem: '',
        },
      },
    },
  ),
  one(`${core}/persistentvolumes`, 'v1', 'PersistentVolume', 'o1', {
    spec: {
      ...{ accessModes: ['ReadWriteOncePod'], capacity: { storage: '2000Mi' }, hostPath: { path: '/x' } },
      ...{ storageClassName: 'fast', claimRef: { namespace: 'default', name: 'q1' } },
    },
  }),
  one(`${ns}/persistentvolumeclaims`, 'v1', 'PersistentVolumeClaim', 'q1', { spec: claim }),
  one(
    `${ns}/persistentvolumeclaims`,
    'v1',
    'PersistentVolumeClaim',
    'q2',
    {
      spec: { ...claim, volumeName: 'o1', storageClassName: 'slow', volumeMode: 'Block' },
    },
    { phase: 'Bound', capacity: { storage: '1024Mi' }, accessModes: claim.accessModes },
  ),
  event('e1', { firstTimestamp: '2020-01-01T00:00:00Z', lastTimestamp: '2020-01-02T00:00:00Z', count: 4 }),
  event('e2', { source: { component: 'kubelet', host: 'n1' } }),
  one('/apis/coordination.k8s.io/v1/namespaces/default/leases', 'coordination.k8s.io/v1', 'Lease', 'l1', {
    spec: { holderIdentity: 'me' },
  }),
  one(`${rbac}/namespaces/default/roles`, `${group}/v1`, 'Role', 'ro', { rules: [] }),
  one(`${rbac}/namespaces/default/rolebindings`, `${group}/v1`, 'RoleBinding', 'rb', {
    ...{ roleRef: { apiGroup: group, kind: 'Role', name: 'ro' }, subjects },
  }),
  one('/apis/policy/v1/namespaces/default/poddisruptionbudgets', 'policy/v1', 'PodDisruptionBudget', 'b1', {
    spec: { minAvailable: '50%', selector: {} },
  }),
];

const storage = '/apis/storage.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const resource = (name: string, target: Json) => ({ type: 'Resource', resource: { name, target } });
const utilization = (averageUtilization: number) => ({ type: 'Utilization', averageUtilization });
const scaler = (name: string, metrics: readonly Json[], current: readonly Json[]) =>
  one(
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    name,
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 5,
        ...(metrics.length > 0 && { metrics }),
      },
    },
    { currentReplicas: 2, desiredReplicas: 2, currentMetrics: current },
  );
const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }];
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const action = { parameterNotFoundAction: 'Deny' };

const rare: readonly Shown[] = [
  one(
    `${ns}/replicationcontrollers`,
    'v1',
    'ReplicationController',
    'rc',
    {
      spec: { replicas: 2, selector: { app: 'web', b: 'c' }, template },
    },
    { replicas: 2, readyReplicas: 1 },
  ),
  scaler(
    'cpu',
    [resource('cpu', utilization(80))],
    [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12, averageValue: '5m' } } }],
  ),
  scaler(
    'many',
    [
      resource('memory', { type: 'AverageValue', averageValue: '1024Mi' }),
      { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '1k' } } },
      { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } } },
    ],
    [],
  ),
  scaler(
    'outside',
    [
      {
        type: 'External',
        external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '30' } },
      },
      {
        type: 'Object',
        object: {
          metric: { name: 'x' },
          describedObject: { kind: 'Service', name: 's' },
          target: { type: 'Value', value: '2' },
        },
      },
    ],
    [
      { type: 'External', external: { metric: { name: 'queue' }, current: { averageValue: '7', value: '0' } } },
      {
        type: 'Object',
        object: { metric: { name: 'x' }, describedObject: { kind: 'Service', name: 's' }, current: { value: '1500m' } },
      },
    ],
  ),
  one(`${ns}/endpoints`, 'v1', 'Endpoints', 'ep', {
    subsets: [
      {
        addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }],
        ports: [
          { port: 80, name: 'http' },
          { port: 443, name: 'tls' },
        ],
      },
    ],
  }),
  one(`${ns}/endpoints`, 'v1', 'Endpoints', 'none', {}),
  one('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', 'discovery.k8s.io/v1', 'EndpointSlice', 'es', {
    addressType: 'IPv4',
    endpoints: [
      { addresses: ['10.0.0.1'] },
      { addresses: ['10.0.0.2'] },
      { addresses: ['10.0.0.3'] },
      { addresses: ['10.0.0.4'] },
    ],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  }),
  one('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', 'discovery.k8s.io/v1', 'EndpointSlice', 'empty', {
    addressType: 'IPv6',
    endpoints: [],
  }),
  one('/apis/networking.k8s.io/v1/ingressclasses', 'networking.k8s.io/v1', 'IngressClass', 'ic', {
    metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: {
      controller: 'example.com/c',
      parameters: { apiGroup: 'example.com', kind: 'P', name: 'p', scope: 'Cluster' },
    },
  }),
  one(`${storage}/storageclasses`, 'storage.k8s.io/v1', 'StorageClass', 'sc', {
    metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    ...{ provisioner: 'example.com/p', allowVolumeExpansion: true },
  }),
  one(`${storage}/volumeattributesclasses`, 'storage.k8s.io/v1', 'VolumeAttributesClass', 'vac', {
    ...{ driverName: 'example.com', parameters: { a: 'b' } },
  }),
  one(`${storage}/volumeattachments`, 'storage.k8s.io/v1', 'VolumeAttachment', 'va', {
    spec: { attacher: 'example.com', nodeName: 'n1', source: { persistentVolumeName: 'o1' } },
  }),
  one(`${storage}/csinodes`, 'storage.k8s.io/v1', 'CSINode', 'cn', {
    spec: { drivers: [{ name: 'example.com', nodeID: 'n' }] },
  }),
  one(`${storage}/csidrivers`, 'storage.k8s.io/v1', 'CSIDriver', 'cd.example.com', {
    spec: { podInfoOnMount: true, tokenRequests: [{ audience: 'a' }, { audience: 'b' }] },
  }),
  one(`${storage}/csidrivers`, 'storage.k8s.io/v1', 'CSIDriver', 'plain.example.com', { spec: {} }),
  one(
    `${ns}/resourcequotas`,
    'v1',
    'ResourceQuota',
    'rq',
    { spec: { hard: { pods: '9' } } },
    {
      ...{
        hard: { pods: '9', 'limits.cpu': '2', 'requests.memory': '1Gi' },
        used: { pods: '1', 'limits.cpu': '500m' },
      },
    },
  ),
  one('/apis/scheduling.k8s.io/v1/priorityclasses', 'scheduling.k8s.io/v1', 'PriorityClass', 'pc', {
    value: 7,
    globalDefault: true,
  }),
  one('/apis/node.k8s.io/v1/runtimeclasses', 'node.k8s.io/v1', 'RuntimeClass', 'rtc', { handler: 'runc' }),
  one(`${apps}/controllerrevisions`, 'apps/v1', 'ControllerRevision', 'cr', {
    metadata: {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u', controller: true }],
    },
    ...{ revision: 3, data: {} },
  }),
  one(
    `${admission}/validatingadmissionpolicies`,
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    'vap',
    {
      spec: {
        paramKind,
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: 'true' }, { expression: 'false' }],
      },
    },
  ),
  one(
    `${admission}/validatingadmissionpolicybindings`,
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'vapb',
    {
      spec: { policyName: 'vap', validationActions: ['Audit'], paramRef: { name: 'x', namespace: 'y', ...action } },
    },
  ),
  one(
    `${admission}/validatingadmissionpolicybindings`,
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'vapc',
    {
      spec: { policyName: 'vap', validationActions: ['Audit'], paramRef: { name: 'x', ...action } },
    },
  ),
  one(`${admission}/mutatingadmissionpolicies`, 'admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy', 'map', {
    spec: {
      matchConstraints: { resourceRules: [{ ...rules[0], apiGroups: ['example.com'] }] },
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/x'}]" } }],
      reinvocationPolicy: 'Never',
    },
  }),
  one(
    `${admission}/mutatingadmissionpolicybindings`,
    'admissionregistration.k8s.io/v1',
    'MutatingAdmissionPolicyBinding',
    'mapb',
    {
      spec: { policyName: 'map' },
    },
  ),
];

const all = [...pods, ...workloads, ...networks, ...others, ...rare];

type Send = (request: ApiRequest) => Promise<ApiAnswer>;
interface Table {
  readonly columns: readonly (readonly unknown[])[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Columns whose cells say how long ago something was. */
const ages = new Set(['Age', 'Created At', 'Last Seen', 'First Seen', 'Last Schedule', 'Duration']);

/** What a server shows of them, by the path of their list. */
export async function tables(send: Send): Promise<Readonly<Record<string, Table>>> {
  for (const { path, body, status } of all) {
    const made = await send({ method: 'POST', path, body: JSON.stringify(body) });
    if (made.code !== 201) throw new Error(`${path}: ${made.body}`);
    if (!status) continue;
    const { name } = body.metadata as { name: string };
    const merge = { method: 'PATCH', type: 'application/merge-patch+json', body: JSON.stringify({ status }) } as const;
    const said = await send({ ...merge, path: `${path}/${name}/status` });
    if (said.code !== 200) throw new Error(`${path}/${name}/status: ${said.body}`);
  }
  const found: Record<string, Table> = {};
  for (const path of new Set(all.map((shown) => shown.path))) {
    const names = new Set(all.filter((shown) => shown.path === path).map(({ body }) => (body.metadata as Json).name));
    found[path] = tableIn(JSON.parse((await asTable(send, path)).body), names);
  }
  return found;
}

export const asTable = (send: Send, path: string) =>
  send({ method: 'GET', path, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });

interface Sent {
  readonly columnDefinitions: readonly { name: string; type: string; format: string; priority: number }[];
  readonly rows: readonly { cells: unknown[]; conditions?: unknown; object: { metadata: { name: string } } }[];
}

/** Without ages and what the server itself has put there. */
function tableIn({ columnDefinitions, rows }: Sent, names: ReadonlySet<unknown>): Table {
  const cell = (value: unknown, i: number) => {
    if (ages.has(columnDefinitions[i]!.name) && /^\d/.test(String(value))) return 'AGE';
    return typeof value === 'string' ? value.replace(/\(.* ago\)/, '(AGE ago)') : value;
  };
  return {
    columns: columnDefinitions.map(({ name, type, format, priority }) => [name, type, format, priority]),
    rows: rows
      .filter(({ object }) => names.has(object.metadata.name))
      .map(({ cells, conditions }) => [...cells.map(cell), ...(conditions ? [conditions] : [])]),
  };
}
