import type { Resource } from './discovery.ts';
import { at, isJsonMap, type JsonMap, type JsonValue, mapAt } from './json.ts';

// The scale of a custom resource: a small object over two or three of its fields.

interface Paths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  readonly selector: readonly string[] | undefined;
}

const stepsOf = (path: string) => path.split('.').slice(1);

/** Where the fields are; undefined for what has no scale. */
export function scalePaths({ crd, version }: Resource): Paths | undefined {
  const versions = crd ? at(crd, 'spec', 'versions') : undefined;
  const own = Array.isArray(versions) ? versions.find((one) => at(one, 'name') === version) : undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = mapAt(own, 'subresources', 'scale');
  if (typeof specReplicasPath !== 'string' || typeof statusReplicasPath !== 'string') return undefined;
  const selector = typeof labelSelectorPath === 'string' ? stepsOf(labelSelectorPath) : undefined;
  return { spec: stepsOf(specReplicasPath), status: stepsOf(statusReplicasPath), selector };
}

const numberAt = (object: JsonMap, path: readonly string[]) => {
  const found = at(object, ...path);
  return typeof found === 'number' ? found : undefined;
};

export function scaleOf(object: JsonMap, { spec, status, selector }: Paths): JsonMap {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = mapAt(object, 'metadata');
  const own = { name: name!, ...(namespace !== undefined && { namespace }) };
  const chosen = selector && at(object, ...selector);
  const replicas = numberAt(object, spec);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { ...own, uid: uid!, resourceVersion: resourceVersion!, creationTimestamp: creationTimestamp! },
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, status) ?? 0, ...(typeof chosen === 'string' && { selector: chosen }) },
  };
}

/** The object as a scale wants it. */
export function scaled(object: JsonMap, scale: JsonMap, { spec }: Paths): JsonMap {
  const { resourceVersion } = mapAt(scale, 'metadata');
  const version = typeof resourceVersion === 'string' && resourceVersion !== '' ? { resourceVersion } : {};
  const out = withValue(object, spec, at(scale, 'spec', 'replicas') ?? 0) as JsonMap;
  return { ...out, metadata: { ...mapAt(out, 'metadata'), ...version } };
}

function withValue(value: JsonValue | undefined, [first, ...rest]: readonly string[], now: JsonValue): JsonValue {
  if (first === undefined) return now;
  const map = isJsonMap(value) ? value : {};
  return { ...map, [first]: withValue(map[first], rest, now) };
}
