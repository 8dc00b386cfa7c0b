import { intDurations } from '../../cel/libraries/conversions.ts';
import { includes, lists } from '../cel/libraries/lists.ts';
import { v136 } from './1.36.ts';
import { endedBefore, without } from './additions.ts';
import type { KubernetesVersion } from './release.ts';

export const v137: KubernetesVersion = {
  ...v136,
  name: '1.37',
  compatibility: '1.36',
  setItemWarnings: true,
  itemizedMetadata: true,
  staticNames: 'refused',
  declaredAdmission: true,
  warnsOfExcludedResources: true,
  transcodesPatches: true,
  builtin: {
    ...v136.builtin,
    imageVolumes: 'referenced',
    trustBundles: true,
    podCertificates: true,
    statefulUnavailable: 'validated',
    scalesToZero: true,
    declaresRequired: true,
    endPortShows: 'endPort',
    mergesErrors: true,
    linuxChangePolicies: ['MountOption', 'Recursive'],
    sharedProcesses: 'spec',
    statefulSetKeeps: undefined,
    immutableIsDeclared: true,
    roleRefKept: 'field is immutable',
  },
  cel: {
    ...v136.cel,
    additions: [
      ...endedBefore('1.37', without(v136.cel.additions, intDurations), lists),
      // From here on Kubernetes' own lists come after those of cel-go.
      { since: '1.37', libraries: [lists, includes] },
    ],
    quotedIdents: 'read',
    leadingDotIsGlobal: true,
    structNamesAreTypes: true,
    namesParameters: false,
    capsNames: true,
    comparesRawSets: false,
    reboxesOptionals: false,
    orPassesNonOptionals: false,
    valueTypes: 'parametrised',
    celGo029Prices: true,
    emptyAnywhere: false,
    limitsRange: true,
    wrapsNegativeDepth: false,
  },
};
