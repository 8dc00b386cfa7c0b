import { isKind, type Opaque, orNoSuchOverload, type Val } from '../../../cel/eval/values.ts';
import type { CelType } from '../../../cel/types.ts';

export interface OpaqueValue {
  readonly type: CelType;
  /** Go's name of the type that holds it. */
  readonly goType: string;
  /** How Go has to hold the right side of a comparison: a quantity that was computed is held by pointer. */
  readonly recognized?: string;
  readonly value: unknown;
  readonly size?: number;
  /** What it is as the key of a map; itself where nothing is said. */
  readonly key?: string | undefined;
  same(other: unknown): boolean;
  /** What Go prints of the type and value inside, where CEL does not take these back. */
  readonly native?: () => string;
}

/** A value of a type of Kubernetes; comparing it with anything else is an error. */
export function opaque(of: OpaqueValue): Opaque {
  const { type, goType, recognized = goType, value, size, same, native } = of;
  return {
    kind: 'opaque',
    type,
    value,
    size,
    goType,
    key: 'key' in of ? of.key : 'itself',
    native,
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
