import { byteLength } from '../../gostd/bytes.ts';
import { quote } from '../../gostd/quote.ts';
import type { Field, TypeExpression } from '../syntax/model.ts';
import { unquoted } from './tags.ts';
import { nameOfEmbedded, type Resolved, resolve, resolveUsed, type Scope } from './types.ts';

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
      return orInvalid(text(type.to), (to) => `*${to}`);
    case 'list':
      return `[${lengthText(type.length)}]${text(type.of)}`;
    case 'map':
      return `map[${text(type.key)}]${text(type.of)}`;
    case 'struct':
      return `struct{${fewOf(distinctFields(type.fields), (field) => fieldText(field, text(field.type))).join('; ')}}`;
    case 'generic':
      return orInvalid(
        typeText(resolveUsed(type.of, scope), scope),
        (of) => `${of}[${fewOf(type.arguments, text).join(', ')}]`,
      );
    default:
      return scope.file.go.text.slice(type.range.start, type.range.end);
  }
}

/** Of fields with one name Go's checker has the first. */
function distinctFields(fields: readonly Field[]): Field[] {
  const known = new Set(['']);
  return fields.flatMap((field) => {
    const { names, type } = field;
    const own = names.length === 0 ? [nameOfEmbedded(type)] : names.map(({ name }) => name);
    const isNew = own.map((name) => {
      const isFirst = !known.has(name);
      if (name !== '_') known.add(name);
      return isFirst;
    });
    if (names.length === 0) return isNew[0] ? [field] : [];
    const left = names.filter((_, i) => isNew[i]);
    return left.length > 0 ? [{ ...field, names: left }] : [];
  });
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

function fieldText({ names, tag }: Field, type: string): string {
  const text = tag ? unquoted(tag.text) : '';
  const tagged = text === '' ? '' : ` ${quote(text)}`;
  const of = (name: string): string => `${name}${type}${tagged}`;
  return names.length === 0 ? of('') : names.map(({ name }) => of(`${name} `)).join('; ');
}
