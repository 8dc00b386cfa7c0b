import { isList, isMap, type Value } from '../../base/value.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type NotJudgedFacts = { 'file/too-deep': undefined; 'file/not-judged': undefined };

/** An object, or the CRD of its kind, that is nested too deep for everything that walks through it. */
export function tooDeep(
  manifest: Manifest,
  definition: Definition | undefined,
): ProblemOf<NotJudgedFacts, 'file/too-deep'> | undefined {
  const what = isDeep(manifest.value) ? 'The object' : definition && isDeep(definition.manifest.value) ? 'Its CRD' : '';
  if (what === '') return undefined;
  const message = `${what} is nested more than ${defaultLimits.levels} levels deep: it is not judged here.`;
  return problemAt(manifest, { code: 'file/too-deep' }, message, ['kind'], 'value');
}

const deep = new WeakMap<object, boolean>();

function isDeep(value: Value): boolean {
  if (!isMap(value) && !isList(value)) return false;
  const known = deep.get(value);
  if (known !== undefined) return known;
  const found = goesBelow(value, defaultLimits.levels);
  deep.set(value, found);
  return found;
}

/** Level by level, since a walk down would need the stack that is spared here. */
function goesBelow(value: Value, levels: number): boolean {
  let level: Value[] = [value];
  for (let i = 0; i < levels && level.length > 0; i++) {
    const next: Value[] = [];
    for (const one of level) {
      if (isMap(one) || isList(one)) for (const item of one.values()) if (typeof item === 'object') next.push(item);
    }
    level = next;
  }
  return level.length > 0;
}

/** What is said of a document over which judging itself has failed. */
export function notJudged(document: YamlDocument, why: string): ProblemOf<NotJudgedFacts, 'file/not-judged'> {
  const start = Math.max(0, document.text.search(/\S/));
  const end = document.text.indexOf('\n', start);
  const range = { start, end: end < 0 ? document.text.length : end };
  const message = `kube-crd itself failed over this and says nothing of it: ${why}. Please report it with the file.`;
  return { code: 'file/not-judged', message, range, document, path: [] };
}

const nested = (levels: number) => `apiVersion: example.com/v1
kind: Gizmo
spec: ${'['.repeat(levels)}${']'.repeat(levels)}
`;

export const notJudgedRules = family<NotJudgedFacts>()({
  'file/too-deep': {
    severity: 'warning',
    title: 'A document that is nested too deep to be judged',
    explanation: `The API server reads JSON up to 10,000 levels deep. Here 500 are walked through, which is many times what any
schema asks for; what is deeper is not judged.`,
    bad: nested(500),
    good: nested(10),
  },
  'file/not-judged': {
    title: 'A document that could not be judged',
    explanation: `A mistake in kube-crd itself. Nothing is known of the document: it may be right or wrong. All others are judged
as ever; the log has what a report of the mistake needs.`,
    bad: nested(1),
    good: nested(1),
    notShown: 'No document is known over which this happens.',
  },
});
