import type { Value } from '../../base/value.ts';
import { none, optional, type Val } from '../../cel/eval/values.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural, ValidationRule } from '../schema/structural.ts';
import { asResource, schemaReader } from './values.ts';

/** A value that rules judge, and the one that it replaces; null where there is none. */
export interface JudgedValue {
  readonly schema: Structural;
  /** The value is a whole object. */
  readonly isRoot: boolean;
  readonly value: Value;
  readonly old: Value;
}

/** A rule with the value that it judges. */
export interface JudgedRule extends JudgedValue {
  readonly rule: ValidationRule;
}

/** What rules name `self` and `oldSelf`. */
export interface RuleVariables {
  readonly self: Val;
  readonly oldSelf: Val | undefined;
}

export function ruleVariables({ schema, isRoot, value, old }: JudgedValue, { cel }: KubernetesVersion): RuleVariables {
  const typed = isRoot ? asResource(schema) : schema;
  const read = schemaReader(typed, cel);
  return { self: read(value), oldSelf: old === null ? undefined : read(old) };
}

/** The variables of one rule; `optionally` is its optionalOldSelf. */
export function lookup({ self, oldSelf }: RuleVariables, optionally: boolean): (name: string) => Val | undefined {
  const old = optionally ? (oldSelf === undefined ? none : optional(oldSelf)) : oldSelf;
  return (name) => (name === 'self' ? self : name === 'oldSelf' ? old : undefined);
}
