import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { inAll } from '../fuzz/attack/run.ts';

interface Workflow {
  readonly jobs: {
    readonly attack: { readonly strategy: { readonly matrix: { readonly include: { only: string }[] } } };
  };
}

test('every part of the attack is tried each night', () => {
  const { jobs }: Workflow = parse(readFileSync('.github/workflows/nightly.yml', 'utf8'));
  const tried = jobs.attack.strategy.matrix.include.flatMap(({ only }) => only.split(','));
  assert.deepEqual(tried.sort(), [...inAll].sort());
});
