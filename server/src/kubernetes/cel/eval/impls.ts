import type { Impl, PatternImpl } from '../../../cel/eval/implementation.ts';
import type { KubernetesVersion } from '../../versions.ts';

export function libraryImpls(_kubernetes: KubernetesVersion): readonly (readonly [string, Impl])[] {
  return [];
}

export const libraryPatterns: readonly (readonly [string, PatternImpl])[] = [];
