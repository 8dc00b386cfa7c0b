import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Range } from '../../server/src/base/text.ts';
import { descriptionOf } from '../../server/src/controllergen/crd/docs.ts';
import { collectMarkers } from '../../server/src/controllergen/markers/collect.ts';
import { placedMarkers } from '../../server/src/controllergen/markers/place.ts';
import { parseGo } from '../../server/src/controllergen/syntax/parse.ts';
import { Scanner } from '../../server/src/controllergen/syntax/scan.ts';
import { seeded } from '../support/random.ts';

// A file that is being typed is not Go most of the time: reading it never throws, and what is read lies in the text.

const hard = [
  'package v1\n\ntype Box[T any, K comparable] struct {\n\tItem Pair[T, []K] `json:"item"`\n\tBox[string, int]\n}\n',
  'package v1\n\nvar raw = `type A struct {\n// +listType=set\n`\n\n// +k8s:enum\ntype A string // 😀\n\nconst (\n\tX, Y A = "x", `y`\n)\n',
  '/* a /* b */ // +groupName=a.b\npackage v1 /* +x */\n\n/**/ type /* a */ A /* b */ struct { /* c */ B int /* d */ ; C, D string "json:\\"c\\"" } // e\n',
  'package v1\r\n\r\n// +optional\r\ntype A struct {\r\n\t// Größe 😀\r\n\t//\t+nullable\r\n\tGröße\t*[]map[string][3]int\t`json:"größe"`\r\n}\r\n',
  'package v1\n\nfunc (a *A[T]) MarshalJSON() ([]byte, error) {\n\tif x := (struct{ A int }{1}); x.A > 0 { return nil, nil }\n\t// +lost\n\treturn `}`, \'}\', "}"\n\ntype B struct {\n\tA struct {\n\t\tB [len(struct{ X [3]int }{}.X)]string\n',
  'package v1\n\ntype (\n\tA = (func(a int) (b chan<- string))\n\tB <-chan int\n\tC interface{ ~int | string; M() }\n\n// +k8s:required\n\ntype D map[A]map[B]*C\n}}}\n)))\ntype E',
  '\ufeffpackage "a\nimport (\n\t. "x"\n\t_ `y`\n\tz "z\n)\ntype 1 struct\ntype A struct { b.C; *d.E `json:",inline"`; f.G[h.I] }\n// +',
];

const folder = 'examples/queue-operator';
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.go'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

/** Everything that has a range lies inside of the text. */
function lieInText(part: unknown, text: string, seen = new Set<unknown>()): void {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  if ('start' in part && 'end' in part) {
    const { start, end } = part as Range;
    assert.ok(0 <= start && start <= end && end <= text.length, `${start} to ${end} of ${text.length}`);
  }
  const inside = part instanceof Map ? [...part].flat() : Object.values(part);
  for (const one of inside) lieInText(one, text, seen);
}

function areInOrder(ranges: readonly Range[]): void {
  for (const [i, { start }] of ranges.entries()) assert.ok(i === 0 || ranges[i - 1]!.end <= start, `at ${start}`);
}

function check(text: string): void {
  try {
    const file = parseGo(text);
    lieInText({ ...file, text: '' }, text);
    areInOrder(file.declarations.map(({ range }) => range));
    areInOrder(file.comments.map(({ range }) => range));
    for (const { lines } of file.comments) areInOrder(lines.map(({ range }) => range));
    for (const { type } of file.types) if (type.kind === 'struct') areInOrder(type.fields.map(({ range }) => range));
    lieInText(collectMarkers(file), text);
    lieInText(placedMarkers(file), text);
    for (const group of file.comments) descriptionOf(group);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}, of ${JSON.stringify(text)}`, { cause: error });
  }
}

test('there are examples', () => assert.ok(examples.length > 0));

test('texts with hard things are read, cut at any offset', () => {
  for (const text of hard) for (let at = 0; at <= text.length; at++) check(text.slice(0, at));
});

test('the beginnings and ends of the examples are read', () => {
  for (const text of examples) {
    for (let at = 0; at <= text.length; at += 7) {
      check(text.slice(0, at));
      check(text.slice(at));
    }
  }
});

const inserted = [
  ...'{}()[]`"\'/*\n\r\t,;.=+~<-|',
  '//',
  '/*',
  '*/',
  '😀',
  '\ud83d',
  'type ',
  'func ',
  'struct{',
  '\ufeff',
  '\0',
];

test('texts with characters removed and inserted are read', () => {
  const random = seeded(41);
  const texts = [...hard, ...hard, ...examples];
  for (let i = 0; i < 1500; i++) {
    let text = random.pick(texts);
    for (let changes = 1 + random.below(4); changes > 0; changes--) {
      const at = random.below(text.length + 1);
      const removed = random.pick([0, 0, 1, 1, 2, 20]);
      text = text.slice(0, at) + (random.chance(0.6) ? random.pick(inserted) : '') + text.slice(at + removed);
    }
    check(text);
  }
});

/** How many tokens the parser takes to read a text; it goes back for embedded fields alone. */
function tokensOf(text: string): number {
  const { next } = Scanner.prototype;
  let count = 0;
  Scanner.prototype.next = function (this: Scanner) {
    count++;
    return next.call(this);
  };
  try {
    parseGo(text);
  } finally {
    Scanner.prototype.next = next;
  }
  return count;
}

const growing: Readonly<Record<string, (times: number) => string>> = {
  fields: (times) => `package v1\ntype A struct {\n${'\t// +optional\n\tB.C\n\tD string\n'.repeat(times)}}\n`,
  'open structs': (times) => `package v1\ntype A ${'struct {\n\tB '.repeat(times)}`,
  'open brackets': (times) => `package v1\ntype A ${'[('.repeat(times)}`,
  'comments on one line': (times) => `package v1\ntype A struct {\n${'B int; /* x */ '.repeat(times)}}`,
  'type arguments': (times) => `package v1\ntype A ${'B['.repeat(times)}`,
  'open functions': (times) => `package v1\n${'func a() {\n\t{ ( [\n'.repeat(times)}`,
  comments: (times) => `package v1\n${'// +optional\n\n'.repeat(times)}type A string\n`,
};

for (const [name, text] of Object.entries(growing)) {
  test(`twice the text takes twice the tokens: ${name}`, () => {
    assert.ok(tokensOf(text(400)) <= 2 * tokensOf(text(200)) + 50);
  });
}

test('what is deep is read, though not to its end', () => {
  for (const part of ['*', '[]', 'map[string]', 'map[', 'struct {\nA ', '(', 'B[', '<-']) {
    const text = `package v1\n\ntype A ${part.repeat(20_000)}\n\n// +k8s:enum\ntype Z string\n`;
    check(text.slice(0, 300));
    const file = parseGo(text);
    collectMarkers(file);
    assert.equal(file.types.at(-1)?.name, 'Z', part);
  }
});
