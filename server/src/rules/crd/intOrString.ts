import { isList, isMap, type Path, type Value } from '../../base/value.ts';
import { insertKey, removeAt, renameKey, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';
import { outsideOf } from './junctors.ts';

const marker = 'x-kubernetes-int-or-string';

/** What a node that is an integer or a string by a junctor should say instead. */
export function intOrString(problem: Problem, node: Path): Fix[] {
  const schema = mapIn(problem, node);
  if (!schema || schema.has(marker) || outsideOf(node).junctor !== undefined) return [];
  const junctor = ['anyOf', 'oneOf'].find((name) => isPair(schema.get(name)));
  if (junctor === undefined) return [];
  const { document } = problem;
  const path = [...node, junctor];
  const untyped = schema.has('type') ? removeAt(document, [...node, 'type']) : [];
  if (junctor === 'anyOf' && isPermitted(schema.get('anyOf')) && untyped.length === 0) {
    return fixOf(`Add \`${marker}: true\``, insertKey(document, node, marker, true, { before: junctor }), true);
  }
  const edits = [...untyped, ...renameKey(document, path, marker), ...setValue(document, path, true)];
  return fixOf(`Replace \`${junctor}\` with \`${marker}: true\``, edits, true);
}

const typeOf = (branch: Value) => (isMap(branch) && branch.size === 1 ? branch.get('type') : undefined);

function isPair(branches: Value | undefined): boolean {
  if (!isList(branches) || branches.length !== 2) return false;
  const types = branches.map(typeOf);
  return types.includes('string') && types.includes('integer');
}

/** The one form in which a junctor may say `type`. */
function isPermitted(branches: Value | undefined): boolean {
  return isList(branches) && typeOf(branches[0]!) === 'integer';
}
