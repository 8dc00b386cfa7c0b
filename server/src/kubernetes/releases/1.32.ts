import { mapInsert } from '../../cel/libraries/comprehensions.ts';
import { twoVariableMacros } from '../../cel/macros.ts';
import { unsizedUrls, urls } from '../cel/libraries/urls.ts';
import { v131 } from './1.31.ts';
import { replaced } from './additions.ts';
import type { KubernetesVersion } from './release.ts';

export const v132: KubernetesVersion = {
  ...v131,
  name: '1.32',
  matchResourcesField: 'matchResources',
  compatibility: '1.31',
  namesCredentials: true,
  tooLongSaysMoreThan: true,
  finalizerWarningNamesPath: true,
  boundsDeviceSelectors: true,
  accessSelectors: true,
  builtin: {
    ...v131.builtin,
    warnings: { ...v131.builtin.warnings, overlappingPaths: 'repeats', mountableSecrets: true },
    relaxedEnvironmentNames: true,
    jobManagedBy: true,
    showsToleration: false,
    sleepHint: '. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.',
  },
  cel: {
    ...v131.cel,
    additions: [
      ...replaced(v131.cel.additions, unsizedUrls, urls),
      { since: '1.32', libraries: [mapInsert], macros: twoVariableMacros },
    ],
    celGo020Positions: false,
    formatCrashes: false,
    sharesCopies: false,
    plainTypeNames: false,
    namesWrongType: true,
    pricesEquality: true,
    eagerAccumulators: false,
    formatPointers: false,
    strictOffsets: false,
  },
};
