import { isKind, type Opaque, orNoSuchOverload, type Val } from '../../../cel/eval/values.ts';
import type { CelType } from '../../../cel/types.ts';

/**
 * A value of a type of Kubernetes; comparing it with anything else is an error. `recognized` is how Go has to hold the
 * right side: a quantity that was computed is held by pointer, which equality does not expect.
 */
export function opaque(
  type: CelType,
  goType: string,
  value: unknown,
  same: (other: unknown) => boolean,
  size?: number,
  recognized = goType,
): Opaque {
  return {
    kind: 'opaque',
    type,
    value,
    size,
    goType,
    equal: (other) =>
      isKind(other, 'opaque') && other.type === type && other.goType === recognized
        ? same(other.value)
        : orNoSuchOverload(other),
  };
}

/** What a value of a type holds; undefined for any other value. */
export function held<T>(value: Val, type: CelType): T | undefined {
  return isKind(value, 'opaque') && value.type === type ? (value.value as T) : undefined;
}
