/** A kind that Kubernetes had, and whose code was gone before the oldest release that is known here. */
export interface GoneKind {
  /** The first release that does not serve it. */
  readonly removed: string;
  /** What has its place, as in `KindFacts`; none where the kind itself is gone. */
  readonly replacement?: string;
}

/** By `policy/v1beta1/PodSecurityPolicy`, as the kinds of a release. */
export const goneKinds: ReadonlyMap<string, GoneKind> = new Map<string, GoneKind>([
  ['auditregistration.k8s.io/v1alpha1/AuditSink', { removed: '1.19' }],
  ['batch/v2alpha1/CronJob', { removed: '1.21', replacement: 'batch/v1/CronJob' }],
  ['extensions/v1beta1/PodSecurityPolicy', { removed: '1.16' }],
  ['policy/v1beta1/PodSecurityPolicy', { removed: '1.25' }],
  ['settings.k8s.io/v1alpha1/PodPreset', { removed: '1.20' }],
]);
