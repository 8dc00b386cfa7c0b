import { movedRange, shortened } from '../../base/text.ts';
import { isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { partValues } from '../../kubernetes/cel/partValues.ts';
import { type Tried as TriedExpression, tryExpression } from '../../kubernetes/cel/tryExpression.ts';
import { valText } from '../../kubernetes/cel/valText.ts';
import { fileAt, kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import type { PlacedDocument, YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import { groundOf, playgroundRoot } from '../place/playground.ts';
import { costNumber } from '../words/costs.ts';
import type { Outcome, Tried } from './tried.ts';

/** What the expression at an offset comes to, or that of the file's first document with one. */
export function tryPlayground(snapshot: Snapshot, uri: string, offset: number): Tried | undefined {
  const documents = fileAt(snapshot, uri)?.stream.documents ?? [];
  const withOne = documents.filter(({ document }) => isString(expressionIn(document)));
  const placed = withOne.findLast(({ start }) => start <= offset) ?? withOne[0];
  return placed && triedIn(snapshot, uri, placed);
}

function expressionIn(document: YamlDocument): Value | undefined {
  const root = playgroundRoot(document);
  return isMap(root) ? root.get('expression') : undefined;
}

function triedIn(snapshot: Snapshot, uri: string, { document, start }: PlacedDocument): Tried {
  const root = playgroundRoot(document) as ValueMap;
  const expression = String(expressionIn(document));
  const kubernetes = kubernetesFor(snapshot, uri);
  const ground = groundOf(snapshot, uri, document, root, kubernetes);
  const types = ground.types === '' ? [] : [ground.types];
  const parts = partValues();
  const tried = tryExpression(expression, ground, kubernetes, parts.watch);
  const about = { title: 'CEL playground', expression, kubernetes: kubernetes.name, more: 0 };
  if ('problem' in tried) return { ...about, problem: tried.problem, facts: types, objects: [] };
  const key = rangeOf(document, ['self'], 'key') ?? rangeOf(document, ['expression'], 'key') ?? { start: 0, end: 0 };
  const place = { uri, range: movedRange(key, start) };
  const value = {
    at: '',
    ...resultOf(tried),
    parts: parts.parts(tried.expr),
    lines: parts.lines(tried.expr, expression),
  };
  const { outcome, said } = value;
  return {
    ...about,
    problem: undefined,
    facts: [`type ${tried.type}`, `cost ${costNumber(tried.cost)} here, at most ${costNumber(tried.most)}`, ...types],
    objects: [{ name: 'self', place, outcome, said, values: [value], more: 0 }],
  };
}

/** Nobody reads more of a value. */
const longest = 2000;

function resultOf({ result }: Exclude<TriedExpression, { readonly problem: string }>): {
  outcome: Outcome;
  said: string;
} {
  if ('error' in result) return { outcome: 'error', said: result.error };
  if (typeof result.value === 'boolean') return { outcome: result.value ? 'true' : 'false', said: '' };
  const text = valText(result.value);
  return { outcome: 'value', said: shortened(text, longest) };
}
