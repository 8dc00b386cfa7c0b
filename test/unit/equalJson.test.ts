import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap } from '../../server/src/base/value.ts';
import type { Json } from '../../server/src/gostd/json.ts';
import { equalTo } from '../../server/src/kubernetes/api/equalJson.ts';
import { KeptTexts } from '../../server/src/yaml/kept.ts';
import { keepTrees, parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';

const mapOf = (text: string) => {
  const value = valueOf(parseDocument(text));
  assert.ok(isMap(value));
  return value;
};

const firstEqual = (json: Json & object) => equalTo(json).whole;

test('what is equal is one object, with all in it', () => {
  const [a, b] = [mapOf('a: {b: [1, {c: d}]}'), mapOf('{"a": {"b": [1, {"c": "d"}]}}')];
  assert.notEqual(a, b);
  assert.equal(firstEqual(a), firstEqual(b));
  assert.equal(firstEqual(a.get('a') as typeof a), firstEqual(b.get('a') as typeof b));
});

test('what only looks alike is not', () => {
  const texts = ['a: 1', 'a: 1.5', 'a: "1"', 'a: true', 'a: "true"', 'a: null', 'a: {}', 'a: []', 'a: ""', 'a: [null]'];
  const more = ['a: {b: 1, c: 2}', 'a: {c: 2, b: 1}', 'a: ["1,2"]', 'a: ["1", "2"]', '"a:1": 1', 'a: "\\"1"'];
  const all = [...texts, ...more].map((text) => firstEqual(mapOf(text)));
  assert.equal(new Set(all).size, all.length);
  assert.notEqual(firstEqual(new Map([['a', 0]])), firstEqual(new Map([['a', -0]])));
  assert.notEqual(firstEqual(new Map([['a', 1n]])), firstEqual(new Map([['a', 1]])));
});

test('trees are kept by their text, in documents of their own', () => {
  keepTrees(1000);
  const [a, b] = [parseDocument('a: b'), parseDocument('a: b')];
  keepTrees(0);
  assert.notEqual(a, b);
  assert.equal(a.root, b.root);
  assert.notEqual(parseDocument('a: b').root, a.root);
});

test('texts that were asked for again make room for others', () => {
  const kept = new KeptTexts<number>();
  kept.set('none', 0);
  assert.equal(kept.get('none'), undefined);
  kept.keep(1010);
  kept.set('aaaa', 1);
  kept.set('bbbb', 2);
  kept.set('cccc', 3);
  assert.deepEqual([kept.get('aaaa'), kept.get('bbbb'), kept.get('cccc')], [1, 2, undefined]);
  kept.get('aaaa');
  kept.set('dddd', 4);
  assert.deepEqual([kept.get('aaaa'), kept.get('bbbb'), kept.get('dddd')], [1, undefined, 4]);
  kept.set('long '.repeat(300), 5);
  assert.equal(kept.get('long '.repeat(300)), undefined);
});
