import type { Path } from '../../base/value.ts';
import type { Anchor, WithFacts } from '../../kubernetes/finding.ts';
import type { Severity } from '../../workspace/settings.ts';
import { type AnyRule, coded, type OnlyKnown, type RelatedProblem, type Row, type Rule } from '../model/rule.ts';
import type { Says } from '../model/says.ts';
import type { Linted, LintedVersion, SchemaPlace } from './linted.ts';
import type { LintedRule } from './ruleWalk.ts';

/** What a check found: the message and its place, with the facts that belong to the code. */
export type Found<Facts = unknown> = WithFacts<Facts> & {
  readonly message: string;
  /** In the manifest; of a check that rests on a schema, below that. */
  readonly at: Path;
  readonly anchor: Anchor;
  /** The part of the expression at the path that it is about. */
  readonly part?: { readonly start: number; readonly end: number };
  readonly related?: readonly RelatedProblem[];
  readonly severity?: Severity;
  readonly says?: Says;
};

/**
 * The check of a lint. What it rests on is all that it is given: the answer about a schema that stays as it is is
 * kept, so nothing else may be part of it.
 */
export type Check<F = Found> =
  | { readonly restsOn: 'crd'; readonly check: (linted: Linted) => readonly F[] }
  | { readonly restsOn: 'version'; readonly check: (linted: Linted, version: LintedVersion) => readonly F[] }
  | { readonly restsOn: 'rule'; readonly check: (linted: Linted, rule: LintedRule) => readonly F[] }
  | { readonly restsOn: 'schema'; readonly check: (node: LintedSchema) => readonly F[] };

/** A schema without anything around it but its name. */
export type LintedSchema = Pick<SchemaPlace, 'schema' | 'name'>;

/** One of our own warnings: a rule with the check that finds it. */
export type Lint<Code extends string, Facts> = Rule<Code, Facts> & Check<Found<Facts>>;

export type AnyLint = AnyRule & Check;

type LintRow<FactsByCode, Code extends keyof FactsByCode & string> = Row<FactsByCode, Code> & {
  readonly severity: Severity | 'off';
} & Check<Found<FactsByCode[Code]>>;

type LintRows<FactsByCode> = { readonly [Code in keyof FactsByCode & string]: LintRow<FactsByCode, Code> };

/** Lints of one family, by code. */
export function lintFamily<FactsByCode>() {
  return <R extends LintRows<FactsByCode>>(
    rows: R & OnlyKnown<FactsByCode, R>,
  ): { readonly [Code in keyof FactsByCode & string]: Lint<Code, FactsByCode[Code]> } => coded(rows);
}
