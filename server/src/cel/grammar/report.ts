import { formatNothing } from '../../gostd/format.ts';
import { maxCodePoints } from '../limits.ts';
import { beforeStart, type CelProblem } from '../source.ts';
import type { Syntax } from '../syntax.ts';
import { parseRecovering } from './parser.ts';
import { visitTree } from './visit.ts';

/** Everything that cel-go's parser says of a text, to the letter; nothing where it accepts it. */
export function syntaxProblems(text: string, syntax: Syntax): readonly CelProblem[] {
  if (text.length > maxCodePoints) {
    const size = [...text].length;
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
    if (size > maxCodePoints) return [{ at: -1, message }];
  }
  const { tree, problems } = parseRecovering(text, syntax.quotedIdents !== 'unknown');
  const all = tree ? [...problems, ...visitTree(tree, text, syntax)] : problems;
  if (text === '' && !syntax.emptyHasColumn) return all.map((problem) => ({ ...problem, at: beforeStart }));
  return syntax.formatsTexts ? all.map((problem) => ({ ...problem, message: formatNothing(problem.message) })) : all;
}
