import { directiveNames, directivesOf } from '../../workspace/pragmas.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { fixOf } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type DirectiveFacts = { 'yaml/directive': { readonly name: string } };

/** Comments that begin as ours do and ask for something that does not exist. */
export function unknownDirectives(document: YamlDocument): ProblemOf<DirectiveFacts>[] {
  return directivesOf(document)
    .filter(({ name }) => !directiveNames.includes(name))
    .map(({ name, range }) => {
      const wanted = directiveNames.map((one) => `\`${one}\``).join(', ');
      const message = name === '' ? `Expected one of ${wanted}.` : `\`${name}\` is not one of ${wanted}.`;
      const end = name === '' ? range.end : range.start + name.length;
      return {
        code: 'yaml/directive',
        message,
        range: { start: range.start, end },
        document,
        path: [],
        facts: { name },
      };
    });
}

export const directive = family<DirectiveFacts>()({
  'yaml/directive': {
    severity: 'warning',
    title: 'A comment asks for something that does not exist',
    explanation: `Comments that begin with \`# kube-crd:\` change how a file is checked:

- \`# kube-crd: ignore\` in the first lines: nothing in the file is checked;
- \`# kube-crd: ignore cr/enum\` above a line or at its end: the rule says nothing about what begins there;
- \`# kube-crd: ignore-object\` anywhere in an object: nothing is said about it;
- \`# kube-crd: kubernetes 1.34\` in the first lines: the version whose API server judges the file.

Anything else has no effect.`,
    bad: `# kube-crd: ignor
a: 1
`,
    good: `# kube-crd: ignore
a: 1
`,
    fixes: ({ range, facts }) => {
      const near = nearestNames(facts.name, directiveNames);
      return near.flatMap((text) => fixOf(`Change to \`${text}\``, [{ range, text }], near.length === 1));
    },
  },
});
