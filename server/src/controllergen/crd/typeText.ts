import { byteLength } from '../../gostd/bytes.ts';
import { quote } from '../../gostd/quote.ts';
import type { Declared, Packages } from '../packages.ts';
import type { Field, TypeExpression } from '../syntax/model.ts';
import { unquoted } from './tags.ts';
import { nameOfEmbedded, type Resolved, resolve, resolveUsed, type Scope, scopeOf } from './types.ts';

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

/** What is behind the name of a type, as go/types prints it: with the arguments of a generic type in their places. */
export function textBehind(declared: Declared, base: Resolved, packages: Packages): string {
  const scope = scopeOf(declared, packages);
  return typeText(base, { ...scope, given: givenBehind(declared, packages) });
}

/** How many names are gone through until a generic type is met. */
const mostNames = 10;

function givenBehind(declared: Declared, packages: Packages): ReadonlyMap<string, string> {
  let at: Resolved = { kind: 'declared', declared };
  for (let left = mostNames; left > 0 && at.kind === 'declared'; left--) {
    const { type } = at.declared.type;
    const scope = scopeOf(at.declared, packages);
    if (type.kind === 'generic') {
      const of = resolveUsed(type.of, scope);
      const parameters = of.kind === 'declared' ? of.declared.type.parameters : [];
      const texts = fewOf(type.arguments, (one) => typeText(resolve(one, scope), scope));
      return new Map(parameters.map((name, i) => [name, texts[i] ?? invalidType]));
    }
    at = resolve(type, scope);
  }
  return new Map();
}

/** What go/types calls a type that is not valid. */
export const invalidType = 'invalid type';

/** What is made of a type that is not valid is not valid either. */
function orInvalid(text: string, around: (text: string) => string): string {
  return text === invalidType ? invalidType : around(text);
}

function literalText(type: TypeExpression, scope: Scope): string {
  const text = (part: TypeExpression): string =>
    (part.kind === 'name' ? scope.given?.get(part.name) : undefined) ?? typeText(resolve(part, scope), scope);
  switch (type.kind) {
    case 'pointer':
      return orInvalid(text(type.to), (to) => `*${to}`);
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
