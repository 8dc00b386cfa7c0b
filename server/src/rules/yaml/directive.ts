import type { Range } from '../../base/text.ts';
import { type Directive, directiveNames, directivesOf } from '../../workspace/pragmas.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { fixOf } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type DirectiveFacts = { 'yaml/directive': { readonly word: string; readonly expected: readonly string[] } };

interface Mistake {
  readonly message: string;
  /** The word that is not one of those expected there. */
  readonly word: string;
  readonly expected: readonly string[];
  readonly range: Range;
}

/** Comments that begin as ours do and ask for something that does not exist. */
export function unknownDirectives(document: YamlDocument, codes: ReadonlySet<string>): ProblemOf<DirectiveFacts>[] {
  return directivesOf(document)
    .flatMap((one) => mistakeIn(one, document.text, codes) ?? [])
    .map(({ message, range, word, expected }) => {
      return { code: 'yaml/directive', message, range, document, path: [], facts: { word, expected } };
    });
}

function mistakeIn(
  { name, args, unfinished, range }: Directive,
  text: string,
  codes: ReadonlySet<string>,
): Mistake | undefined {
  const { start } = range;
  const nameRange = { start, end: start + name.length };
  if (!directiveNames.includes(name)) {
    const wanted = directiveNames.map((one) => `\`${one}\``).join(', ');
    const message = name === '' ? `Expected one of ${wanted}.` : `\`${name}\` is not one of ${wanted}.`;
    return { message, word: name, expected: directiveNames, range: name === '' ? range : nameRange };
  }
  if (name !== 'ignore') return undefined;
  if (unfinished) {
    const message = 'Name a rule after `ignore`, or remove the space behind it to ignore the whole file.';
    return { message, word: '', expected: [], range: nameRange };
  }
  const [code] = args;
  if (code === undefined || codes.has(code)) return undefined;
  const at = text.indexOf(code, nameRange.end);
  return {
    message: `\`${code}\` is not a rule.`,
    word: code,
    expected: [...codes],
    range: { start: at, end: at + code.length },
  };
}

export const directive = family<DirectiveFacts>()({
  'yaml/directive': {
    severity: 'warning',
    title: 'A comment asks for something that does not exist',
    explanation: `Comments that begin with \`# kube-crd:\` change how a file is checked:

- \`# kube-crd: ignore\` in the first lines: nothing in the file is checked;
- \`# kube-crd: ignore cr/enum\` above a line or at its end: the rule is off for what begins there;
- \`# kube-crd: ignore-object\` anywhere in an object: the object is not checked;
- \`# kube-crd: kubernetes 1.34\` in the first lines: the version whose API server judges the file.

Anything else has no effect. An \`ignore\` that is followed by a space expects the name of a rule; without one it has
no effect either.`,
    bad: `# kube-crd: ignor
a: 1
`,
    good: `# kube-crd: ignore
a: 1
`,
    fixes: ({ range, facts }) => {
      const near = nearestNames(facts.word, facts.expected);
      return near.flatMap((text) => fixOf(`Change to \`${text}\``, [{ range, text }], near.length === 1));
    },
  },
});
