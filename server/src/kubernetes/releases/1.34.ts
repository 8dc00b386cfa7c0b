import { lists as extLists } from '../../cel/libraries/lists.ts';
import { sortByMacro } from '../../cel/macros.ts';
import { v133 } from './1.33.ts';
import type { KubernetesVersion } from './release.ts';

export const v134: KubernetesVersion = {
  ...v133,
  name: '1.34',
  printsZeroCreationTimestamp: false,
  compatibility: '1.33',
  jsonValues: true,
  singularUnits: true,
  omitsRepeatedField: true,
  unknownFormatWarnings: 'strings',
  knowsNameFormats: true,
  plainClaims: false,
  builtin: {
    ...v133.builtin,
    warnings: { ...v133.builtin.warnings, overlappingPaths: 'compared', comparesAppArmor: true, headless: true },
    relaxedSearches: 'shown',
    notesAppArmor: false,
    refusesDevicesOfUsers: true,
    podLevelResources: true,
    resourceClaims: true,
    statefulTemplates: true,
    restartRules: 'dropped',
    nodeHints: true,
    mergesSpreadKeys: true,
    volumeAttributes: true,
    trafficDistributions: ['PreferClose', 'PreferSameZone', 'PreferSameNode'],
    claimTemplates: true,
    scaleTargetVersions: true,
    defaultsCronConditions: true,
    plainMetricNames: false,
  },
  cel: {
    ...v133.cel,
    additions: [
      ...v133.cel.additions,
      { since: '1.34', libraries: [({ cel }) => extLists(cel)], macros: [sortByMacro] },
    ],
    intOrStringLength: true,
    nullsDiffer: false,
    valueTypes: 'plain',
    strictEmpty: false,
  },
};
