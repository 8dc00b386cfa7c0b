// The words that generated CRDs are made of: what operators really call their fields, by what such a field holds.

export const kindNouns = (
  'Database Cluster Gateway Route Policy Backup Cache Queue Topic Certificate Issuer Pipeline Runner Tunnel Volume ' +
  'Snapshot Network Firewall Secret Store Index Broker Stream Dashboard Alert Silence Probe Tenant Quota Mesh'
).split(' ');

export const kindAdjectives = 'Managed Virtual Global Edge Shared Scheduled Service Cloud Node Remote'.split(' ');

export const groups = [
  'storage.example.com',
  'net.example.org',
  'apps.acme.io',
  'security.example.dev',
  'monitoring.corp.net',
];

export const strings = (
  'image region zone className storageClassName secretName version hostname displayName schedule repository branch ' +
  'serviceAccountName subnet bucket prefix owner alias command'
).split(' ');

export const enums: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['mode', ['Active', 'Passive', 'Disabled']],
  ['strategy', ['RollingUpdate', 'Recreate']],
  ['protocol', ['TCP', 'UDP', 'SCTP']],
  ['engine', ['postgres', 'mysql', 'sqlite']],
  ['logLevel', ['debug', 'info', 'warn', 'error']],
  ['imagePullPolicy', ['Always', 'IfNotPresent', 'Never']],
  ['deletionPolicy', ['Delete', 'Retain', 'Orphan']],
  ['provider', ['aws', 'azure', 'gcp', 'on-prem']],
  ['encryption', ['None', 'AES256', 'KMS']],
];

export const integers =
  'replicas minReplicas maxReplicas port timeoutSeconds retries weight priority backoffLimit sizeGiB historyLimit'.split(
    ' ',
  );

export const booleans = 'enabled suspend paused debug readOnly tls automount verbose'.split(' ');

export const intOrStrings = 'maxUnavailable maxSurge targetPort minAvailable'.split(' ');

export const quantities = 'cpu memory storageSize bandwidth'.split(' ');

export const formatted: readonly (readonly [name: string, format: string, value: string])[] = [
  ['startTime', 'date-time', '2024-05-06T07:08:09Z'],
  ['timeout', 'duration', '30s'],
  ['address', 'ipv4', '10.1.2.3'],
  ['podCIDR', 'cidr', '10.0.0.0/16'],
  ['endpoint', 'uri', 'https://example.com/path'],
];

export const maps = 'labels annotations nodeSelector parameters extraLabels'.split(' ');

export const objects =
  'storage network resources auth backup monitoring security scheduling source destination template tuning'.split(' ');

export const objectLists = 'ports users rules endpoints volumes databases listeners backends'.split(' ');

export const stringLists = 'hosts args tags namespaces zones allowedGroups'.split(' ');
