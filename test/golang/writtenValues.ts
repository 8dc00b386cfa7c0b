import type { Value, ValueMap } from '../../server/src/base/value.ts';
import { type Random, seeded } from '../support/random.ts';

/** Texts that have to be quoted, or seem so. */
const hard = [
  ...['', ' ', '  ', ' a', 'a ', 'a  b', '\t', 'a\tb', '\ta', "'", '"', "it's", 'say "x"', `'"`, '\\', 'a\\b', "''"],
  ...['yes', 'Yes', 'no', 'on', 'OFF', 'y', 'n', 'true', 'True', 'tRUE', 'null', 'Null', '~', '~a', 'nan', 'None'],
  ...['.nan', '.inf', '-.INF', '+.Inf', '<<', '=', '<', '>', '.', '..', '...', '---', '--', '-', '- a', '-a', '---a'],
  ...['0', '-0', '+1', '00', '08', '010', '0x1F', '0xg', '0b101', '0b102', '0b-1', '-0b1', '0o7', '1_000', '_1', '1_'],
  ...[
    '1.0',
    '.5',
    '5.',
    '.',
    '1e3',
    '1E-3',
    '1e',
    '1e999',
    '-.5e1',
    '._5',
    '.5_5',
    '.1e5_0',
    '0x1p3',
    '.e1',
    '+',
    '+.5',
  ],
  ...['9223372036854775807', '9223372036854775808', '18446744073709551615', '18446744073709551616', '1e400'],
  ...['-9223372036854775808', '-9223372036854775809', '1:30', '1:60', '-1:5:9.5', '1:2_3', '190:20:30.15', '1:', 'a:1'],
  ...['2024-01-15', '2024-1-5', '2024-13-01', '2023-02-29', '2024-02-29', '0000-01-01', '2024-01-15T10:00:00Z'],
  ...[
    '2024-01-15t1:2:3.5+02:00',
    '2024-01-15 10:00:00',
    '2024-01-15  10:00:00.123',
    '2024-01-15 10:00:00 Z',
    '2024-01',
  ],
  ...['2024-01-15T10:00:00', '2024-01-15T10:00:00+24:60', '2024-01-15T10:00:00+25:00', '2024-01-15T10:00:00+00:61'],
  ...[
    '2024-01-15T24:00:00Z',
    '2024-01-15T10:00:60Z',
    '2024-01-15T10:00:00,5Z',
    '2024-01-15T1:00:00+2:00',
    '20240-01-15',
  ],
  ...[
    'a: b',
    'a:b',
    'a:',
    ':a',
    ': a',
    ':',
    '::',
    'a #b',
    'a#b',
    '#a',
    ' #',
    '? a',
    '?a',
    '?',
    'a?',
    'a ? b',
    'http://x',
  ],
  ...['[a]', 'a[', ']', '{a}', '{}', '[]', ',a', 'a,b', '&a', '*a', '*', '!a', '!', '|', '>', '%a', '@a', '`a`', 'a`'],
  ...[
    'a\nb',
    'a\n',
    '\n',
    '\n\n',
    'a\n\n',
    '\na',
    ' a\nb',
    'a \nb',
    'a\nb ',
    'a\n b',
    'a\n\nb',
    'a\n ',
    'a\n \nb',
    '\n a',
  ],
  ...[
    'a\tb\nc',
    'a\n\tb',
    'yes\n',
    '# a\nb',
    '- a\n- b\n',
    'a: b\nc: d',
    '---\na',
    'a\r\nb',
    'a\rb',
    '\r',
    'a\n---\nb\n\n\n',
  ],
  ...[
    'é',
    'größe',
    '日本語',
    '😀',
    'a😀b',
    '😀\nb',
    '\u00a0',
    'a\u00a0b',
    '\u200b',
    '\u2028',
    'a\u2028b',
    'a\u2029',
    '\u2028a',
  ],
  ...[
    'a\u2028 b',
    'a \u2028b',
    "a\u2028'b",
    'a\nb\u2028',
    'a\u2028b\nc',
    '\u2028\n',
    '\n\u2028',
    'a\u2028\u2029b',
    'yes\u2028',
  ],
  ...[
    '\ufeff',
    '\ufeffa b"\\',
    'a\ufeffb',
    '\ufeffa\nb\t\u00a0é\u2028😀',
    '\ufffd',
    '\ue000',
    '\ud7ff',
    '\u0000',
    '\u0001\u0007',
  ],
  ...[
    'a\u001bb',
    '\b\f\v',
    'self.a > 1 && self.b < 2',
    "self == 'a'",
    '!has(self.a)',
    '^[a-z]+$',
    '^(?:a|b)$',
    '.spec.replicas',
  ],
];

const words = ['a', 'is', 'word', 'of', "it's", '"quoted"', 'key: x', '# no', 'a\\b', 'größe', '日本', '- dash', 'x:'];
const long = 'abcdefghij'.repeat(9);

/** Maps with scalars at places and of lengths that matter; the same each time. */
export function writtenValues(): ValueMap[] {
  const random = seeded(7);
  const map = (...entries: (readonly [string, Value])[]): ValueMap => new Map(entries);
  return [
    ...hard.map((text) => map(['a', text], ['b', [text]], [text, 'x'])),
    ...[1n, -0, 0.5, 1e-7, 0.0001, 123456.5, 1234567.5, 1e6, 1e20, 1e21, -1.5e300, 5e-324, 2 ** 63].map((one) =>
      map(['a', one]),
    ),
    map(['a', 9223372036854775807n], ['b', -9223372036854775808n], ['c', true], ['d', null], ['e', false]),
    map(
      ['a', new Map()],
      ['b', []],
      ['c', [[], new Map(), [[]], ['a', ['b', 'c\nd']]]],
      ['d', map(['e', map(['f', []])])],
    ),
    map(['a', [map(['b', [map(['c', 1n], ['d', 2n])]]), map(['e', [['f', map(['g', 'h'])]]])]]),
    map(
      [`k${long}${long}`, 'x'],
      [`l${long}`, long],
      [`${long} ${long}`, ['a', 'b']],
      [`${long}é${long}`, map(['b', 'c'])],
    ),
    map(['a\nb', ['c']], ['d\u2028e', 'f'], ['g\r', map(['h', 'i'])], ['j\n', [map(['k', 'l'])]], ['m\n\n', 'n\n\n']),
    map(
      ...'a1 a10 a2 a02 a a- a_ aB ab A B b 1 10 2 02 x-y x.y x/y xy é z ß ab1c ab1-c ab01 a100 a1000'
        .split(' ')
        .map((key) => [key, 1n] as const),
    ),
    ...[' ', '  ', '   '].flatMap((blank) =>
      ['', 'yes: ', '\t', "'", '\u2028'].flatMap((start) =>
        Array.from({ length: 5 }, (_, i) => {
          const text = `${start}${'x'.repeat(72 + i - start.length)}${blank}y${blank}z${blank}`;
          return map(['a', text], ['b', text.trimEnd()], ['c', [text.trimEnd(), map(['d', `${text}${long}`])]]);
        }),
      ),
    ),
    ...Array.from({ length: 300 }, () => randomMap(random, 3)),
  ];
}

export function randomMap(random: Random, depth: number): ValueMap {
  return new Map(
    Array.from({ length: 1 + random.below(4) }, () => [randomKey(random), randomValue(random, depth - 1)]),
  );
}

function randomValue(random: Random, depth: number): Value {
  const kind = random.below(depth > 0 ? 10 : 6);
  if (kind < 1) return random.pick<Value>([null, true, 3n, 2.5, 1e7, [], new Map()]);
  if (kind < 6) return randomText(random);
  if (kind < 8) return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  return randomMap(random, depth);
}

function randomKey(random: Random): string {
  if (random.chance(0.1)) return [...randomText(random)].slice(0, 400).join('');
  return Array.from({ length: 1 + random.below(4) }, () => random.pick([...'aBz019-_./é'])).join('');
}

function randomText(random: Random): string {
  if (random.chance(0.2)) return random.pick(hard);
  const between = random.chance(0.8) ? [' '] : [' ', '  ', '\n', '\n\n', '\u2028', '\t', ''];
  const from = random.chance(0.7) ? words : [...words, ...hard, long];
  const count = random.pick([2, 5, 20, 40]);
  return Array.from({ length: count }, () => random.pick(from) + random.pick(between)).join('');
}
