import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditedText } from '../../server/src/base/editedText.ts';
import { alsoEdited, type Difference } from '../../server/src/base/text.ts';
import { parseStream } from '../../server/src/yaml/parse.ts';
import { type Random, seeded } from '../support/random.ts';

test('a text that was edited anywhere, a little or a lot, is the text', () => {
  const random = seeded(4);
  let text = 'some words of a text, '.repeat(12_000);
  let edited = EditedText.of(text);
  let near = 0;
  for (let i = 0; i < 2_000; i++) {
    if (random.chance(0.05)) near = random.below(text.length);
    const [start, end] = [near + random.below(5_000), near + random.below(5_000)].map((at) =>
      Math.min(at, text.length),
    );
    // Now and then the end comes first.
    const range = random.chance(0.1) ? { start: start!, end: end! } : { start: start!, end: start! + random.below(9) };
    const put = 'abcdefghijklmnop'.repeat(random.chance(0.02) ? 600 : 1).slice(random.below(16));
    text = text.slice(0, range.start) + put + text.slice(range.end);
    edited = edited.edited(range, put);
    const from = random.below(text.length);
    const to = from + random.below(9_000);
    assert.equal(edited.slice(from, to), text.slice(from, to));
    if (random.chance(0.2)) assert.equal(edited.text, text);
  }
});

const lines = ['a: 1', 'b:', '  - c', '# d', '', '---', '---', '--- # e', '--- f', '----', ' ---', 'g: "---', '  ---"'];

function someEdit(
  random: Random,
  length: number,
): { readonly start: number; readonly end: number; readonly put: string } {
  const start = random.below(length + 1);
  const puts = ['-', '--', '---', '\n', '\n---\n', 'x', '', '\r\n', `\n${random.pick(lines)}\n`];
  return { start, end: Math.min(length, start + (random.chance(0.5) ? 0 : random.below(8))), put: random.pick(puts) };
}

test('documents are found after an edit where they are found from the beginning', () => {
  const random = seeded(9);
  for (let round = 0; round < 600; round++) {
    // At a separator with text after it everything ends, so that most texts have none.
    const some = round % 4 === 0 ? lines : lines.filter((line) => line !== '--- f');
    let text = Array.from({ length: 4 + random.below(20) }, () => `${random.pick(some)}\n`).join('');
    let stream = parseStream(text);
    for (let i = 0; i < 12; i++) {
      let edited = EditedText.of(text);
      let known: Difference | undefined;
      for (let edits = 1 + random.below(2); edits > 0; edits--) {
        const { put, ...range } = someEdit(random, edited.text.length);
        edited = edited.edited(range, put);
        known = alsoEdited(known, range, put.length);
      }
      text = edited.text;
      stream = parseStream(edited, stream, known);
      const scratch = parseStream(text);
      const placesOf = ({ documents }: typeof stream) =>
        documents.map(({ start, document }) => ({ start, text: document.text }));
      assert.deepEqual(placesOf(stream), placesOf(scratch), JSON.stringify(text));
      assert.deepEqual(stream.badSeparator, scratch.badSeparator, JSON.stringify(text));
    }
  }
});

test('a key in one of many documents does not look into the text of the others', () => {
  const text = Array.from({ length: 50 }, (_, i) => `kind: A\nname: n${i}\n`).join('---\n');
  const stream = parseStream(text);
  const at = text.indexOf('n25') + 1;
  const whole = EditedText.of(text).edited({ start: at, end: at }, '9');
  // Its text as a whole is of other letters: nobody sees that who asks for no more than the parts around the key.
  const blind = Object.assign(Object.create(EditedText.prototype), whole, { text: 'x'.repeat(whole.text.length) });
  const next = parseStream(blind, stream, { start: at, end: at, endAfter: at + 1 });
  assert.equal(next.documents.length, 50);
  const changed = next.documents.filter(({ document }, i) => document !== stream.documents[i]!.document);
  assert.deepEqual(
    changed.map(({ document }) => document.text),
    ['kind: A\nname: n925\n'],
  );
});
