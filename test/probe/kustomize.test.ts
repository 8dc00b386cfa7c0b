import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../support/random.ts';
import { probedKustomization } from './kustomize.ts';

// A small part of `npm run probe:kustomize`, the same in every run.

test('of mistakes in kustomizations, nearly all are reported at the token that was changed', () => {
  const random = seeded(5);
  const judged = Array.from({ length: 90 }, () => probedKustomization(random));
  const wrong = judged.filter(({ outcome }) => ['right', 'elsewhere', 'missed'].includes(outcome));
  assert.ok(wrong.length > 25, String(wrong.length));
  const others = wrong.filter(({ outcome }) => outcome !== 'right').map(({ outcome, about }) => `${outcome} ${about}`);
  assert.ok(others.length <= wrong.length * 0.02, others.join('\n'));
});
