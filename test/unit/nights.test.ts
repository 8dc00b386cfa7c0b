import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nightsTable } from '../bench/supportNights.ts';

test('the newest night is beside the median and the extremes, by ratio where there is one', () => {
  const night = (rate: string, ratio: string) =>
    `cel\nours  ${rate}/s  ours is 1.0 ×\npeer  566,741/s  ours is ${ratio} ×`;
  const rows = nightsTable([night('1,200', '2.1'), night('900', '1.4'), night('1,100', '1.9')]).split('\n');
  assert.deepEqual(rows.slice(2), [
    '| ours  #/s  ours is # × | 1 | 1 | 1 | 1 |',
    '| peer  #/s  ours is # × | 1.9 | 1.9 | 1.4 | 2.1 |',
  ]);
});

test('a line that the newest night does not have is left out, one without a ratio counts by its first number', () => {
  const rows = nightsTable(['gone: 5 ms\nkey 20.5 ms, 3 times', 'key 10 ms, 3 times']).split('\n');
  assert.deepEqual(rows.slice(2), ['| key # ms, # times | 10 | 20.5 | 10 | 20.5 |']);
});
