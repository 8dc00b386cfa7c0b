import type { Value } from '../../base/value.ts';
import { evaluateSchemaRules } from '../cel/evaluate.ts';
import type { LeftOutRule } from '../cel/findings.ts';
import { ruleNode } from '../cel/ruleTree.ts';
import { type FieldPath, invalid, rootPath } from '../field.ts';
import type { ErrorType } from '../finding.ts';
import { goAny } from '../goValue.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural } from '../schema/structural.ts';

import type { Correlated } from './correlate.ts';
import type { CrFinding } from './findings.ts';
import type { ServedVersion } from './served.ts';

/** Rules of a whole object, to be run over it. */
export interface ObjectRules {
  readonly schema: Structural;
  readonly value: Value;
  /** The object and the one it replaces; absent on creation. */
  readonly old?: Value;
  /** Present where unchanged failures are forgiven. */
  readonly correlation?: Correlated;
  readonly spot: FieldPath;
  readonly version: KubernetesVersion;
}

/** What failed, and what failed but is forgiven because it was so before. */
export interface RuleResults {
  readonly errors: readonly CrFinding[];
  readonly warnings: readonly CrFinding[];
  /** Rules without an answer. */
  readonly leftOut: readonly LeftOutRule[];
}

export type EvaluateObjectRules = (rules: ObjectRules) => RuleResults;

const blocking: ReadonlySet<ErrorType> = new Set<ErrorType>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Rules are run only over an object whose types, sizes and choices are right. */
export function judgeRules(
  served: ServedVersion,
  errors: readonly CrFinding[],
  rules: Pick<ObjectRules, 'value' | 'old' | 'correlation'>,
  evaluate: EvaluateObjectRules = (rules) => evaluateSchemaRules({ ...rules, isRoot: true }),
): RuleResults {
  const { structural, kubernetes: version } = served;
  if (!structural || !ruleNode(structural, true, version)) return { errors, warnings: [], leftOut: [] };
  if (errors.some(({ type }) => blocking.has(type))) {
    const about = { code: 'cr/rules-not-checked' as const };
    const found = invalid(rootPath, goAny(null), notChecked, version, about);
    return { errors: [...errors, found], warnings: [], leftOut: [] };
  }
  const results = evaluate({ ...rules, schema: structural, spot: rootPath, version });
  return { ...results, errors: [...errors, ...results.errors] };
}
