import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeGoFixes } from './fixesGo.ts';

test('a small probe: fixes in Go take their finding away, edit their own field and do no harm', async () => {
  const { packages, offered, failures, ...counts } = await probeGoFixes({ seed: 3, packages: 120 });
  assert.equal(packages, 120);
  assert.ok([...offered.values()].filter(({ good }) => good > 0).length > 12);
  for (const { good, all } of Object.values(counts)) {
    assert.ok(all > 40);
    assert.equal(good, all, failures.join('\n\n'));
  }
});
