import { lex, T } from '../../cel/lex.ts';
import { jsonPatchFields } from '../../kubernetes/policy/patchTypes.ts';
import { jsonPatchType, objectType } from '../../kubernetes/policy/patchValues.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { own } from '../words/markdown.ts';
import type { Completion } from './completion.ts';
import { type At, misfit, rank } from './rankInRule.ts';

// What expressions of mutations make: objects to apply, and operations of JSON patches.

const made = [
  [objectType, 'Object{$1}', 'The fields to apply. A part is an object named by its path, such as `Object.spec{}`.'],
  [jsonPatchType, 'JSONPatch{op: "$1", path: "$2"}', 'An operation of a JSON patch.'],
] as const;

/** The types of which an expression can make objects. */
export function madeObjects(at: At): Completion[] {
  const { structs } = at.rule.place.schemaEnv.env;
  return made.flatMap(([type, snippet, documentation], i) => {
    if (structs(type.name)?.type !== type) return [];
    return {
      label: type.name,
      kind: 'snippet',
      detail: 'object',
      documentation: own(documentation),
      range: at.rule.word,
      text: snippet,
      snippet: true,
      order: rank(0, misfit(at, type), i),
    };
  });
}

/** The fields of a JSONPatch where one of them begins; undefined where no field of one does. */
export function patchFields(
  { compiled: { text }, schemaEnv: { env } }: RulePlace,
  offset: number,
): Completion[] | undefined {
  if (env.structs(jsonPatchType.name)?.type !== jsonPatchType) return undefined;
  const { kinds, starts, ends, count } = lex(text.slice(0, offset), true);
  // Behind it stands the end of the text.
  const last = count - 2;
  const isWord = kinds[last] === T.ident && ends[last] === offset;
  const before = isWord ? last - 1 : last;
  if (kinds[before] !== T.leftBrace && kinds[before] !== T.comma) return undefined;
  const brace = openBrace(kinds, before);
  const name = brace > 0 ? text.slice(starts[brace - 1], ends[brace - 1]) : '';
  if (name !== jsonPatchType.name || kinds[brace - 2] === T.dot) return undefined;
  const range = { start: isWord ? starts[last]! : offset, end: offset };
  return [...jsonPatchFields].map(([field, [type, documentation]], i) => ({
    label: field,
    kind: 'field',
    detail: type.text,
    documentation: own(documentation),
    range,
    text: `${field}: `,
    snippet: false,
    order: rank(0, i),
  }));
}

/** The brace that is open at a token; −1 where something else is, or nothing. */
function openBrace(kinds: ArrayLike<number>, from: number): number {
  let closed = 0;
  for (let i = from; i >= 0; i--) {
    const kind = kinds[i]!;
    if (kind === T.rightBrace || kind === T.rightParen || kind === T.rightBracket) closed++;
    else if (kind === T.leftBrace || kind === T.leftParen || kind === T.leftBracket) {
      if (closed === 0) return kind === T.leftBrace ? i : -1;
      closed--;
    }
  }
  return -1;
}
