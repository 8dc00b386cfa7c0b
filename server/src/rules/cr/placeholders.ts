import { isString, valueAt } from '../../base/value.ts';
import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

/** What envsubst, Flux and clusterctl fill in: `${NAME}`, also with a default behind the name. */
const placeholder = /\$\{\s*[A-Za-z_]\w*\s*(?:[:=\-/#%^,@+?}])/;

type PlaceholderFacts = { 'cr/placeholder': undefined };

/** The field is not known, whatever its value is. */
const aboutTheField: keyof CrFacts = 'cr/unknown-field';

/** Findings about values that something else fills in before the API server sees them become one hint each. */
export function withoutPlaceholders<P extends Problem>(
  manifest: Manifest,
  problems: readonly P[],
): (P | ProblemOf<PlaceholderFacts>)[] {
  const hinted = new Set<string>();
  return problems.flatMap((problem): (P | ProblemOf<PlaceholderFacts>)[] => {
    const path = problem.path.slice(manifest.at.length);
    const value = valueAt(manifest.value, path);
    if (problem.code === aboutTheField || !isString(value) || !placeholder.test(value)) return [problem];
    const place = JSON.stringify(path);
    if (hinted.has(place)) return [];
    hinted.add(place);
    const message = `\`${value}\` is filled in by another tool, so nobody can tell yet whether the API server will accept it.`;
    return [problemAt(manifest, { code: 'cr/placeholder' }, message, path, 'value')];
  });
}

export const placeholderRule = family<PlaceholderFacts>()({
  'cr/placeholder': {
    severity: 'hint',
    title: 'A value that is filled in before the API server sees it',
    explanation: `The value contains a variable such as \`\${NAME}\`, which envsubst, Flux or clusterctl replace, and
would be rejected as it is now. Nobody can tell here what it will become, so it is not judged; everything around it is.`,
    bad: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: \${NAME}
`,
    good: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
`,
  },
});
