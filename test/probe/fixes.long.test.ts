import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeFixes } from './fixes.ts';

const share = ({ good, all }: { good: number; all: number }) => good / all;

test('a small probe: fixes take their finding away and do no harm', () => {
  const figures = probeFixes({ seed: 7, pairs: 6, faults: 10 });
  const said = figures.failures.join('\n\n');
  assert.ok(figures.documents > 80);
  assert.ok(share(figures.gone) >= 0.99, said);
  assert.ok(share(figures.noNewError) >= 0.99, said);
  for (const whole of [figures.preferred, figures.fixAll, figures.otherValues, figures.comments]) {
    assert.equal(whole.good, whole.all, said);
  }
});
