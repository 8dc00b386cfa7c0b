import type { Range } from '../../base/text.ts';
import type { CelProblem } from '../../cel/source.ts';
import type { ExpressionFacts } from '../../kubernetes/crd/findings.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import type { Problem } from '../model/rule.ts';
import { whyUndefined } from './whyUndefined.ts';

/**
 * A rule that does not compile, taken apart: each of cel-go's complaints at its own place inside the expression,
 * through quotes and block scalars. The server's whole text stays in the facts.
 */
export function celProblems<P extends Problem<string, ExpressionFacts>>(whole: P, kubernetes: KubernetesVersion): P[] {
  const { compiled, detail } = whole.facts;
  const map = scalarMap(whole.document, whole.path);
  // In kro's definitions a rule is a part of a text.
  const isPart = whole.manifest?.madeOf?.role === 'instance';
  const from = compiled && map && isPart ? map.value.indexOf(compiled.text) : 0;
  // Of some expressions the server compiles what is left without the blanks at their end.
  if (!compiled || !map?.value.startsWith(compiled.text, from)) return [whole];
  // Syntax errors have words of our own: cel-go's are its parser's.
  const found = compiled.syntax.length > 0 ? compiled.syntax : compiled.problems;
  if (found.length === 0) return [{ ...whole, message: detail }];
  return found.map((problem) => {
    const { start, end } = rangeIn(compiled.text, problem);
    const range = { start: map.toText(from + start), end: map.toTextEnd(from + Math.max(start, end - 1)) };
    const why = whyUndefined(whole, problem, kubernetes);
    const message = why === '' ? problem.message : `${problem.message}: ${why}`;
    return { ...whole, message, range, facts: { ...whole.facts, problem } };
  });
}

/** The offending part, or the word at the place that cel-go points at. */
export function rangeIn(text: string, { at, start, end, fact }: CelProblem): Range {
  if (fact?.kind === 'undefined-field' && end !== undefined) {
    // The name is the last word, be it of a selection or of what has() asks.
    const last = text[end - 1] === ')' ? text.slice(0, end - 1).trimEnd().length : end;
    if (text.endsWith(fact.field, last)) return { start: last - fact.field.length, end: last };
  }
  if (start !== undefined && end !== undefined && end > start) return { start, end };
  const from = Math.min(Math.max(at, 0), Math.max(text.length - 1, 0));
  const word = /^(?:\w+|.)/s.exec(text.slice(from))?.[0].length ?? 0;
  return { start: from, end: from + word };
}
