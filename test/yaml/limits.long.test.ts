import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap } from '../../server/src/base/value.ts';
import { parseDocument, parseStream } from '../../server/src/yaml/parse.ts';
import { pathAt } from '../../server/src/yaml/place.ts';
import { documentVerdict, scalarHints, toJson, valueOf } from '../../server/src/yaml/value.ts';

test('alias bombs are refused at once, in the words of the API server', () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i++) {
    const name = String.fromCharCode(97 + i);
    const before = String.fromCharCode(96 + i);
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
  }
  const document = parseDocument(`${lines.join('\n')}\n`);
  assert.equal(documentVerdict(document).error, 'yaml: document contains excessive aliasing');
  assert.equal(valueOf(document), undefined);
});

test('an anchor inside itself is refused', () => {
  assert.equal(documentVerdict(parseDocument('a: &a [*a]\n')).error, "yaml: anchor 'a' value contains itself");
});

test('5,000 levels are read, in flow and in block style', () => {
  for (const text of [
    `${'['.repeat(5000)}${']'.repeat(5000)}\n`,
    `${'- '.repeat(5000)}x\n`,
    `${'{a: '.repeat(5000)}1${'}'.repeat(5000)}\n`,
  ]) {
    const document = parseDocument(text);
    assert.equal(document.readerError, undefined);
    assert.notEqual(valueOf(document), undefined);
    assert.ok(toJson(document)!.length >= 5000);
    assert.ok(pathAt(document, text.length >> 1).path.length > 1000);
    assert.equal(scalarHints(document).length, 0);
  }
});

test('more than 10,000 levels are refused, and the text still has a tree', () => {
  for (const text of [`${'['.repeat(10001)}`, `${'- '.repeat(10001)}x\n`]) {
    const document = parseDocument(text);
    assert.match(document.readerError!.text, /exceeded max depth of 10000/);
    assert.match(document.problems[0]!.message, /10000 levels/);
  }
});

test('control characters, NUL and half a surrogate pair', () => {
  assert.equal(parseDocument('a: \0b\n').readerError?.text, 'yaml: control characters are not allowed');
  assert.deepEqual(parseDocument('a: b\nc: \u0007\n').problems[0]!.range, { start: 8, end: 9 });
  const value = valueOf(parseDocument('a: \ud800x\n'));
  assert.equal(isMap(value) && value.get('a'), '\ufffdx');
});

test('10,000 documents and a change in one of them', () => {
  const part = 'kind: A\nspec: {a: 1}\n---\n';
  const stream = parseStream(part.repeat(10_000));
  assert.equal(stream.documents.length, 10_000);
  const changed = parseStream(`${part.repeat(5000)}kind: B\n---\n${part.repeat(5000)}`, stream);
  const before = new Set(stream.documents.map(({ document }) => document));
  assert.equal(changed.documents.filter(({ document }) => !before.has(document)).length, 1);
});

test('a text of 50 MB is read in one go, whatever it is', () => {
  const size = 50_000_000;
  for (const text of ['a'.repeat(size), `"${'b '.repeat(size / 2)}`, '# c\n'.repeat(size / 4)]) {
    const { documents } = parseStream(text);
    assert.equal(documents.length, 1);
    assert.equal(documents[0]!.document.text.length, text.length);
  }
});

test('broken text costs no more than its length', () => {
  const lines: readonly string[] = [
    `k: ${'[a] '.repeat(200_000)}\n`,
    `${'k: "a\n'.repeat(100_000)}`,
    `${"k: 'a\n".repeat(100_000)}`,
    `${'k: [a\n'.repeat(100_000)}`,
    `${'a: b: c\n'.repeat(100_000)}`,
    `${'a: b\n  c: d\n'.repeat(50_000)}`,
    `${'- a\nb\n'.repeat(100_000)}`,
    `${'\t@\n'.repeat(100_000)}`,
    `x: {${'a b: c, '.repeat(100_000)}\n`,
    `${'- - ? '.repeat(3000)}\n`,
    `a: ${'"\\q'.repeat(100_000)}\n`,
    `a: ${'*x '.repeat(100_000)}\n`,
    `a: b\n${' c: d\n'.repeat(100_000)}`,
  ];
  for (const text of lines) {
    const start = performance.now();
    const document = parseDocument(text);
    const spent = performance.now() - start;
    assert.ok(document.problems.length <= 51);
    assert.ok(spent < 3000, `${spent} ms for ${JSON.stringify(text.slice(0, 30))}`);
  }
});
