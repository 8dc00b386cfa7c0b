import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notation, readSuite } from '../support/suite.ts';

const notation: Notation = { fences: ['fixed'], settings: ['lints'], isCode: (word) => word === 'crd/scope' };
const read = (text: string) => readSuite(text, (name) => `name: ${name}\n`, notation);
const yaml = (text: string) => `## one\n\`\`\`yaml\n${text}\n\`\`\`\n`;

test('what a suite does not understand is refused, with its line', () => {
  const refused: [text: string, why: RegExp][] = [
    [`${yaml('a: 1')}\`\`\`fixd\na: 2\n\`\`\`\n`, /line 6: a fence `fixd` has no meaning/],
    [`## one\n<!-- lintz: on -->\n${yaml('a: 1').slice(7)}`, /line 1: a setting `lintz` has no meaning/],
    [`## one\n<!-- lints on -->\n${yaml('a: 1').slice(7)}`, /a comment that sets nothing/],
    [yaml('a: 1\n# ^ crd/scop'), /no marker of ours/],
    [yaml('a: 1\n# ^ crd/scope message'), /no marker of ours/],
    [yaml('#- usee: widgets\na: 1'), /line 3: #- usee: widgets has no meaning/],
    [yaml('#- in: spec\na: 1'), /#- in: spec has no meaning/],
    ['## one\n```yaml a b\na: 1\n```\n', /a word too many/],
  ];
  for (const [text, why] of refused) assert.throws(() => read(text), why);
});

test('a schema stands inside a CRD, its markers and places as they are shown', () => {
  const [one] = read(yaml('#- in: schema\nproperties:\n  size: {}\n# ^^^^ crd/scope "x"\n'));
  const [{ text, expected, frame } = assert.fail()] = one!.files;
  assert.ok(text.startsWith('apiVersion: apiextensions.k8s.io/v1\n'));
  assert.deepEqual(
    expected.map(({ start, end, code }) => [text.slice(start, end), code]),
    [['size', 'crd/scope']],
  );
  assert.equal(text.split('\n')[frame.lines]!.slice(frame.columns), 'properties:');
});
