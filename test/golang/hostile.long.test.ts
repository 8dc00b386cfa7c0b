import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goFailuresOf } from '../fuzz/attack/go.ts';
import { randomGo } from '../fuzz/attack/goPackages.ts';
import { goRequests, openedGo } from '../fuzz/attack/goRequests.ts';
import { goShapes } from '../fuzz/attack/goShapes.ts';
import { seeded } from '../support/random.ts';

// A part of `npm run fuzz -- --attack --only go` that is the same in every run. The sizes are such that code whose time
// grows faster than the text would not come back in minutes.

for (const [name, shape] of Object.entries(goShapes)) {
  test(`${name}: every request is answered`, async () => {
    const { at, ...files } = shape(16_000);
    const open = await openedGo(files);
    assert.deepEqual(goFailuresOf(open, files.text.indexOf(at, files.text.length / 3), goRequests), []);
  });
}

test('hostile packages are read, and every request over them is answered', async () => {
  const random = seeded(1);
  for (let i = 0; i < 300; i++) {
    const files = randomGo(random);
    const found = goFailuresOf(await openedGo(files), random.below(files.text.length + 1), goRequests);
    assert.deepEqual(found, [], files.text);
  }
});
