/** Label selectors as text, such as `app=web,tier in (a,b)`. */

import { byteLength } from './bytes.ts';
import { compareStrings } from './jsonPrint.ts';
import { parseGoInt } from './parseInt.ts';

/** Why a text is not a selector. */
export class BadSelector extends Error {}

/** What is said differently of the same mistakes by programs of different times. */
export interface SelectorWords {
  operator(found: string): string;
  key(key: string, problems: string): string;
  value(value: string, key: string, nth: number, problems: string): string;
  integer(value: string): string;
  /** How what a key is made of is called. */
  readonly qualified: string;
}

function fail(message: string): never {
  throw new BadSelector(message);
}

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

type Operator = 'exists' | '!' | '=' | '==' | '!=' | 'in' | 'notin' | '>' | '<';

export type LabelSelector = readonly Requirement[];

export function matchesLabels(selector: LabelSelector, labels: ReadonlyMap<string, string>): boolean {
  return selector.every((one) => matches(one, labels.get(one.key)));
}

function matches({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case '>':
    case '<':
      return value !== undefined && compares(operator, value, values[0]!);
    default:
      return value !== undefined && values.includes(value);
  }
}

function compares(operator: '>' | '<', value: string, limit: string): boolean {
  const [a, b] = [parseGoInt(value, 10), parseGoInt(limit, 10)];
  if (!('value' in a) || !('value' in b)) return false;
  return operator === '>' ? a.value > b.value : a.value < b.value;
}

interface Token {
  readonly kind: 'word' | 'end' | 'error' | Exclude<Operator, 'exists'> | '(' | ')' | ',';
  readonly text: string;
}

const symbols = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'] as const;

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at++;
    if (at >= text.length || text[at] === '\0') break;
    const symbol = symbols.find((one) => text.startsWith(one, at));
    if (symbol) {
      tokens.push({ kind: symbol, text: symbol });
      at += symbol.length;
      continue;
    }
    const start = at;
    while (at < text.length && !/[=!(),><\s\0]/.test(text[at]!)) at++;
    const word = text.slice(start, at);
    tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'word', text: word });
    if (at === start) at++;
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

class Parser {
  readonly tokens: readonly Token[];
  readonly words: SelectorWords;
  at = 0;

  constructor(text: string, words: SelectorWords) {
    this.words = words;
    this.tokens = scan(text);
  }

  /** Where a value may be, `in` and `notin` are words. */
  look(): Token {
    const token = this.tokens[Math.min(this.at, this.tokens.length - 1)]!;
    return token.kind === 'in' || token.kind === 'notin' ? { ...token, kind: 'word' } : token;
  }

  next(): Token {
    const token = this.look();
    this.at++;
    return token;
  }

  operator(): Token {
    return this.tokens[Math.min(this.at++, this.tokens.length - 1)]!;
  }
}

export function parseSelector(text: string, words: SelectorWords): LabelSelector {
  return text === '' ? [] : parse(new Parser(text, words));
}

function parse(parser: Parser): LabelSelector {
  const requirements: Requirement[] = [];
  for (;;) {
    const token = parser.look();
    if (token.kind === 'end') return requirements.sort((a, b) => compareStrings(a.key, b.key));
    if (token.kind !== 'word' && token.kind !== '!')
      fail(`found '${token.text}', expected: !, identifier, or 'end of string'`);
    requirements.push(requirement(parser));
    const after = parser.next();
    if (after.kind === 'end') return requirements.sort((a, b) => compareStrings(a.key, b.key));
    if (after.kind !== ',') fail(`found '${after.text}', expected: ',' or 'end of string'`);
    const { kind, text } = parser.look();
    if (kind !== 'word' && kind !== '!') fail(`found '${text}', expected: identifier after ','`);
  }
}

function refuse(message: string): never {
  fail(`unable to parse requirement: ${message}`);
}

function requirement(parser: Parser): Requirement {
  let token = parser.next();
  const negated = token.kind === '!';
  if (negated) token = parser.next();
  if (token.kind !== 'word') refuse(`found '${token.text}', expected: identifier`);
  const key = token.text;
  checkKey(key, parser.words);
  const { kind } = parser.look();
  if (negated || kind === 'end' || kind === ',') return { key, operator: negated ? '!' : 'exists', values: [] };
  const { kind: operator, text } = parser.operator();
  if (!['in', '=', '==', '>', '<', 'notin', '!='].includes(operator)) refuse(parser.words.operator(text));
  const values = operator === 'in' || operator === 'notin' ? setOf(parser) : [exactValue(parser)];
  const sorted = [...new Set(values)].sort(compareStrings);
  return checked({ key, operator: operator as Operator, values: sorted }, parser.words);
}

function setOf(parser: Parser): string[] {
  const open = parser.next();
  if (open.kind !== '(') refuse(`found '${open.text}' expected: '('`);
  const { kind, text } = parser.look();
  if (kind === ')') {
    parser.next();
    return [''];
  }
  if (kind !== 'word' && kind !== ',') refuse(`found '${text}', expected: ',', ')' or identifier`);
  const values = words(parser);
  if (parser.next().kind !== ')') refuse(`found '${text}', expected: ')'`);
  return values;
}

function words(parser: Parser): string[] {
  const values: string[] = [];
  for (;;) {
    const { kind, text } = parser.next();
    if (kind === 'word') {
      values.push(text);
      const after = parser.look();
      if (after.kind === ')') return values;
      if (after.kind !== ',') refuse(`found '${after.text}', expected: ',' or ')'`);
    } else if (kind === ',') {
      if (values.length === 0) values.push('');
      const after = parser.look();
      if (after.kind === ')') return [...values, ''];
      if (after.kind === ',') {
        parser.next();
        values.push('');
      }
    } else refuse(`found '${text}', expected: ',', or identifier`);
  }
}

function exactValue(parser: Parser): string {
  const { kind } = parser.look();
  if (kind === 'end' || kind === ',') return '';
  const token = parser.next();
  if (token.kind !== 'word') refuse(`found '${token.text}', expected: identifier`);
  return token.text;
}

function checked(one: Requirement, words: SelectorWords): Requirement {
  if ((one.operator === '>' || one.operator === '<') && !('value' in parseGoInt(one.values[0]!, 10)))
    refuse(words.integer(one.values[0]!));
  for (const [nth, value] of one.values.entries()) {
    const wrong = [
      ...(byteLength(value) > 63 ? ['must be no more than 63 characters'] : []),
      ...(value === '' || name.test(value)
        ? []
        : [
            `a valid label must be an empty string or consist of ${nameRule} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${namePattern})?')`,
          ]),
    ];
    if (wrong.length > 0) refuse(words.value(value, one.key, nth, wrong.join('; ')));
  }
  return one;
}

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const name = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const nameRule = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const domain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const domainPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

function checkKey(key: string, words: SelectorWords): void {
  const wrong = keyProblems(key, words.qualified);
  if (wrong.length > 0) refuse(words.key(key, wrong.join('; ')));
}

function keyProblems(key: string, qualified: string): string[] {
  const rule = `${nameRule} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePattern}')`;
  const parts = key.split('/');
  if (parts.length > 2)
    return [
      `${qualified} must consist of ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const own = parts.at(-1)!;
  const wrong = parts.length === 2 ? prefixProblems(parts[0]!) : [];
  if (own === '') wrong.push('name part must be non-empty');
  else if (byteLength(own) > 63) wrong.push('name part must be no more than 63 characters');
  if (!name.test(own)) wrong.push(`name part must consist of ${rule}`);
  return wrong;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const wrong: string[] = [];
  if (byteLength(prefix) > 253) wrong.push('prefix part must be no more than 253 characters');
  if (!domain.test(prefix))
    wrong.push(
      `prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${domainPattern}')`,
    );
  return wrong;
}
