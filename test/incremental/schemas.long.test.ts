import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { emptySnapshot, type Snapshot, withBaseline, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { fleetCrd } from '../support/fleetCrd.ts';
import { type Random, seeded } from '../support/random.ts';
import { baselineOf } from '../support/workspace.ts';

// What was right in a schema is kept by the schema. The edits here change what that rests on: what is around it.

const uri = 'file:///fleets.yaml';
const crd = fleetCrd(25_000);

/** A line that is found, and what takes its place; `$1` is its indent. */
const edits: readonly (readonly [RegExp, string])[] = [
  [/^( +)type: string\n/gm, '$1type: integer\n'],
  [/^( +)type: object\n/gm, ''],
  [/^( +)type: object\n/gm, '$1type: object\n$1x-kubernetes-embedded-resource: true\n'],
  [/^( +)type: object\n/gm, '$1type: object\n$1x-kubernetes-map-type: atomic\n'],
  [/^( +)type: object\n/gm, '$1type: object\n$1nullable: true\n$1format: odd\n'],
  [/^( +)maxItems: 16\n/gm, ''],
  [/^( +)maxItems: 16\n/gm, '$1maxItems: 16000\n'],
  [/^( +)maxLength: \d+\n/gm, ''],
  [/^( +)x-kubernetes-list-type: atomic\n/gm, '$1x-kubernetes-list-type: set\n'],
  [/^( +)x-kubernetes-list-type: map\n/gm, '$1x-kubernetes-list-type: atomic\n'],
  [/^( +)rule: has\(self\.(\w+)\).*\n/gm, "$1rule: '!has(self.$2) || self == oldSelf'\n"],
  [/^( +)rule: has\(self\.(\w+)\).*\n/gm, "$1rule: 'self.$2 == self.$2 && self.$2 != dyn(self)'\n"],
  [/^( +)rule: has\(self\.(\w+)\).*\n/gm, '$1rule: self.other\n'],
  [/^( +)- name\n/gm, '$1- other\n'],
  [/^( +)properties:\n/gm, '$1additionalProperties:\n'],
  [/^( +)items:\n/gm, '$1not:\n'],
  [/^( +)spec:\n/gm, '$1metadata:\n'],
  [/^( +)spec:\n/gm, '$1"a b":\n'],
  [/^( +)default: (\d)\n/gm, '$1default: $2$2\n'],
  [/^( +)default: (\d)\n/gm, '$1default: x\n'],
  [/^( +)minimum: 0\n/gm, '$1enum: []\n'],
  [/^( +)(key|image):\n/gm, '$1metadata:\n'],
  [/\n( +)subresources:\n +status: \{\}\n/g, '\n'],
  [/\n( +)scope: Namespaced\n/g, '\n$1scope: Namespaced\n$1preserveUnknownFields: true\n'],
];

function edited(text: string, random: Random): string {
  const [line, instead] = random.pick(edits);
  const places = [...text.matchAll(line)];
  if (places.length === 0) return text;
  const { index, 0: found } = random.pick(places);
  return text.slice(0, index) + found.replace(new RegExp(line.source, 'm'), instead) + text.slice(index + found.length);
}

for (const committed of [false, true]) {
  test(`diagnostics of a CRD are those of its text read anew, ${committed ? 'with' : 'without'} a committed one`, () => {
    const random = seeded(committed ? 31 : 32);
    const base = committed ? withBaseline(emptySnapshot, uri, baselineOf(uri, crd)) : emptySnapshot;
    const typed = (snapshot: Snapshot, text: string) =>
      withOpen(snapshot, sourceFile(uri, text, { previous: snapshot.open.get(uri) }));
    let snapshot = typed(base, crd);
    const codes = new Set<string>();
    for (let round = 0; round < 150; round++) {
      // A text that has strayed too far has nothing left to say; taking all back is an edit, too.
      const { text } = snapshot.open.get(uri)!;
      snapshot = typed(snapshot, random.chance(0.15) ? crd : edited(text, random));
      const found = diagnose(snapshot, uri);
      assert.deepEqual(found, diagnose(typed(base, snapshot.open.get(uri)!.text), uri));
      for (const { code } of found) codes.add(code);
    }
    assert.ok(codes.size > 25, [...codes].join(' '));
  });
}

/** A CRD with this below `spec`. */
const crdOf = (spec: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleets.example.com}
spec:
  group: example.com
  names: {kind: Fleet, plural: fleets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
${spec.replace(/^(?=.)/gm, '              ')}`;

const list = (type: string, limit: string, below: string) => `type: array
${limit}
x-kubernetes-list-type: ${type}
x-kubernetes-list-map-keys: [id]
items:
  type: object
  required: [id]
  properties:
    id: {type: string, maxLength: 10}
    part:
${below.replace(/^(?=.)/gm, '      ')}`;

const ruled = (rule: string) => `type: object
properties:
  size:
    type: array
    maxItems: 100
    items: {type: integer}
    x-kubernetes-validations:
      - {rule: "${rule}", message: wrong}
`;

const embedding = (embedded: string, meta: string) => `type: object
x-kubernetes-preserve-unknown-fields: true
${embedded}
properties:
  metadata:
    type: object
${meta.replace(/^(?=.)/gm, '    ')}`;

// The first character of an entry stays: otherwise the whole map would be read anew.
const isEmbedded = 'x-kubernetes-embedded-resource: true';
const isNotEmbedded = 'x-kubernetes-embedded-resource: false';
const nestedResource = `properties:
  other:
    type: object
    ${isEmbedded}
    x-kubernetes-preserve-unknown-fields: true
    properties: {a: {type: string}}
`;
const filledIn = `additionalProperties:
  type: object
  properties: {a: {type: string, default: b}}
`;

/** What is around a schema that stays as it is: sound first, and then what makes the schema wrong. */
const around: readonly (readonly [what: string, sound: string, wrong: string, code: string])[] = [
  [
    'how items are told apart',
    list('map', 'maxItems: 5', ruled('self == oldSelf')),
    list('atomic', 'maxItems: 5', ruled('self == oldSelf')),
    'crd/rule-old-self',
  ],
  [
    'how often it may occur',
    list('map', 'maxItems: 2', ruled('self.all(x, self.all(y, x == y))')),
    list('map', 'minItems: 2', ruled('self.all(x, self.all(y, x == y))')),
    'crd/rule-cost',
  ],
  [
    'whether it is in the metadata of a resource',
    embedding(isNotEmbedded, nestedResource),
    embedding(isEmbedded, nestedResource),
    'crd/embedded-in-metadata',
  ],
  [
    'whether defaults may stand there',
    embedding(isNotEmbedded, filledIn),
    embedding(isEmbedded, filledIn),
    'crd/default-forbidden',
  ],
];

for (const [what, sound, wrong, code] of around) {
  test(`a schema that stays as it is, judged anew after a change of what is around it: ${what}`, () => {
    const codes = (snapshot: Snapshot) =>
      diagnose(snapshot, uri)
        .filter(({ severity }) => severity === 'error')
        .map((one) => one.code);
    const before = withOpen(emptySnapshot, sourceFile(uri, crdOf(sound)));
    assert.deepEqual(codes(before), []);
    const after = withOpen(before, sourceFile(uri, crdOf(wrong), { previous: before.open.get(uri) }));
    assert.ok(codes(after).includes(code as never), codes(after).join(' '));
    const back = withOpen(after, sourceFile(uri, crdOf(sound), { previous: after.open.get(uri) }));
    assert.deepEqual(codes(back), []);
  });
}
