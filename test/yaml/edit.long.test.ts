import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits, type TextEdit } from '../../server/src/base/text.ts';
import {
  equalValues,
  isList,
  isMap,
  type Path,
  type Value,
  type ValueMap,
  valueAt,
} from '../../server/src/base/value.ts';
import {
  insertItem,
  insertKey,
  moveEntry,
  quoteAt,
  removeAt,
  renameKey,
  setValue,
} from '../../server/src/yaml/edit.ts';
import { parseDocument, type YamlDocument } from '../../server/src/yaml/parse.ts';
import { documentVerdict, valueOf } from '../../server/src/yaml/value.ts';
import { type Random, seeded } from '../support/random.ts';
import { randomDocument } from '../support/yamlTexts.ts';

/** Every path of a value, the root's own left out. */
function pathsOf(root: Value): Path[] {
  const found: Path[] = [];
  const stack: { value: Value; path: Path }[] = [{ value: root, path: [] }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { value, path } = at;
    const steps: (string | number)[] = isMap(value) ? [...value.keys()] : isList(value) ? [...value.keys()] : [];
    for (const step of steps) {
      const inner = [...path, step];
      found.push(inner);
      stack.push({ value: valueAt(root, inner)!, path: inner });
    }
  }
  return found;
}

/** A value in which a function has changed the map or list at a path. */
function changed(root: Value, path: Path, change: (parent: Value) => Value): Value {
  const [step, ...rest] = path;
  if (step === undefined) return change(root);
  if (isList(root)) return root.map((item, i) => (i === step ? changed(item, rest, change) : item));
  return new Map(
    [...(root as ValueMap)].map(([key, item]) => [key, key === step ? changed(item, rest, change) : item]),
  );
}

function without(parent: Value, step: string | number): Value {
  if (isList(parent)) return parent.filter((_, i) => i !== step);
  return new Map([...(parent as ValueMap)].filter(([key]) => key !== step));
}

const someValues: readonly Value[] = [
  null,
  true,
  12n,
  1.5,
  'plain',
  'no',
  '012',
  'a: b',
  '# x',
  'line\nline two\n',
  ' lead\ntrail ',
  '',
  'it\'s "so"',
  '- x',
  new Map(),
  [],
  [1n, 'two', [3n]],
  new Map<string, Value>([
    ['k', 'v'],
    ['on', new Map<string, Value>([['deep', [new Map([['a', 1n]]), 'y']]])],
  ]),
];

interface Case {
  readonly document: YamlDocument;
  readonly value: Value;
  readonly path: Path;
  readonly random: Random;
}

/** Random documents without what an edit cannot know: aliases, merges, duplicate keys. */
function* cases(seed: number, count: number, of: (value: Value | undefined) => boolean = () => true): Generator<Case> {
  const random = seeded(seed);
  for (let made = 0; made < count; ) {
    const text = randomDocument(random);
    const document = parseDocument(text);
    const value = valueOf(document);
    if (
      value === undefined ||
      document.hasAlias ||
      /<<|[&*!?]/.test(text) ||
      documentVerdict(document).strict.length > 0
    )
      continue;
    if (collides(text)) continue;
    const paths = pathsOf(value).filter((path) => of(valueAt(value, path)));
    if (paths.length === 0) continue;
    made++;
    yield { document, value, path: random.pick(paths), random };
  }
}

/** Keys that are equal only as JSON (1 and 01) are left out. */
function collides(text: string): boolean {
  return /^\s*(?:- )*(?:[-+.\d~]|null|Null|NULL|y|n|on|off|yes|no|true|false|["'])[^:]*:/im.test(text);
}

function after(document: YamlDocument, edits: readonly TextEdit[]): string {
  assert.ok(edits.length > 0, JSON.stringify(document.text));
  return applyEdits(document.text, edits);
}

/** Only the lines that edits name differ. */
function touchesOnly(document: YamlDocument, edits: readonly TextEdit[], result: string): void {
  const first = Math.min(...edits.map(({ range }) => range.start));
  const last = Math.max(...edits.map(({ range }) => range.end));
  assert.ok(result.startsWith(document.text.slice(0, first)) && result.endsWith(document.text.slice(last)));
}

function expectValue(document: YamlDocument, edits: readonly TextEdit[], wanted: Value, what: string): void {
  const result = after(document, edits);
  const got = parseDocument(result);
  const say = `${what}\n${document.text}\n→\n${result}\n${JSON.stringify(document.text)}`;
  assert.equal(got.readerError, undefined, say);
  assert.ok(equalValues(valueOf(got), wanted), say);
  touchesOnly(document, edits, result);
}

test('removing a key or an item', () => {
  for (const { document, value, path } of cases(21, 3000)) {
    const wanted = changed(value, path.slice(0, -1), (parent) => without(parent, path.at(-1)!));
    expectValue(document, removeAt(document, path), wanted, `remove ${path.join('.')}`);
  }
});

test('renaming a key', () => {
  const names = ['renamed', 'on', '012', 'a: b', "it's", 'x y', '#', '~'];
  for (const { document, value, path, random } of cases(22, 3000)) {
    const key = path.at(-1)!;
    if (typeof key === 'number') continue;
    const name = random.pick(names);
    const wanted = changed(
      value,
      path.slice(0, -1),
      (parent) => new Map([...(parent as ValueMap)].map(([k, v]) => [k === key ? name : k, v])),
    );
    if ((valueAt(value, path.slice(0, -1)) as ValueMap).has(name)) continue;
    expectValue(document, renameKey(document, path, name), wanted, `rename ${path.join('.')} to ${name}`);
  }
});

test('setting a value', () => {
  for (const { document, value, path, random } of cases(23, 3000)) {
    const set = random.pick(someValues);
    const wanted = changed(value, path, () => set);
    expectValue(document, setValue(document, path, set), wanted, `set ${path.join('.')} to ${String(set)}`);
  }
});

test('inserting a key', () => {
  let inserted = 0;
  for (const { document, value, path, random } of cases(24, 2000, (one) => isMap(one) || one === null)) {
    const map = valueAt(value, path);
    const set = random.pick(someValues);
    if (map === null) {
      const only = changed(value, path, () => new Map([['added', set]]));
      expectValue(document, insertKey(document, path, 'added', set), only, `insert into null ${path.join('.')}`);
      continue;
    }
    if (!isMap(map)) continue;
    const keys = [...map.keys()];
    const other = keys.length === 0 ? undefined : random.pick(keys);
    const where =
      other === undefined ? {} : random.pick([{}, { first: true as const }, { before: other }, { after: other }]);
    const wanted = changed(value, path, (parent) => new Map([...(parent as ValueMap), ['added', set]]));
    expectValue(
      document,
      insertKey(document, path, 'added', set, where),
      wanted,
      `insert into ${path.join('.')} ${JSON.stringify(where)}`,
    );
    inserted++;
  }
  assert.ok(inserted > 500, `${inserted} insertions`);
});

test('inserting an item', () => {
  let inserted = 0;
  for (const { document, value, path, random } of cases(25, 2000, isList)) {
    const list = valueAt(value, path);
    if (!isList(list)) continue;
    const set = random.pick(someValues);
    const at = random.below(list.length + 1);
    const wanted = changed(value, path, (parent) => [
      ...(parent as Value[]).slice(0, at),
      set,
      ...(parent as Value[]).slice(at),
    ]);
    const where = at === list.length ? {} : { before: at };
    expectValue(document, insertItem(document, path, set, where), wanted, `insert item ${path.join('.')} ${at}`);
    inserted++;
  }
  assert.ok(inserted > 400, `${inserted} insertions`);
});

test('moving a key or an item', () => {
  let moved = 0;
  for (const { document, value, path, random } of cases(26, 4000)) {
    const parent = valueAt(value, path.slice(0, -1))!;
    const step = path.at(-1)!;
    const others = [...(parent as ValueMap).keys()].filter((key) => key !== step);
    if (others.length === 0) continue;
    const other = random.pick(others);
    const edits = moveEntry(document, path, random.chance(0.5) ? { before: other } : { after: other });
    if (edits.length === 0) continue;
    const result = parseDocument(after(document, edits));
    const say = `move ${path.join('.')} to ${other}\n${document.text}\n→\n${result.text}\n${JSON.stringify(document.text)}`;
    const got = valueAt(valueOf(result), path.slice(0, -1));
    if (isMap(parent)) {
      assert.ok(equalValues(got, parent), say);
      const order = [...(got as ValueMap).keys()];
      assert.equal(Math.abs(order.indexOf(String(step)) - order.indexOf(String(other))), 1, say);
    } else {
      assert.ok(isList(got) && got.length === (parent as Value[]).length, say);
      assert.ok(
        (parent as Value[]).every((item) => got.some((one) => equalValues(one, item))),
        say,
      );
    }
    moved++;
  }
  assert.ok(moved > 1000, `${moved} moves`);
});

test('edits as a person would make them', () => {
  const check = (text: string, make: (document: YamlDocument) => TextEdit[], wanted: string) => {
    const document = parseDocument(text);
    assert.equal(applyEdits(text, make(document)), wanted);
  };
  const path = ['a', 0];
  check(
    'a:\n- type: string\n  # why\n  enum: [x]\n',
    (d) => removeAt(d, [...path, 'type']),
    'a:\n- # why\n  enum: [x]\n',
  );
  check('a:\n- type: string\n  enum: [x]\n', (d) => removeAt(d, [...path, 'type']), 'a:\n- enum: [x]\n');
  check('a: # c\n  b: 1\n', (d) => removeAt(d, ['a', 'b']), 'a: # c\n  {}\n');
  check('a:\n  b: 1\nc: 2\n', (d) => removeAt(d, ['a', 'b']), 'a: {}\nc: 2\n');
  check('a: {b: 1, c: 2}\n', (d) => removeAt(d, ['a', 'c']), 'a: {b: 1}\n');
  check(
    'a:\r\n    b: 1 # x\r\n',
    (d) => insertKey(d, ['a'], 'c', new Map([['d', 1n]])),
    'a:\r\n    b: 1 # x\r\n    c:\r\n        d: 1\r\n',
  );
  check(
    'a:\n  # of b\n  b: 1\n',
    (d) => insertKey(d, ['a'], 'type', 'x', { first: true }),
    'a:\n  type: x\n  # of b\n  b: 1\n',
  );
  check("'a b': 1\n", (d) => renameKey(d, ['a b'], 'c'), "'c': 1\n");
  check('a: no # c\n', (d) => quoteAt(d, ['a']), 'a: "no" # c\n');
  check('a: 1 # c\n', (d) => setValue(d, ['a'], new Map([['b', [1n, 2n]]])), 'a: # c\n  b:\n  - 1\n  - 2\n');
  check('a: 1\n', (d) => setValue(d, ['a'], 'x\ny\n'), 'a: |\n  x\n  y\n');
  check('', (d) => insertKey(d, [], 'a', 1n), 'a: 1\n');
});
