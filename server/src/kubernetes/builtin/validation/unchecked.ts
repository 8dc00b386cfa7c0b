/** A part of what the API server validates that is not validated here, and how its errors look. */
export interface Unchecked {
  readonly what: string;
  /** The fields that errors name. */
  readonly field: RegExp;
  /** Where it is only some of the errors of a field, how they read. */
  readonly message?: RegExp;
}

/** What of the kinds that are validated is left out; docs/builtin-kinds.md lists it. */
export const uncheckedParts: readonly Unchecked[] = [
  {
    what: 'where the data of a claim comes from: `dataSource` and `dataSourceRef`',
    field: /(?:^|\.)dataSource(?:Ref)?(?:\.|$)/,
  },
  {
    what: '`dataSource` beside `dataSourceRef`',
    field: /(?:^|\.)spec$/,
    message: /must match dataSourceRef|dataSourceRef\.namespace is specified/,
  },
  {
    what: 'whether what a pod requests as a whole is as much as all of its containers do',
    field: /resources\.(?:requests|limits)\b/,
    message: /aggregate container/,
  },
  {
    what: 'whether all that the containers of a pod request fits into a limit of the pod as a whole',
    field: /^spec\.resources\.requests$/,
    message: /must be less than or equal to \S+ limit of/,
  },
  {
    what: 'projected volumes: the contents of `clusterTrustBundle` and `podCertificate`',
    field: /\.projected\.sources\[\d+\]\.(?:clusterTrustBundle|podCertificate)/,
  },
  {
    what: 'PersistentVolumes of `glusterfs`, `iscsi`, `cinder` and `storageos` beyond what is required',
    field: /^spec\.(?:glusterfs|iscsi|cinder|storageos)\./,
  },
  {
    what: 'huge pages of a pod as a whole that the server works out of its containers',
    field: /^spec\.resources\.(?:limits|requests)\[hugepages-/,
  },
  {
    what: 'whether a pod as a whole has cpu or memory beside them',
    field: /^spec\.resources$/,
    message: /HugePages require cpu or memory/,
  },
  {
    what: 'negative requests of containers once more, as those of a pod with resources of its own',
    field: /^spec\.resources\.requests\[/,
    message: /must be greater than or equal to 0/,
  },
  { what: 'the hosts and ports of a `quobyte` volume', field: /\.quobyte\.(?:registry|tenant)$/ },
  {
    what: 'names of several claims of a StatefulSet that cannot be names of volumes',
    field: /^spec\.template\.spec\.volumes\[\d+\]\.(?:name|persistentVolumeClaim\.claimName)$/,
  },
  { what: 'the second error of a CSI driver without a name', field: /\.csi\.driver$/, message: /^Invalid value: "":/ },
  { what: 'the rules of a job’s `successPolicy`', field: /(?:^|\.)successPolicy\./ },
  {
    what: 'tokens of service accounts in a pod without one: the server’s admission gives it one',
    field: /\.projected\.sources\[\d+\]\.serviceAccountToken$/,
    message: /must not be specified when serviceAccountName is not set/,
  },
];
