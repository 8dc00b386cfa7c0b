import { v134 } from './1.34.ts';
import type { KubernetesVersion } from './release.ts';

export const v135: KubernetesVersion = {
  ...v134,
  name: '1.35',
  schemeName: 'pkg/runtime/scheme.go:111',
  compatibility: '1.34',
  decodeErrorsNameInnerPath: true,
  labelKeyTexts: true,
  nameFormats: true,
  forgivesTooManySelectableFields: true,
  ruleErrorsShowValues: true,
  observedGeneration: true,
  builtin: {
    ...v134.builtin,
    warnings: { ...v134.builtin.warnings, preferClose: true, quotas: true },
    environmentFiles: true,
    hostnameOverride: true,
    restartRules: 'validated',
    imageVolumes: 'ofPods',
    scalingTolerance: true,
    comparesTaints: 'named',
  },
};
