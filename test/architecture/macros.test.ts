import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  bindings,
  optionalMacros,
  sortByMacro,
  standardMacros,
  twoVariableMacros,
} from '../../server/src/cel/macros.ts';

const all = [...standardMacros, ...optionalMacros, ...twoVariableMacros, ...bindings, sortByMacro];

// Names such as `all` and `map` are words of their own; the others name nothing but macros.
const distinct = [...new Set(all.map(({ name }) => name))].filter((name) => /[A-Z_]/.test(name));

test('no file but the table of macros says anything of one by its name', () => {
  const found = readdirSync('server/src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'cel/macros.ts')
    .flatMap((file) => {
      const text = readFileSync(`server/src/${file}`, 'utf8');
      return distinct.filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(text)).map((name) => `${file}: ${name}`);
    });
  assert.ok(distinct.includes('sortBy') && distinct.includes('transformMapEntry'));
  assert.deepEqual(found, []);
});
