import type { Fix } from '../model/diagnostic.ts';
import { rule } from '../model/rule.ts';

export const duplicateKey = rule({
  code: 'yaml/duplicate-key',
  severity: 'warning',
  title: 'A key stands twice in the same map',
  explanation: `Of two equal keys in one map the last one counts, and the first is lost without a word: kubectl drops it
before the request is made. The API server refuses it only where it reads the YAML itself.`,
  bad: `a: 1
a: 2
`,
  good: `a: 1
b: 2
`,
  fixes: (): Fix[] => [],
});
