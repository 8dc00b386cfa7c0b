import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { ValueMap } from '../../server/src/base/value.ts';
import { humanDuration } from '../../server/src/gostd/humanDuration.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { cellsOf, printedCell, tableOf } from '../../server/src/kubernetes/cr/table.ts';
import { questions } from './tableQuestions.ts';

type Recorded = [path: string, type: string, rows: unknown[][]];

test('cells are those that the API server fills', () => {
  const recorded: Recorded[] = readFileSync('test/cr/tables.jsonl', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(recorded.length, questions.length);
  const wrong: unknown[] = [];
  for (const [i, { path, type, request }] of questions.entries()) {
    const { crd, obj } = JSON.parse(request);
    const read = readJson(JSON.stringify(obj));
    assert.ok('json' in read);
    const objects = plainValue(read.json) as readonly ValueMap[];
    const table = tableOf(crd);
    const rows = objects.map((object) => cellsOf(table, object, 0).map(plain));
    if (!isDeepStrictEqual([path, type, rows], recorded[i]))
      wrong.push({ path, type, rows, recorded: recorded[i]![2] });
  }
  assert.deepEqual(wrong, []);
});

const plain = (cell: unknown) => (typeof cell === 'bigint' ? Number(cell) : cell);

test('ages are rough', () => {
  const minute = 60;
  const hour = 60 * minute;
  const day = 24 * hour;
  const ages: [number, string][] = [
    [-5, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 5, '2m5s'],
    [10 * minute + 5, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 7 * minute, '3h7m'],
    [8 * hour + 7 * minute, '8h'],
    [2 * day, '2d'],
    [2 * day + 3 * hour, '2d3h'],
    [8 * day + 3 * hour, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [741 * day, '2y11d'],
    [8 * 365 * day + 9 * day, '8y'],
  ];
  for (const [seconds, text] of ages) assert.equal(humanDuration(seconds), text);
});

test('a cell is one line without escapes', () => {
  assert.equal(printedCell('one\ntwo'), 'one...');
  assert.equal(printedCell('\x1b[31mred'), '^[[31mred');
  assert.equal(printedCell(1e6), '1000000');
  assert.equal(printedCell(1e21), '1e+21');
  assert.equal(printedCell(null), '');
});
