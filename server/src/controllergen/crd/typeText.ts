import { byteLength } from '../../gostd/bytes.ts';
import { quote } from '../../gostd/quote.ts';
import type { Field, TypeExpression } from '../syntax/model.ts';
import { unquoted } from './tags.ts';
import { isThere, nameOfEmbedded, type Resolved, resolve, resolveUsed, type Scope } from './types.ts';

/** A type as go/types prints it: with whole import paths, on one line. */
export function typeText(type: Resolved, scope: Scope): string {
  switch (type.kind) {
    case 'basic':
      return type.name;
    case 'declared':
      return `${type.declared.package.path}.${type.declared.type.name}`;
    case 'unread':
      return `${type.path}.${type.name}`;
    case 'literal':
      return literalText(type.type, { ...scope, package: type.package, file: type.file });
    default:
      return invalidType;
  }
}

/** What go/types calls a type that is not valid. */
export const invalidType = 'invalid type';

/** What is made of a type that is not valid is not valid either. */
function orInvalid(text: string, around: (text: string) => string): string {
  return text === invalidType ? invalidType : around(text);
}

function literalText(type: TypeExpression, scope: Scope): string {
  const text = (part: TypeExpression): string => typeText(resolve(part, scope), scope);
  switch (type.kind) {
    case 'pointer':
      return isThere(type, scope) ? orInvalid(text(type.to), (to) => `*${to}`) : invalidType;
    case 'list':
      return `[${lengthText(type.length)}]${text(type.of)}`;
    case 'map':
      return `map[${text(type.key)}]${text(type.of)}`;
    case 'struct':
      return `struct{${fewOf(checkedFields(type.fields), ({ name, type, tag }) => fieldText(name, text(type), tag)).join('; ')}}`;
    case 'generic':
      return orInvalid(
        typeText(resolveUsed(type.of, scope), scope),
        (of) => `${of}[${fewOf(type.arguments, text).join(', ')}]`,
      );
    default:
      return scope.file.go.text.slice(type.range.start, type.range.end);
  }
}

/** A field of a struct as Go's checker has it. */
interface CheckedField {
  /** Empty for an embedded one. */
  readonly name: string;
  readonly type: TypeExpression;
}

/** Of fields with one name Go's checker has the first, but the tags of all: those behind it get the tag of one before. */
function checkedFields(fields: readonly Field[]): readonly (CheckedField & { readonly tag: string })[] {
  const known = new Set<string>();
  const kept: CheckedField[] = [];
  // There are none before the first field that has one.
  let tags: string[] | undefined;
  for (const { names, type, tag } of fields) {
    const text = tag ? unquoted(tag.text) : '';
    for (const name of names.length > 0 ? names.map((one) => one.name) : ['']) {
      if (text !== '') tags ??= kept.map(() => '');
      tags?.push(text);
      const own = name === '' ? nameOfEmbedded(type) : name;
      if (own !== '_' && known.has(own)) continue;
      known.add(own);
      kept.push({ name, type });
    }
  }
  return kept.map((field, i) => ({ ...field, tag: tags?.[i] ?? '' }));
}

/** A number as it is written, and that of the bytes of a text; other constants are not worked out. */
function lengthText(written = ''): string {
  const [, literal] = /^len\(("[^"\\]*")\)$/.exec(written) ?? [];
  return literal === undefined ? written : String(byteLength(unquoted(literal)));
}

/** How much of a type that is written out is shown. */
const mostCharacters = 2_000;

function fewOf<T>(items: readonly T[], shown: (item: T) => string): string[] {
  const texts: string[] = [];
  let left = mostCharacters;
  for (const item of items) {
    if (left <= 0) return [...texts, '…'];
    const text = shown(item).slice(0, mostCharacters);
    texts.push(text);
    left -= text.length;
  }
  return texts;
}

function fieldText(name: string, type: string, tag: string): string {
  return [name, type, tag === '' ? '' : quote(tag)].filter((part) => part !== '').join(' ');
}
