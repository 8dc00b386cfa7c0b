import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../server/src/base/steps.ts';
import { hover } from '../../server/src/features/at/hover.ts';
import { complete } from '../../server/src/features/complete/complete.ts';
import { objectSnippet } from '../../server/src/features/complete/completeKind.ts';
import { colors } from '../../server/src/features/lenses/colors.ts';
import { newPlayground } from '../../server/src/features/place/playground.ts';
import type { Tried } from '../../server/src/features/trying/tried.ts';
import { tryPlayground } from '../../server/src/features/trying/tryPlayground.ts';
import { ruleAtCursor, ruleOf, tryRule } from '../../server/src/features/trying/tryRule.ts';
import { valueHints } from '../../server/src/features/trying/valueHints.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { objectKey } from '../../server/src/workspace/baseline/baseline.ts';
import { emptySnapshot, type Snapshot, withBaseline, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { boxCrd } from '../support/boxCrd.ts';

const uri = 'file:///crd.yaml';
const schema = (rule: string, itemRule = "self != 'x'") => `
          type: object
          properties:
            spec:
              type: object
              required: [size]
              x-kubernetes-validations:
                - message: too large
                  rule: ${rule}
              properties:
                size: {type: integer}
                least: {type: integer, default: 2}
                parts:
                  type: array
                  maxItems: 10
                  items:
                    type: string
                    maxLength: 20
                    x-kubernetes-validations:
                      - rule: ${itemRule}`;

const box = (name: string, spec: string) =>
  `apiVersion: example.com/v1\nkind: Box\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const boxes = [
  sourceFile('file:///a.yaml', `${box('a', '{size: 3, parts: [b, x, c]}')}---\n${box('b', '{size: 30, more: 1}')}`),
  sourceFile('file:///b.yaml', `${box('c', '{size: large}')}---\n${box('d', '{size: 1}')}`),
];

const at = (text: string): Snapshot => withOpen(emptySnapshot, sourceFile(uri, text));

function tried(text: string, near: string, files = boxes): Tried {
  const snapshot = at(text);
  const ref = ruleAtCursor(snapshot, uri, text.indexOf(near) + 1);
  const rule = ref && ruleOf(snapshot, uri, ref);
  assert.ok(rule, `no rule at ${near}`);
  return atOnce(tryRule(snapshot, rule, files));
}

const rows = ({ objects }: Tried) => objects.map(({ name, outcome, said }) => `${name}: ${outcome} ${said}`.trim());

test('a rule says of each resource whether it is true, which part made it false, or why it says nothing', () => {
  const found = tried(boxCrd(schema('self.size < 10 && self.least <= self.size')), 'too large');
  assert.equal(found.title, 'Box v1, spec');
  assert.equal(found.problem, undefined);
  assert.deepEqual(rows(found), [
    'a: true',
    'b: false self.size < 10 is false',
    // The words are the API server's for a text where an integer is to be.
    'c: none The API server refuses the object before it evaluates rules: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    'd: false self.least <= self.size is false',
  ]);
  assert.deepEqual(found.objects[3]!.values[0]!.lines, [
    'self.size < 10 && self.least <= self.size: false',
    '  self.size < 10: true',
    '    self.size: 1',
    '  self.least <= self.size: false',
    '    self.least: 2',
    '    self.size: 1',
  ]);
});

test('an error is in the words of the server', () => {
  const found = tried(boxCrd(schema("self.parts[1] != 'y'")), 'too large');
  assert.deepEqual(rows(found).slice(0, 2), [
    'a: true',
    'b: error spec: Invalid value: "object": no such key: parts evaluating rule: too large',
  ]);
});

test('a rule below a list is shown for each item, those that it is false for first', () => {
  const [a, b] = tried(boxCrd(schema('self.size > 0')), "self != 'x'").objects;
  assert.deepEqual(
    a!.values.map((value) => `${value.at} ${value.outcome}`),
    ['spec.parts[1] false', 'spec.parts[0] true', 'spec.parts[2] true'],
  );
  assert.equal(`${b!.outcome} ${b!.said}`, 'none The object has nothing at spec.parts[].');
});

test('of a rule that does not compile nothing is said but that', () => {
  const found = tried(boxCrd(schema('self.sise < 10')), 'too large');
  assert.match(found.problem ?? '', /^ERROR: <input>:1:5: undefined field 'sise'/);
  assert.deepEqual(found.objects, []);
  assert.equal(tried(boxCrd(schema('self.size')), 'too large').problem, 'cel expression must evaluate to a bool');
});

test('a rule that reads oldSelf waits for a change', () => {
  const [first] = tried(boxCrd(schema('self.size >= oldSelf.size')), 'too large').objects;
  assert.equal(
    first?.said,
    'It reads oldSelf, so it is evaluated only where an object is changed: open one that is committed.',
  );
});

test('what is committed is what a rule compares with', () => {
  const [before] = sourceFile(boxes[0]!.uri, box('a', '{size: 4}')).manifests;
  const committed = { ref: 'HEAD', manifest: before!, crd: undefined, storage: new Map<string, string>() };
  const objects = new Map([[objectKey(before!)!, committed]]);
  const baseline = { ref: 'HEAD', commit: 'a', unknownRef: false, objects };
  const text = boxCrd(schema('self.size >= oldSelf.size || self.size == 30'));
  const snapshot = withBaseline(at(text), boxes[0]!.uri, baseline);
  const rule = ruleOf(snapshot, uri, ruleAtCursor(snapshot, uri, text.indexOf('too large'))!);
  const [first, second] = atOnce(tryRule(snapshot, rule!, boxes)).objects;
  assert.deepEqual([first?.outcome, second?.outcome], ['false', 'none']);
  assert.ok(first!.values[0]!.lines.includes('    oldSelf.size: 4'));
});

test('outside of rules there is none', () => {
  const text = boxCrd(schema('true'));
  assert.equal(ruleAtCursor(at(text), uri, text.indexOf('maxItems')), undefined);
  assert.equal(ruleOf(at(text), uri, { manifest: 0, path: ['spec', 'gone'] }), undefined);
  assert.equal(ruleOf(at(text), uri, { manifest: 7, path: [] }), undefined);
});

test('a new object has what the version of the CRD demands', () => {
  const [definition] = [...at(boxCrd(schema('true'))).definitions.values()].flat();
  const text = objectSnippet(definition!, 'v1') ?? '';
  assert.match(text, /^apiVersion: example\.com\/v1\nkind: Box\nmetadata:\n {2}name: .*\nspec:\n {2}size: /);
  assert.equal(objectSnippet(definition!, 'v9'), undefined);
});

test('values of a resource are behind the parts of a rule', () => {
  const text = boxCrd(schema('self.size < 10 && self.least <= self.size'));
  const hints = valueHints(
    at(text),
    uri,
    { start: 0, end: text.length },
    {
      uri: boxes[1]!.uri,
      manifest: boxes[1]!.manifests[1]!,
    },
  );
  const shown = hints.map(
    ({ offset, label }) => `${text.slice(text.lastIndexOf(' ', offset - 1) + 1, offset)} ${label}`,
  );
  assert.deepEqual(shown, ['self.size = 1 → false', '10 = true', 'self.size = 1', 'self.least = 2']);
});

// Playground

const playUri = 'file:///try.cel.yaml';
const play = (text: string) =>
  tryPlayground(withOpen(at(boxCrd(schema('self.size > 0'))), sourceFile(playUri, text)), playUri, 0);

test('a new playground works as it is', () => {
  const found = play(newPlayground(newestVersion));
  assert.equal(found?.problem, undefined);
  assert.equal(found?.kubernetes, newestVersion.name);
  assert.equal(found?.objects[0]?.outcome, 'true');
});

test('an expression of any type has a value, a type and a cost', () => {
  const found = play('expression: self.names.map(n, n.size())\nself: {names: [a, bcd]}\n');
  assert.equal(found?.objects[0]?.said, '[1, 3]');
  assert.match(found?.facts.join('; ') ?? '', /^type list\(int\); cost \d+ here, at most /);
  assert.match(play('expression: self.x\nself: {at: 1}\n')?.problem ?? '', /undefined field 'x'/);
  assert.equal(play('expression: 1 / self.at\nself: {at: 0}\n')?.objects[0]?.said, 'division by zero');
  assert.equal(
    play('expression: self.at > oldSelf.at\nself: {at: 2}\noldSelf: {at: 1}\n')?.objects[0]?.outcome,
    'true',
  );
  const unknown = 'expression: self.kind\nself: {apiVersion: a.example.com/v1, kind: A}\n';
  assert.match(play(unknown)?.facts.at(-1) ?? '', /those of the values, since no CRD of A is known/);
  assert.equal(play('something: else\n'), undefined);
});

test('a schema that is given is the type of self, and so is that of a known kind', () => {
  const given = 'expression: self.at\nself: {at: 2}\nschema: {type: object, properties: {at: {type: number}}}\n';
  assert.match(play(given)?.facts[0] ?? '', /^type double/);
  const whole = `expression: self.spec.least\nself:\n  ${box('a', '{size: 3}').replaceAll('\n', '\n  ')}\n`;
  assert.equal(play(whole)?.objects[0]?.said, '2');
});

test('completion and hover know the types of a playground', () => {
  const text = 'expression: self.replicas + self.\nself: {replicas: 1, name: a}\n';
  const snapshot = withOpen(emptySnapshot, sourceFile(playUri, text));
  const labels = complete(snapshot, playUri, text.indexOf('\n')).map(({ label }) => label);
  assert.deepEqual(labels.filter((label) => /^(name|replicas)$/.test(label)).sort(), ['name', 'replicas']);
  assert.match(hover(snapshot, playUri, text.indexOf('replicas') + 2)?.markdown.source ?? '', /self\.replicas: int/);
  const colored = colors(snapshot, playUri).map(({ start, end, color }) => `${text.slice(start, end)} ${color}`);
  assert.deepEqual(colored, ['self self', 'replicas property', '+ operator', 'self self']);
});
