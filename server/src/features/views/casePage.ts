import type { Value } from '../../base/value.ts';
import { valText } from '../../kubernetes/cel/valText.ts';
import type { Evaluated } from '../../kubernetes/policy/evaluate.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { renderBlock } from '../../yaml/render.ts';
import { blocks, code, fenced, list, type Markdown, md, own, text } from '../words/markdown.ts';

// What the pages about a case of tests have in common, whether it asks a CRD or policies.

export function outcome({ name }: KubernetesVersion, failures: readonly string[]): Markdown[] {
  const came = failures.length === 0 ? 'passed' : 'failed';
  return [md`Kubernetes ${name}: **${came}**`, list(failures.map(text))];
}

export function objectShown(title: Markdown, object: Value | undefined): Markdown[] {
  return object === undefined ? [] : [title, fenced('yaml', renderBlock(object, 0, style))];
}

const style = { eol: '\n', step: 2, indentLists: true };

/** Nobody reads more of them. */
const mostExpressions = 100;

/** What was evaluated, under a title, as far as anybody reads on. */
export function expressionsShown<One>(evaluated: readonly One[], shown: (one: One) => Markdown): Markdown[] {
  const more = evaluated.length - mostExpressions;
  return [
    ...(evaluated.length === 0 ? [] : [own('## Expressions')]),
    ...evaluated.slice(0, mostExpressions).map(shown),
    ...(more > 0 ? [md`${more} more expressions are not shown.`] : []),
  ];
}

/** What an expression came to, and the values of its parts beside its text. */
export function expressionShown(title: string, { text: written, value, failed, lines }: Evaluated): Markdown {
  return blocks(
    md`### ${code(title)}: ${code(failed ?? valText(value))}`,
    fenced('', lines.length === 0 ? written : lines.join('\n')),
  );
}
