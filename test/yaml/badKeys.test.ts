import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { documentVerdict } from '../../server/src/yaml/value.ts';

// What Kubernetes 1.37's own decoder answers (the oracle's operation `builtin`).
const answers = [
  ['null: x', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
  ['~: 1.5', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: 1.5'],
  [
    'null: {b: [1], a: "q\\n"}',
    '%!s(<nil>), key: <nil>, value: map[interface {}]interface {}{"a":"q\\n", "b":[]interface {}{1}}',
  ],
  ['18446744073709551615: y', 'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: true'],
] as const;

for (const [text, answer] of answers) {
  test(`a key that JSON cannot have, in ${text}`, () => {
    const document = parseDocument(text);
    assert.ok(documentVerdict(document).error?.endsWith(answer), documentVerdict(document).error);
  });
}

// The same decoder's answers (the oracle's operation `yaml`); most such keys are blanks of a template without quotes.
const ofParts = [
  ['{{ x }}: 1', 'map[interface {}]interface {}{"x":interface {}(nil)}'],
  ['a: {{ x }}', 'map[interface {}]interface {}{"x":interface {}(nil)}'],
  ['port: {{ 8080 }}', 'map[interface {}]interface {}{8080:interface {}(nil)}'],
  ['a:\n  b: {{ .Values.x | quote }}', 'map[interface {}]interface {}{".Values.x | quote":interface {}(nil)}'],
  ['{a: {b: 1}}: 1', 'map[interface {}]interface {}{"a":map[interface {}]interface {}{"b":1}}'],
  [
    '[a, 1, 1.5, true, null, "q", 2020-01-01]: 1',
    '[]interface {}{"a", 1, 1.5, true, interface {}(nil), "q", "2020-01-01"}',
  ],
  [
    '? {a: [x], c: 0x10, d: ~}\n: 1',
    'map[interface {}]interface {}{"a":[]interface {}{"x"}, "c":16, "d":interface {}(nil)}',
  ],
  ['? - a\n  - {b: 1}\n: 1', '[]interface {}{"a", map[interface {}]interface {}{"b":1}}'],
  [
    '{x: 1, y: .inf, z: 12345678901234567890, w: "a\\nb"}: 1',
    'map[interface {}]interface {}{"w":"a\\nb", "x":1, "z":0xab54a98ceb1f0ad2, true:+Inf}',
  ],
  ['&a [1]: *a', '[]interface {}{1}'],
  ['{{a: 1}: 2}: 3', 'map[interface {}]interface {}{"a":1}'],
  ['{? [a] : 1}: 1', '[]interface {}{"a"}'],
  ['[!!binary aGk=, !!str 5, !foo x]: 1', '[]interface {}{"hi", "5", "x"}'],
  ['? {}\n: 1', 'map[interface {}]interface {}{}'],
  ['? []\n: 1', '[]interface {}{}'],
  ['{<<: {a: 1}, b: 2}: 1', 'map[interface {}]interface {}{"a":1, "b":2}'],
  [
    '{1: a, "1": b, 1.5: c, -2: d, true: e, ~: f, 12345678901234567890: g, false: i, .nan: k, -.inf: l}: 1',
    'map[interface {}]interface {}{interface {}(nil):"f", "1":"b", 0xab54a98ceb1f0ad2:"g", -2:"d", 1:"a", NaN:"k", -Inf:"l", 1.5:"c", false:"i", true:"e"}',
  ],
  ['[-0.0, 1e21, 0.1, 100000000.0, -5, "\\u00e9\\x00"]: 1', '[]interface {}{-0, 1e+21, 0.1, 1e+08, -5, "é\\x00"}'],
  ['{a: 1, a: 2}: 1', 'map[interface {}]interface {}{"a":2}'],
  ['a: &x {b: 1}\n? *x\n: 2', 'map[interface {}]interface {}{"b":1}'],
  ['a: &x [1]\n? [*x, *x]\n: 2', '[]interface {}{[]interface {}{1}, []interface {}{1}}'],
  ['? &k {? *k : 1}\n: 1', "yaml: anchor 'k' value contains itself"],
  ['a: &k {? [{? *k : 1}] : 1}', "yaml: anchor 'k' value contains itself"],
  ['? &k {a: *k}\n: 1', "yaml: anchor 'k' value contains itself"],
] as const;

for (const [text, answer] of ofParts) {
  test(`a key that is a map or a list, in ${text}`, () => {
    const { error } = documentVerdict(parseDocument(text));
    assert.equal(error?.replace('yaml: invalid map key: ', ''), answer);
  });
}

test('what follows a map without entries is not read', () => {
  assert.equal(documentVerdict(parseDocument('{}: 1')).error, undefined);
});

test('a large value is not written out', () => {
  const document = parseDocument(`null: [${'abc, '.repeat(1_000)}]\n`);
  const { error } = documentVerdict(document);
  assert.match(error ?? '', /^unsupported map key .*…$/);
  assert.ok(error!.length < 2_500);
});

test('how deep a key is does not matter', () => {
  const inLists = `? ${'['.repeat(9_000)}a${']'.repeat(9_000)}\n: 1`;
  assert.match(
    documentVerdict(parseDocument(inLists)).error ?? '',
    /^yaml: invalid map key: \[\]interface \{\}\{\[\].*…$/,
  );
  const inKeys = `? ${'{? '.repeat(9_000)}a${'}'.repeat(9_000)}\n: 1`;
  const { error } = documentVerdict(parseDocument(inKeys));
  assert.equal(error, 'yaml: invalid map key: map[interface {}]interface {}{"a":interface {}(nil)}');
});
