import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import type { Diagnostic, Fix } from '../../server/src/rules/model/diagnostic.ts';
import { parseMarkdown } from '../support/markdown.ts';
import { applyEdits, snapshotOf } from '../support/workspace.ts';

// Every fix of every finding in the conformance cases can be applied, leaves YAML, and takes its finding away.
const folder = 'test/conformance/cases/crd';
const uri = 'file:///main.yaml';

for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
  test(`every fix in ${file} takes its finding away`, () => {
    const failures = parseMarkdown(readFileSync(`${folder}/${file}`, 'utf8')).flatMap(({ title, fences }) =>
      fences.flatMap(({ info, text }) =>
        failuresIn(whole(info.split(' ')[1], text)).map((said) => `${title}: ${said}`),
      ),
    );
    assert.deepEqual(failures, []);
  });
}

const head = `apiVersion: apiextensions.k8s.io/v1
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
`;

const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

function whole(part: string | undefined, text: string): string {
  if (part === 'schema') return `${head}      schema:\n        openAPIV3Schema:\n${indent(text, 10)}`;
  return part === 'version' ? head + indent(text, 6) : text;
}

const settings = { lints: 'on' };

function found(text: string): readonly Diagnostic[] {
  return diagnose(snapshotOf([{ uri, text }], settings), uri);
}

function failuresIn(text: string): string[] {
  const snapshot = snapshotOf([{ uri, text }], settings);
  const before = diagnose(snapshot, uri);
  return before
    .filter(({ severity, code }) => severity === 'error' || code.startsWith('lint/'))
    .flatMap((finding) =>
      fixesFor(snapshot, uri, finding).flatMap((fix) => {
        const failure = failureOf(fix, text, finding, before);
        return failure === undefined ? [] : [`${fix.title} (${finding.code}): ${failure}`];
      }),
    );
}

function failureOf(
  { edits }: Fix,
  text: string,
  finding: Diagnostic,
  before: readonly Diagnostic[],
): string | undefined {
  const sorted = edits.map(({ range }) => range).sort((a, b) => a.start - b.start || a.end - b.end);
  if (sorted.some(({ start }, i) => i > 0 && start < sorted[i - 1]!.end)) return 'its edits overlap';
  const after = found(applyEdits(text, edits));
  if (after.some((left) => left.code === 'yaml/syntax')) return 'it leaves no YAML';
  // Of a key that appears twice only one goes at a time.
  if (before.some((one) => one.code === 'yaml/duplicate-key')) return undefined;
  // Decoding ends at its first mistake; behind that the next one shows.
  const isNext = (one: Diagnostic) => one.code === 'crd/decode' && one.range.start > finding.range.start;
  const count = (all: readonly Diagnostic[]) =>
    all.filter((one) => one.code === finding.code && one.message === finding.message && !isNext(one)).length;
  return count(after) < count(before) ? undefined : 'its finding stays';
}
