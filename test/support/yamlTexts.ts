/** Random YAML: manifests, the same half destroyed, and soup of all that YAML knows. */
import type { Random } from './random.ts';

const scalars = `1 01 0o17 1_0 1e3 1.0 1e21 1e-7 .5 -.5 +.5 0x1f 0b11 -0b1 -0 -0.0 0.0 1. 1.e3 18446744073709551615
18446744073709551616 -9223372036854775808 -9223372036854775809 9223372036854775808 yes No ON off y N ~ null Null nULL
true TRUE tRue .nan .inf -.INF 2020-01-01 2001-12-14t21:59:43.10-05:00 12:30:45 190:20:30 "1" 'no' 'it''s' 0b+1 0b-1
1__0 _1 0x_1 ._5 .1_5 .e5 + - . .. 0_7 08 09.5 1e400 1e-400 0xFFFFFFFFFFFFFFFF 0x10000000000000000 foo << = [] {}
"" '' 3.14159265358979 1e6 123456789.5 1.5e-9 0b 0x 0o 0o8 +0x1 -0x1 +0b1 1e+3 1E3 a:b a#b -a ?a :a é 😀 "😀\\U0001F600"
"a\\tb" "\\u2028\\x01\\x7f" <html>& x/y a.b`.split(/\s+/);
const spaced = [
  'a b',
  '[1, 2]',
  '{a: 1}',
  '{a: 1, b: [c, d]}',
  '[a, {b: c}, d: e]',
  '{a, b: }',
  '"a b"',
  "'a  b'",
  '!!str 1',
  '!!int "3"',
  '!!float 3',
  '!!binary aGk=',
  '!!binary "//79"',
  '!!bool yes',
  '!!null ~',
  '!!int 0x1F',
  '!!timestamp 2020-1-1',
  '!x y',
  '! 1',
  '&x 1',
  '&y [a]',
  '|\n  x',
  '>-\n  x\n  y',
  '|+\n  x\n\n',
  '>\n  a\n   b\n\n  c\n',
  '|2\n    x',
  '|-\n\n  x\n  # y',
  '"a\n  b"',
  "'a\n\n  b'",
  'a\n  b',
  'a\n\n  b # c',
  '"a\\\n  \\ b"',
];
const keys = ['a', 'b', 'c', 'name', 'spec', 'metadata', 'kind', 'x-y', 'type', '"q"', "'r'", 'a b'];
const fragments = [
  ...['a', 'key', ': ', ':', '- ', '-', '? ', '?', ',', ', ', '[', ']', '{', '}', '"', "'", '|', '>', '|-', '>+', '|2'],
  ...[
    '\n',
    '\n',
    '\n  ',
    '\n  ',
    '\n    ',
    '\n ',
    '\n\n',
    '  ',
    ' ',
    '\t',
    '# c\n',
    ' # c\n',
    '#',
    '&a ',
    '*a',
    '&b ',
    '*b ',
  ],
  ...[
    '!!str ',
    '!!int ',
    '! ',
    '!x ',
    '!!float ',
    '!!binary ',
    '!!bool ',
    '!!null ',
    '<<: ',
    '<<',
    '...\n',
    '---\n',
    '\n---\n',
  ],
  ...[
    '%YAML 1.1\n',
    '%TAG ! x\n',
    '\\n',
    '\\',
    '\r\n',
    '\r',
    'é',
    '😀',
    '\u0085',
    '\u2028',
    '@',
    '`',
    '%',
    'x: y\n',
    'k: v\n',
  ],
  ...[
    '- i\n',
    '"q": ',
    '\\x41',
    "''",
    'word word',
    '\u0001',
    '=',
    '\n--- # c\n',
    '\n---x\n',
    '*a : ',
    '!<x> ',
    '!e!x ',
  ],
];

export function randomScalar(random: Random): string {
  return random.chance(0.3) ? random.pick(spaced) : random.pick(scalars);
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}

/** A document of maps and lists with random scalars; mostly valid. */
export function randomDocument(random: Random): string {
  const lines = randomNode(random, 0, 3 + random.below(12)).lines;
  const eol = random.chance(0.15) ? '\r\n' : '\n';
  const text = lines.join('\n') + (random.chance(0.85) ? '\n' : '');
  return eol === '\n' ? text : text.replaceAll('\n', eol);
}

function randomNode(random: Random, column: number, budget: number): { lines: string[]; used: number } {
  const list = random.chance(0.3);
  const lines: string[] = [];
  const pad = ' '.repeat(column);
  const used = new Set<string>();
  let left = budget;
  for (let i = 1 + random.below(4); i > 0 && left > 0; i--) {
    if (random.chance(0.1)) lines.push(`${pad}# comment`);
    const key = random.chance(0.15) ? randomScalar(random).split('\n')[0]! : random.pick(keys);
    if (used.has(key) && random.chance(0.9)) continue;
    used.add(key);
    left--;
    const nested = left > 1 && column < 12 && random.chance(0.35);
    if (!nested) {
      const value = indented(randomScalar(random), list ? column : column);
      const comment = random.chance(0.1) && !value.includes('\n') ? ' # c' : '';
      lines.push(list ? `${pad}- ${value}${comment}` : `${pad}${key}: ${value}${comment}`);
      continue;
    }
    const inner = randomNode(random, column + 2, left);
    left -= inner.used;
    if (!list) lines.push(`${pad}${key}:${random.chance(0.1) ? ' # c' : ''}`, ...inner.lines);
    else if (inner.lines[0]!.trimStart().startsWith('#')) lines.push(`${pad}-`, ...inner.lines);
    else lines.push(`${pad}- ${inner.lines[0]!.slice(column + 2)}`, ...inner.lines.slice(1));
  }
  if (lines.length === 0) lines.push(`${pad}${list ? '- ' : 'k: '}v`);
  return { lines, used: budget - left };
}

/** A small change of a text, of the kind that typing makes. */
export function mutated(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random.below(4));
    case 1:
      return text.slice(0, at) + random.pick(fragments) + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at, at + 1 + random.below(12)) + text.slice(at);
    default:
      return text.slice(0, at) + randomScalar(random) + text.slice(at + random.below(3));
  }
}

export function soup(random: Random): string {
  let text = '';
  for (let i = 1 + random.below(14); i > 0; i--) text += random.pick(fragments);
  return text;
}

/** Any of them, often several documents. */
export function randomYaml(random: Random): string {
  if (random.chance(0.25)) return soup(random);
  let text = randomDocument(random);
  while (random.chance(0.15)) text += `---${random.chance(0.3) ? ' # next' : ''}\n${randomDocument(random)}`;
  for (let i = random.below(4); i > 0; i--) text = mutated(random, text);
  return text;
}
