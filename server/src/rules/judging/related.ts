import { isList, type Path, type Value } from '../../base/value.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import { mapIn, valueIn } from '../fixing/fixes.ts';
import type { Problem, RelatedProblem } from '../model/rule.ts';
import { locate, locateInFile } from './locate.ts';

// Other places that problems are about, as several rules find them.

/** A place in the problem's own document. */
export function relatedAt(
  { document }: Problem,
  path: Path,
  message: string,
  anchor: 'key' | 'value' = 'key',
): RelatedProblem {
  return { range: locate(document, path, anchor), message };
}

/** The item of the same list that had the same value first. */
export function firstEqual(problem: Problem): RelatedProblem[] {
  const index = problem.path.findLastIndex((step) => typeof step === 'number');
  const list = valueIn(problem, problem.path.slice(0, index));
  const rest = problem.path.slice(index + 1);
  const own = valueIn(problem, problem.path);
  if (!isList(list) || own === undefined) return [];
  const paths = [...list.keys()].map((i) => [...problem.path.slice(0, index), i, ...rest]);
  const first = paths.find((path) => valueIn(problem, path) === own);
  return first && first[index] !== problem.path[index] ? [relatedAt(problem, first, 'the first one', 'value')] : [];
}

/** The nearest schema around that a test holds of. */
export function nearestSchema(
  problem: Problem,
  fits: (schema: ReadonlyMap<string, Value>, path: Path) => boolean,
): Path | undefined {
  for (let length = problem.path.length; length > 0; length--) {
    const path = problem.path.slice(0, length);
    const schema = mapIn(problem, path);
    if (schema && fits(schema, path)) return path;
  }
  return undefined;
}

const listType = 'x-kubernetes-list-type';

/** The type of the list around, which demands what is wrong. */
export function keyedList(problem: Problem): RelatedProblem[] {
  const list = nearestSchema(problem, (schema) => schema.has(listType));
  if (!list) return [];
  const type = mapIn(problem, list)?.get(listType);
  return [relatedAt(problem, [...list, listType], `the list is of type ${String(type)}`)];
}

/** The keyword of the CRD that a value does not keep to. */
export function keywordInSchema(
  keyword: string,
): (problem: Problem, definition: Definition | undefined) => RelatedProblem[] {
  return ({ path, manifest }, definition) => {
    const root = manifest && definition && rootSchema(definition, manifest.apiVersion);
    if (!root || !definition) return [];
    const within = path.slice(manifest.at.length);
    // What is required is said by the object around.
    const nodes = keyword === 'required' ? [within, within.slice(0, -1)] : [within];
    const node = nodes.map((one) => schemaAt(root, one)).find((one) => one?.path && one.schema.has(keyword));
    if (!node?.path) return [];
    const place = locateInFile(definition.file, definition.manifest, [...node.path, keyword], 'key');
    return [{ ...place, message: `because of \`${keyword}\` in the CRD` }];
  };
}
