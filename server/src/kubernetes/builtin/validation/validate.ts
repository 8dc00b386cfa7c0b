import type { ValueMap } from '../../../base/value.ts';
import { rootPath } from '../../field.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import type { ValidationFinding } from '../findings.ts';
import type { BuiltinKind } from '../kinds.ts';
import { validateApiService } from './aggregation.ts';
import { validateAutoscaler, validateAutoscalerV1, validateDisruptionBudget } from './autoscaling.ts';
import { Check, Fields } from './check.ts';
import { validateClaim } from './claims.ts';
import { validateConfigMap, validateSecret } from './data.ts';
import { validateEndpointSlice, validateEndpoints } from './endpoints.ts';
import { validateIngress, validateIngressClass } from './ingress.ts';
import { validateCronJob, validateJob } from './job.ts';
import { validateNetworkPolicy } from './networkPolicy.ts';
import { validateLease, validateNamespace, validatePriorityClass, validateStorageClass } from './others.ts';
import { validatePersistentVolume } from './persistentVolume.ts';
import { validatePod, validatePodTemplateObject } from './pod.ts';
import { validateLimitRange, validateResourceQuota } from './quota.ts';
import { validateClusterRole, validateClusterRoleBinding, validateRole, validateRoleBinding } from './rbac.ts';
import { validateService } from './service.ts';
import {
  validateDaemonSet,
  validateDeployment,
  validateReplicaSet,
  validateReplicationController,
  validateStatefulSet,
} from './workloads.ts';

type Validate = (object: Fields) => void;

/** The metadata is all that there is. */
const nothing: Validate = () => {};

/** By API version and kind. */
const kinds: ReadonlyMap<string, Validate> = new Map<string, Validate>([
  ['v1/Pod', validatePod],
  ['v1/PodTemplate', validatePodTemplateObject],
  ['v1/ReplicationController', validateReplicationController],
  ['v1/Service', validateService],
  ['v1/Endpoints', validateEndpoints],
  ['v1/ConfigMap', validateConfigMap],
  ['v1/Secret', validateSecret],
  ['v1/ServiceAccount', nothing],
  ['v1/Namespace', validateNamespace],
  ['v1/PersistentVolume', validatePersistentVolume],
  ['v1/PersistentVolumeClaim', validateClaim],
  ['v1/ResourceQuota', validateResourceQuota],
  ['v1/LimitRange', validateLimitRange],
  ['apps/v1/Deployment', validateDeployment],
  ['apps/v1/ReplicaSet', validateReplicaSet],
  ['apps/v1/DaemonSet', validateDaemonSet],
  ['apps/v1/StatefulSet', validateStatefulSet],
  ['batch/v1/Job', validateJob],
  ['batch/v1/CronJob', validateCronJob],
  ['autoscaling/v1/HorizontalPodAutoscaler', validateAutoscalerV1],
  ['autoscaling/v2/HorizontalPodAutoscaler', validateAutoscaler],
  ['policy/v1/PodDisruptionBudget', validateDisruptionBudget],
  ['networking.k8s.io/v1/Ingress', validateIngress],
  ['networking.k8s.io/v1/IngressClass', validateIngressClass],
  ['networking.k8s.io/v1/NetworkPolicy', validateNetworkPolicy],
  ['discovery.k8s.io/v1/EndpointSlice', validateEndpointSlice],
  ['rbac.authorization.k8s.io/v1/Role', validateRole],
  ['rbac.authorization.k8s.io/v1/ClusterRole', validateClusterRole],
  ['rbac.authorization.k8s.io/v1/RoleBinding', validateRoleBinding],
  ['rbac.authorization.k8s.io/v1/ClusterRoleBinding', validateClusterRoleBinding],
  ['coordination.k8s.io/v1/Lease', validateLease],
  ['scheduling.k8s.io/v1/PriorityClass', validatePriorityClass],
  ['storage.k8s.io/v1/StorageClass', validateStorageClass],
  ['apiregistration.k8s.io/v1/APIService', validateApiService],
]);

/** The kinds that are validated, as `apps/v1/Deployment`. */
export const validatedKinds: readonly string[] = [...kinds.keys()];

/** What the API server has against a new object that it could decode, beside its metadata. */
export function validateBuiltin(
  object: ValueMap,
  { apiVersion, kind }: Pick<BuiltinKind, 'apiVersion' | 'kind'>,
  version: KubernetesVersion,
): readonly ValidationFinding[] {
  const validate = kinds.get(`${apiVersion}/${kind}`);
  if (!validate) return [];
  const check = new Check(version);
  check.part(() => validate(new Fields(check, object, rootPath)));
  return version.builtin.mergesErrors ? saidOnce(check.found) : check.found;
}

/** Errors that read the same are one error. */
export function saidOnce(found: readonly ValidationFinding[]): ValidationFinding[] {
  const seen = new Set<string>();
  return found.filter(({ field, message }) => seen.size !== seen.add(`${field}: ${message}`).size);
}
