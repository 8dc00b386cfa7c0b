import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/**
 * What a visit of the playground loads before its first verdict, as servers compress it. The engine is most of that: it is
 * whole, with all languages and editor features.
 */
const mostFirst = 1_050_000;
const mostOnDemand = 300_000;

test('a visit of the playground loads no more than it is said to', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/playground.mjs', '--json'], { encoding: 'utf8' });
  assert.equal(stderr, '');
  const { first, more } = JSON.parse(stdout) as Record<'first' | 'more', Record<string, number>>;
  const sum = (sizes: Record<string, number>) => Object.values(sizes).reduce((all, bytes) => all + bytes, 0);
  assert.deepEqual(Object.keys(first).sort(), ['engine.js', 'index.html', 'page.js', 'style.css']);
  assert.ok(sum(first) <= mostFirst, `${sum(first)} bytes before the first verdict`);
  assert.ok(sum(more) <= mostOnDemand, `${sum(more)} bytes on demand`);
});
