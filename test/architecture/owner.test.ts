import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { files, owned, placeholder } from '../../scripts/generate/owner.ts';

test('nothing but what a release fills in has the place for the owner of the repository', () => {
  const args = ['grep', '-lw', placeholder, '--', '.', ':!scripts/generate/owner.ts', ':!CONTRIBUTING.md', ':!*.lock'];
  const found = execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n');
  // It names folders after repositories in general.
  assert.deepEqual(found.sort(), [...files, 'scripts/crdSources.ts'].sort());
});

test('a release puts its owner there', () => {
  for (const file of files) {
    const text = owned(readFileSync(file, 'utf8'), 'someone');
    assert.doesNotMatch(text, new RegExp(placeholder));
    assert.match(text, /someone\/kube-crd/);
  }
});
