import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import * as esbuild from 'esbuild';
import { newestOptions, newestRules } from '../../server/src/cel/newestOptions.ts';
import { evalRules } from '../../server/src/kubernetes/cel/runtime.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { environment } from '../../server/src/library/cel.ts';
import { apply, check, explain } from '../../server/src/library/index.ts';
import { parse, plain, set } from '../../server/src/library/yaml.ts';

test('CEL alone behaves as in the newest Kubernetes', () => {
  const { cel } = newestVersion;
  const same = Object.fromEntries(Object.keys(newestOptions).map((key) => [key, cel[key as keyof typeof cel]]));
  assert.deepEqual(newestOptions, same);
  assert.deepEqual(newestRules, evalRules(newestVersion));
});

test('each entry point loads what it is for, and nothing of a host', async () => {
  for (const [name, outside] of [
    ['cel', /^(?:kubernetes|rules|workspace|features|yaml)\//],
    ['yaml', /^(?:kubernetes|rules|workspace|features|cel)\//],
    ['index', /^(?:lsp|cli|node_modules\/vscode)/],
  ] as const) {
    const { metafile } = await esbuild.build({
      entryPoints: [path.resolve(`server/src/library/${name}.ts`)],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
    });
    const inputs = Object.keys(metafile.inputs).map((file) => file.replace('server/src/', ''));
    assert.deepEqual(
      inputs.filter((file) => outside.test(file)),
      [],
      name,
    );
  }
});

test('values of every type go in and out', () => {
  const env = environment({
    variables: {
      i: 'int',
      u: 'uint',
      d: 'double',
      s: 'string',
      b: 'bytes',
      t: 'timestamp',
      l: 'list(double)',
      m: 'map(int, string)',
      o: 'optional(int)',
      x: 'dyn',
    },
  });
  const valueOf = (text: string, variables = {}) => {
    const { value, error } = env.compile(text).evaluate(variables);
    return error ?? value;
  };
  assert.equal(valueOf('i + 1', { i: 2 }), 3n);
  assert.equal(valueOf('u + 1u', { u: 2 }), 3n);
  assert.equal(valueOf('d / 2.0', { d: 1 }), 0.5);
  assert.equal(valueOf('s + "b"', { s: 'a' }), 'ab');
  assert.deepEqual(valueOf('b', { b: Uint8Array.of(1) }), Uint8Array.of(1));
  assert.equal(valueOf('t', { t: new Date('2020-01-02T03:04:05.006Z') }), '2020-01-02T03:04:05.006Z');
  assert.deepEqual(valueOf('l', { l: [1, 2.5] }), [1, 2.5]);
  assert.equal(valueOf('m[1]', { m: new Map([[1, 'a']]) }), 'a');
  assert.deepEqual(valueOf('{"a": i}', { i: 1 }), new Map([['a', 1n]]));
  assert.equal(valueOf('duration("90s")'), '1m30s');
  assert.equal(valueOf('optional.none()'), undefined);
  assert.equal(valueOf('type(1)'), 'int');
  assert.equal(valueOf('x.a.b', { x: { a: { b: null } } }), null);
  assert.equal(valueOf('x.c', { x: {} }), 'no such key: c');
  assert.equal(valueOf('i', {}), 'no such attribute(s): i');
});

test('what does not compile says where, and a cost beyond the limit ends evaluation', () => {
  const wrong = environment().compile('1 +');
  assert.equal(wrong.type, undefined);
  assert.ok(wrong.problems.length > 0 && wrong.issues?.startsWith('ERROR: <input>:1:'));
  assert.throws(() => wrong.evaluate());
  const many = environment().compile('[1, 2, 3].all(a, [1, 2, 3].all(b, a + b > 0))');
  const { value, error, cost } = many.evaluate({}, { limit: 5 });
  assert.deepEqual([value, error, cost > 5n], [undefined, 'operation cancelled: actual cost limit exceeded', true]);
  assert.throws(() => environment({ variables: { a: 'lst(int)' } }), /is not a type/);
  assert.throws(() => environment({ variables: { a: 'list(int' } }), /is not a type/);
});

test('findings are in places of the text, and fixes are worked out when asked for', () => {
  const text =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {group: a}\n';
  const findings = check(text);
  assert.ok(findings.length > 0);
  for (const { range, place } of findings) {
    assert.ok(range.start >= 0 && range.end <= text.length);
    assert.ok(place.line >= 1 && place.line <= 5);
  }
  assert.throws(() => check(text, { kubernetes: '1.9' }), /Kubernetes 1\.9 is not known/);
  assert.equal(explain('no/such'), undefined);
  const fixable = findings.find(({ fixes }) => fixes.length > 0)!;
  assert.notEqual(apply(text, fixable.fixes[0]!), text);
  assert.deepEqual(check('', {}), []);
  const unknown = 'apiVersion: example.com/v1\nkind: Jar\nmetadata: {name: a}\n';
  assert.deepEqual(
    check(unknown).map(({ code }) => code),
    ['cr/unknown-kind'],
  );
  assert.deepEqual(check(unknown, { knownKinds: ['example.com/*'] }), []);
});

test('edits keep what is around them, in any document of a text', () => {
  assert.equal(
    set('a: 1 # one\n---\nb: 2 # two\n', ['b'], 'x: y', { document: 1 }),
    'a: 1 # one\n---\nb: "x: y" # two\n',
  );
  assert.throws(() => set('a: 1\n', ['a'], 2, { document: 3 }), /no document 3/);
  assert.deepEqual(plain(parse('big: 9007199254740993\n__proto__: 1\n')[0]!.value!), {
    big: 9007199254740993n,
    ['__proto__']: 1,
  });
  assert.equal(parse('\ta: 1')[0]!.value, undefined);
});
