import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/diagnose.ts';
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
