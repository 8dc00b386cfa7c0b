import { type DebuggedRule, debugged } from '../../crdtest/debug.ts';
import { crdOf, givenOf } from '../../crdtest/load.ts';
import { type CaseResult, groundFor, runCase, type Served } from '../../crdtest/run.ts';
import { idOf } from '../../crdtest/runFile.ts';
import type { Given, SaidError } from '../../crdtest/said.ts';
import { readSuite, type Suite, type TestCase, versionsOf } from '../../crdtest/suite.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Files } from '../../workspace/files.ts';
import { type Snapshot, versionsFor } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { blocks, code, fenced, list, type Markdown, md, own, text } from '../words/markdown.ts';
import { objectShown, outcome } from './casePage.ts';
import { admissionPage } from './debugAdmission.ts';
import { evaluationPage } from './debugEvaluation.ts';

/** What a case evaluates, as a page: the rules with the values of their parts; undefined where there is no such case. */
export async function debugPage(
  snapshot: Snapshot,
  files: Files,
  file: SourceFile,
  id: string,
): Promise<Markdown | undefined> {
  for (const [nth, { document }] of file.stream.documents.entries()) {
    const { suite } = readSuite(document);
    const one = suite?.cases.find(({ path }) => idOf(nth, path) === id);
    if (suite && one) return await pageFor(suite)(one, suite, snapshot, files, file.uri);
  }
  return undefined;
}

function pageFor({ policy, expressions }: Suite) {
  if (expressions) return evaluationPage;
  return policy ? admissionPage : pageOf;
}

async function pageOf(one: TestCase, suite: Suite, snapshot: Snapshot, files: Files, uri: string): Promise<Markdown> {
  const around = { files, uri, definitions: snapshot.definitions };
  const head = md`# ${code(one.name)}`;
  const found = suite.crd ? await crdOf(suite.crd, around) : { why: 'no CRD is named' };
  if ('why' in found) return md`${blocks(head, text(found.why))}\n`;
  const named = versionsOf(suite, versionsFor(snapshot, uri));
  const { served, refused } = groundFor(found.manifest.value, named);
  if (served.size === 0) return md`${blocks(head, ...refused.map(text))}\n`;
  const given = await givenOf(one, suite, around);
  if ('why' in given) return md`${blocks(head, text(given.why))}\n`;
  const { version, crd, result } = worst(one, given, served);
  const { rules, more, object } = debugged(one, given, crd, version);
  const page = blocks(
    head,
    ...outcome(version, result.failures),
    ...cameText(one, result),
    ...rulesText(rules, more),
    ...objectShown(own('## The object as rules see it'), object),
  );
  return md`${page}\n`;
}

/** The version to look at: the first one in which the case fails. */
function worst(one: TestCase, given: Given, served: ReadonlyMap<KubernetesVersion, Served>) {
  const all = [...served].map(([version, crd]) => ({ version, crd, result: runCase(one, given, crd, version) }));
  return all.find(({ result }) => result.failures.length > 0) ?? all[0]!;
}

function cameText({ request }: TestCase, { came }: CaseResult): Markdown[] {
  if (request.verb === 'rule') return [];
  const errors = (came ?? []).map(({ field, message, code: named }: SaidError) => {
    return md`${field === '' ? '' : md`${code(field)}: `}${code(message)} (${code(named)})`;
  });
  return [own('## What the server says'), errors.length === 0 ? own('The object is accepted.') : list(errors)];
}

function rulesText(rules: readonly DebuggedRule[], more: number): Markdown[] {
  if (rules.length === 0) return [];
  // What is broken is what one looks for.
  const ordered = [...rules].sort((a, b) => Number(a.outcome === 'true') - Number(b.outcome === 'true'));
  return [own('## Rules'), ...ordered.map(ruleText), ...(more > 0 ? [md`${more} more rules are not shown.`] : [])];
}

function ruleText({ name, rule, outcome, parts }: DebuggedRule): Markdown {
  return blocks(md`### ${code(name)}: ${code(outcome)}`, fenced('', parts.length === 0 ? rule : parts.join('\n')));
}
