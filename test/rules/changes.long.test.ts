import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Value } from '../../server/src/base/value.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { updateResource } from '../../server/src/kubernetes/cr/update.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import type { Change } from '../../server/src/rules/changes/change.ts';
import { crdChanges } from '../../server/src/rules/changes/crds.ts';
import { box, holds, schemas, served, values } from '../support/smallSchemas.ts';

// No difference between two CRDs goes unnoticed, and none that is called harmless takes a value away.

const all = schemas.map((schema) => {
  const crd = served(schema);
  return { schema, crd, holds: new Set(values.filter((value) => holds(crd, value))) };
});
type One = (typeof all)[number];

const changesOf = (old: One, now: One): Change[] =>
  crdChanges({ crd: now.crd.lowered, old: old.crd.lowered, ref: 'HEAD', kubernetes: newestVersion });

const published: string[] = JSON.parse(readFileSync('docs/diff-output.schema.json', 'utf8')).$defs.change.properties
  .kind.enum;

/** Two ways to write the same. */
const synonyms = [
  ['{type: array, items: {type: string}}', '{type: array, x-kubernetes-list-type: atomic, items: {type: string}}'],
  [
    '{x-kubernetes-int-or-string: true}',
    '{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}',
  ],
];

test('every difference is named, in a sentence', () => {
  for (const old of all) {
    for (const now of all) {
      const isSame = old === now || synonyms.some((one) => one.includes(old.schema) && one.includes(now.schema));
      const changes = changesOf(old, now);
      assert.equal(changes.length === 0, isSame, `${old.schema} to ${now.schema}`);
      for (const { title, message, field, kind } of changes) {
        assert.ok(published.includes(kind), kind);
        assert.ok(title !== '' && /^[\p{Lu}`“].*\.$/su.test(message), `${title}: ${message}`);
        assert.match(field, /^value/);
      }
    }
  }
});

/** A list passes for a text that has a format. */
const isQuirk = (value: Value, ...pair: One[]) => Array.isArray(value) && pair.some((one) => /date/.test(one.schema));

test('what only allows more, or changes without breaking, takes no value away', () => {
  for (const old of all) {
    for (const now of all) {
      const effects = new Set(changesOf(old, now).map(({ effect }) => effect));
      if (effects.has('breaks') || effects.has('may-break')) continue;
      const lost = [...old.holds].filter((value) => !now.holds.has(value) && !isQuirk(value, old, now));
      assert.deepEqual(lost, [], `${old.schema} to ${now.schema}`);
    }
  }
});

test('what breaks has values that it breaks, among those tried', () => {
  const isTried = (kind: string) => !['default-changed', 'embedded-removed', 'limit-tightened'].includes(kind);
  for (const old of all) {
    for (const now of all) {
      const broken = changesOf(old, now).filter(({ effect, kind }) => effect === 'breaks' && isTried(kind));
      const lost = [...old.holds].some((value) => !now.holds.has(value) || isQuirk(value, old, now));
      assert.ok(
        broken.length === 0 || lost,
        `${old.schema} to ${now.schema}: ${broken.map(({ kind }) => kind).join(', ')}`,
      );
    }
  }
});

test('what is said of updates is what the API server does', () => {
  const forgiven = /once an update changes|is not rejected for that/;
  const refused = /also where an update leaves them as they are|every update is rejected/;
  const seen = { forgiven: 0, refused: 0 };
  for (const old of all) {
    for (const now of all) {
      const broken = changesOf(old, now).filter(({ effect }) => effect === 'breaks' || effect === 'may-break');
      const wrong = [...old.holds].filter((value) => !createsIn(now, value) && !isQuirk(value, old, now));
      for (const value of wrong) {
        const { decode, errors } = updateResource(box(value), box(value, 'y'), now.crd);
        const passes = !decode && errors.length === 0;
        const says = broken.filter(({ message }) => (passes ? forgiven : refused).test(message));
        // Old defaults are in the object before the new schema looks at it.
        assert.ok(says.length > 0 || /default/.test(old.schema), `${old.schema} to ${now.schema}: passes ${passes}`);
        seen[passes ? 'forgiven' : 'refused'] += 1;
      }
    }
  }
  assert.ok(seen.forgiven > 100 && seen.refused > 0, JSON.stringify(seen));
});

function createsIn({ crd }: One, value: Value): boolean {
  const { decode, errors } = createResource(box(value), crd);
  return !decode && errors.length === 0;
}
