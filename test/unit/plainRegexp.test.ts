import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlainPattern } from '../../server/src/gostd/plainRegexp.ts';
import { compileGoRegexp } from '../../server/src/gostd/regexp.ts';
import { seeded } from '../support/random.ts';

test('plain patterns are told from those that only RE2 matches right', () => {
  const plain = ['^', '^$', '^[a-z]+$', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '^v[0-9]+(?:\\.[0-9])?$', '^a/b:c@d-e_f'];
  for (const pattern of plain) assert.ok(isPlainPattern(pattern), pattern);
  const others = [
    'a',
    '[a-z]+$',
    '^(a+)+$',
    '^a*a*$',
    '^a?b?c?d?$',
    '^.$',
    '^[^a]$',
    '^\\d',
    '^a{2}',
    '^(?i)a',
    '^a|b',
    '^[a-c]',
  ];
  others.push('^a$b', '^a*?', '^a$$', '^é', '^[\\w]', '^a\\$', '^(a)*$', '^[[:alpha:]]', '^a++', '^\\pL');
  for (const pattern of others) assert.ok(!isPlainPattern(pattern), pattern);
});

test('JavaScript finds plain patterns where RE2 finds them', () => {
  const { pick, below } = seeded(11);
  const parts = [
    'a',
    'b',
    '-',
    '/',
    '\\.',
    '\\-',
    '[a-z]',
    '[ab]',
    '[-a]',
    '[a-]',
    '[a-z0-9.]',
    '[0-9_]',
    '(',
    '(?:',
    ')',
    ')?',
  ];
  const quantifiers = ['', '', '', '+', '*', '?'];
  const letters = ['a', 'b', 'z', '0', '-', '/', '.', '_', '\n', 'é', '\u{1f600}', '$', 'A'];
  let checked = 0;
  for (let round = 0; round < 40_000; round++) {
    const body = Array.from({ length: below(7) }, () => pick(parts) + pick(quantifiers)).join('');
    const pattern = `^${body}${pick(['', '$'])}`;
    if (!isPlainPattern(pattern)) continue;
    const compiled = compileGoRegexp(pattern);
    assert.ok(compiled.ok, pattern);
    const text = Array.from({ length: below(8) }, () => pick(letters)).join('');
    assert.equal(compiled.matches(text), compiled.regexp.matcher(text).find(), `${pattern} in ${JSON.stringify(text)}`);
    checked++;
  }
  assert.ok(checked > 3000, `${checked} patterns`);
});
