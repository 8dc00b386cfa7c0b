import type { ValueMap } from '../../base/value.ts';
import type { FieldPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { PolicyFinding } from './findings.ts';

/** What the server says about the expression at a place. */
export type JudgeExpression = (spot: FieldPath) => readonly PolicyFinding[];

/** An object, and what judging it rests on. */
export interface Admission {
  readonly kind: string;
  readonly apiVersion: string;
  /** The object's own name, or the one that is made from its generateName. */
  readonly name: string;
  /** What it replaces. */
  readonly old: ValueMap | undefined;
  readonly version: KubernetesVersion;
  readonly judgeExpression: JudgeExpression;
}
