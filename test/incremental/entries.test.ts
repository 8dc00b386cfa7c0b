import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { build } from '../../server/src/yaml/build.ts';
import { parseDocument, readingsAgree, scannable, type YamlDocument } from '../../server/src/yaml/document.ts';
import { lastGood, remember, reparse } from '../../server/src/yaml/reparse.ts';
import { scalarHints, valueOf } from '../../server/src/yaml/value.ts';
import { type Random, seeded } from '../support/random.ts';
import { mutated, randomDocument } from '../support/yamlTexts.ts';

const examples = (readdirSync('examples', { recursive: true, encoding: 'utf8' }) as string[])
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `${readFileSync(`examples/${file}`, 'utf8').split('\n---')[0]!}\n`);

const typed = [
  ...['a', 'k: ', ':', ' ', '\n  ', '\n          ', '- ', '"', "'", '[', ']', '{', '}', '#', '|', '>-', '? ', '&a '],
  ...['*a', '!x ', '<<: ', '\t', '\n...\n', '%', '\r\n', '\u2028', '\u0001', 'é', '\n\n', '\n# x: y\n', 'c: d: e'],
];
const lines = ['fo', 'foo: bar', '- x', 'a: "x', 'a: [b', 'x: |\n  y', 'b: c: d', '{a: b}', 'rule: !has(self.x)'];

/** What a person does to a text: types, deletes, adds a line like the one before, pastes. */
function edited(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random.below(6));
    case 1:
      return text.slice(0, at) + random.pick(typed) + text.slice(at);
    case 2:
      return text.slice(0, end) + random.pick(typed) + text.slice(end);
    case 3: {
      const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];
      return `${text.slice(0, end)}\n${indent}${random.pick(lines).replace('\n', `\n${indent}`)}${text.slice(end)}`;
    }
    case 4: {
      const other = random.below(text.length);
      return text.slice(0, end) + text.slice(other, other + 60) + text.slice(end);
    }
    default:
      return mutated(random, text);
  }
}

/** The next version of a document as an editor gets it, and from scratch. */
function nextVersion(before: YamlDocument, text: string): { document: YamlDocument; shared: boolean } {
  const scratch = parseDocument(text);
  const good = lastGood(before);
  const made = good && reparse(good, text);
  if (made) {
    assert.deepStrictEqual(made, scratch);
    assert.deepStrictEqual(valueOf(made), valueOf(scratch));
    assert.deepStrictEqual(scalarHints(made), scalarHints(scratch));
    // What may differ under the tolerant reading must not be taken for certain.
    assert.ok(!readingsAgree(made) || readingsAgree(scratch));
  } else if (good && scratch.readerError) remember(scratch, good);
  return { document: made ?? scratch, shared: made !== undefined };
}

function editsOf(name: string, seed: number, rounds: number, text: (random: Random) => string, least: number): void {
  test(`${name}: ${rounds} times three edits in a row give what reading from scratch gives`, () => {
    const random = seeded(seed);
    let shared = 0;
    let refused = 0;
    for (let i = 0; i < rounds; i++) {
      let now = text(random);
      let document = parseDocument(now);
      for (let edits = 0; edits < 3; edits++) {
        // The stream ends a document there; what follows is another one.
        now = edited(random, now).split('\n---')[0]!;
        const next = nextVersion(document, now);
        document = next.document;
        shared += Number(next.shared);
        refused += Number(next.shared && document.readerError !== undefined);
      }
    }
    assert.ok(
      shared > least * rounds && refused > (least * rounds) / 5,
      `${shared} shared, ${refused} of them refused`,
    );
  });
}

editsOf('manifests', 21, 200, (random) => random.pick(examples), 1);
editsOf('random documents', 22, 2_000, randomDocument, 0.3);

test('where the readings agree the tolerant one reads as the exact one does', () => {
  const random = seeded(23);
  let agreeing = 0;
  for (let i = 0; i < 2_500; i++) {
    const text = i % 10 === 0 ? edited(random, random.pick(examples)) : edited(random, randomDocument(random));
    const document = parseDocument(text.split('\n---')[0]!);
    if (document.readerError || !readingsAgree(document)) continue;
    agreeing++;
    const tolerant = scannable(document.text, true);
    assert.deepStrictEqual([build(tolerant).root, tolerant.errors], [document.root, []]);
  }
  assert.ok(agreeing > 700, `${agreeing} agreeing`);
});

test('an edit of one field keeps all others, and their values', () => {
  const field = (i: number) =>
    `    field${i}:\n      type: string\n      description: ${'What it is for. '.repeat(20)}\n`;
  const text = `spec:\n  properties:\n${Array.from({ length: 10 }, (_, i) => field(i)).join('')}`;
  const before = parseDocument(text);
  valueOf(before);
  const after = reparse(before, text.replace('type: string', 'type: integer'));
  assert.ok(after);
  const fields = (document: YamlDocument) => {
    const value = valueOf(document) as Map<string, Map<string, Map<string, unknown>>>;
    return [...value.get('spec')!.get('properties')!.values()];
  };
  const old = fields(before);
  assert.deepEqual(
    fields(after).map((one, i) => one === old[i]),
    [false, ...Array(9).fill(true)],
  );
});
