import { v135 } from './1.35.ts';
import type { KubernetesVersion } from './release.ts';

export const v136: KubernetesVersion = {
  ...v135,
  name: '1.36',
  compatibility: '1.35',
  unknownFormatWarnings: 'all',
  typedFormats: true,
  structuralKeepsDocs: true,
  strictUrlColons: true,
  staticNames: 'warned',
  sharedDevices: true,
  relaxedServiceNames: true,
  builtin: {
    ...v135.builtin,
    warnings: { ...v135.builtin.warnings, addresses: 'invalid', externalIPs: true },
    strictAddresses: true,
    restartsAllContainers: true,
    maxReplicasTexts: 'required',
    resizePolicyText: "must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    ingressServiceNames: 'labels',
    forbidsClassChanges: false,
  },
};
