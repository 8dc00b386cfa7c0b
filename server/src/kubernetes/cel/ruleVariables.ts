import { isList, isMap, type Value } from '../../base/value.ts';
import { isError, none, optional, type Val } from '../../cel/eval/values.ts';
import type { Structural } from '../schema/structural.ts';
import type { KubernetesVersion } from '../versions.ts';
import { asResource, plainVal, schemaValue } from './values.ts';

/** A value that rules judge, and the one that it replaces; null where there is none. */
export interface JudgedValue {
  readonly schema: Structural;
  /** The value is a whole object. */
  readonly isRoot: boolean;
  readonly value: Value;
  readonly old: Value;
}

/** What rules name `self` and `oldSelf`. */
export interface RuleVariables {
  readonly self: Val;
  readonly oldSelf: Val | undefined;
  /** The old value as an optional holds it. */
  readonly heldOldSelf: Val | undefined;
}

export function ruleVariables({ schema, isRoot, value, old }: JudgedValue, { cel }: KubernetesVersion): RuleVariables {
  const typed = isRoot ? asResource(schema) : schema;
  const self = schemaValue(value, typed, cel);
  const oldSelf = old === null ? undefined : schemaValue(old, typed, cel);
  const losesSchema = cel.optionalsLoseSchemas && (isList(old) || isMap(old)) && oldSelf && !isError(oldSelf);
  return { self, oldSelf, heldOldSelf: losesSchema ? plainVal(old) : oldSelf };
}

/** The variables of one rule; `optionally` is its optionalOldSelf. */
export function lookup(
  { self, oldSelf, heldOldSelf }: RuleVariables,
  optionally: boolean,
): (name: string) => Val | undefined {
  const old = optionally ? (heldOldSelf === undefined ? none : optional(heldOldSelf)) : oldSelf;
  return (name) => (name === 'self' ? self : name === 'oldSelf' ? old : undefined);
}
