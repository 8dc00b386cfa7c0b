import { evaluatedOnce, evaluateGround } from '../../crdtest/evaluateRun.ts';
import { type Suite, type TestCase, versionsOf } from '../../crdtest/suite.ts';
import { fieldOf } from '../../kubernetes/field.ts';
import type { Came } from '../../kubernetes/policy/evaluations.ts';
import { spotOf } from '../../kubernetes/policy/expressions.ts';
import type { Files } from '../../workspace/files.ts';
import { type Snapshot, versionsFor } from '../../workspace/snapshot.ts';
import { blocks, code, type Markdown, md, own, text } from '../words/markdown.ts';
import { expressionShown, expressionsShown, objectShown, outcome } from './casePage.ts';

/** What a case of expressions outside of CRDs and admission evaluates, as a page. */
export async function evaluationPage(
  one: TestCase,
  suite: Suite,
  snapshot: Snapshot,
  files: Files,
  uri: string,
): Promise<Markdown> {
  const head = md`# ${code(one.name)}`;
  const named = versionsOf(suite, versionsFor(snapshot, uri));
  const { asked, refused } = await evaluateGround(suite, { files, uri, definitions: snapshot.definitions }, named);
  const all = [...asked].map(([version, each]) => ({ version, ...evaluatedOnce(one, each) }));
  const shown = all.find(({ result }) => result.failures.length > 0) ?? all.at(-1);
  if (!shown) return md`${blocks(head, ...refused.map(text))}\n`;
  const { version, result, came } = shown;
  return md`${blocks(head, ...outcome(version, result.failures), ...(came ? cameText(came) : []))}\n`;
}

function cameText({ value, error, evaluated }: Came): Markdown[] {
  return [
    own('## What the server says'),
    error === undefined ? own('It succeeds.') : code(error),
    ...expressionsShown(evaluated, (one) => expressionShown(fieldOf(spotOf(one.path)), one)),
    ...objectShown(own('## The value'), value),
  ];
}
