import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const files = readdirSync('server/src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

function found(what: RegExp, home: string): string[] {
  return files.flatMap((file) => {
    const code = readFileSync(`server/src/${file}`, 'utf8');
    return file === home ? [] : [...code.matchAll(what)].map(([one]) => `${file}: ${one}`);
  });
}

// Small things that were written again wherever they were needed; each has one home.
const homes: readonly (readonly [name: string, home: string, what: RegExp])[] = [
  [
    'a moved range is made by movedRange',
    'base/text.ts',
    /start: [\w.]*start ([-+]) ([\w.]+), end: [\w.]*end \1 \2\b/g,
  ],
  ['a text is cut by shortened', 'base/text.ts', /(\w+)\.length > [\w.]+ \? `[^`\n]*\$\{\1\.slice\(0, [^`\n]*…`/g],
  ['numbers are grouped by grouped', 'base/text.ts', /\.toLocaleString\(/g],
  [
    'things are counted in words by counted',
    'base/text.ts',
    /=== 1 \? '' : 's'|\$\{(\w[\w.]*)\} \$\{\1 === 1 \? '(\w+)' : '\2s'\}(?! )/g,
  ],
  [
    'steps of JSON pointers are escaped in one place',
    'base/jsonPointer.ts',
    /replaceAll\('~', '~0'\)|replaceAll\('~1', '\/'\)|=== '~1' \?/g,
  ],
  [
    'the document at an offset is found by documentAt',
    'yaml/parse.ts',
    /\bdocuments\.findLast\(\(\{ start \}\) => start <=/g,
  ],
  ['what a backslash stands for in YAML is one table', 'yaml/escapes.ts', /['"]?P['"]?(?:: |, )'\\u2029'/g],
];

for (const [name, home, what] of homes) {
  test(name, () => {
    assert.deepEqual(found(what, home), []);
  });
}
