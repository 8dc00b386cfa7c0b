import { newerOptionals } from '../../cel/libraries/optionals.ts';
import { semver } from '../cel/libraries/semver.ts';
import { v132 } from './1.32.ts';
import type { KubernetesVersion } from './release.ts';

export const v133: KubernetesVersion = {
  ...v132,
  name: '1.33',
  compatibility: '1.32',
  schemeName: 'pkg/runtime/scheme.go:110',
  storedVersionText: 'missing',
  statusRatchets: true,
  exactDeviceRequests: true,
  builtin: {
    ...v132.builtin,
    warnings: {
      ...v132.builtin.warnings,
      addresses: 'future',
      gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
      preferredValues: true,
      portNames: true,
      revisions: true,
    },
    sleepsZero: true,
    sleepHint: '',
    stopSignals: true,
    volumeAttributesQuota: true,
    statefulServiceNames: true,
    userNamespaces: true,
    sliceAddresses: 'any',
    keepsEndpoints: true,
    resizePolicy: 'sidecars',
    supplementalGroupsPolicy: true,
    linuxChangePolicies: ['Recursive'],
    procMount: true,
    relaxedSearches: 'shownStrict',
    nodeAffinityValues: true,
    statefulSetKeeps:
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  },
  cel: {
    ...v132.cel,
    additions: [
      ...v132.cel.additions,
      // Known to the server's cel-go, so that older environments have them here as well.
      { since: '1.28', libraries: [newerOptionals] },
      { since: '1.33', libraries: [semver] },
    ],
    pricesSemver: true,
    untypedSecondVariable: false,
    formatsTexts: false,
    quotedIdents: 'refused',
    accumulator: '@result',
    guardsAccumulator: true,
    ignoresRangeErrors: false,
    formatsZoneErrors: false,
    spacedExponents: false,
    cost: { tracksEntries: true, optionalScalars: true },
  },
};
