import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wellKnownStructs } from '../../server/src/cel/wellKnown.ts';
import { keywordsAt } from '../../server/src/features/place/keywordsAt.ts';
import { unescapeName } from '../../server/src/kubernetes/cel/escape.ts';
import { placeholder } from '../../server/src/rules/cr/missing.ts';

const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'];

for (const name of inherited) {
  test(`${name} is a name like any other`, () => {
    assert.equal(wellKnownStructs('google.protobuf.Duration')?.field(name), undefined);
    assert.equal(wellKnownStructs(name), undefined);
    assert.equal(unescapeName(`__${name.replaceAll('_', '')}__`), undefined);
    assert.equal(placeholder({ type: name }), '');
    const allowed = keywordsAt(new Map(), ['spec', 'openAPIV3Schema', name]);
    assert.equal(allowed?.names, undefined);
    assert.deepEqual([...(allowed?.without ?? [])], []);
  });
}
