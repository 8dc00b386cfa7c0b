import { evaluatedOnce, evaluateGround } from '../../crdtest/evaluateRun.ts';
import type { Suite, TestCase } from '../../crdtest/suite.ts';
import { valText } from '../../kubernetes/cel/valText.ts';
import { fieldOf } from '../../kubernetes/field.ts';
import type { Evaluated } from '../../kubernetes/policy/evaluate.ts';
import type { Came } from '../../kubernetes/policy/evaluations.ts';
import { spotOf } from '../../kubernetes/policy/expressions.ts';
import { versionsNamed } from '../../kubernetes/releases/range.ts';
import type { Files } from '../../workspace/files.ts';
import { type Snapshot, versionsFor } from '../../workspace/snapshot.ts';
import { blocks, code, fenced, type Markdown, md, own, text } from '../words/markdown.ts';
import { objectShown, outcome } from './casePage.ts';
import { mostExpressions } from './debugAdmission.ts';

/** What a case of expressions outside of CRDs and admission evaluates, as a page. */
export async function evaluationPage(
  one: TestCase,
  suite: Suite,
  snapshot: Snapshot,
  files: Files,
  uri: string,
): Promise<Markdown> {
  const head = md`# ${code(one.name)}`;
  const named = suite.kubernetes === undefined ? versionsFor(snapshot, uri) : (versionsNamed(suite.kubernetes) ?? []);
  const { asked, refused } = await evaluateGround(suite, { files, uri, definitions: snapshot.definitions }, named);
  const all = [...asked].map(([version, each]) => ({ version, ...evaluatedOnce(one, each) }));
  const shown = all.find(({ result }) => result.failures.length > 0) ?? all.at(-1);
  if (!shown) return md`${blocks(head, ...refused.map(text))}\n`;
  const { version, result, came } = shown;
  return md`${blocks(head, ...outcome(version, result.failures), ...(came ? cameText(came) : []))}\n`;
}

function cameText({ value, error, evaluated }: Came): Markdown[] {
  const more = evaluated.length - mostExpressions;
  return [
    own('## What the server says'),
    error === undefined ? own('It succeeds.') : code(error),
    ...(evaluated.length === 0 ? [] : [own('## Expressions')]),
    ...evaluated.slice(0, mostExpressions).map(expressionText),
    ...(more > 0 ? [md`${more} more expressions are not shown.`] : []),
    ...objectShown(own('## The value'), value),
  ];
}

function expressionText({ path, text, value, failed, lines }: Evaluated): Markdown {
  return blocks(
    md`### ${code(fieldOf(spotOf(path)))}: ${code(failed ?? valText(value))}`,
    fenced('', lines.length === 0 ? text : lines.join('\n')),
  );
}
