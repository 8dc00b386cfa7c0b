import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pieces } from '../../server/src/base/pieces.ts';
import { matchesPieces } from '../../server/src/gostd/piecesRegexp.ts';
import { compileGoRegexp } from '../../server/src/gostd/regexp.ts';

// What is said of a text in part is held against the same pattern over the text filled in, in every way that a few letters
// give: patterns are put together of all that RE2 has.

const atoms = ['a', 'b', '[ab]', '[^a]', '.', '(?s:.)', '\\w', '\\W', '(?i:A)', '(a|b-)', '\\b', '\\B', '^', '$'];
const more = ['', '*', '+?', '?', '{2,3}'];
const anchors = ['^', '$', '\\A', '\\z', '(?m:^)', '(?m:$)'];
const fillings = ['', 'a', 'b', '-', '\n', 'ab', 'ba', 'a-', '-b', 'bbb', 'é'];
const texts: readonly Pieces[] = [
  ['', ''],
  ['a', ''],
  ['', 'b'],
  ['ab', 'b-'],
  ['b-', 'a', ''],
  ['', '\n', 'a'],
];

/** The same numbers each time. */
function* numbers(): Generator<number> {
  for (let state = 1; ; ) {
    state = (state * 48271) % 2147483647;
    yield state;
  }
}

const random = numbers();
const one = <T>(of: readonly T[]): T => of[random.next().value! % of.length]!;

function pattern(): string {
  const parts = Array.from({ length: 1 + (random.next().value! % 3) }, () => {
    const atom = one(atoms);
    return /^(?:\\[bB]|[\^$])$/.test(atom) ? atom : atom + one(more);
  });
  const [begin, end] = [one(['', '', '^', one(anchors)]), one(['', '', '$', one(anchors)])];
  return begin + parts.join('') + end;
}

function* filled([first, ...rest]: Pieces): Generator<string> {
  if (rest.length === 0) yield first!;
  else for (const behind of filled(rest)) for (const filling of fillings) yield first + filling + behind;
}

test('what a pattern is sure of in a text in part it says however the text is filled in', () => {
  const said = new Map<boolean | undefined, number>();
  for (let i = 0; i < 1500; i++) {
    const written = pattern();
    const compiled = compileGoRegexp(written);
    assert.ok(compiled.ok, written);
    for (const pieces of texts) {
      const sure = matchesPieces(compiled, pieces);
      said.set(sure, (said.get(sure) ?? 0) + 1);
      if (sure === undefined) continue;
      for (const text of filled(pieces))
        assert.equal(compiled.regexp.matcher(text).find(), sure, `${written}: ${JSON.stringify([pieces, text])}`);
    }
  }
  const [yes, no, open] = [true, false, undefined].map((which) => said.get(which) ?? 0);
  assert.ok(yes! > 500 && no! > 500 && open! > 500, `${yes} match, ${no} do not, ${open} are open`);
});
