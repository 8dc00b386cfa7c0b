import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pieces } from '../../server/src/base/pieces.ts';
import { Unknown, type Value } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import type { ResourceVerdict } from '../../server/src/kubernetes/cr/verdict.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';

// Rules over texts in part, with all that functions say of them: what one of them is sure of is so however the text is
// filled in. What nobody is sure of is in neither list.

interface Sure {
  readonly text: Pieces;
  readonly holds: readonly string[];
  readonly fails: readonly string[];
  readonly open: readonly string[];
}

const sure: readonly Sure[] = [
  {
    text: ['prod-', ''],
    holds: [
      "self.a.startsWith('prod')",
      "self.a != 'staging'",
      'size(self.a) >= 5',
      '4 < self.a.size()',
      "self.a.contains('od-')",
      "self.a.matches('^prod')",
      "self.a.upperAscii().startsWith('PROD-')",
      "(self.a + '-x').endsWith('-x')",
      "('a-' + self.a).startsWith('a-prod')",
      "self.a > 'm'",
      "[self.a, 'x'] != ['test', 'x']",
      '!(self.a in self.few)',
      "self.a in ['x', 'y'] || true",
      'has(self.a)',
      "{'k': self.a}.k.startsWith('p')",
      'size(self.a + self.a) > 9',
      'size(self.a) + 1 > 5',
    ],
    fails: [
      "self.a.startsWith('test')",
      "self.a in ['test', 'staging']",
      "self.a == 'prod'",
      'size(self.a) < 5',
      '4 >= size(self.a)',
      'size(self.a) == 3',
      "self.a.matches('^[a-z]+$')",
      "self.a <= 'a'",
      "self.a.lowerAscii() == 'PROD-1'",
      'self.few.exists(one, one == self.a)',
      "(self.a + '!').matches('^\\\\w+$')",
    ],
    open: [
      "self.a.endsWith('x')",
      "self.a.contains('x')",
      'size(self.a) >= 6',
      "self.a == 'prod-1'",
      "self.a in ['prod-1', 'x']",
      "self.a.matches('^[a-z-]+$')",
      "self.a > 'prod-x'",
      "self.a.upperAscii() == 'PROD-1'",
      "self.a.replace('prod', 'x') == 'x-'",
      'size(self.a.trim()) == 3',
      "self.a.split('-').size() == 2",
      "[self.a].map(x, x) == ['prod-1']",
      'type(self.a) == string',
      "{self.a: 1, 'prod-1': 2}['prod-1'] == 2",
      "optional.of(self.a).orValue('x') == 'prod-1'",
      "'%s'.format([self.a]) == 'prod-1'",
    ],
  },
  {
    text: ['', '.example.com'],
    holds: ["self.a.endsWith('.com')", "self.a.matches('example[.]com$')", "!self.a.endsWith('.org')"],
    fails: ["self.a.matches('^[a-z-]+$')", "self.a.endsWith('.org')", "self.a == 'example.com'"],
    open: ["self.a.startsWith('a')", "self.a.matches('^[a-z.]+$')", "self.a < 'b'"],
  },
  {
    text: ['a', '-b-', 'z'],
    holds: ["self.a.contains('-b')", 'size(self.a) > 4'],
    fails: ["self.a == 'a-c-z'", "self.a.matches('^a[^b]*z$')", "self.a == 'az-b-a'", "self.a in ['ab', 'a-bz']"],
    open: [
      "self.a == 'a1-b-2z'",
      "self.a.matches('^a-b-z$')",
      "self.a.matches('.-b-.*')",
      "self.a.contains('c')",
      "self.a.matches('\\\\bz')",
    ],
  },
];

for (const { text, holds, fails, open } of sure) {
  test(`what rules say of ${text.join('…')}`, () => {
    const judged = (expression: string, a: Value): boolean => {
      const served = serveCrd(crdWithRule(expression), newestVersion);
      if ('error' in served) throw new Error(`${expression}: ${JSON.stringify(served.error)}`);
      const spec = new Map<string, Value>([
        ['a', a],
        ['few', ['x', 'y']],
      ]);
      const said = saidOf(createResource(objectWith(spec), served, { kubernetes: newestVersion }));
      assert.ok(
        said.every((one) => one.startsWith('cr/rule ')),
        `${expression}: ${said}`,
      );
      return said.length === 0;
    };
    const unknown = new Unknown('${A}', text);
    const came = (expression: string) => {
      const [isRight, isWrong] = [judged(expression, unknown), judged(`!(${expression})`, unknown)];
      return isRight && isWrong ? 'open' : isRight ? 'holds' : 'fails';
    };
    for (const one of holds) assert.equal(came(one), 'holds', one);
    for (const one of fails) assert.equal(came(one), 'fails', one);
    for (const one of open) assert.equal(came(one), 'open', one);
    for (const filling of ['', 'x', '1', 'prod', '-b-', 'example.com'])
      for (const one of [...holds, ...fails])
        assert.equal(judged(one, text.join(filling)), holds.includes(one), `${one}: ${text.join(filling)}`);
  });
}

function crdWithRule(rule: string): Value {
  const read = readJson(
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: { a: { type: 'string' }, few: { type: 'array', items: { type: 'string' } } },
                    'x-kubernetes-validations': [{ rule }],
                  },
                },
              },
            },
          },
        ],
      },
    }),
  );
  assert.ok('json' in read);
  return plainValue(read.json);
}

function objectWith(spec: Value): Value {
  return new Map<string, Value>([
    ['apiVersion', 'example.com/v1'],
    ['kind', 'Thing'],
    ['metadata', new Map([['name', 'a']])],
    ['spec', spec],
  ]);
}

/** Findings by their codes and places: messages may show a value of which a part is not known. */
function saidOf({ decode, strict, errors, warnings }: ResourceVerdict): string[] {
  if (decode) return [`decode ${decode.path.join('/')}`];
  return [
    ...strict.map(({ kind, path }) => `${kind} ${path.join('/')}`),
    // This warning comes along only where nothing is refused.
    ...[...errors, ...warnings.filter(({ code }) => code !== 'cr/finalizer-name')].map(
      ({ code, path }) => `${code} ${path.join('/')}`,
    ),
  ];
}
