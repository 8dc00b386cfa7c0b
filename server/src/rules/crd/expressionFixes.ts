import type { Fix } from '../diagnostic.ts';
import type { Problem } from '../rule.ts';

export function expressionFixes(_problem: Problem): Fix[] {
  return [];
}
