import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import { removeAt, renameKey } from '../../yaml/edit.ts';
import { mapIn } from '../fixing/fixes.ts';
import { nearestFree, nearestNames } from '../fixing/nearest.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';

export const unknownField = family<CrFacts>()({
  'cr/unknown-field': {
    ofKey: true,
    byFieldValidation: true,
    title: 'A field that is not in the schema',
    explanation: `The kind's schema has no such field. Under strict field validation, which is what kubectl asks for,
the API server rejects the object; otherwise it drops the field without storing it. Usually it is misspelled, belongs
to another version of the kind, or is indented to the wrong level.`,
    bad: `#- use: widgets
apiVersion: example.com/v1
kind: Widget
metadata:
  name: a
spec:
  size: 3
  colour: red
`,
    good: `#- use: widgets
apiVersion: example.com/v1
kind: Widget
metadata:
  name: a
spec:
  size: 3
  color: red
`,
    fixes: unknownFieldFixes,
  },
});

/** Of a field that is none of those that its neighbours could have. */
export function unknownFieldFixes(problem: Problem<string, { readonly known: readonly string[] }>): Fix[] {
  const { document, path, facts } = problem;
  const key = path.at(-1);
  if (typeof key !== 'string') return [];
  const around = mapIn(problem, path.slice(0, -1));
  const near = nearestFree(key, facts.known, around).filter((name) => !around?.has(name));
  const isNearest = nearestNames(key, facts.known).join() === near.join();
  return [
    ...near.map((name) => ({
      title: `Rename to \`${name}\``,
      safe: near.length === 1 && isNearest,
      edits: renameKey(document, path, name),
    })),
    { title: `Remove \`${key}\``, safe: false, edits: removeAt(document, path) },
  ];
}
