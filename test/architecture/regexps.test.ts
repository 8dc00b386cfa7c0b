import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isPlainPattern } from '../../server/src/gostd/plainRegexp.ts';
import { seeded } from '../support/random.ts';
import { backtracks } from './backtracking.ts';
import { literalsOf } from './literals.ts';

test('what is known to be bad is found, and what is known to be good is not', () => {
  for (const bad of [
    '(a+)+$',
    '(a|a)*b',
    '^(?:\\s|#[^\\r\\n]*)*,',
    '\\s+$',
    'a*a*b',
    '^(\\w+\\s?)*$',
    '\\d+(?=x)',
    '^(a?){20}x?a{20}$',
  ]) {
    assert.notEqual(backtracks(bad, ''), undefined, bad);
  }
  for (const good of [
    '^a+$',
    '^(?:ab)*c',
    '\\s+',
    '^[^:]*:',
    'a[^b]{0,3}',
    '^x(?:,x)*$',
    '(?<!\\\\)\\$$',
    '^a*b*c*$',
  ]) {
    assert.equal(backtracks(good, ''), undefined, good);
  }
});

const source = path.resolve('server/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** Expressions over texts that cannot be long. */
const allowed: readonly (readonly [file: string, expression: string, because: string])[] = [
  ['gostd/duration.ts', '0+$', 'at most 18 digits of a fraction'],
  ['template/functions.ts', '^(\\w+)\\((.*)\\) (.+)$', 'of declarations in our own code'],
  ['gostd/time.ts', '0+$', 'nine digits of a fraction'],
  ['cel/eval/convert.ts', '0+$', 'nine digits of a fraction'],
  ['cel/libraries/format.ts', '\\B(?=(\\d{3})+$)', 'at most 309 digits of a double'],
  ['rules/lints/size.ts', '\\B(?=(?:\\d{3})+$)', 'the digits of a file size'],
  ['rules/crd/names.ts', '^[^a-z0-9]+|[^a-z0-9]+$', 'cut to 253 characters before'],
  ['rules/crd/names.ts', '^[^a-z]+|-+$', 'cut to 253 characters before'],
  ['rules/crd/versions.ts', '^[^a-z]+|-+$', 'cut to 63 characters before'],
  [
    'rules/crd/expressionSlips.ts',
    `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'`,
    'of expressions up to 5,000 characters',
  ],
  ['rules/crd/expressionSlips.ts', '(?<![\\w.])(\\d+)(\\.0+)?(?![\\w.])', 'of expressions up to 5,000 characters'],
  ['rules/yaml/syntaxFixes.ts', `^ *(?:- +)*(?:[\\w./-]+: +)?(["'])((?:(?!\\1).)*)$`, 'lines up to 1,000 characters'],
  ['rules/yaml/syntaxFixes.ts', '\\s+#.*$|\\s+$', 'lines up to 1,000 characters'],
  [
    'rules/yaml/syntaxFixes.ts',
    `^( *(?:- +)*[\\w./-]+: +)([^"'\\s#[{|>&].*?)\\s*(?:\\s#.*)?$`,
    'lines up to 1,000 characters',
  ],
  ['rules/metadata/metadata.ts', '^[^a-z0-9]+|[^a-z0-9]+$', 'cut to 253 characters before'],
  ['rules/metadata/metadata.ts', '[-.]*\\.[-.]*', 'cut to 253 characters before'],
  ['rules/metadata/metadata.ts', '^[^A-Za-z0-9]+|[^A-Za-z0-9]+$', 'cut to 63 characters before'],
];

/** Where expressions are made of texts, and why that does no harm. */
const built: readonly (readonly [file: string, because: string])[] = [
  ['gostd/regexp.ts', 'only of patterns that isPlainPattern lets through'],
  ['gostd/mail.ts', 'of constants, read below'],
  ['template/semver.ts', 'of constants, for texts of at most 512 characters'],
  ['template/sprig/words.ts', 'of constants, each a run of one kind of characters'],
  ['kubernetes/schema/formatChecks.ts', 'of constants, read below'],
  ['rules/lints/rules.ts', 'the name of a field between constants, with what means something escaped'],
  ['yaml/chars.ts', 'the same set of characters with another flag'],
];

test('no regular expression of the sources takes more than linear time', () => {
  const found: string[] = [];
  let count = 0;
  for (const file of files) {
    for (const { source: expression, flags, line } of literalsOf(readFileSync(path.join(source, file), 'utf8'))) {
      count++;
      if (allowed.some(([where, what]) => where === file && what === expression)) continue;
      const fault = backtracks(expression, flags);
      if (fault !== undefined) found.push(`${file}:${line} /${expression}/${flags}: ${fault}`);
    }
  }
  assert.ok(count > 200, `only ${count} expressions were read`);
  assert.deepEqual(found, []);
});

test('expressions are made of texts only where that is known to do no harm', () => {
  const found = files.filter((file) => /\bRegExp\(/.test(readFileSync(path.join(source, file), 'utf8')));
  assert.deepEqual(found.sort(), built.map(([file]) => file).sort());
});

test('those that are made of constants take linear time', async () => {
  const own = globalThis.RegExp;
  const made: RegExp[] = [];
  globalThis.RegExp = new Proxy(own, {
    construct: (target, args: [string, string?]) => {
      const expression = new target(...args);
      made.push(expression);
      return expression;
    },
  });
  try {
    await import('../../server/src/gostd/mail.ts');
    await import('../../server/src/kubernetes/schema/formatChecks.ts');
  } finally {
    globalThis.RegExp = own;
  }
  assert.ok(made.length >= 4, `only ${made.length} were made`);
  const faults = made.map(
    ({ source: expression, flags }) => `${expression}: ${backtracks(expression, flags) ?? 'fine'}`,
  );
  assert.deepEqual(
    faults.filter((fault) => !fault.endsWith(': fine')),
    [],
  );
});

test('what passes for a plain pattern takes linear time', () => {
  const pieces = ['a', '[a-z]', '[0-9]', '[a-zA-Z0-9-]', '+', '*', '?', '(', ')', '(?:', '\\.', '-', '$'];
  const random = seeded(7);
  let plain = 0;
  for (let i = 0; i < 20_000; i++) {
    const pattern = `^${Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces)).join('')}`;
    if (!isPlainPattern(pattern)) continue;
    plain++;
    assert.equal(backtracks(pattern, ''), undefined, pattern);
  }
  assert.ok(plain > 1000, `only ${plain} were plain`);
});
