import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value, ValueMap } from '../../server/src/base/value.ts';
import { givenOf } from '../../server/src/crdtest/load.ts';
import { differences, patched } from '../../server/src/crdtest/objects.ts';
import { groundFor, runInVersions } from '../../server/src/crdtest/run.ts';
import { readSuite } from '../../server/src/crdtest/suite.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import type { Files } from '../../server/src/workspace/files.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { boxCrd } from '../support/boxCrd.ts';

const value = (text: string): Value => valueOf(parseDocument(text)) ?? null;
const map = (text: string) => value(text) as ValueMap;

test('a patch merges maps, takes away what is null, and its keys may be paths', () => {
  const cases: [object: string, patch: string, after: string][] = [
    ['{a: 1}', '{b: 2}', '{a: 1, b: 2}'],
    ['{a: {b: 1, c: 2}}', '{a: {b: null, d: 3}}', '{a: {c: 2, d: 3}}'],
    ['{a: {b: 1}}', '{a.b: 2, a.c.d: 3}', '{a: {b: 2, c: {d: 3}}}'],
    ['{a: [1, 2, 3]}', '{"a[1]": 5}', '{a: [1, 5, 3]}'],
    ['{a: [1, 2, 3]}', '{"a[1]": null}', '{a: [1, 3]}'],
    ['{a: [1]}', '{"a[9].b": 2}', '{a: [1, {b: 2}]}'],
    ['{a: [1, 2]}', '{a: [3]}', '{a: [3]}'],
    ['{a: 1}', '{a.b: 2}', '{a: {b: 2}}'],
    ['{a: {b: 1}}', '{a: null}', '{}'],
    ['{}', '{metadata.labels: {app.kubernetes.io/name: x}}', '{metadata: {labels: {app.kubernetes.io/name: x}}}'],
  ];
  for (const [object, patch, after] of cases) {
    const before = value(object);
    assert.deepEqual(patched(before, map(patch)), value(after), patch);
    assert.deepEqual(before, value(object), 'a base serves other cases as well');
  }
});

test('a part is compared with what it names, a whole with everything', () => {
  const found = value('{a: {b: 1, c: [1, 2]}, d: x}');
  const paths = (wanted: string, part: boolean) => differences(value(wanted), found, part).map(({ path }) => path);
  assert.deepEqual(paths('{a: {c: [1, 2]}}', true), []);
  assert.deepEqual(paths('{a: {c: [1, 3]}, e: null}', true), ['a.c[1]']);
  assert.deepEqual(paths('{d: null}', true), ['d']);
  assert.deepEqual(paths('{a: {c: [1]}}', true), ['a.c']);
  assert.deepEqual(paths('{a: {b: 1.5}}', true), ['a.b']);
  assert.deepEqual(paths('{a: {b: 1}, d: x}', false), ['a.c']);
  assert.deepEqual(paths('{a: {b: 1, c: [1, 2]}, d: x}', false), []);
});

test('what means nothing is named with its place', () => {
  const { mistakes } = readSuite(
    parseDocument(`crd: {kinds: A}
kubernetes: [1.31]
base: {}
bases: {a: {}, b: {}}
cases:
  - create: {}
  - {name: two, create: {base: a}, update: {}}
  - {name: from, update: {to: {base: a}}}
  - {name: what, create: {base: c}, expect: maybe}
  - {name: both, create: {base: a}, expect: valid, errors: [x]}
  - {name: error, create: {base: a}, errors: [3, {feild: x}]}
  - {name: rule, rule: spec.x, expect: maybe, cost: cheap}
  - {name: text, create: 3}
  - {name: table, create: {base: a}, each: [3]}
  - 3
  - {name: stored, create: {base: a}, stored: }
  - {name: exactly, create: {base: a}, stored: {}, exactly: [1]}
`),
  );
  assert.deepEqual(
    mistakes.map(({ path, part, message }) => `${path.join('.')} ${part}: ${message}`),
    [
      'base key: `base` has no meaning here',
      'crd.kinds key: `kinds` has no meaning here',
      'crd value: expected `crd`: a file, or the `kind` of one in the workspace',
      'kubernetes value: expected known Kubernetes versions, such as 1.34 or 1.33..1.37',
      'cases.0 value: expected a `name`',
      'cases.0.create value: expected the name of one of `bases`: a, b',
      'cases.1.update key: expected one of `create`, `update`, `status`, `rule`',
      'cases.2.update value: expected `update` to have `from` and `to`',
      'cases.3.create.base value: expected the name of one of `bases`: a, b',
      'cases.3.expect value: expected `valid`',
      'cases.4.errors value: an object with errors is not valid',
      'cases.5.errors.0 value: expected a part of the message, or a map with `field`, `message`, `contains` or `code`',
      'cases.5.errors.1.feild key: `feild` has no meaning here',
      'cases.6 value: expected `self`, the value that the rule is evaluated on',
      'cases.6.expect value: expected `true` or `false` or `error`',
      'cases.6.cost value: expected `cost` to be a whole number',
      'cases.7.create value: expected an object, a file, or a `base` with what is different',
      'cases.8.each.0 value: expected paths with their values, such as `{spec.size: 0}`',
      'cases.9 value: expected a case: a map with a `name`',
      'cases.10.stored value: expected `stored` to be a map',
      'cases.11.stored value: `exactly` is all of it; expected one of the two',
      'cases.11.exactly value: expected `exactly` to be a map',
    ],
  );
});

test('what a request has no use for would not be checked, so it is refused', () => {
  const of = (one: string) =>
    readSuite(parseDocument(`crd: a.yaml\nbases: {a: {}}\ncases:\n  - {name: x, ${one}}\n`)).mistakes.map(
      ({ path, message }) => `${path.slice(2).join('.')}: ${message}`,
    );
  for (const key of ['message: x', 'cost: 3', 'self: 1', 'oldSelf: 1', 'crd: {}']) {
    assert.deepEqual(of(`create: {}, ${key}`), [`${key.split(':')[0]}: \`${key.split(':')[0]}\` has no meaning here`]);
  }
  for (const key of ['stored: {}', 'warnings: []', 'each: [{}]', 'crd: {}']) {
    assert.deepEqual(
      of(`rule: a, self: 1, ${key}`)[0],
      `${key.split(':')[0]}: \`${key.split(':')[0]}\` has no meaning here`,
    );
  }
  assert.deepEqual(of('create: {}, each: []'), ['each: expected `each` to have rows']);
  assert.deepEqual(of('update: {from: {}, to: {}}, crd: {}'), []);
});

test('half-typed files are read as far as they go', () => {
  for (const text of [
    '',
    'crd',
    'crd:\ncases:\n',
    'crd: a\ncases:\n  - ',
    'crd: a\ncases:\n  - name: x\n    create:\n',
  ]) {
    assert.doesNotThrow(() => readSuite(parseDocument(text)), text);
  }
});

const crd = value(
  boxCrd(
    `
          type: object
          properties:
            size: {type: integer, minimum: 1, default: 3}
            name: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf, message: stays}]}
            tags:
              type: array
              maxItems: 3
              items:
                type: object
                properties: {key: {type: string, maxLength: 5}}
                x-kubernetes-validations: [{rule: self.key != 'x', messageExpression: "'not ' + self.key"}]
            status: {type: object, properties: {ready: {type: boolean}}}`,
    '      subresources: {status: {}}\n',
  ),
);

const files = { expand: async () => ({ uris: [] }) } as unknown as Files;

/** What fails of the cases of a suite, by their names. */
async function failures(cases: string): Promise<Record<string, readonly string[]>> {
  const head =
    'crd: crd.yaml\nbases: {box: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}, name: one}}\n';
  const { suite, mistakes } = readSuite(parseDocument(`${head}cases:\n${cases}`));
  assert.deepEqual(mistakes, []);
  const around = { files, uri: 'file:///t.crdtest.yaml', definitions: new Map() };
  const { served } = groundFor(crd, [newestVersion]);
  const found: [string, readonly string[]][] = [];
  for (const one of suite!.cases) {
    const given = await givenOf(one, suite!, around);
    found.push([one.name, 'why' in given ? [given.why] : runInVersions(one, given, served).failures]);
  }
  return Object.fromEntries(found);
}

test('objects, updates, the status, stored objects and rules pass as the server judges them', async () => {
  const all = await failures(`  - {name: default, create: {}, stored: {size: 3}}
  - {name: too small, create: {with: {size: 0}}, errors: [{field: size, contains: greater than or equal to 1}]}
  - {name: stays, update: {from: {}, to: {with: {name: two}}}, errors: [stays]}
  - {name: and more, update: {from: {}, to: {with: {name: two, size: 0}}}, errors: [{code: cr/minimum}, and more]}
  - {name: status, status: {from: {}, to: {with: {status: {ready: true}, size: 5}}}, stored: {size: 3, status: {ready: true}}}
  - name: ratcheting
    crd: {'spec.versions[0].schema.openAPIV3Schema.properties.name.maxLength': 2}
    update: {from: {}, to: {with: {metadata.labels.a: b}}}
  - {name: of an item, rule: 'tags[*].x-kubernetes-validations[0]', self: {key: x}, expect: false, message: not x}
  - {name: a change, rule: 'name.x-kubernetes-validations[0]', self: a, oldSelf: b, expect: false, message: stays, cost: 5}
  - {name: an error, rule: 'tags[*].x-kubernetes-validations[0]', self: {}, expect: error}
  - {name: whole, create: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}}}
  - {name: unknown, create: {with: {sise: 1}}, errors: ['unknown field "sise"']}
`);
  for (const [name, failed] of Object.entries(all)) assert.deepEqual(failed, [], name);
});

test('what is not as expected is said', async () => {
  assert.deepEqual(
    await failures(`  - {name: unexpected, create: {with: {size: 0}}}
  - {name: missing, create: {}, errors: [{field: size, message: never}]}
  - {name: stored, create: {}, stored: {size: 4, tags: []}}
  - {name: refused, create: {with: {size: 0}}, errors: [greater than], stored: {size: 0}}
  - {name: table, create: {}, stored: {size: 3}, each: [{size: 0, error: greater than}, {name: x}]}
  - {name: start, update: {from: {with: {size: 0}}, to: {}}}
  - {name: patch, crd: {'spec.versions[0].schema.openAPIV3Schema.properties.size.minimum': 4}, update: {from: {}, to: {}}}
  - {name: rule, rule: 'name.x-kubernetes-validations[0]', self: a, oldSelf: a, expect: false, cost: 0}
  - {name: no rule, rule: 'size.x-kubernetes-validations[0]', self: 1}
  - {name: no path, rule: size, self: 1}
  - {name: no file, create: other.yaml}
`),
    {
      unexpected: [
        'unexpected error: size: Invalid value: 0: size in body should be greater than or equal to 1 [cr/minimum]',
      ],
      missing: ['expected error did not come: size: never'],
      stored: ['stored size: expected 4, is 3', 'stored tags: expected [], is nothing'],
      refused: ['stored: expected {"size": 0}, is nothing'],
      'table [size: 0]': [],
      'table [name: "x"]': [],
      start: [
        'the object to start from is refused: size: Invalid value: 0: size in body should be greater than or equal to 1',
      ],
      patch: [
        'the patched CRD is refused: spec.validation.openAPIV3Schema.properties[size].default: Invalid value: 3:  in body should be greater than or equal to 4',
      ],
      rule: ['expected false, is true', 'costs 3, more than 0'],
      'no rule': ['the CRD has no rule at size.x-kubernetes-validations[0]'],
      'no path': ['size is not a rule: expected a path that ends with x-kubernetes-validations[0]'],
      'no file': ['other.yaml cannot be read'],
    },
  );
});
