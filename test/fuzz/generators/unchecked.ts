import { type ValueMap, valueAt } from '../../../server/src/base/value.ts';
import { uncheckedParts } from '../../../server/src/kubernetes/builtin/validation/unchecked.ts';

interface Said {
  readonly field: string;
  readonly message: string;
}

/** Whether a row of differences is an error about what is not validated. */
export function isUnchecked(row: string): boolean {
  return saidByThemAlone(row, isUncheckedError);
}

function isUncheckedError({ field, message }: Said): boolean {
  return uncheckedParts.some((one) => one.field.test(field) && (one.message?.test(message) ?? true));
}

/** What may not change, of which it is not known what the stored object has got by default, from admission or by being bound. */
const uncompared: Readonly<Record<string, readonly RegExp[]>> = {
  Job: [
    /^spec\.selector: (?:Required value|.*not auto-generated)/s,
    /^spec\.template\.metadata\.labels: .*controller-uid/s,
    /^spec\.(?:managedBy|template|podFailurePolicy|successPolicy|selector|backoffLimitPerIndex): .*field is immutable/s,
  ],
  Service: [/^spec\.healthCheckNodePort: Required value/, /^spec\.(?:clusterIPs?|ipFamilies)(?:\[\d\])?: /],
  PersistentVolumeClaim: [
    /^spec: Forbidden: spec is immutable after creation/,
    /^spec\.resources\.requests\.storage: Forbidden: field can not be less than (?:status\.capacity|previous value)/,
    /^volumeMode: .*field is immutable/,
  ],
  PersistentVolume: [
    /^nodeAffinity: .*field is immutable/s,
    /^volumeMode: .*field is immutable/,
    /^spec\.persistentvolumesource: Forbidden: /,
  ],
  Pod: [
    /^spec: Forbidden: pod updates may not change fields/,
    /^spec\.(?:nodeSelector|affinity\.nodeAffinity\S*): .*(?:only additions|no additions)/s,
    // Up to 1.33 the server writes these annotations itself.
    /^metadata\.annotations\[container\.apparmor\S*\]: Forbidden: may not remove or update/,
    /^spec\.tolerations: Forbidden: existing toleration/,
    /^spec\.nodeName: .*field is immutable/,
  ],
  StatefulSet: [/^spec\.volumeClaimTemplates: .*field is immutable/s, /^spec: Forbidden: updates to statefulset spec/],
  Deployment: [/^spec\.selector: .*field is immutable/s],
  ReplicaSet: [/^spec\.selector: .*field is immutable/s],
  DaemonSet: [/^spec\.selector: .*field is immutable/s],
  RoleBinding: [/^roleRef: /],
  ClusterRoleBinding: [/^roleRef: /],
};

/** What is stored is found by its name. */
const ofName = /^metadata\.name: /;

/** Whether a row of differences is an error about what is not validated, or about what may not change that we cannot know of. */
export function isUncompared(object: ValueMap, row: string): boolean {
  const known = [ofName, ...(uncompared[String(valueAt(object, ['kind']))] ?? [])];
  return saidByThemAlone(
    row,
    (said) => isUncheckedError(said) || known.some((one) => one.test(`${said.field}: ${said.message}`)),
  );
}

function saidByThemAlone(row: string, isKnown: (said: Said) => boolean): boolean {
  const [, text] = /^\.errors: (?:only theirs|ours undefined ≠ theirs) \[?(.*?)\]?$/.exec(row) ?? [];
  if (text === undefined) return false;
  const errors: Said[] = JSON.parse(`[${text}]`);
  return errors.every(isKnown);
}
