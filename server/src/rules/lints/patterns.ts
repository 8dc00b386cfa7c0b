import { setValue } from '../../yaml/edit.ts';
import { fixOf, valueIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';
import { type Found, type LintedSchema, lintFamily } from './lint.ts';

type PatternFacts = { 'lint/pattern-unanchored': undefined };

/** Nobody wrote a longer pattern by hand, and a hint is not worth the time. */
const longestPattern = 20_000;

function lintPattern({ schema }: LintedSchema): Found<undefined>[] {
  const pattern = schema.validation?.pattern ?? '';
  const message = pattern === '' || pattern.length > longestPattern ? undefined : fault(pattern);
  return message === undefined ? [] : [{ message, at: ['pattern'], anchor: 'value' }];
}

function fault(pattern: string): string | undefined {
  const branches = alternatives(pattern);
  const starts = branches.map((branch) => branch.startsWith('^'));
  const ends = branches.map((branch) => /(?<!\\)\$$/.test(branch));
  const isSplit = branches.length > 1 && starts[0] && ends.at(-1);
  if (isSplit && [...starts, ...ends].filter(Boolean).length === 2) {
    return 'Here `^` applies only to the first alternative and `$` only to the last: write `^(?:…)$` to cover all of them.';
  }
  // One anchor anywhere shows that the author knows them; `.*` says as much.
  const bare = partsOf(pattern).filter(({ inClass, text }) => !inClass && !/^\\[^Az]/.test(text));
  if (/[\^$]|\\[Az]|\.[*+]/.test(bare.map(({ text }) => text).join(''))) return undefined;
  return 'Without `^` and `$`, any text that contains a match is accepted.';
}

interface PatternPart {
  /** A character, with the backslash before it. */
  readonly text: string;
  readonly inClass: boolean;
}

function partsOf(pattern: string): PatternPart[] {
  let inClass = false;
  let first = false;
  return [...pattern.matchAll(/\\.|[\s\S]/g)].map(([text]) => {
    const part = { text, inClass: inClass || text === '[' };
    if (!inClass) {
      inClass = text === '[';
      first = inClass;
    } else if (text === ']' && !first) inClass = false;
    else first = first && text === '^';
    return part;
  });
}

/** The alternatives of a regular expression that are not in a group. */
function alternatives(pattern: string): string[] {
  const found = [''];
  let depth = 0;
  for (const { text, inClass } of partsOf(pattern)) {
    if (!inClass && text === '(') depth++;
    if (!inClass && text === ')') depth--;
    if (text === '|' && depth === 0 && !inClass) found.push('');
    else found[found.length - 1] += text;
  }
  return found;
}

const pattern = (text: string) => `#- use: schema
name:
  type: string
  pattern: '${text}'
`;

export const patternLints = lintFamily<PatternFacts>()({
  'lint/pattern-unanchored': {
    severity: 'hint',
    title: 'A pattern that matches anywhere in the text',
    explanation: `A pattern matches as soon as any part of the text does: \`[a-z]+\` accepts \`42 x !\`. To match the
whole text, write \`^[a-z]+$\`. In \`^a|b$\` each anchor belongs to one alternative; put a group around them:
\`^(?:a|b)$\`.`,
    marker: '+kubebuilder:validation:Pattern=…',
    bad: pattern('[a-z]+'),
    good: pattern('^[a-z]+$'),
    fixes: anchored,
    restsOn: 'schema',
    check: lintPattern,
  },
});

function anchored(problem: Problem): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string') return [];
  const bare = alternatives(written).length > 1 ? `(?:${written.replace(/^\^|\$$/g, '')})` : written;
  const pattern = `^${bare}$`;
  return fixOf(`Change to \`${pattern}\``, setValue(problem.document, problem.path, pattern), false);
}
