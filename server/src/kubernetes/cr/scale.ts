import { append } from '../../base/append.ts';
import { isMap, isUnknown, type Path, type Value, type ValueMap } from '../../base/value.ts';
import type { ScaleSubresource } from '../api/crd.ts';
import { child, invalid, rootPath } from '../field.ts';
import { goTypeOf, plainText } from '../goValue.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrFinding } from './findings.ts';

/** What the scale subresource demands of the object's replicas and selector. */
export function validateScale(
  object: ValueMap,
  scale: Readonly<ScaleSubresource> | undefined,
  part: 'all' | 'status',
  version: KubernetesVersion,
): CrFinding[] {
  if (!scale) return [];
  const found = part === 'all' ? replicas(object, scale.specReplicasPath ?? '', version) : [];
  append(found, replicas(object, scale.statusReplicasPath ?? '', version));
  if (scale.labelSelectorPath !== undefined) append(found, selector(object, scale.labelSelectorPath, version));
  return found;
}

function stepsOf(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

function problem(path: string, value: Value, detail: string, version: KubernetesVersion): CrFinding {
  // The server's own field keeps the dot that the path starts with.
  const spot = child({ ...rootPath, field: '.' }, path.replace(/^\./, ''), stepsOf(path));
  const found = invalid(spot, value, detail, version, { code: 'cr/scale' as const, facts: { path } });
  return { ...found, field: path };
}

const most = 2n ** 31n - 1n;

function replicas(object: ValueMap, path: string, version: KubernetesVersion): CrFinding[] {
  const read = nested(object, stepsOf(path), 'int64');
  if ('error' in read) return [problem(path, 0n, read.error, version)];
  const count = (read.value ?? 0n) as bigint;
  if (count < 0n) return [problem(path, count, 'should be a non-negative integer', version)];
  if (count > most) return [problem(path, count, `should be less than or equal to ${most}`, version)];
  return [];
}

function selector(object: ValueMap, path: string, version: KubernetesVersion): CrFinding[] {
  const read = nested(object, stepsOf(path), 'string');
  return 'error' in read ? [problem(path, '', read.error, version)] : [];
}

type Nested = { readonly value: Value | undefined } | { readonly error: string };

function nested(object: ValueMap, steps: readonly string[], wanted: 'int64' | 'string'): Nested {
  let value: Value | undefined = object;
  for (const [i, step] of steps.entries()) {
    if (value === null || isUnknown(value)) return { value: undefined };
    if (!isMap(value)) return { error: accessorError(steps.slice(0, i + 1), value, 'map[string]interface {}') };
    value = value.get(step);
    if (value === undefined) return { value };
  }
  if (isUnknown(value)) return { value: undefined };
  return goTypeOf(value) === wanted ? { value } : { error: accessorError(steps, value, wanted) };
}

function accessorError(steps: Path, value: Value, wanted: string): string {
  const expected = wanted.replace('interface {}', 'interface{}');
  return `.${steps.join('.')} accessor error: ${plainText(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;
}
