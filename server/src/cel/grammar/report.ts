import type { Syntax } from '../parse.ts';
import { beforeStart, type CelProblem } from '../source.ts';
import { parseRecovering } from './parser.ts';
import { visitTree } from './visit.ts';

/** The most code points that an expression may have. */
const maxCodePoints = 100_000;

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
  return syntax.formatsTexts ? all.map((problem) => ({ ...problem, message: formatted(problem.message) })) : all;
}

/** A text as Go's Sprintf prints it where it is taken for a format without arguments. */
function formatted(message: string): string {
  return message.replace(/%[-+# 0]*\d*(?:\.\d*)?(.|$)/gsu, (_, verb: string) => {
    if (verb === '%') return '%';
    return verb === '' ? '%!(NOVERB)' : `%!${verb}(MISSING)`;
  });
}
