import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Constant,
  elsewhere,
  isNamed,
  limitsPage,
  looksLikeBound,
  numbersIn,
  numbersOfProgram,
  template,
  toldOf,
} from '../../scripts/generate/limits.ts';

const bounds = numbersOfProgram().filter(looksLikeBound);
const told = toldOf(template());
const rows = Object.values(elsewhere).flat();
const isTold = ({ file, name }: Constant) => told.has(`${file} ${name}`);

test('each bound is on the page about limits, or named with the reason why not', () => {
  const found = bounds.filter((bound) => !isTold(bound) && !rows.some((row) => isNamed(row, bound)));
  assert.ok(bounds.length > 150);
  assert.deepEqual(
    found.map(({ file, name }) => `${file} ${name}`),
    [],
  );
});

test('no bound is named twice, and none that is gone', () => {
  const twice = bounds.filter((bound) => Number(isTold(bound)) + rows.filter((row) => isNamed(row, bound)).length > 1);
  assert.deepEqual(twice, []);
  const named = rows.flatMap((row) => {
    const [place, ...names] = row.replace('client ', 'client:').split(' ');
    return names.map((name) => `${place!.replace('client:', 'client ')} ${name}`);
  });
  assert.deepEqual(
    named.filter((row) => !bounds.some((bound) => isNamed(row, bound))),
    [],
  );
});

test('the page is made of the values', () => {
  const page = limitsPage('| a | {a.ts mostA} |{a.ts mostB plain}|{a.ts most.c}|', [
    ...numbersIn('a.ts', 'const mostA = 2_000;\nexport const mostB = 2 * 64 * 1024;\nconst most = { c: 12n, d: 1 };\n'),
  ]);
  assert.equal(page, '| a | 2,000 |131072|12|');
  assert.throws(() => limitsPage('{a.ts mostA}', []), /mostA is not a number in a\.ts/);
});
