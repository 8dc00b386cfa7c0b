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

test('a large value is not written out', () => {
  const document = parseDocument(`null: [${'abc, '.repeat(1_000)}]\n`);
  const { error } = documentVerdict(document);
  assert.match(error ?? '', /^unsupported map key .*…$/);
  assert.ok(error!.length < 2_500);
});
