import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { newLint, registryPath } from '../../scripts/ruleTemplate.ts';
import { rules } from '../../server/src/rules/model/registry.ts';

const known = new Set(rules.map(({ code }) => code));
const registry = readFileSync(registryPath, 'utf8');

function make(code: string) {
  return newLint(code, registry, known, existsSync);
}

test('a new lint is registered, and its check waits to be written', async () => {
  const made = make('lint/my-rule');
  assert.ok('files' in made);
  // Inside the repository, so that packages are found.
  const copy = mkdtempSync(path.resolve('dist/new-rule-'));
  try {
    cpSync('server/src', path.join(copy, 'server/src'), { recursive: true });
    for (const file of made.files) writeFileSync(path.join(copy, file.path), file.text);
    const outfile = path.join(copy, 'registry.mjs');
    const entry = path.join(copy, registryPath);
    await build({ entryPoints: [entry], outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' });
    const { lints, ruleOf } = await import(pathToFileURL(outfile).href);
    assert.equal(lints.length, rules.filter(({ code }) => code.startsWith('lint/')).length + 1);
    assert.deepEqual(ruleOf('lint/my-rule').check({}), []);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test('imports stay in the order of the alphabet', () => {
  for (const code of ['lint/a', 'lint/my-rule', 'lint/zebra']) {
    const made = make(code);
    assert.ok('files' in made);
    const imports = made.files[1]!.text.match(/(?<=from '\.\.\/lints\/)\w+/g)!;
    assert.deepEqual(
      imports,
      [...imports].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    );
  }
});

const refused: readonly (readonly [code: string, why: RegExp])[] = [
  ['lint/list-type', /^lint\/list-type exists already$/],
  ['lint/lists', /lints\/lists\.ts exists already/],
  ['lint/My-Rule', /not a code such as lint\/my-rule/],
  ['lint/my--rule', /not a code/],
  ['my-rule', /not a code/],
  ['', /^nothing is not a code/],
  ['crd/my-rule', /findings\.ts under server\/src\/kubernetes/],
];

for (const [code, why] of refused) {
  test(`${code || 'no code'} is refused with a reason`, () => {
    const made = make(code);
    assert.match('error' in made ? made.error : 'made', why);
  });
}
