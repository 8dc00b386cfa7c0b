/** Label selectors as text, such as `app=web,tier in (a,b)`. */

import { byteLength } from '../gostd/bytes.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import { parseGoInt } from '../gostd/parseInt.ts';
import { quote } from '../gostd/quote.ts';
import { fail } from './failure.ts';

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
  at = 0;

  constructor(text: string) {
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

const known = new Map<string, LabelSelector>();

export function parseLabelSelector(text: string): LabelSelector {
  if (text === '') return [];
  const found = known.get(text);
  if (found) return found;
  const parsed = parse(new Parser(text));
  if (known.size > 1000) known.clear();
  known.set(text, parsed);
  return parsed;
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
  checkKey(key);
  const { kind } = parser.look();
  if (negated || kind === 'end' || kind === ',') return { key, operator: negated ? '!' : 'exists', values: [] };
  const { kind: operator, text } = parser.operator();
  if (!['in', '=', '==', '>', '<', 'notin', '!='].includes(operator))
    refuse(`found '${text}', expected: '=', '!=', '==', 'in', notin'`);
  const values = operator === 'in' || operator === 'notin' ? setOf(parser) : [exactValue(parser)];
  return checked({ key, operator: operator as Operator, values: [...new Set(values)].sort(compareStrings) });
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

function checked(one: Requirement): Requirement {
  if ((one.operator === '>' || one.operator === '<') && !('value' in parseGoInt(one.values[0]!, 10)))
    refuse("for 'Gt', 'Lt' operators, the value must be an integer");
  for (const value of one.values) {
    const wrong = [
      ...(byteLength(value) > 63 ? ['must be no more than 63 characters'] : []),
      ...(value === '' || name.test(value)
        ? []
        : [
            `a valid label must be an empty string or consist of ${nameRule} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${namePattern})?')`,
          ]),
    ];
    if (wrong.length > 0)
      refuse(`invalid label value: ${quote(value)}: at key: ${quote(one.key)}: ${wrong.join('; ')}`);
  }
  return one;
}

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const name = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const nameRule = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const domain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const domainPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

function checkKey(key: string): void {
  const wrong = keyProblems(key);
  if (wrong.length > 0) refuse(`invalid label key ${quote(key)}: ${wrong.join('; ')}`);
}

function keyProblems(key: string): string[] {
  const rule = `${nameRule} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePattern}')`;
  const parts = key.split('/');
  if (parts.length > 2)
    return [
      `a qualified name must consist of ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
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
