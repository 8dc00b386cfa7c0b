import type { Fix } from '../diagnostic.ts';
import type { Problem } from '../rule.ts';

export function costFixes(_problem: Problem): Fix[] {
  return [];
}
