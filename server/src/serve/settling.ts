import { crdMergeType } from '../kubernetes/apply/crdMergeType.ts';
import { managersAfter } from '../kubernetes/apply/fieldManagers.ts';
import { type JsonMap, type JsonValue, listAt, mapAt, mapOf, sameJson, textAt } from './json.ts';
import { managersIn, writtenManagers } from './managing.ts';
import { type Serving, timeText } from './serving.ts';

// What the controllers of an API server make of a CRD right after it was written, or when it goes.

interface Condition {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

const accepted: readonly Condition[] = [
  { type: 'NamesAccepted', reason: 'NoConflicts', message: 'no conflicts found' },
  { type: 'Established', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
];

const terminating: Condition = {
  type: 'Terminating',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

function inForce({ type, reason, message }: Condition, serving: Serving): JsonMap {
  return { type, status: 'True', lastTransitionTime: timeText(serving), reason, message };
}

/** A CRD whose names are accepted and which is served; itself if it is so already. */
export function settled(crd: JsonMap, resourceVersion: string, serving: Serving): JsonMap {
  const known = listAt(crd, 'status', 'conditions');
  const status = {
    conditions: known.length > 0 ? known : accepted.map((one) => inForce(one, serving)),
    acceptedNames: mapAt(crd, 'spec', 'names'),
    storedVersions: storedVersions(crd),
  };
  if (sameJson(status, mapAt(crd, 'status'))) return crd;
  const made = { ...crd, status };
  // No conditions are an empty list of them.
  const before = { ...crd, status: { ...mapAt(crd, 'status'), conditions: known } };
  const name = 'kube-apiserver';
  const [apiVersion, subresource, time] = [textAt(crd, 'apiVersion'), 'status', timeText(serving)];
  const writer = { name, operation: 'Update', apiVersion, subresource, time } as const;
  const managers = managersAfter(managersIn(crd), writer, mapOf(before), mapOf(made), crdMergeType);
  return {
    ...made,
    metadata: { ...mapAt(crd, 'metadata'), managedFields: writtenManagers(managers), resourceVersion },
  };
}

function storedVersions(crd: JsonMap): JsonValue[] {
  const stored = listAt(crd, 'status', 'storedVersions');
  const storage = listAt(crd, 'spec', 'versions').filter((version) => mapAt(version).storage === true);
  const names = storage.map((version) => textAt(version, 'name')).filter((name) => !stored.includes(name));
  return [...stored, ...names];
}

/** Whoever writes a CRD leaves its status as it was, but for the versions that are stored. */
export function withStatusOf(crd: JsonMap, live: JsonMap): JsonMap {
  const stored = storedVersions({ ...live, spec: crd.spec ?? {} });
  return { ...crd, status: { ...mapAt(live, 'status'), storedVersions: stored } };
}

/** A CRD that is to go once its objects have. */
export function terminated(crd: JsonMap, resourceVersion: string, serving: Serving): JsonMap {
  const metadata = mapAt(crd, 'metadata');
  const finalizers = listAt(metadata, 'finalizers');
  const more = { deletionTimestamp: timeText(serving), finalizers: [...finalizers, cleanup], resourceVersion };
  const conditions = [...listAt(crd, 'status', 'conditions'), inForce(terminating, serving)];
  return { ...crd, metadata: { ...metadata, ...more }, status: { ...mapAt(crd, 'status'), conditions } };
}

/** The same once its objects have gone. */
export function cleaned(crd: JsonMap, resourceVersion: string): JsonMap {
  const { finalizers: _, ...metadata } = mapAt(crd, 'metadata');
  const finalizers = listAt(crd, 'metadata', 'finalizers').filter((one) => one !== cleanup);
  const left = finalizers.length > 0 ? { finalizers } : {};
  return { ...crd, metadata: { ...metadata, ...left, resourceVersion } };
}
