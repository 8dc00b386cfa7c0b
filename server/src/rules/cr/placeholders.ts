import { isString, valueAt } from '../../base/value.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { type Problem, rule } from '../model/rule.ts';

/** What envsubst, Flux and clusterctl fill in: `${NAME}`, also with a default behind the name. */
const placeholder = /\$\{\s*[A-Za-z_]\w*\s*(?:[:=\-/#%^,@+?}])/;

/** Findings about values that something else fills in before the API server sees them become one hint each. */
export function withoutPlaceholders(manifest: Manifest, problems: readonly Problem[]): Problem[] {
  const hinted = new Set<string>();
  return problems.flatMap((problem) => {
    const path = problem.path.slice(manifest.at.length);
    const value = valueAt(manifest.value, path);
    // A field that is not known is refused with any value.
    if (problem.code === 'cr/unknown-field' || !isString(value) || !placeholder.test(value)) return [problem];
    const place = JSON.stringify(path);
    if (hinted.has(place)) return [];
    hinted.add(place);
    const message = `\`${value}\` is filled in by something else: what the API server will say of it is not known.`;
    return [problemAt(manifest, 'cr/placeholder', message, path, 'value')];
  });
}

export const placeholderRule = rule({
  code: 'cr/placeholder',
  severity: 'hint',
  title: 'A value that is filled in before the API server sees it',
  explanation: `The value holds a variable such as \`\${NAME}\`, which envsubst, Flux or clusterctl replace, and as it stands it
would be refused. What becomes of it nobody can tell here, so it is not judged; everything around it is.`,
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
});
