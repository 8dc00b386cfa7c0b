import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { uncheckedParts } from '../../server/src/kubernetes/builtin/validation/unchecked.ts';
import { frozenKinds } from '../../server/src/kubernetes/builtin/validation/update.ts';
import { validatedKinds } from '../../server/src/kubernetes/builtin/validation/validate.ts';

const page = readFileSync('docs/builtin-kinds.md', 'utf8');
const [created = '', updated = ''] = page.split('## After decoding')[1]!.split('## ')[0]!.split('What may not change');

test('the page about built-in kinds names the kinds that are validated, and no others', () => {
  const named = [...created.matchAll(/`([\w./]*v\d\/[A-Z]\w+)`/g)].map(([, name]) => name);
  assert.deepEqual(named, validatedKinds);
});

test('it names the kinds of which updates are compared', () => {
  const named = [...updated.matchAll(/`([\w./]*v\d\/[A-Z]\w+)`/g)].map(([, name]) => name);
  assert.deepEqual(named.sort(), [...frozenKinds].sort());
});

test('it names what is not checked of them', () => {
  assert.deepEqual(
    uncheckedParts.filter(({ what }) => !created.includes(`- ${what}\n`)),
    [],
  );
});
