import type { Value } from '../../base/value.ts';
import type { SaidError } from '../../crdtest/said.ts';
import type { Mistake } from '../../workspace/mistake.ts';
import { insertKey, removeAt } from '../../yaml/edit.ts';
import { renderFlow } from '../../yaml/render.ts';
import { choices, fixOf, mapIn, putKey, renames, valueIn } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';

export type TestFileFacts = {
  /** The names that could be meant. */
  'test/meaning': Pick<Mistake, 'known' | 'part' | 'lacks'>;
  /** The errors that came, where the case would pass if it expected them. */
  'test/failed': { readonly came: readonly SaidError[] | undefined };
};

export const testFileRules = family<TestFileFacts>()({
  'test/meaning': {
    severity: 'warning',
    title: 'Something in a CRD test does not make sense',
    explanation: `A \`*.crdtest.yaml\` file names the CRD that it tests and lists cases. [docs/testing.md](testing.md) explains
everything that it can contain. \`kube-crd test\` counts whatever does not make sense as a failure.`,
    bad: `crd: {kind: Widget}
cases:
  - name: colors
    creat: {apiVersion: example.com/v1, kind: Widget}
`,
    good: `crd: {kind: Widget}
cases:
  - name: colors
    create: {apiVersion: example.com/v1, kind: Widget}
`,
    fixes: (problem) => {
      const { known, part, lacks } = problem.facts;
      if (lacks) return additions(problem, lacks.key, lacks.values);
      return part === 'key' ? renames(problem, known) : choices(problem, nearOf(problem, known));
    },
  },
  'test/failed': {
    severity: 'warning',
    title: 'A CRD test fails',
    explanation: `The API server would answer differently from what the case expects: the message says how. Cases run while you type,
in all versions that the file names, as long as everything they need is in the workspace. Two kinds run only with
\`kube-crd test\`: cases that read objects from files, and documents with more than 500 cases, counted once for each
version.`,
    bad: `crd: {kind: Widget}
cases:
  - name: a widget needs a size
    create: {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}}
`,
    good: `crd: {kind: Widget}
cases: []
`,
    notShown: 'It takes a CRD beside the tests.',
    fixes: (problem) => (problem.facts.came ? expectingWhatCame(problem, problem.facts.came) : []),
  },
});

function additions(problem: Problem, key: string, values: readonly Value[]): Fix[] {
  return values.slice(0, mostChoices).flatMap((value) => {
    const title = `Add \`${key}: ${renderFlow(value)}\``;
    return fixOf(title, insertKey(problem.document, problem.path, key, value), values.length === 1);
  });
}

const mostChoices = 5;

/** The names that are nearly what is written; where none is, the first ones. */
function nearOf(problem: Problem, known: readonly string[]): readonly string[] {
  const near = nearestNames(String(valueIn(problem, problem.path)), known);
  return near.length > 0 ? near : known.slice(0, mostChoices);
}

/** The case as it passes: whether that is right is for a person to say. */
function expectingWhatCame(problem: Problem, came: readonly SaidError[]): Fix[] {
  const { document, path } = problem;
  const one = mapIn(problem, path);
  const [old, ...more] = ['error', 'errors', 'expect'].filter((key) => one?.has(key));
  if (!one || more.length > 0) return [];
  if (came.length === 0) {
    const at = [...path, old ?? 'errors'];
    return fixOf('Expect the object to be valid', old === undefined ? [] : removeAt(document, at), false);
  }
  const errors: Value = came.map(({ field, message }) => {
    return new Map(
      field === ''
        ? [['message', message]]
        : [
            ['field', field],
            ['message', message],
          ],
    );
  });
  if (old !== undefined && old !== 'errors') return [];
  return fixOf(
    `Expect ${came.length === 1 ? 'the error' : 'the errors'} that came`,
    putKey(problem, path, 'errors', errors),
    false,
  );
}
