import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Shown, type Surveyed, sampled, shownIn, surveyPage } from './survey.ts';

const report = (line: number, code = 'cr/type'): Shown => ({
  ...{ file: 'a.yaml', line, severity: 'error', code, message: `message ${line}` },
});
const surveyed = (name: string, shown: Shown[]): Surveyed => ({
  ...{ name, commit: '0123456789abcdef', shown, files: 3, seconds: 1.25, megabytes: 90, remarks: [] },
});
const all = [surveyed('one', [report(1), report(2), report(3)]), surveyed('two', [report(4), report(5, 'cr/enum')])];

test('a sample is the same for the same seed, and takes no finding twice', () => {
  const of = (seed: number, most: number) => sampled(all, most, seed).map(({ name, line }) => `${name}:${line}`);
  assert.deepEqual(of(1, 3), of(1, 3));
  assert.deepEqual(of(1, 99).sort(), ['one:1', 'one:2', 'one:3', 'two:4', 'two:5']);
  const firsts = new Set(Array.from({ length: 20 }, (_, seed) => of(seed, 1)[0]));
  assert.ok(firsts.size > 2);
});

test('a page counts findings by repository and rule, and leaves the verdict to a person', () => {
  const page = surveyPage(all, sampled(all, 1, 1), () => 'kind: A\nsize: |\n'.repeat(5));
  assert.match(page, /^\| one \| 0123456789ab \| 3 \| 3 \| 0 \| 1\.3 \| 90 MB \|$/m);
  assert.match(page, /^\| error `cr\/type` \| 4 \| 3 \| 1 \|$/m);
  assert.match(page, /^\| error `cr\/enum` \| 1 \| {2}\| 1 \|$/m);
  assert.match(page, /^\| 1 \| `cr\/\w+` \| (?:one|two): a\.yaml:\d \| {2}\|$/m);
  assert.match(page, /^> {5}\d {2}(?:kind: A|size: \|)$/m);
});

test('findings are read as the text format shows them', () => {
  const text = `a: b/c.yaml:12:3: error: unknown field "x" [cr/unknown-field]
12 |   x: 1
   |   ^
d.yaml:4:1: warning: two lines:
  the second [kustomize/not-built]
4 | a: error: b
d.yaml:4:1: the same in line 9 [kustomize/not-built]
`;
  assert.deepEqual(shownIn(text), [
    { file: 'a: b/c.yaml', line: 12, message: 'unknown field "x"', code: 'cr/unknown-field', severity: 'error' },
    { file: 'd.yaml', line: 4, message: 'two lines:\n  the second', code: 'kustomize/not-built', severity: 'warning' },
  ]);
});
