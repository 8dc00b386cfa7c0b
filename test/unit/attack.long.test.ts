import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBug } from '../../server/src/base/bug.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { judgeSafely } from '../../server/src/rules/judging/judge.ts';
import { withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { bases, differencesAfter, edited, hostileUri, opened, randomEdit, withCrds } from '../fuzz/attack/documents.ts';
import { failuresOf } from '../fuzz/attack/requests.ts';
import { shapes } from '../fuzz/attack/shapes.ts';
import { seeded } from '../support/random.ts';
import { snapshotOf } from '../support/workspace.ts';

// A part of `npm run fuzz -- --attack` that is the same in every run. The sizes are such that code whose time grows
// faster than the text would not come back in minutes.

/** What is said where a bound is reached. */
const bounds: Readonly<Record<string, string>> = {
  brackets: 'file/too-deep',
  'nested properties': 'file/too-deep',
  'nested junctors': 'file/too-deep',
  'nested maps': 'file/too-deep',
  'a chain of aliases': 'file/too-deep',
  flatten: 'cr/rule-left-out',
  'blank rules': 'file/too-much',
  'rules behind aliases': 'file/too-much',
  'loops in a pattern': 'file/too-much',
  'a pattern in a long text': 'cr/pattern-left-out',
  'a pattern over a default': 'cr/pattern-left-out',
  'a pattern in many texts': 'cr/pattern-left-out',
  'a pattern in many objects': 'cr/pattern-left-out',
  'a pattern that a rule is given': 'cr/rule-left-out',
};

/** Shapes of which a text of this size says enough, since each part of them is much work by itself. */
const sizes: Readonly<Record<string, number>> = {
  rules: 1000,
  'blank rules': 10_001,
  'rules behind aliases': 2000,
  'loops in a pattern': 256_000,
  'a pattern in a long text': 16_000,
  'a pattern over a default': 64_000,
  'a pattern in many texts': 128_000,
  'a pattern in many objects': 256_000,
  'a pattern that a rule is given': 256_000,
  'map keys': 4000,
  range: 4000,
};

for (const [name, shape] of Object.entries(shapes)) {
  test(`${name}: every request is answered`, () => {
    const { text, crd, at } = shape(sizes[name] ?? 8000);
    const files = [...(crd === undefined ? [] : [{ uri: 'file:///crd.yaml', text: crd }]), { uri: hostileUri, text }];
    const snapshot = snapshotOf(files, { lints: 'on' });
    assert.deepEqual(failuresOf(snapshot, hostileUri, text.indexOf(at, text.length / 3)), []);
    const said = new Set(files.flatMap(({ uri }) => diagnose(snapshot, uri)).map(({ code }) => code));
    const bound = bounds[name];
    if (bound !== undefined) assert.ok(said.has(bound), `${bound} is not among ${[...said].join(', ')}`);
  });
}

test('hostile documents are judged, and every request over them is answered', () => {
  const random = seeded(1);
  for (let i = 0; i < 200; i++) {
    let text = random.pick(bases);
    for (let edits = 1 + random.below(6); edits > 0; edits--) text = edited(text, randomEdit(random, text));
    assert.deepEqual(failuresOf(opened(withCrds, text), hostileUri, random.below(text.length + 1)), [], text);
  }
});

test('after random edits everything is as if the text had been opened as it is', () => {
  const random = seeded(2);
  for (let i = 0; i < 20; i++) {
    let text = random.pick(bases);
    let snapshot = opened(withCrds, text);
    for (let edits = 0; edits < 20; edits++) {
      const edit = randomEdit(random, text);
      text = edited(text, edit);
      assert.deepEqual(
        differencesAfter(snapshot, text, Math.min(text.length, edit.start + edit.text.length)),
        [],
        text,
      );
      snapshot = opened(snapshot, text);
    }
  }
});

test('what the rules on all objects of a file come to is bounded, and what is left out is said', () => {
  const { crd } = shapes['rules on many objects']!(500);
  const one = (values: string, i: number) =>
    `apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {name: a${i}}\nspec: {l: [${values}]}\n`;
  const many = Array.from({ length: 4000 }, (_, i) => i).join(', ');
  const text = ['1', many, many, '1', many].map(one).join('---\n');
  const open = (now: string) =>
    snapshotOf(
      [
        { uri: 'file:///crd.yaml', text: crd! },
        { uri: hostileUri, text: now },
      ],
      { lints: 'on' },
    );
  const starts = text.split('---\n').map((_, i, all) => all.slice(0, i).join('---\n').length);
  const leftOut = diagnose(open(text), hostileUri).filter(({ code }) => code === 'cr/rule-left-out');
  const documents = leftOut.map(({ range }) => starts.findLastIndex((start) => start <= range.start));
  // Each of the large ones is cut off at ten million: after two of them nothing more is evaluated.
  assert.deepEqual([...new Set(documents)], [1, 2, 3, 4]);
  assert.match(leftOut.at(-1)!.message, /earlier objects of this file looked at more than 20,000,000 items/);
  // What is said of a file does not depend on what was in it before.
  let snapshot = open(text.replaceAll(many, '1'));
  diagnose(snapshot, hostileUri);
  snapshot = withOpen(snapshot, sourceFile(hostileUri, text, { previous: snapshot.open.get(hostileUri)! }));
  assert.deepEqual(diagnose(snapshot, hostileUri), diagnose(open(text), hostileUri));
});

test('a failure of our own is told at its document and reported, and the others are judged', (t) => {
  const reported: string[] = [];
  onBug(({ message }) => reported.push(message));
  t.after(() =>
    onBug((error) => {
      throw error;
    }),
  );
  const snapshot = opened(withCrds, 'a: 1\n');
  const file = snapshot.open.get(hostileUri)!;
  const { document } = file.stream.documents[0]!;
  const broken = new Proxy(document, {
    get: (target, key, receiver) => {
      if (key === 'root') throw new RangeError('out of stack');
      return Reflect.get(target, key, receiver);
    },
  });
  const [problem, ...more] = judgeSafely(snapshot, file, broken);
  assert.equal(problem?.code, 'file/not-judged');
  assert.deepEqual(problem?.range, { start: 0, end: 4 });
  assert.match(problem?.message ?? '', /out of stack/);
  assert.deepEqual(more, []);
  assert.equal(reported.length, 1);
  assert.match(reported[0]!, new RegExp(hostileUri));
});
