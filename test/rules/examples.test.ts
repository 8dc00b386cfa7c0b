import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/diagnose.ts';
import { fixesFor } from '../../server/src/features/fixes.ts';
import { rules } from '../../server/src/rules/registry.ts';
import { readSuite, type SuiteCase } from '../support/suite.ts';
import { applyEdits, sharedFile, snapshotOfCase } from '../support/workspace.ts';

// What the documentation shows is true: the wrong example gives exactly its code, the right one gives nothing, and the
// safe fix turns the one into the other.
for (const { code, bad, good } of rules) {
  test(`${code}: the wrong example gives this code and no other`, () => {
    assert.deepEqual([...new Set(codes(example(bad)))], [code]);
  });
  test(`${code}: the right example gives nothing`, () => {
    assert.deepEqual(codes(example(good)), []);
  });
  test(`${code}: a safe fix of the wrong example gives the right one`, () => {
    const one = example(bad);
    const { uri, text } = one.files.at(-1)!;
    const snapshot = snapshotOfCase(one);
    const fixes = diagnose(snapshot, uri).flatMap((found) => fixesFor(snapshot, uri, found.code, found.key));
    const safe = fixes.find((fix) => fix.safe);
    if (safe) assert.equal(applyEdits(text, safe.edits), example(good).files.at(-1)!.text);
    else assert.ok(fixes.every((fix) => fix.edits.length > 0));
  });
}

function codes(one: SuiteCase): string[] {
  return diagnose(snapshotOfCase(one), one.files.at(-1)!.uri).map((found) => found.code);
}

/** An example as a suite's case. `#- use: schema` puts it under `properties` of a CRD's `spec`. */
function example(text: string): SuiteCase {
  const inSchema = text.startsWith('#- use: schema\n');
  const whole = inSchema ? crdAround(text.slice(text.indexOf('\n') + 1)) : text;
  return readSuite(`## example\n\`\`\`\`yaml\n${whole}\`\`\`\`\n`, sharedFile)[0]!;
}

function crdAround(properties: string): string {
  const indented = properties.replace(/^(?=.)/gm, ' '.repeat(18));
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${indented}`;
}
