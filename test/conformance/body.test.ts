import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLine } from './answer.ts';

/** Bodies in YAML, and why the API server of Kubernetes 1.37 does not read them. */
const answers: readonly (readonly [body: string, why: string])[] = [
  ['"', 'yaml: found unexpected end of stream'],
  ["'", 'yaml: found unexpected end of stream'],
  ['\r"', 'yaml: line 2: found unexpected end of stream'],
  ['a: ["x', 'yaml: found unexpected end of stream'],
  ['{a: "b\n  c', 'yaml: line 2: found unexpected end of stream'],
  ['"\n', 'yaml: line 2: found unexpected end of stream'],
  ["{a: 'b\n", 'yaml: line 2: found unexpected end of stream'],
  ['"\u0085', 'yaml: line 2: found unexpected end of stream'],
  ['\n---\n"', 'yaml: line 3: found unexpected end of stream'],
  ["'\n---\n", 'yaml: line 2: found unexpected document indicator'],
];

test('a body in YAML is read whole, and its last line need not end', () => {
  for (const [body, why] of answers) {
    const request = JSON.stringify({ op: 'crd.create', format: 'yaml', crd: body });
    assert.equal(JSON.parse(answerLine(request, '1.37')).decode, why, JSON.stringify(body));
  }
});
