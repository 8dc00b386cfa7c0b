import { equal } from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Random, seeded } from '../support/random.ts';
import { box, crd, inRepeated, isRepeat, type Repeated, saidBy } from '../support/repeated.ts';

const names = ['a', 'b', 'sub/c', 'sub/deep/d', 'e'].map((name) => `boxes/${name}.yaml`);
const texts = ['1', 'w', '22', 'wide', '{a: 1}', '!!int x', '"\t"'];

/** Any change of a folder: contents, names, kinds of files, times, settings. What cannot be done leaves it as it is. */
function change(here: Repeated, random: Random): void {
  const place = (name: string) => path.join(here.folder, name);
  const name = random.pick(names);
  const other = random.pick(names);
  const changes: readonly (() => void)[] = [
    () => here.write(name, box(path.basename(name, '.yaml'), random.pick(texts))),
    () => here.write(name, random.pick(['', '\t', 'a: [', '- x\n', `${box('a', '1')}---\n${box('b', 'x')}`])),
    () => here.write('crd.yaml', crd(random.pick(['integer', 'string', 'object', 'nonsense']))),
    () => rmSync(place(name), { recursive: true }),
    () => renameSync(place(name), place(other)),
    () => renameSync(place('boxes/sub'), place('boxes/moved')),
    () => rmSync(place('boxes/moved'), { recursive: true }),
    () => symlinkSync(path.basename(other), place(name)),
    () => mkdirSync(place(name), { recursive: true }),
    () => {
      const { atime, mtime } = statSync(place(name));
      here.write(name, box('same', random.pick(['1', '2', 'x'])));
      utimesSync(place(name), atime, mtime);
    },
    () => utimesSync(place(name), new Date(), new Date()),
    () =>
      here.write(
        '.kube-crd.yaml',
        random.pick(['exclude: [boxes/sub]\n', 'exclude: [crd.yaml]\n', 'knownKinds: ["*/*"]\n', '']),
      ),
    () => rmSync(place('.kube-crd.yaml')),
  ];
  try {
    random.pick(changes)();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

test('a run that repeats another says what a new one would, whatever was changed between', () => {
  const random = seeded(20261126);
  const nap = new Int32Array(new SharedArrayBuffer(4));
  let repeats = 0;
  inRepeated((here) => {
    for (let step = 0; step < 150; step++) {
      for (let left = random.below(3); left > 0; left--) change(here, random);
      // What was written long enough before a run is known by its stamp, the rest by its content.
      if (step % 10 === 0) Atomics.wait(nap, 0, 0, 2_100);
      const said = here.check('--severity', 'hint');
      if (isRepeat(said)) repeats++;
      const fresh = here.check('--severity', 'hint', '--no-cache');
      equal(
        saidBy(said),
        saidBy(fresh),
        `at step ${step}, with ${readdirSync(here.folder, { recursive: true }).join(' ')}`,
      );
    }
  });
  equal(repeats > 10 && repeats < 140, true, `${repeats} runs were repeated`);
});
